import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { newId } from './new-id.js';

describe('A new id', () => {
  it('is a UUID v7 of this moment, above those made before', () => {
    const before = Date.now();
    const ids = Array.from({ length: 5_000 }, newId);
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
    expect(ids).toEqual([...new Set(ids)].sort());
    const made = Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16);
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
  });

  it('cannot be told from those made before', () => {
    const tails = Array.from({ length: 2_000 }, () => newId().slice(24));
    expect(new Set(tails).size).toBe(tails.length);
  });
});
