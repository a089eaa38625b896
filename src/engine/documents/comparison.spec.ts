import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { differencesOf } from './comparison.js';

const json = fc.jsonValue({ maxDepth: 4 });
const plain = json.map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** What a pointer points to, as RFC 6901 has it. */
const at = (value: unknown, path: string): unknown =>
  path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (part, key) => (Object.hasOwn(part as object, key) ? Reflect.get(part as object, key) : undefined),
      value,
    );

const text = (value: unknown): string | null => {
  const whole = value === undefined ? null : JSON.stringify(value);
  return whole === null || whole.length <= 200 ? whole : `${whole.slice(0, 200)}…`;
};

describe('What two values differ in', () => {
  it('is nothing for equal ones, whatever the order of their members', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, one]) => [key, reversed(one)]),
      );
    };
    fc.assert(
      fc.property(plain, (value) => {
        expect(differencesOf(value, reversed(value), 3)).toEqual({ first: [], more: false });
      }),
    );
  });

  it('names places that differ, with what stands there, and the same from either side', () => {
    fc.assert(
      fc.property(plain, plain, (left, right) => {
        const { first, more } = differencesOf(left, right, 1_000);
        expect(more).toBe(false);
        for (const { path, ...shown } of first) {
          expect(shown).toEqual({ left: text(at(left, path)), right: text(at(right, path)) });
          expect(JSON.stringify(at(left, path))).not.toBe(JSON.stringify(at(right, path)));
        }
        const mirrored = first.map(({ path, left: a, right: b }) => ({ path, left: b, right: a }));
        const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
        expect([...differencesOf(right, left, 1_000).first].sort(byPath)).toEqual(mirrored.sort(byPath));
      }),
    );
  });

  it('goes as deep as both do', () => {
    const left = { a: [1, { 'b/c': 'x', '~': null }], d: 1, gone: [] };
    const right = { a: [1, { 'b/c': 'y', '~': 0 }, 2], d: 1, constructor: true };
    expect(differencesOf(left, right, 10).first).toEqual([
      { path: '/a/1/b~1c', left: '"x"', right: '"y"' },
      { path: '/a/1/~0', left: 'null', right: '0' },
      { path: '/a/2', left: null, right: '2' },
      { path: '/gone', left: '[]', right: null },
      { path: '/constructor', left: null, right: 'true' },
    ]);
  });

  it('is cut off where there is too much of it', () => {
    expect(differencesOf([1, 2, 3], [4, 5, 6], 2)).toEqual({
      first: [
        { path: '/0', left: '1', right: '4' },
        { path: '/1', left: '2', right: '5' },
      ],
      more: true,
    });
    expect(differencesOf('x'.repeat(500), null, 1).first[0]?.left).toHaveLength(201);
  });
});
