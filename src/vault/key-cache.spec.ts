import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PersonId, PersonKey } from '../core/vault/port.js';
import { KeyCache } from './key-cache.js';

const person = 'a' as PersonId;
const key: PersonKey = { kind: 'key', key: Buffer.alloc(32) };

describe('key cache', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.useFakeTimers();
  });
  afterEach(() => void jest.useRealTimers());

  it('keeps a key for less than a second from before it was read', () => {
    const cache = new KeyCache(() => now);
    cache.load(person, () => {
      now += 600; // a slow disk
      return key;
    });
    expect(cache.get(person)).toBe(key);
    now = 749;
    expect(cache.get(person)).toBe(key);
    now = 750;
    expect(cache.get(person)).toBeUndefined();
  });

  it('keeps no key that was not there', () => {
    const cache = new KeyCache(() => now);
    expect(cache.load(person, () => null)).toBeNull();
    expect(cache.get(person)).toBeUndefined();
  });

  it('lets go of keys when their time is over, asked or not', () => {
    const cache = new KeyCache(() => now);
    const kept = () => (cache as unknown as { kept: Map<PersonId, unknown> }).kept.size;
    cache.load(person, () => key);
    now = 400;
    cache.load('b' as PersonId, () => key);
    now = 751;
    jest.advanceTimersByTime(751);
    expect(kept()).toBe(1);
    now = 1502;
    jest.advanceTimersByTime(751);
    expect(kept()).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('keeps what was read last, whichever answer comes last', () => {
    const cache = new KeyCache(() => now);
    now = 100;
    cache.keep(person, { kind: 'erased' }, 90);
    cache.keep(person, key, 20);
    expect(cache.get(person)).toEqual({ kind: 'erased' });
    now = 840;
    expect(cache.get(person)).toBeUndefined();
    cache.keep('b' as PersonId, key, 50);
    expect(cache.get('b' as PersonId)).toBeUndefined();
  });

  it('keeps the later answer of two that were read at the same moment', () => {
    const cache = new KeyCache(() => now);
    cache.keep(person, key, 0);
    cache.keep(person, { kind: 'erased' }, 0);
    expect(cache.get(person)).toEqual({ kind: 'erased' });
  });

  it('lets go of keys that it is given after it was cleared, too', () => {
    const cache = new KeyCache(() => now);
    const kept = () => (cache as unknown as { kept: Map<PersonId, unknown> }).kept.size;
    cache.load(person, () => key);
    cache.clear();
    cache.load(person, () => key);
    now = 750;
    jest.advanceTimersByTime(750);
    expect(kept()).toBe(0);
  });

  it('forgets on demand', () => {
    const cache = new KeyCache(() => now);
    cache.load(person, () => key);
    cache.forget(person);
    expect(cache.get(person)).toBeUndefined();
  });

  it('keeps the latest 50,000', () => {
    const cache = new KeyCache(() => now);
    for (let index = 0; index <= 50_000; index++) cache.load(String(index) as PersonId, () => key);
    expect(cache.get('0' as PersonId)).toBeUndefined();
    expect(cache.get('1' as PersonId)).toBe(key);
    cache.clear();
    expect(cache.get('1' as PersonId)).toBeUndefined();
  });
});
