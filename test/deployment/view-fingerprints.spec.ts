import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { formerViews, views } from '../../projections/index.js';

type Fingerprints = ReadonlyMap<string, string>;
const SCRIPT: string = '../../scripts/view-fingerprints.mjs';
const script = (await import(SCRIPT)) as {
  readSource(path: string): string;
  viewFingerprints(read: (path: string) => string): Fingerprints;
  fileText(fingerprints: Fingerprints): string;
};

const own = script.viewFingerprints(script.readSource);

describe('the fingerprints of views', () => {
  /** The views whose fingerprint changes if this text of a file is replaced. */
  const changedBy = (file: string, from: string, to: string): readonly string[] => {
    const changed = script.readSource(file).replace(from, to);
    expect(changed).not.toBe(script.readSource(file));
    const prints = script.viewFingerprints((path) => (path === file ? changed : script.readSource(path)));
    return [...own.keys()]
      .filter((view) => prints.get(view) !== own.get(view))
      .map((view) => view.split(' ')[0]!);
  };

  it('are those that the service is built with, one for each view that it knows', () => {
    expect(readFileSync('projections/fingerprints.ts', 'utf8')).toBe(script.fileText(own));
    const known = [...views, ...formerViews].map(({ name, version }) => `${name} ${version}`);
    expect([...own.keys()]).toEqual(known.sort());
    expect(new Set(own.values()).size).toBe(own.size);
  });

  it.each([
    ['a fold', 'projections/roles.ts', "'role.updated': ", "'role.updated': (one) => one, x: ", ['roles']],
    [
      'a helper beside folds',
      'projections/mails.ts',
      'const soonest = ',
      'const soonest = null ?? ',
      ['mails'],
    ],
    [
      'a helper of the domain',
      'src/domain/application/events.ts',
      'export const accommodationsOf = ',
      'export const accommodationsOf = null ?? ',
      ['applications'],
    ],
    [
      'what a helper of the domain calls itself',
      'src/core/timestamp.ts',
      'export const SECOND_MS = 1_000',
      'export const SECOND_MS = 1_001',
      ['audit', 'mails'],
    ],
  ])('change with %s', (_, file, from, to, concerned) => {
    expect(changedBy(file, from, to)).toEqual(concerned);
  });

  it('change in all views if the code that builds a view from its declaration changes', () => {
    const all = [...own.keys()].map((view) => view.split(' ')[0]);
    expect(changedBy('projections/view.ts', 'return fold(', 'return void 0 ?? fold(')).toEqual(all);
  });

  it('do not change with comments, types and what no fold reaches', () => {
    const unreached = 'export const unreached = () => 1;\nexport type Unreached = string;\n// A comment.\n';
    for (const file of ['projections/roles.ts', 'src/domain/candidate/events.ts', 'src/core/registry.ts'])
      expect(changedBy(file, 'import ', `${unreached}import `)).toEqual([]);
    expect(changedBy('src/domain/candidate/events.ts', "'candidate.bound':", "'candidate.renamed':")).toEqual(
      [],
    );
    expect(changedBy('src/domain/role/decider.ts', 'state === null', 'state == null')).toEqual([]);
  });

  it('are the same in every program, bundled or not', () => {
    const bin = readdirSync('dist/bin').filter((file) => file.endsWith('.js'));
    const programs = [
      readFileSync('dist/bin/main.js', 'utf8'),
      // The other programs share files.
      bin
        .filter((file) => file !== 'main.js')
        .map((file) => readFileSync(`dist/bin/${file}`, 'utf8'))
        .join(''),
      readFileSync('dist/projections/fingerprints.js', 'utf8'),
    ];
    for (const print of own.values())
      expect(programs.map((text) => text.includes(print))).toEqual([true, true, true]);
  });
});
