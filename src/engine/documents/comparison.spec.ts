import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { VaultUnavailable } from '../../core/errors.js';
import type { Position } from '../../core/event-store.js';
import { BrokenSeal, MissingKey, type PersonId } from '../../core/vault/port.js';
import type { DocumentSealer, ViewDocument } from '../view.js';
import { comparableOfStored, differencesBetween, differencesOf, Unreadable } from './comparison.js';

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

describe('A stored document that does not open', () => {
  const position = '0000000000000001' as Position;
  const stored = { id: 'a', position, parkedAt: null, deleted: false, body: { personal: 'sealed' } };
  const openedWith = (error: Error) => {
    const sealer = { open: () => Promise.reject(error) } as unknown as DocumentSealer;
    return comparableOfStored(sealer, stored);
  };

  it.each([
    new BrokenSeal('p' as PersonId),
    new MissingKey('p' as PersonId),
    new TypeError('It is not sealed.'),
    new SyntaxError('It is no JSON.'),
  ])('is a finding where it was changed in the store: $name', async (error) => {
    expect(await openedWith(error)).toBeInstanceOf(Unreadable);
  });

  it('is none where the vault does not answer: that passes', async () => {
    const error = new VaultUnavailable('The vault does not answer.');
    await expect(openedWith(error)).rejects.toBe(error);
  });
});

describe('Documents whose personal parts differ', () => {
  const comparable = (body: object) => ({ parkedAt: null, deleted: false, body: body as ViewDocument });
  const differ = (mine: object, theirs: object, max: number) =>
    differencesBetween(comparable(mine), comparable(theirs), max);

  it('show no more places than asked, that one among them', () => {
    const [mine, theirs] = [
      { a: 1, personal: { name: 'Ann' } },
      { a: 2, personal: { name: 'Bob' } },
    ];
    const plain = { path: '/body/a', left: '1', right: '2' };
    const personal = { path: '/body/personal', left: '(personal)', right: '(personal)' };
    expect(differ(mine, theirs, 2)).toEqual({ first: [plain, personal], more: false });
    expect(differ(mine, theirs, 1)).toEqual({ first: [plain], more: true });
    expect(differ({ ...mine, a: 2 }, theirs, 0)).toEqual({ first: [], more: true });
  });

  it('show whether there is none, or the person was erased', () => {
    const { first } = differ({ personal: null }, {}, 1);
    expect(first).toEqual([{ path: '/body/personal', left: 'null', right: null }]);
  });
});
