import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readRange } from './recordings.js';

describe('a range of bytes', () => {
  it.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-', { first: 0, last: 99 }],
    ['bytes=10-19', { first: 10, last: 19 }],
    ['bytes=90-200', { first: 90, last: 99 }],
    ['bytes=99-', { first: 99, last: 99 }],
    ['bytes=-1', { first: 99, last: 99 }],
    ['bytes=-30', { first: 70, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    [' Bytes = 5-6 ', { first: 5, last: 6 }],
    ['bytes=0-99999999999999999999999', { first: 0, last: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    // The whole is answered to whatever else there may be.
    [undefined, null],
    ['', null],
    ['bytes=', null],
    ['bytes=-', null],
    ['bytes=20-10', null],
    ['bytes=0-1,5-6', null],
    ['bytes=0-1, -5', null],
    ['bytes=a-b', null],
    ['bytes=1.5-2', null],
    ['bytes=0-1x', null],
    ['seconds=0-1', null],
    ['0-1', null],
  ])('%j of 100', (header, expected) => expect(readRange(header, 100)).toEqual(expected));

  it('lies within the whole, whatever is asked for', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^bytes=\d{0,4}-\d{0,4}$/));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 5000 }), (header, size) => {
        const range = readRange(header, size);
        if (range === null || range === 'unsatisfiable') return;
        expect(range.first).toBeGreaterThanOrEqual(0);
        expect(range.last).toBeGreaterThanOrEqual(range.first);
        expect(range.last).toBeLessThan(size);
      }),
    );
  });
});
