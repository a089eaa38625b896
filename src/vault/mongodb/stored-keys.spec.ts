import { beforeEach, describe, expect, it } from '@jest/globals';
import { Binary } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PersonId, PersonKey } from '../../core/vault/port.js';
import type { Session } from '../../stores/mongodb/session.js';
import { WrappingKey } from '../data-key.js';
import { KeyCache } from '../key-cache.js';
import { type Collections, Tombstones } from './collections.js';
import { KeyReader } from './key-reader.js';
import { type StoredKey, StoredKeys } from './stored-keys.js';

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

describe('what is stored of a key while another process erases it', () => {
  const wrapping = new WrappingKey(Buffer.alloc(32, 1));
  const wrapped = wrapping.wrapNew(a);

  /**
   * Reads a key from collections that are looked at one after the other, in every order that the queries leave open.
   * @param places of the erasure's steps, the tombstone's and the key's, each before that look
   * @param chosen which of the queries that wait is answered next, at each look
   */
  const readWith = async (places: readonly [number, number], chosen: readonly number[]) => {
    const waiting: (() => void)[] = [];
    let looks = 0;
    const collection = (held: () => object | null) => ({
      find: () => ({
        toArray: () =>
          new Promise((resolve) => waiting.push(() => resolve([held()].filter((one) => one !== null)))),
      }),
    });
    const collections = {
      keys: collection(() => (places[1] <= looks ? null : { _id: a, wrapped: new Binary(wrapped) })),
      erased: collection(() => (places[0] <= looks ? { _id: a } : null)),
    } as unknown as Collections;
    const tombstones = new Tombstones(collections.erased);
    const keys = new StoredKeys({} as unknown as Session, collections, tombstones, wrapping);
    const state = { reading: true };
    const reading = keys.read([a]).finally(() => (state.reading = false));
    while (state.reading) {
      const [next] = waiting.splice((chosen[looks] ?? 0) % Math.max(waiting.length, 1), 1);
      if (next) {
        next();
        looks++;
      }
      await sleep(0);
    }
    return (await reading).get(a);
  };

  it('is a key or a tombstone, never nothing, wherever each step falls between the looks', async () => {
    const answers = new Set<string>();
    for (const chosen of [[0], [1]])
      for (let tombstone = 0; tombstone <= 4; tombstone++)
        for (let key = tombstone; key <= 4; key++) {
          const stored = await readWith([tombstone, key], chosen);
          answers.add(Buffer.isBuffer(stored) ? 'key' : String(stored));
          if (tombstone === 0) expect(stored).toBe('erased');
        }
    expect(answers).toEqual(new Set(['key', 'erased']));
  });
});
