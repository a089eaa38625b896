import { describe, expect, it } from '@jest/globals';
import { transformSync } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript';
import { needsOf, packageOf } from './imports.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
const manifest = (folder: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>;

/** Package, licence and reason of each row below a heading. */
const rowsBelow = (heading: string): readonly (readonly [string, string, string])[] => {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`) + 1).split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(\S+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, name = '', licence = '', reason = '']) => [name, licence, reason],
  );
};

/** The packages that a page's source imports, types excluded. */
const importsOf = (file: string): readonly string[] => {
  const { code } = transformSync(readFileSync(join(root, 'web', file), 'utf8'), {
    loader: file.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  return typescript
    .preProcessFile(code, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((specifier) => !specifier.startsWith('.'))
    .map(packageOf);
};

const filesBelow = (folder: string, kind: RegExp): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((name) => kind.test(name) && !/\.(spec|whole|alone)\./.test(name));

/** Adds required peers: a package needs them at run time though no source imports them. */
const withPeers = (names: readonly string[]): ReadonlySet<string> => {
  const all = new Set(names);
  for (const name of all) {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest(`node_modules/${name}`) as {
      peerDependencies?: Record<string, string>;
      peerDependenciesMeta?: Record<string, { optional?: boolean }>;
    };
    for (const peer of Object.keys(peerDependencies))
      if (peerDependenciesMeta[peer]?.optional !== true) all.add(peer);
  }
  return all;
};

/** Nest loads it by its name at run time; `socket.adapter.ts` replaces it. */
const NAMED = ['@nestjs/platform-ws'];

describe('the dependencies', () => {
  it('are what the programs and the page import, and nothing else', () => {
    const compiled = ['src', 'projections', 'packages', 'tools'].flatMap((folder) =>
      filesBelow(join('dist', folder), /\.js$/).map((name) => join(folder, name)),
    );
    const programs = needsOf(join(root, 'dist'), compiled).packages;
    const page = filesBelow('web', /\.tsx?$/).flatMap(importsOf);
    const names = Object.keys(manifest('.')['dependencies'] as Record<string, string>);
    expect(names.sort()).toEqual([...withPeers([...programs, ...page, ...NAMED])].sort());
  });
});

describe('the page of dependencies', () => {
  it.each([
    ['dependencies', 'At run time'],
    ['devDependencies', 'To build and test'],
  ])('has each of %s once, with its licence and a reason', (field, heading) => {
    const rows = rowsBelow(heading);
    const names = Object.keys(manifest('.')[field] as Record<string, string>);
    expect(rows.map(([name]) => name).sort()).toEqual(names.sort());
    for (const [name, licence, reason] of rows) {
      const { license } = manifest(`node_modules/${name}`);
      expect([name, licence]).toEqual([name, String(license).replace(/^\((.*)\)$/, '$1')]);
      expect(reason).toMatch(/^[A-Z`@].*\.$/);
    }
  });
});
