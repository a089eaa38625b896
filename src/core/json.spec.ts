import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { areLarger, jsonBytes, mostJsonBytes } from './json.js';

const values = fc.jsonValue({ stringUnit: 'binary' });

describe('the size of JSON', () => {
  it('is at most what it is said to be', () => {
    fc.assert(
      fc.property(values, fc.string({ unit: fc.constantFrom('\0', '\ud800', '"') }), (value, text) => {
        for (const any of [value, { [text]: [text, value] }])
          expect(mostJsonBytes(any)).toBeGreaterThanOrEqual(jsonBytes(any));
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
