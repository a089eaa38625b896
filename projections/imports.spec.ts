import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { AnyView } from '../src/engine/view.js';
import { views } from './index.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

interface Imported {
  /** As from here, without its ending. */
  readonly module: string;
  /** `null`: the module as a whole. */
  readonly names: readonly string[] | null;
}

/** What a view imports from the service when it runs: no types. */
const importedBy = (file: string): readonly Imported[] =>
  [...read(`./${file}`).matchAll(/^import (?!type )([^;]+) from '(\.\.\/src\/[^']+)\.js';/gmu)].flatMap(
    ([, what = '', module = '']): readonly Imported[] => {
      if (what.startsWith('* as')) return [{ module, names: null }];
      const names = what
        .replace(/[{}]/gu, '')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '));
      return names.length === 0 ? [] : [{ module, names }];
    },
  );

/** The modules that one loads when it runs, itself included. */
const loadedBy = (module: string): readonly string[] => [
  module,
  ...[...read(`${module}.ts`).matchAll(/^import (?!type )[^;]+ from '(\.[^']+)\.js';/gmu)].flatMap(
    ([, other = '']) => loadedBy(posix.join(posix.dirname(module), other)),
  ),
];

const files = readdirSync(new URL('.', import.meta.url)).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && file !== 'index.ts',
);
const importing = files.filter((file) => importedBy(file).length > 0);

describe('what a view imports from the domain', () => {
  it('is something, so that these rules are tried', () => {
    expect(importing).toEqual(expect.arrayContaining(['applications.ts', 'notices.ts']));
  });

  it.each(importing)('counts as its code: %s', async (file) => {
    const exported = Object.values((await import(`./${file.replace(/ts$/u, 'js')}`)) as object);
    const view = views.find((one) => exported.includes(one)) as AnyView;
    for (const { module, names } of importedBy(file)) {
      const whole = (await import(`${module}.js`)) as Readonly<Record<string, unknown>>;
      expect(view.uses).toEqual(expect.arrayContaining(names?.map((name) => whole[name]) ?? [whole]));
      // A fingerprint sees the exports of a module alone.
      if (names === null) expect(read(`${module}.ts`)).not.toMatch(/^(?:const|let|function) /mu);
    }
  });

  it.each(importing)('is in the image: %s', (file) => {
    for (const module of importedBy(file).flatMap((one) => loadedBy(one.module))) {
      const compiled = `dist/${module.replace('../', '')}.js`;
      expect(read('../Dockerfile')).toContain(`COPY --from=build /app/${compiled} ./${compiled}\n`);
      expect(read(`${module}.ts`)).not.toMatch(/^import (?!type )[^;]+ from '[^.]/mu);
    }
  });
});
