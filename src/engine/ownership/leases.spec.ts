import { describe, expect, it } from '@jest/globals';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { Leases } from './leases.js';
import { memberLeases } from './members.js';

const never = new AbortController().signal;
const NAME = 'accounts.v1.g1.1of1';

/** Two processes, each with a clock of its own, on one store. */
function processes() {
  const database = new MemoryDatabase();
  let away = false;
  let held: Promise<void> | null = null;
  const gone = new Set<string>();
  const open = (owner: string) => {
    const clock = { now: Math.random() * 1e9 };
    const store = openMemoryReadStore(database, {
      before: () => {
        if (away) throw new Error('The store is away.');
      },
      after: async ({ subject }) => {
        if (subject === NAME) await held;
      },
    });
    const leases = new Leases({
      leases: store.leases,
      owner,
      now: () => clock.now,
      isGone: (one) => gone.has(one),
      timings: { renewMs: 3_600_000 },
    });
    return { clock, leases, wait: (ms: number) => (clock.now += ms) };
  };
  const setAway = (value: boolean): void => void (away = value);
  /** Answers about the lease itself do not come until what is returned is called. */
  const holdAnswers = (): (() => void) => {
    let go = (): void => undefined;
    held = new Promise<void>((resolve) => (go = resolve)).finally(() => (held = null));
    return go;
  };
  return { holdAnswers, a: open('a'), b: open('b'), setAway, gone, store: openMemoryReadStore(database) };
}

/** Looks at the lease once a second of its own time, as a process that wants it does. */
async function challenge(process: ReturnType<typeof processes>['a'], seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n++) {
    await process.leases.tick();
    process.wait(1000);
  }
}

describe('Leases that are not shared', () => {
  it('are held by one at a time while it renews them', async () => {
    const { a, b } = processes();
    await a.leases.acquired(NAME, never);
    void b.leases.acquired(NAME, never);
    for (let n = 0; n < 30; n++) {
      await a.leases.tick();
      a.wait(1000);
      await challenge(b, 1);
    }
    expect(a.leases.holds(NAME)).toBe(true);
    expect(b.leases.holds(NAME)).toBe(false);
  });

  it('are taken from one that stood still for 5 s on the challenger’s own clock, not before', async () => {
    const { a, b } = processes();
    await a.leases.acquired(NAME, never);
    void b.leases.acquired(NAME, never);
    await challenge(b, 5);
    expect(b.leases.holds(NAME)).toBe(false);
    await challenge(b, 2);
    expect(b.leases.holds(NAME)).toBe(true);
  });

  it('are taken at once from an owner that is known to be gone', async () => {
    const { a, b, gone } = processes();
    await a.leases.acquired(NAME, never);
    void b.leases.acquired(NAME, never);
    await challenge(b, 1);
    expect(b.leases.holds(NAME)).toBe(false);
    gone.add('a');
    await challenge(b, 1);
    expect(b.leases.holds(NAME)).toBe(true);
  });

  it('are not taken because the owner’s clock stands still or runs ahead', async () => {
    const { a, b } = processes();
    await a.leases.acquired(NAME, never);
    void b.leases.acquired(NAME, never);
    for (let n = 0; n < 10; n++) {
      await a.leases.tick();
      await challenge(b, 3);
    }
    expect(b.leases.holds(NAME)).toBe(false);
  });

  it('are known as lost by a sleeper that wakes, which then waits as any other', async () => {
    const { a, b } = processes();
    await a.leases.acquired(NAME, never);
    void b.leases.acquired(NAME, never);
    await challenge(b, 8);
    a.wait(8000);
    expect(a.leases.holds(NAME)).toBe(false);
    await a.leases.tick();
    expect(a.leases.holds(NAME)).toBe(false);
    expect(b.leases.holds(NAME)).toBe(true);
  });

  it('are released at the end, so that the next one need not wait', async () => {
    const { a, b } = processes();
    await a.leases.acquired(NAME, never);
    void b.leases.acquired(NAME, never);
    await b.leases.tick();
    await a.leases.stop();
    await b.leases.tick();
    expect(b.leases.holds(NAME)).toBe(true);
  });

  it('given up are left to others for a while', async () => {
    const { a, b } = processes();
    await a.leases.acquired(NAME, never);
    await a.leases.giveUp(NAME, 10_000);
    void a.leases.acquired(NAME, never);
    await a.leases.tick();
    expect(a.leases.holds(NAME)).toBe(false);
    await b.leases.acquired(NAME, never);
    expect(b.leases.holds(NAME)).toBe(true);
    await b.leases.stop();
    a.wait(10_001);
    await a.leases.tick();
    expect(a.leases.holds(NAME)).toBe(true);
  });

  it.each<[string, (leases: Leases) => Promise<void>]>([
    ['given up', (leases) => leases.giveUp(NAME, 60_000)],
    ['forgotten', (leases) => leases.forget(NAME)],
  ])(
    '%s while the store is away are left to others once it is back, though their owner lives',
    async (_, leave) => {
      const { a, b, setAway } = processes();
      await a.leases.acquired(NAME, never);
      void b.leases.acquired(NAME, never);
      await challenge(b, 1);
      setAway(true);
      await leave(a.leases);
      setAway(false);
      for (let n = 0; n < 4; n++) for (const process of [a, b]) await challenge(process, 1);
      expect(b.leases.holds(NAME)).toBe(true);
      expect(a.leases.holds(NAME)).toBe(false);
    },
  );

  it.each([
    ['a lease', NAME],
    ['a slot', 'projectors.1'],
  ])('are left to others though the answer to the taking of %s was lost', async (_, lostName) => {
    const database = new MemoryDatabase();
    let [isLosing, lost] = [true, 0];
    const { leases: store } = openMemoryReadStore(database, {
      after: ({ operation, subject }) => {
        if (!isLosing || operation !== 'leases.swap' || subject !== lostName) return;
        lost++;
        throw new Error('The answer is lost.');
      },
    });
    const leases = new Leases({ leases: store, owner: 'a', timings: { renewMs: 3_600_000 } });
    const abort = new AbortController();
    const acquired = leases.acquired(NAME, abort.signal);
    while (lost === 0) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    isLosing = false;
    if (lostName !== NAME) await leases.tick();
    expect((await memberLeases(store)).map(({ owner }) => owner)).toEqual(['a']);
    abort.abort();
    await acquired;
    await leases.forget(NAME);
    expect(await store.get(NAME)).toBeNull();
    await leases.stop();
    expect(await memberLeases(store)).toEqual([]);
  });

  it('are not taken by what was still under way when their process forgot them', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const taken: string[] = [];
    const { leases: store } = openMemoryReadStore(new MemoryDatabase(), {
      after: async ({ operation, subject }) => {
        if (operation !== 'leases.swap' || subject !== NAME || taken.length > 0) return;
        taken.push(subject);
        await answered;
      },
    });
    const leases = new Leases({ leases: store, owner: 'a', timings: { renewMs: 3_600_000 } });
    void leases.acquired(NAME, never);
    while (taken.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const forgotten = leases.forget(NAME);
    answer();
    await forgotten;
    expect(await store.get(NAME)).toBeNull();
    await leases.stop();
  });

  it('survive a store that is away for less than they take to die, and no longer', async () => {
    const { a, setAway } = processes();
    await a.leases.acquired(NAME, never);
    setAway(true);
    await challenge(a, 4);
    expect(a.leases.holds(NAME)).toBe(true);
    await challenge(a, 2);
    expect(a.leases.holds(NAME)).toBe(false);
    setAway(false);
    await a.leases.tick();
    expect(a.leases.holds(NAME)).toBe(true);
  });

  it('that are lost since the store is away are waited for until it is there again', async () => {
    const { a, setAway } = processes();
    await a.leases.acquired(NAME, never);
    setAway(true);
    a.wait(5000);
    let acquired = false;
    const again = a.leases.acquired(NAME, never).then(() => (acquired = true));
    await challenge(a, 3);
    expect(a.leases.holds(NAME)).toBe(false);
    expect(acquired).toBe(false);
    setAway(false);
    await challenge(a, 1);
    await again;
    expect(a.leases.holds(NAME)).toBe(true);
  });

  it('stay where they are after the store was away for all', async () => {
    const { a, b, setAway } = processes();
    await a.leases.acquired(NAME, never);
    void b.leases.acquired(NAME, never);
    await challenge(b, 2);
    setAway(true);
    for (let n = 0; n < 10; n++) for (const process of [a, b]) await challenge(process, 1);
    setAway(false);
    await challenge(b, 1);
    expect(b.leases.holds(NAME)).toBe(false);
    await a.leases.tick();
    expect(a.leases.holds(NAME)).toBe(true);
  });

  it('that are lost while they are read stay lost, whatever is read, and are taken again', async () => {
    const { a, holdAnswers } = processes();
    const first = await a.leases.acquired(NAME, never);
    await challenge(a, 5);
    const answer = holdAnswers();
    const reading = a.leases.tick();
    await new Promise((resolve) => setImmediate(resolve));
    a.wait(5000);
    // The others may have counted this process as dead.
    void a.leases.tick();
    await new Promise((resolve) => setImmediate(resolve));
    expect(first.aborted).toBe(true);
    answer();
    await reading;
    await a.leases.tick();
    const second = await a.leases.acquired(NAME, never);
    expect(a.leases.holds(NAME)).toBe(true);
    expect(second.aborted).toBe(false);
  });

  it('stop being waited for when the signal ends', async () => {
    const { a, b } = processes();
    await a.leases.acquired(NAME, never);
    const abort = new AbortController();
    const waiting = b.leases.acquired(NAME, abort.signal);
    abort.abort();
    await waiting;
    expect(b.leases.holds(NAME)).toBe(false);
  });
});
