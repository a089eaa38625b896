import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFrozenThroughout } from '../../test/support/encoded-events.js';
import { areLarger, freezeJson, jsonBytes, memoryOf, maxJsonBytes, NotJson } from './json.js';

class Money {
  constructor(readonly amount: number) {}
}

describe('freezing JSON', () => {
  it('takes every JSON value, changes nothing and freezes all of it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.stringify(freezeJson(parsed))).toBe(JSON.stringify(value));
        expect(isFrozenThroughout(parsed)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  const cyclic: Record<string, unknown> = {};
  cyclic['itself'] = { list: [cyclic] };
  const refused: readonly (readonly [string, unknown])[] = [
    ['undefined', undefined],
    ['NaN', NaN],
    ['infinity', -Infinity],
    ['negative zero', -0],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a class instance', new Money(1)],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a bigint', 1n],
    ['a hole', new Array(2)],
    ['a cycle', cyclic],
    ['bytes', Buffer.from('x')],
  ];
  it.each(refused)('refuses %s, however deep it lies', (_, value) => {
    expect(() => freezeJson(value)).toThrow(NotJson);
    expect(() => freezeJson({ fine: 1, list: [{ deep: value }] })).toThrow(NotJson);
  });

  it('refuses a value again that it refused before', () => {
    const value = { list: [{ at: new Date(0) }] };
    expect(() => freezeJson(value)).toThrow(NotJson);
    expect(() => freezeJson(value)).toThrow(NotJson);
  });

  it('keeps a member named __proto__', () => {
    const value = freezeJson(JSON.parse('{"__proto__": {"a": 1}}') as object);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1}}');
  });
});

const values = fc.jsonValue({ stringUnit: 'binary' });

describe('the size of JSON', () => {
  it('is at most what it is said to be', () => {
    fc.assert(
      fc.property(values, fc.string({ unit: fc.constantFrom('\0', '\ud800', '"') }), (value, text) => {
        for (const any of [value, { [text]: [text, value] }])
          expect(maxJsonBytes(any)).toBeGreaterThanOrEqual(jsonBytes(any));
      }),
    );
  });

  it('is compared to the byte, of all values together', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1 }), (all) => {
        const bytes = all.reduce<number>((sum, one) => sum + jsonBytes(one), 0);
        expect(areLarger(all, bytes)).toBe(false);
        expect(areLarger(all, bytes - 1)).toBe(true);
      }),
    );
  });
});

describe('the memory that a value is said to take', () => {
  const texts = (value: unknown): number => {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 0;
    return Object.values(value).reduce<number>((sum, member) => sum + texts(member), 0);
  };

  it('is at least that of its texts, wherever they lie', () => {
    fc.assert(
      fc.property(values, (value) => {
        for (const holder of [value, [value], new Map([['a', value]]), new Set([value])])
          expect(memoryOf(holder)).toBeGreaterThanOrEqual(2 * texts(value));
      }),
    );
  });

  it('counts what lies in it several times once', () => {
    const shared = { text: 'x'.repeat(10_000) };
    const one = memoryOf([shared]);
    expect(memoryOf([shared, shared, { again: shared }])).toBeLessThan(one + 1_000);
    expect(memoryOf([shared, { ...shared }])).toBeGreaterThan(1.9 * one);
  });

  it('grows with the number of its members', () => {
    const of = (count: number) => memoryOf(Array.from({ length: count }, (_, index) => ({ index })));
    expect(of(1_000)).toBeGreaterThan(9 * of(100));
    expect(memoryOf({})).toBeLessThan(200);
  });
});
