import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { program } from '../../test/support/written-work.js';
import { fingerprintsOf, FOUND_FROM_TOKENS } from './fingerprints.js';
import { type Tree, treeOf } from './tree.js';

const KEY = Buffer.alloc(32, 7);
const tree = (files: Readonly<Record<string, string>>): Tree =>
  treeOf(Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) })));
const of = (files: Readonly<Record<string, string>>, starter: Readonly<Record<string, string>> | null = null) =>
  fingerprintsOf(tree(files), starter && tree(starter), KEY); // prettier-ignore
const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  [...a].filter((one) => b.has(one)).length;

const SOLUTION = `
export function changed(items, limit) {
  const result = new Map();
  for (const item of items) {
    if (item.count > limit || result.has(item.name)) continue;
    result.set(item.name, [item.count * 2 + 1, "unit"]);
  }
  while (result.size > 10) result.delete([...result.keys()][0]);
  return result.size === 0 ? null : [...result.entries()].map(([key, value]) => ({ key, value }));
}`;

/** The same, with other names, values, comments and layout. */
const DISGUISED = `// mine
export function filter_all(things, max) { /* a map */ const out = new Map(); for (const x of things)
{ if (x.n > max || out.has(x.id)) continue; out.set(x.id, [x.n * 3 + 7, 'other words']); }
while (out.size > 99) out.delete([...out.keys()][5]);
      return out.size === 1 ? null
   : [...out.entries()].map(([k, w]) => ({ k, w })); }`;

const OTHER = `
import { test } from 'node:test';
class Queue { #all = []; push(x) { this.#all.push(x); return this; }
  async *drain() { try { for (;;) { const next = this.#all.shift(); if (!next) return; yield await next(); } } finally { this.#all.length = 0; } } }
test('drains', async () => { const seen = []; for await (const x of new Queue().push(() => 1).drain()) seen.push(x); });`;

/** Words, as prose has them: each counts. */
const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `w${from + index}`).join(' ');

describe('fingerprints of work', () => {
  it('are the same for code with other names, values, comments and layout, in another file', () => {
    const [one, other] = [of({ 'a.js': SOLUTION }), of({ 'src/deep/b.ts': DISGUISED })];
    expect(one.size).toBeGreaterThan(5);
    expect(shared(one, other)).toBe(one.size);
  });

  it('have nothing in common for other code', () => {
    expect(shared(of({ 'a.js': SOLUTION }), of({ 'a.js': OTHER }))).toBe(0);
  });

  it('leave out what the starter has', () => {
    expect(of({ 'a.js': SOLUTION }, { 'b.js': DISGUISED }).size).toBe(0);
    const own = of({ 'a.js': `${SOLUTION}\n${OTHER}` }, { 'a.js': SOLUTION });
    expect(shared(own, of({ 'x.js': OTHER }))).toBeGreaterThan(5);
    expect(shared(own, of({ 'x.js': SOLUTION }))).toBe(0);
  });

  it('tell nothing without the key, and nothing of the text', () => {
    const one = of({ 'a.js': SOLUTION });
    expect(shared(one, fingerprintsOf(tree({ 'a.js': SOLUTION }), null, Buffer.alloc(32, 8)))).toBe(0);
    for (const fingerprint of one) expect(fingerprint).toMatch(/^[\da-f]{20}$/);
  });

  it.each([
    ['a table of figures', { 'a.js': '[1, 2],\n'.repeat(500) }],
    ['a lock file', { 'package-lock.json': words(0, 2_000) }],
    ['a binary file', { 'a.txt': `\0${words(0, 500)}` }],
    ['a short file', { 'a.txt': words(0, 22) }],
  ])('are none for %s', (_, files: Readonly<Record<string, string>>) => {
    expect(of(files).size).toBe(0);
  });

  it('find each run of the stated length that two texts share, wherever it is', () => {
    const place = fc.integer({ min: 0, max: 200 });
    fc.assert(
      fc.property(place, place, place, place, fc.nat(1_000), (a, b, c, d, run) => {
        const common = words(run, FOUND_FROM_TOKENS);
        const one = of({ 'a.md': `${words(10_000, a)} ${common} ${words(20_000, b)}` });
        const other = of({ 'b.md': `${words(30_000, c)}\n${common.replaceAll(' ', '\n ')}, ${words(40_000, d)}` });
        expect(shared(one, other)).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    ); // prettier-ignore
  });

  it('are the same whatever files are called and however code is laid out, and none of any starter', () => {
    const seed = fc.nat(1_000);
    const path = fc.constantFrom('a.js', 'src/b.ts', 'deep/er/c.mjs');
    fc.assert(
      fc.property(seed, seed, path, path, fc.integer({ min: 1, max: 5 }), (own, begun, from, to, gap) => {
        const [text, starter] = [program(own), program(begun + 2_000)];
        const laidOut = program(own, 'other').replaceAll('\n', '\n'.repeat(gap) + ' '.repeat(gap));
        const one = of({ [from]: text }, { 'starter.js': starter });
        const other = of({ [to]: laidOut, 'z/starter.ts': starter }, { 'starter.js': starter });
        expect(shared(one, other)).toBe(one.size);
        expect(other.size).toBe(one.size);
        expect(one.size).toBeGreaterThan(20);
        expect(of({ [from]: starter }, { [to]: program(begun + 2_000, 'x') }).size).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('take bounded time and room for as much as a hand-in may hold', () => {
    const large = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [
        `f${n}.js`,
        `${SOLUTION}\n`.repeat(200) + words(n * 1e6, 3_000),
      ]),
    );
    const began = performance.now();
    expect(of(large, large).size).toBe(0);
    expect(of(large).size).toBeLessThan(200_000);
    // Half a second where nothing else runs.
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});
