import { beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyCache } from '../key-cache.js';
import type { PersonId, PersonKey } from '../../core/vault/port.js';
import type { Session } from '../../stores/mongodb/session.js';
import { KeyReader, type StoredKey, type StoredKeys } from './stored-keys.js';

const a = 'a' as PersonId;
const b = 'b' as PersonId;

describe('reading keys from MongoDB', () => {
  let now: number;
  let asked: (readonly PersonId[])[];
  let stored: Map<PersonId, StoredKey>;
  let answer: () => Promise<void>;
  let reader: KeyReader;
  let cache: KeyCache;

  beforeEach(() => {
    now = 0;
    asked = [];
    stored = new Map([
      [a, Buffer.from('a')],
      [b, Buffer.from('b')],
    ]);
    answer = async () => undefined;
    cache = new KeyCache(() => now);
    const session = { call: (work: () => unknown) => work() } as unknown as Session;
    const keys = {
      read: async (persons: readonly PersonId[]) => {
        asked.push(persons);
        const found = new Map(persons.map((person) => [person, stored.get(person) ?? null]));
        await answer();
        return found;
      },
      open: (_: PersonId, key: StoredKey): PersonKey | null => {
        if (key === null) return null;
        if (key === 'erased') return { kind: 'erased' };
        if (key.length === 0) throw new Error('damaged');
        return { kind: 'key', key };
      },
    } as unknown as StoredKeys;
    reader = new KeyReader(session, keys, cache);
  });

  /** Holds the next answer back until it is let go. */
  const hold = () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    answer = () => {
      answer = async () => undefined;
      return held;
    };
    return release;
  };
  const asking = async (times: number) => {
    while (asked.length < times) await sleep(1);
  };

  it('asks once for all that are wanted in one turn, and for the same one once', async () => {
    const keys = await Promise.all([reader.get(a), reader.get(b), reader.get(a)]);
    expect(keys.map((key) => key?.kind === 'key' && key.key.toString())).toEqual(['a', 'b', 'a']);
    expect(asked).toEqual([[a, b]]);
    expect(cache.get(b)).toEqual(keys[1]);
  });

  it('asks for many in several queries, a few at a time', async () => {
    const persons = Array.from({ length: 2_100 }, (_, index) => String(index) as PersonId);
    const release = hold();
    const reading = Promise.all(persons.map((person) => reader.get(person)));
    await asking(1);
    // The first one is held back: the others go on without it.
    await asking(9);
    release();
    expect(await reading).toHaveLength(2_100);
    expect(asked.map(({ length }) => length)).toEqual([...Array<number>(8).fill(250), 100]);
    expect(asked.flat()).toEqual(persons);
  });

  it('shares a read that is under way', async () => {
    const release = hold();
    const first = reader.get(a);
    await asking(1);
    now = 500;
    const second = reader.get(a);
    release();
    expect(await second).toEqual(await first);
    expect(asked).toHaveLength(1);
  });

  it('never takes a key for missing that was made before it was asked for', async () => {
    stored.clear();
    const release = hold();
    const first = reader.get(a);
    await asking(1);
    stored.set(a, Buffer.from('made'));
    now = 1;
    const second = reader.get(a);
    release();
    expect(await first).toBeNull();
    expect(await second).toMatchObject({ kind: 'key' });
  });

  it('uses no key whose answer took so long that it may be erased by now', async () => {
    const release = hold();
    const reading = reader.get(a);
    await asking(1);
    stored.set(a, 'erased');
    now = 751;
    release();
    expect(await reading).toEqual({ kind: 'erased' });
  });

  it('gives up where every answer takes too long', async () => {
    answer = async () => void (now += 800);
    await expect(reader.get(a)).rejects.toThrow('too slowly');
    expect(asked).toHaveLength(4);
  });

  it('fails for the damaged key alone, or for all where nothing was answered', async () => {
    stored.set(b, Buffer.alloc(0));
    const [first, second] = await Promise.allSettled([reader.get(a), reader.get(b)]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { message: 'damaged' } });
    answer = async () => {
      throw new Error('away');
    };
    const both = await Promise.allSettled([reader.get(a), reader.get(b)]);
    expect(both.map((result) => 'reason' in result && String(result.reason))).toEqual([
      'Error: away',
      'Error: away',
    ]);
    answer = async () => undefined;
    expect((await reader.get(a))?.kind).toBe('key');
  });
});
