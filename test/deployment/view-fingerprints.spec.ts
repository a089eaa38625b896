import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formerViews, views } from '../../projections/index.js';

type Fingerprints = ReadonlyMap<string, string>;
const SCRIPT: string = '../../scripts/view-fingerprints.mjs';
const script = (await import(SCRIPT)) as {
  viewFingerprints(root: string): Fingerprints;
  written(fingerprints: Fingerprints): string;
};

const own = script.viewFingerprints('.');

describe('the fingerprints of views', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-views-'));
    for (const room of ['projections', 'src/core', 'src/domain', 'src/languages'])
      cpSync(room, join(folder, room), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The names of the views that have another fingerprint once a file reads otherwise. */
  const changedBy = (file: string, from: string, to: string): readonly string[] => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    writeFileSync(path, changed);
    const prints = script.viewFingerprints(folder);
    writeFileSync(path, text);
    return [...own.keys()]
      .filter((view) => prints.get(view) !== own.get(view))
      .map((view) => view.split(' ')[0]!);
  };

  it('are those that the service is built with, one for each view that it knows', () => {
    expect(readFileSync('projections/fingerprints.ts', 'utf8')).toBe(script.written(own));
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
      ['mails'],
    ],
  ])('change with %s', (_, file, from, to, concerned) => {
    expect(changedBy(file, from, to)).toEqual(concerned);
  });

  it('change in all views with what makes a view of its declaration', () => {
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
