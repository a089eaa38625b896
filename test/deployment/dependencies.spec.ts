import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

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

describe('the page of dependencies', () => {
  it.each([
    ['dependencies', ['At run time']],
    ['devDependencies', ['In the bundle', 'To build and test']],
  ])('has each of %s once, with its licence and a reason', (field, headings) => {
    const rows = headings.flatMap(rowsBelow);
    const names = Object.keys(manifest('.')[field] as Record<string, string>);
    expect(rows.map(([name]) => name).sort()).toEqual(names.sort());
    for (const [name, licence, reason] of rows) {
      const { license } = manifest(`node_modules/${name}`);
      expect([name, licence]).toEqual([name, String(license).replace(/^\((.*)\)$/, '$1')]);
      expect(reason).toMatch(/^[A-Z`@].*\.$/);
    }
  });
});
