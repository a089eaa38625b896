import { describe, expect, it } from '@jest/globals';
import { freshBytes } from './random.js';

describe('random bytes', () => {
  it('are as many as asked for, are given once, and stay as they were given', () => {
    const counts = Array.from({ length: 2_000 }, (_, turn) => 12 + (turn % 53));
    const given = counts.map((count) => freshBytes(count));
    const texts = given.map((bytes) => bytes.toString('hex'));
    freshBytes(4_096);
    expect(given.map(({ length }) => length)).toEqual(counts);
    expect(given.map((bytes) => bytes.toString('hex'))).toEqual(texts);
    expect(new Set(texts).size).toBe(texts.length);
    const places = given.map(({ buffer, byteOffset, length }) => ({ buffer, from: byteOffset, length }));
    for (const [turn, { buffer, from, length }] of places.entries()) {
      const next = places[turn + 1];
      if (next?.buffer === buffer) expect(next.from).toBe(from + length);
    }
  });

  it('are not given by more than there are', () => {
    expect(() => freshBytes(4_097)).toThrow(RangeError);
  });
});
