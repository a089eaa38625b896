import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  add,
  asMicros,
  fraction,
  fromMicros,
  roundHalfUp,
  roundMicros,
  spread,
  toMicros,
} from './arithmetic.js';

const fractions = fc
  .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 9n }))
  .map(([numerator, denominator]) => ({ numerator, denominator }));

describe('the arithmetic of scores', () => {
  it('rounds a half up, also below zero', () => {
    expect([5, 15, 14, -5, -15, -16, 0].map((n) => roundHalfUp(fraction(n, 10)))).toEqual(
      [1, 2, 1, 0, -1, -2, 0].map(BigInt),
    );
    expect(roundMicros(49_500_000n)).toBe(50);
    expect(roundMicros(49_499_999n)).toBe(49);
    expect(fromMicros(toMicros(fraction(200, 3)))).toBe(66.666667);
  });

  it('lands within half a unit of the exact value, on the upper side of a tie', () => {
    fc.assert(
      fc.property(fractions, (value) => {
        const doubledError = 2n * (roundHalfUp(value) * value.denominator - value.numerator);
        expect(doubledError > -value.denominator && doubledError <= value.denominator).toBe(true);
      }),
    );
  });

  it('spreads a sum over its addends without losing or inventing a millionth', () => {
    fc.assert(
      fc.property(fc.array(fractions, { minLength: 1, maxLength: 8 }), (addends) => {
        const { total, parts } = spread(addends);
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(total);
        expect(total).toBe(toMicros(addends.reduce(add)));
        expect(parts.slice(0, -1)).toEqual(addends.slice(0, -1).map(toMicros));
      }),
    );
  });

  it('turns millionths into JSON numbers and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -100_000_000n, max: 100_000_000n }), (micros) => {
        expect(asMicros(JSON.parse(JSON.stringify(fromMicros(micros))) as number)).toBe(micros);
      }),
    );
    expect([Number.NaN, Number.POSITIVE_INFINITY, 0.1234567].map(asMicros)).toEqual([null, null, null]);
  });
});
