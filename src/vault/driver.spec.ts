import { describe, expect, it } from '@jest/globals';
import { VaultUnavailable } from '../core/errors.js';
import { insertIfAbsent, type Table } from './driver.js';

/** A table in whose place another entry is, which is gone again when it is read, so many times. */
function withEntryThatVanishes(times: number): Table<string> {
  let left = times;
  return {
    insert: async () => (left-- > 0 ? 'taken' : 'inserted'),
    get: async () => null,
  } as Pick<Table<string>, 'insert' | 'get'> as Table<string>;
}

describe('an entry that is inserted if its place is free', () => {
  it('is inserted although an erasure removes the one in its place at that moment', async () => {
    expect(await insertIfAbsent(withEntryThatVanishes(2), ['hash'], 'own')).toBe('own');
  });

  it('is given up if that happens again and again', async () => {
    const insert = insertIfAbsent(withEntryThatVanishes(3), ['hash'], 'own');
    await expect(insert).rejects.toThrow(VaultUnavailable);
  });
});
