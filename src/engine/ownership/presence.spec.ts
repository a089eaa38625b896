import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { OwnLease, Waiters, WatchedLease } from './presence.js';

const NAME = 'work';

function rig() {
  const database = new MemoryDatabase();
  const clock = { now: 1e6 };
  const now = (): number => clock.now;
  const lost = { answers: 0 };
  /** How long the store takes for each answer. */
  const slow = { ms: 0 };
  let calls: string[] = [];
  const { leases } = openMemoryReadStore(database, {
    before: ({ operation }) => void calls.push(operation),
    after: () => {
      clock.now += slow.ms;
      if (lost.answers > 0 && lost.answers-- > 0) throw new Error('The answer is lost.');
    },
  });
  const other = openMemoryReadStore(database).leases;
  const callsOf = async (action: () => Promise<unknown>): Promise<readonly string[]> => {
    calls = [];
    await action();
    return calls;
  };
  const gone = new Set<string>();
  const options = { leases, now, deadMs: 5000, isGone: (owner: string) => gone.has(owner) };
  return {
    own: new OwnLease(options, NAME, 'a'),
    watched: new WatchedLease(options, NAME),
    clock,
    slow,
    gone,
    lost,
    other,
    callsOf,
  };
}

describe('An own lease', () => {
  it('is renewed by one write', async () => {
    const { own, callsOf } = rig();
    await own.take(null);
    expect(await callsOf(() => own.renew())).toEqual(['leases.swap']);
    expect(own.record).toEqual({ owner: 'a', counter: 2 });
  });

  it('is kept, and proved again, where the answer to a renewal was lost', async () => {
    const { own, lost, clock } = rig();
    await own.take(null);
    lost.answers = 1;
    clock.now += 1000;
    await expect(own.renew()).rejects.toThrow('lost');
    expect(own.provedAt).toBe(1e6);
    expect(await own.renew()).toBe(true);
    expect(own.provedAt).toBe(1e6 + 1000);
    expect(own.record).toEqual({ owner: 'a', counter: 3 });
  });

  it('proves that its owner was alive when the write began, not when the answer came', async () => {
    const { own, slow } = rig();
    slow.ms = 4_000;
    await own.take(null);
    expect(own.provedAt).toBe(1e6);
  });

  it('is lost once another process has written it', async () => {
    const { own, other } = rig();
    await own.take(null);
    await other.swap(NAME, own.record, { owner: 'b', counter: 2 });
    expect(await own.renew()).toBe(false);
    expect(own.record).toBeNull();
    expect(await own.renew()).toBe(false);
    expect(await other.get(NAME)).toEqual({ owner: 'b', counter: 2 });
  });

  it('is removed by a release, also where the answer to the taking was lost, and never another’s', async () => {
    const { own, other, lost } = rig();
    lost.answers = 1;
    await expect(own.take(null)).rejects.toThrow('lost');
    await own.release();
    expect(await other.get(NAME)).toBeNull();
    await other.swap(NAME, null, { owner: 'b', counter: 1 });
    await own.release();
    expect(await other.get(NAME)).toEqual({ owner: 'b', counter: 1 });
  });
});

describe('A watched lease', () => {
  it('is dead once it has stood still for 5 s of looking, and alive again once it moves', async () => {
    const { own, watched, clock } = rig();
    await own.take(null);
    await watched.poll();
    for (let second = 1; second <= 5; second++) {
      expect(watched.isDead).toBe(false);
      clock.now += 1000;
      await watched.poll();
    }
    expect(watched.isDead).toBe(true);
    await own.renew();
    await watched.poll();
    expect(watched.isDead).toBe(false);
  });

  it('is dead at once if its owner is known to be gone', async () => {
    const { own, watched, gone } = rig();
    await own.take(null);
    gone.add('a');
    await watched.poll();
    expect(watched.isDead).toBe(true);
  });

  it('is not dead because the store takes long to answer', async () => {
    const { own, watched, clock, slow } = rig();
    await own.take(null);
    await watched.poll();
    clock.now += 1_000;
    slow.ms = 4_500;
    await watched.poll();
    expect(watched.isDead).toBe(false);
  });

  it('is alive again once it is replaced, though its former owner is gone', async () => {
    const { own, watched, gone } = rig();
    await own.take(null);
    gone.add('a');
    await watched.poll();
    await watched.replace({ owner: 'b', counter: 2 });
    expect(watched.isDead).toBe(false);
  });

  it('is not dead after an outage, however long', async () => {
    const { own, watched, clock } = rig();
    await own.take(null);
    await watched.poll();
    clock.now += 60_000;
    await watched.poll();
    expect(watched.isDead).toBe(false);
  });
});

describe('Those who wait for a lease', () => {
  it('leave no listener on their signal, however their wait ends', async () => {
    const waiters = new Waiters();
    const { signal } = new AbortController();
    const waiting = waiters.until(signal);
    waiters.end();
    await waiting;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
