import { describe, expect, it } from '@jest/globals';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { Leases } from './leases.js';
import { memberLeases, ownersInSlots } from './members.js';

const never = new AbortController().signal;
const segmentsOf = (view: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${view}.v1.g1.${index + 1}of${count}`);
const SEGMENTS = [...segmentsOf('a', 2), ...segmentsOf('b', 2), ...segmentsOf('c', 3)];

interface Process {
  readonly leases: Leases;
  /** Lets a second of its own time pass, and releases the leases that it must hand over, as after a pass. */
  second(): Promise<void>;
  sleep(ms: number): void;
  held(): readonly string[];
  calls: number;
}

/** Processes with clocks of their own on one store, all working on the same segments by default. */
function world() {
  const database = new MemoryDatabase();
  const gone = new Set<string>();
  const away = new Set<string>();
  const open = (owner: string, segments = SEGMENTS): Process => {
    const clock = { now: Math.random() * 1e9 };
    const terms = new Map<string, AbortSignal>();
    const store = openMemoryReadStore(database, {
      before: () => {
        process.calls++;
        if (away.has(owner)) throw new Error('The store is away.');
      },
    });
    const leases = new Leases({
      leases: store.leases,
      owner,
      now: () => clock.now,
      isGone: (one) => gone.has(one),
      timings: { renewMs: 3_600_000, deadMs: 5000 },
    });
    for (const name of segments) void want(name);
    leases.share(segments);
    async function want(name: string): Promise<void> {
      terms.set(name, await leases.acquired(name, never));
    }
    const process: Process = {
      leases,
      calls: 0,
      second: async () => {
        clock.now += 1000;
        await leases.tick();
        await settled();
        for (const [name, term] of terms) {
          if (!term.aborted) continue;
          terms.delete(name);
          await leases.giveUp(name);
          void want(name);
        }
        await settled();
      },
      sleep: (ms) => (clock.now += ms),
      held: () => segments.filter((name) => leases.holds(name)),
    };
    return process;
  };
  const seconds = async (count: number, ...processes: Process[]): Promise<void> => {
    for (let n = 0; n < count; n++) for (const process of processes) await process.second();
  };
  return { open, seconds, gone, away, store: openMemoryReadStore(database), database };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const sizes = (...processes: Process[]): readonly number[] => processes.map(({ held }) => held().length);
const viewsOf = ({ held }: Process): readonly string[] => held().map((name) => name.slice(0, 1));

describe('The leases of segments', () => {
  it('are all one process’s where it is alone, before anything else is waited for', async () => {
    const { open } = world();
    const a = open('a');
    await settled();
    expect(a.held()).toEqual(SEGMENTS);
  });

  it('are shared evenly, each view too, with one that joins, each held by one at a time', async () => {
    const { open, seconds } = world();
    const a = open('a');
    await seconds(2, a);
    const b = open('b');
    for (let n = 0; n < 6; n++) {
      await seconds(1, a, b);
      expect(a.held().filter((name) => b.held().includes(name))).toEqual([]);
    }
    expect(sizes(a, b)).toEqual([4, 3]);
    expect(viewsOf(a)).toEqual(['a', 'b', 'c', 'c']);
    expect(viewsOf(b)).toEqual(['a', 'b', 'c']);
    const c = open('c');
    await seconds(4, a, b, c);
    expect(sizes(a, b, c)).toEqual([3, 2, 2]);
  });

  it('are handed over within two seconds', async () => {
    const { open, seconds } = world();
    const a = open('a');
    await seconds(2, a);
    const b = open('b');
    await seconds(2, a, b);
    expect(sizes(a, b)).toEqual([4, 3]);
  });

  it('of one that leaves are taken over at the next look', async () => {
    const { open, seconds } = world();
    const [a, b, c] = [open('a'), open('b'), open('c')];
    await seconds(5, a, b, c);
    await b.leases.stop();
    await seconds(2, a, c);
    expect(sizes(a, c)).toEqual([4, 3]);
  });

  it('of one that dies are taken over within ten seconds, not before it counts as dead', async () => {
    const { open, seconds } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(5, a, b);
    expect(sizes(a, b)).toEqual([4, 3]);
    await seconds(4, a);
    expect(sizes(a)).toEqual([4]);
    await seconds(3, a);
    expect(sizes(a)).toEqual([7]);
  });

  it('of one that dies just after it took them are taken over in the same time', async () => {
    const { open, seconds } = world();
    const a = open('a');
    await seconds(3, a);
    const b = open('b');
    await seconds(2, a, b);
    expect(sizes(b)).toEqual([3]);
    await seconds(7, a);
    expect(sizes(a)).toEqual([7]);
  });

  it('of one that is known to be gone are taken at the next look', async () => {
    const { open, seconds, gone } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(5, a, b);
    gone.add('b');
    await seconds(1, a);
    expect(sizes(a)).toEqual([7]);
  });

  it('are not taken because an owner’s clock stands still or runs ahead', async () => {
    const { open, seconds } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(5, a, b);
    for (let n = 0; n < 10; n++) await seconds(1, a, b, b, b);
    expect(sizes(a, b)).toEqual([4, 3]);
  });

  it('are looked at anew by a sleeper that wakes, and end up shared again', async () => {
    const { open, seconds } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(5, a, b);
    await seconds(8, b);
    expect(sizes(b)).toEqual([7]);
    a.sleep(8000);
    expect(sizes(a)).toEqual([0]);
    await seconds(1, a);
    expect(sizes(a, b)).toEqual([0, 7]);
    await seconds(4, a, b);
    expect(sizes(a, b)).toEqual([4, 3]);
  });

  it('stay where they are while the store is away for all, however long, and the same work goes on after it', async () => {
    const { open, seconds, away } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(5, a, b);
    const before = [a.held(), b.held()];
    for (const owner of ['a', 'b']) away.add(owner);
    await seconds(4, a, b);
    expect([a.held(), b.held()]).toEqual(before);
    await seconds(8, a, b);
    expect(sizes(a, b)).toEqual([0, 0]);
    away.clear();
    await seconds(2, a, b);
    expect([a.held(), b.held()]).toEqual(before);
  });

  it('that their process cannot feed are taken by another within seconds, and left with it for ten minutes', async () => {
    const { open, seconds } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(5, a, b);
    const [unable = '', ...others] = b.held();
    await b.leases.giveUp(unable, 1000);
    await seconds(3, a, b);
    expect(a.leases.holds(unable)).toBe(true);
    for (let n = 0; n < 590; n++) {
      await seconds(1, a, b);
      expect(a.leases.holds(unable)).toBe(true);
    }
    expect(b.held()).toEqual(others);
    await seconds(20, a, b);
    expect(b.held()).toEqual([unable, ...others]);
  });

  it('that their process cannot feed are tried by it again where no other takes them, and shared as before', async () => {
    const { open, seconds } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(5, a, b);
    const [unable = '', ...others] = b.held();
    for (const process of [b, a, b]) {
      await process.leases.giveUp(unable, 3000);
      await seconds(3, a, b);
    }
    await seconds(20, a, b);
    expect(sizes(a, b)).toEqual([4, 3]);
    expect(b.held()).toEqual([unable, ...others]);
  });

  it('that their process could not feed are shared as before once it has held them for as long as one takes to die', async () => {
    const { open, seconds } = world();
    const a = open('a');
    await seconds(2, a);
    await a.leases.giveUp(SEGMENTS[0] as string, 1_000);
    await seconds(9, a);
    const b = open('b');
    await seconds(4, a, b);
    expect(sizes(a, b)).toEqual([4, 3]);
  });

  it('that their process could not feed are shared as before once it has forgotten them', async () => {
    const { open, seconds } = world();
    const a = open('a');
    await seconds(2, a);
    await a.leases.giveUp(SEGMENTS[0] as string, 60_000);
    await a.leases.forget(SEGMENTS[0] as string);
    void a.leases.acquired(SEGMENTS[0] as string, never);
    await seconds(1, a);
    const b = open('b');
    await seconds(4, a, b);
    expect(sizes(a, b)).toEqual([4, 3]);
  });

  it('are left with the slot by a process that stops in the middle of a tick', async () => {
    const { open, seconds, store } = world();
    const a = open('a');
    await seconds(2, a);
    const ticking = a.leases.tick();
    await a.leases.stop();
    await ticking;
    expect(await memberLeases(store.leases)).toEqual([]);
    for (const name of SEGMENTS) expect(await store.leases.get(name)).toBeNull();
  });

  it('that one process cannot feed are shared all the same with one that joins', async () => {
    const { open, seconds } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(5, a, b);
    const [unable = ''] = b.held();
    await b.leases.giveUp(unable, 1000);
    await seconds(3, a, b);
    const c = open('c');
    await seconds(5, a, b, c);
    expect(new Set([...a.held(), ...b.held(), ...c.held()])).toEqual(new Set(SEGMENTS));
    expect(b.leases.holds(unable)).toBe(false);
  });

  it('of a process that works on other things are left alone, and taken when it leaves', async () => {
    const { open, seconds } = world();
    const old = open('old');
    await seconds(3, old);
    const changed = [...segmentsOf('d', 2), ...SEGMENTS.slice(2)];
    const young = open('young', changed);
    await seconds(10, old, young);
    expect(sizes(old)).toEqual([7]);
    expect(young.held()).toEqual(segmentsOf('d', 2));
    await old.leases.stop();
    await seconds(2, young);
    expect(young.held()).toEqual(changed);
  });

  it('cost a renewal and a look at each process a second, and little more', async () => {
    const { open, seconds } = world();
    const many = Array.from({ length: 11 }, (_, view) => segmentsOf(`view${view}`, 4)).flat();
    const [a, b] = [open('a', many), open('b', many)];
    await seconds(10, a, b);
    expect(sizes(a, b)).toEqual([22, 22]);
    a.calls = 0;
    await seconds(60, a, b);
    expect(a.calls / 60).toBeLessThan(13);
  });

  it('outlive a store that was emptied', async () => {
    const { open, seconds, database } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(5, a, b);
    database.leases.clear();
    await seconds(8, a, b);
    expect(new Set([...a.held(), ...b.held()])).toEqual(new Set(SEGMENTS));
    expect(sizes(a, b)).toEqual([4, 3]);
  });

  it('show every living process to an observer, though one in a lower slot has left', async () => {
    const { open, seconds, store } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(3, a, b);
    await a.leases.stop();
    expect([...(await ownersInSlots(store.leases))]).toEqual(['b']);
  });

  it('leave the lowest slots to those who come', async () => {
    const { open, seconds, store } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(3, a, b);
    await a.leases.stop();
    const c = open('c');
    await seconds(3, b, c);
    const owners = await Promise.all([1, 2, 3].map((slot) => store.leases.get(`projectors.${slot}`)));
    expect(owners.map((lease) => lease?.owner.split(' ')[0])).toEqual(['c', 'b', undefined]);
  });

  it('are shared at once with one that comes when another has died', async () => {
    const { open, seconds } = world();
    const [a, b] = [open('a'), open('b')];
    await seconds(5, a, b);
    await seconds(7, b);
    expect(sizes(b)).toEqual([7]);
    const c = open('c');
    await seconds(2, b, c);
    expect([...sizes(b, c)].sort()).toEqual([3, 4]);
  });

  it('stop being waited for when the signal ends, or the process', async () => {
    const { open, seconds } = world();
    const a = open('a');
    await seconds(2, a);
    const abort = new AbortController();
    const waiting = a.leases.acquired('other.v1.g1.1of1', abort.signal);
    abort.abort();
    await waiting;
    await a.leases.stop();
    expect((await a.leases.acquired('a.v1.g1.1of2', never)).aborted).toBe(true);
  });
});
