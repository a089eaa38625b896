import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { newId } from './new-id.js';

const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

describe('A new id', () => {
  it('is a UUID v7 of this moment, above those made before', () => {
    // A suite before this one may have set the clock of this process ahead.
    const before = Math.max(Date.now(), timeOf(newId()));
    const ids = Array.from({ length: 5_000 }, newId);
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(timeOf(ids[0]!)).toBeGreaterThanOrEqual(before);
    expect(timeOf(ids[0]!)).toBeLessThanOrEqual(Math.max(before, Date.now()));
  });

  it('cannot be told from those made before', () => {
    const tails = Array.from({ length: 2_000 }, () => newId().slice(24));
    expect(new Set(tails).size).toBe(tails.length);
  });
});
