import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { VaultUnavailable } from '../core/errors.js';
import { KeyedHasher } from '../core/keyed-hash.js';
import { SealedRecords } from './sealed-records.js';

const hasher = new KeyedHasher(randomBytes(32));

describe('sealed records', () => {
  it('are found by kind and id until they expire', async () => {
    let now = 1_000_000;
    const records = new SealedRecords(new MemoryVault(), hasher, () => now);
    await records.put('kind', 'id', { a: [1, 'ä'] }, 10);
    expect(await records.get('kind', 'id')).toEqual({ a: [1, 'ä'] });
    expect(await records.get('other', 'id')).toBeNull();
    expect(await records.get('kind', 'other')).toBeNull();
    now += 9_999;
    await records.update<unknown, null>('kind', 'id', () => ({ answer: null, to: { value: 'later' } }));
    expect(await records.get('kind', 'id')).toBe('later');
    now += 1;
    expect(await records.get('kind', 'id')).toBeNull();
    await records.put('kind', 'id', 'again', 10);
    expect(await records.get('kind', 'id')).toBe('again');
    await records.remove('kind', 'id');
    await records.remove('kind', 'id');
    expect(await records.get('kind', 'id')).toBeNull();
  });

  it('open for nobody else, elsewhere or at another time', async () => {
    const vault = new MemoryVault();
    const records = new SealedRecords(vault, hasher);
    await records.put('kind', 'id', 'secret', 10);
    await records.put('kind', 'other', 'other', 10);
    const others = new SealedRecords(vault, new KeyedHasher(randomBytes(32)));
    expect(await others.get('kind', 'id')).toBeNull();
    const [[one, first], [two, second]] = [...vault.passing] as [
      [string & { __brand: 'KeyedHash' }, { sealed: string; expiresAt: number }],
      [string & { __brand: 'KeyedHash' }, { sealed: string; expiresAt: number }],
    ];
    vault.passing.set(one, second);
    vault.passing.set(two, { ...second, expiresAt: second.expiresAt + 1 });
    expect(await records.get('kind', 'id')).toBeNull();
    expect(await records.get('kind', 'other')).toBeNull();
    vault.passing.set(one, first);
    expect(await records.get('kind', 'id')).toBe('secret');
  });

  it('change in steps of which none is lost', async () => {
    const vault = new MemoryVault();
    const add = (): Promise<number> =>
      new SealedRecords(vault, hasher).update<number, number>('kind', 'id', (value) => {
        const next = (value ?? 0) + 1;
        return { answer: next, to: { value: next, seconds: 10 } };
      });
    const answers = await Promise.all(Array.from({ length: 10 }, add));
    expect(answers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('that change all the time are given up', async () => {
    const busy = { shortLived: { ...new MemoryVault().shortLived, swap: async () => false } };
    await expect(new SealedRecords(busy, hasher).put('kind', 'id', 1, 10)).rejects.toThrow(VaultUnavailable);
  });
});
