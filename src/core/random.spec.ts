import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { freshBytes, newId, timeOfId } from './random.js';

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

describe('A new id', () => {
  it('is a UUID v7 of this moment, above those made before', () => {
    // A suite before this one may have set the clock of this process ahead.
    const before = Math.max(Date.now(), timeOfId(newId())!);
    const ids = Array.from({ length: 5_000 }, newId);
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(timeOfId(ids[0]!)!).toBeGreaterThanOrEqual(before);
    expect(timeOfId(ids[0]!)!).toBeLessThanOrEqual(Math.max(before, Date.now()));
  });

  it('cannot be told from those made before', () => {
    const tails = Array.from({ length: 2_000 }, () => newId().slice(24));
    expect(new Set(tails).size).toBe(tails.length);
  });
});
