import { describe, expect, it } from '@jest/globals';
import { leasesOf, startProjector, startReactor, takeAway } from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import {
  type Account,
  accounts,
  added,
  markingSealer,
  plainCodec,
  record,
  type Recorded,
} from '../../../test/support/projection-rig.js';
import { START, type Position } from '../../core/event-store.js';
import { aborted } from '../../core/signals.js';
import type { ReadStore } from '../../stores/read-store.js';
import { Feed } from '../live/feed.js';
import { progressOf } from '../live/progress.js';
import type { EventDecoder } from '../live/ring.js';
import { silentLog } from '../log.js';
import { createViewReader } from '../reads/reads.js';
import type { Reactor, ReactorOptions } from './reactor.js';

type Act = ReactorOptions<typeof accounts>['act'];
type Options = Partial<ReactorOptions<typeof accounts>> & {
  /** Its process feeds the view. */
  readonly shared?: boolean;
  /** Another process feeds the view, and its own has a feed of the log. */
  readonly elsewhere?: boolean;
};

/** What is to do: accounts of 100 and more are to be closed. */
async function withRig(
  run: (rig: {
    eventStore: MemoryEventStore;
    readStore: ReadStore;
    react: (act: Act, options?: Options) => Reactor;
    /** How often reactors have looked at the view. */
    looks: () => number;
  }) => Promise<void>,
  view = accounts,
): Promise<void> {
  const eventStore = new MemoryEventStore();
  const database = new MemoryDatabase();
  const readStore = openMemoryReadStore(database);
  const projector = startProjector({
    eventStore,
    readStore,
    codec: codec(),
    sealer: markingSealer,
    views: [view],
    owner: 'test',
  });
  await projector.ready;
  const running: { stop(): Promise<void> }[] = [];
  let looks = 0;
  const react = (act: Act, { shared = false, elsewhere = false, ...options }: Options = {}): Reactor => {
    const own = shared ? readStore : openMemoryReadStore(database);
    if (elsewhere) {
      const feed = new Feed({ eventStore, codec: codec(), progress: progressOf(own) });
      running.push({ stop: () => feed.close() });
    }
    const reader = createViewReader({ eventStore, readStore: own, sealer: markingSealer });
    const reactor = startReactor({
      name: 'closing',
      view,
      index: 'large',
      act,
      installedAt: async () => START,
      readStore: own,
      reader: {
        ...reader,
        page: (...query) => {
          looks++;
          return reader.page(...query);
        },
      },
      owner: 'test',
      pollMs: 20,
      retry: { baseMs: 5, capMs: 20 },
      leaseTimings: { renewMs: 20, deadMs: 150 },
      ...options,
    });
    running.push(reactor);
    return reactor;
  };
  try {
    await run({ eventStore, readStore, react, looks: () => looks });
  } finally {
    for (const one of running.reverse()) await one.stop();
    await projector.stop();
  }
}

/** Finds by the type alone the events that no view handles. */
const codec = (): EventDecoder => ({ ...plainCodec(), latestTypes: (type) => [type] });

/** An account is due at the time that is its owner. */
const byTime: typeof accounts = {
  ...accounts,
  keys: { owner: ({ owner = '' }) => owner },
  indexes: { byTime: ['owner'] },
};
const dueAt = ({ owner = '' }: Account): string => owner;
const due = (owner: string): Recorded => ({ type: 'added', data: { account: owner, amount: 1, owner } });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('A reactor', () => {
  it('does what the view lists as still to be done, once, now and later', () =>
    withRig(async ({ eventStore, react }) => {
      const acted: string[] = [];
      await record(eventStore, added('a', 100), added('b', 1));
      react(async ({ id }) => {
        acted.push(id);
        await record(eventStore, { type: 'closed', data: { account: id }, stream: `closing-${id}` });
      });
      await eventuallyHolds(() => acted.includes('a'));
      await record(eventStore, added('c', 200));
      await eventuallyHolds(() => acted.includes('c'));
      await pause(80);
      expect(acted).toEqual(['a', 'c']);
    }));

  it('does not act again on what it has done while the view still lists it, but does when it is asked anew', () =>
    withRig(async ({ eventStore, react }) => {
      const acted: Position[] = [];
      react(async ({ position }) => void acted.push(position));
      const [first] = await record(eventStore, added('a', 100));
      await eventuallyHolds(() => acted.length === 1);
      await pause(80);
      const [second] = await record(eventStore, added('a', 1));
      await eventuallyHolds(() => acted.length === 2);
      expect(acted).toEqual([first, second]);
    }));

  it('leaves alone what stands at or before its installation', () =>
    withRig(async ({ eventStore, react }) => {
      const acted: string[] = [];
      const [, installed] = await record(eventStore, added('old', 100), added('older', 100));
      react(async ({ id }) => void acted.push(id), { installedAt: async () => installed as Position });
      await record(eventStore, added('new', 100));
      await eventuallyHolds(() => acted.length > 0);
      await pause(50);
      expect(acted).toEqual(['new']);
    }));

  it('tries again what failed, and lets the rest go on', () =>
    withRig(async ({ eventStore, react }) => {
      const tries = new Map<string, number>();
      react(async ({ id }) => {
        const n = (tries.get(id) ?? 0) + 1;
        tries.set(id, n);
        if (id === 'a' && n < 4) throw new Error('not now');
      });
      await record(eventStore, added('a', 100), added('b', 100));
      await eventuallyHolds(() => tries.get('a') === 4);
      await pause(60);
      expect([...tries]).toEqual([
        ['a', 4],
        ['b', 1],
      ]);
    }));

  it('acts on no more at once than it may', () =>
    withRig(async ({ eventStore, react }) => {
      let now = 0;
      let most = 0;
      let done = 0;
      await record(eventStore, ...Array.from({ length: 9 }, (_, n) => added(`account-${n}`, 100)));
      react(
        async () => {
          most = Math.max(most, ++now);
          await pause(5);
          now--;
          done++;
        },
        { concurrency: 3 },
      );
      await eventuallyHolds(() => done === 9);
      expect(most).toBe(3);
    }));

  it('lets one that takes its time hold up none that comes later, and ends after it', () =>
    withRig(async ({ eventStore, react }) => {
      const begun: string[] = [];
      let finish = (): void => undefined;
      const reactor = react(async ({ id }) => {
        begun.push(id);
        if (id === 'slow') await new Promise<void>((resolve) => (finish = resolve));
      });
      await record(eventStore, added('slow', 100));
      await eventuallyHolds(() => begun.length === 1);
      await record(eventStore, added('later', 100));
      await eventuallyHolds(() => begun.length === 2);
      await pause(60);
      expect(begun).toEqual(['slow', 'later']);
      let stopped = false;
      const stopping = reactor.stop().then(() => (stopped = true));
      await pause(20);
      expect(stopped).toBe(false);
      finish();
      await stopping;
    }));

  it('works in one process at a time, and another takes over when it stops', () =>
    withRig(async ({ eventStore, react }) => {
      const acted: string[] = [];
      const first = react(async ({ id }) => void acted.push(`first ${id}`));
      await record(eventStore, added('a', 100));
      await eventuallyHolds(() => acted.length === 1);
      react(async ({ id }) => void acted.push(`second ${id}`));
      await pause(60);
      expect(acted).toEqual(['first a']);
      await first.stop();
      await record(eventStore, added('b', 100));
      await eventuallyHolds(() => acted.includes('second b'));
    }));

  it('looks at nothing if it is stopped while another process works', () =>
    withRig(async ({ eventStore, react }) => {
      const acted: string[] = [];
      let looked = 0;
      react(async ({ id }) => void acted.push(id));
      await record(eventStore, added('a', 100));
      await eventuallyHolds(() => acted.length === 1);
      const second = react(async () => undefined, { installedAt: async () => (looked++, START) });
      await pause(40);
      await second.stop();
      expect(looked).toBe(0);
    }));

  it('begins nothing further of what it has read once it is stopped', () =>
    withRig(async ({ eventStore, react, looks }) => {
      const begun: string[] = [];
      let finish = (): void => undefined;
      const held = new Promise<void>((resolve) => (finish = resolve));
      await record(eventStore, ...Array.from({ length: 120 }, (_, n) => added(`account-${n}`, 100)));
      const reactor = react(async ({ id }) => (begun.push(id), held), { concurrency: 2 });
      await eventuallyHolds(() => begun.length === 2);
      const before = looks();
      const stopping = reactor.stop();
      finish();
      await stopping;
      expect([begun.length, looks() - before]).toEqual([2, 0]);
    }));

  it('begins nothing further of what it has read once its lease is another process’s, and goes on when it has it again', () =>
    withRig(async ({ eventStore, readStore, react, looks }) => {
      const leases = leasesOf(readStore, { leaseTimings: { renewMs: 20, deadMs: 150 } });
      const begun: string[] = [];
      let finish = (): void => undefined;
      const held = new Promise<void>((resolve) => (finish = resolve));
      await record(eventStore, ...Array.from({ length: 120 }, (_, n) => added(`account-${n}`, 100)));
      react(async ({ id }) => (begun.push(id), held), { leases, concurrency: 2 });
      await eventuallyHolds(() => begun.length === 2);
      const giveBack = await takeAway(readStore.leases, 'reactor.closing', leases);
      const before = looks();
      finish();
      await pause(100);
      expect([begun.length, looks() - before]).toEqual([2, 0]);
      await giveBack();
      await eventuallyHolds(() => begun.length === 120);
      expect(new Set(begun).size).toBe(120);
    }));

  it('ends what takes long once it is stopped, and another one does it again', () =>
    withRig(async ({ eventStore, react }) => {
      const warnings: string[] = [];
      const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) };
      let begun = 0;
      await record(eventStore, added('a', 100));
      const act: Act = async (_, __, ends) => {
        if (++begun === 1) await aborted(ends);
        ends.throwIfAborted();
      };
      const reactor = react(act, { log });
      await eventuallyHolds(() => begun === 1);
      await reactor.stop();
      react(act, { log });
      await eventuallyHolds(() => begun === 2);
      // It is no failure.
      expect(warnings).toEqual([]);
    }));

  it('ends what takes long once its lease is another process’s, and does it again when it has it again', () =>
    withRig(async ({ eventStore, readStore, react }) => {
      const leases = leasesOf(readStore, { leaseTimings: { renewMs: 20, deadMs: 150 } });
      const begun: AbortSignal[] = [];
      const warnings: string[] = [];
      await record(eventStore, added('a', 100));
      let isDone = false;
      const act: Act = async (_, __, ends) => {
        begun.push(ends);
        if (begun.length === 1) await aborted(ends);
        ends.throwIfAborted();
        isDone = true;
      };
      react(act, { leases, log: { ...silentLog, warn: (_, message) => void warnings.push(message) } });
      await eventuallyHolds(() => begun.length === 1);
      const giveBack = await takeAway(readStore.leases, 'reactor.closing', leases);
      await eventuallyHolds(() => begun[0]?.aborted === true);
      await pause(60);
      expect(begun).toHaveLength(1);
      await giveBack();
      await eventuallyHolds(() => begun.length === 2);
      await eventuallyHolds(() => isDone);
      expect(begun).toHaveLength(2);
      // It is no failure.
      expect(warnings).toEqual([]);
    }));

  it('gives up a lease whose term is over, and goes on with a new one', () =>
    withRig(async ({ eventStore, readStore, react }) => {
      const leases = leasesOf(readStore, { leaseTimings: { renewMs: 20, deadMs: 150 } });
      const over = AbortSignal.abort();
      let isOver = true;
      const { acquired, giveUp } = leases;
      leases.acquired = async (...wanted) => {
        const term = await acquired.apply(leases, wanted);
        return isOver ? over : term;
      };
      leases.giveUp = (name) => ((isOver = false), giveUp.call(leases, name));
      const begun: boolean[] = [];
      await record(eventStore, added('a', 100));
      react(async (_, __, ends) => void begun.push(ends.aborted), { leases });
      await eventuallyHolds(() => begun.length > 0);
      expect(begun).toEqual([false]);
    }));

  it('looks only at what is due, and at the next entry as soon as that is', () =>
    withRig(async ({ eventStore, react, looks }) => {
      const acted: string[] = [];
      const at = (ms: number) => new Date(Date.now() + ms).toISOString();
      const [first, second] = [at(0), at(600)];
      await record(eventStore, due(first), due(second), due(at(3_600_000)));
      react(async ({ id }) => void acted.push(id), { index: 'byTime', dueAt, shared: true });
      await eventuallyHolds(() => acted.includes(second));
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(second));
      expect(acted).toEqual([first, second]);
      await pause(100);
      const before = looks();
      await pause(300);
      expect(looks()).toBe(before);
      expect(acted).toEqual([first, second]);
    }, byTime));

  it('does nothing because of the time alone while the clock may be wrong, and leaves it to other processes', () =>
    withRig(async ({ eventStore, react }) => {
      let inDoubt = true;
      const doubtful = { nowIfTrusted: async () => (inDoubt ? null : new Date()) };
      const acted: string[] = [];
      const by = (name: string) => async () => void acted.push(name);
      await record(eventStore, due(new Date(0).toISOString()));
      const timed = { index: 'byTime', dueAt, shared: true } as const;
      react(by('wrong'), { ...timed, timekeeper: doubtful });
      react(by('untimed'), { index: 'byTime', shared: true, name: 'untimed', timekeeper: doubtful });
      await eventuallyHolds(() => acted.length === 1);
      await pause(100);
      expect(acted).toEqual(['untimed']);
      const right = react(by('right'), timed);
      await eventuallyHolds(() => acted.length === 2);
      expect(acted).toEqual(['untimed', 'right']);
      await right.stop();
      inDoubt = false;
      await record(eventStore, due(new Date(1).toISOString()));
      await eventuallyHolds(() => acted.includes('wrong'));
    }, byTime));

  it('looks at nothing while nothing happens, where its process feeds the view', () =>
    withRig(async ({ eventStore, react, looks }) => {
      const acted: string[] = [];
      react(async ({ id }) => void acted.push(id), { shared: true });
      await record(eventStore, added('a', 100));
      await eventuallyHolds(() => acted.length === 1);
      await pause(100);
      const before = looks();
      await record(eventStore, { type: 'else', data: {}, stream: 'else-1' });
      await pause(300);
      expect(looks()).toBe(before);
      await record(eventStore, added('b', 100));
      await eventuallyHolds(() => acted.length === 2);
    }));

  it('looks while the view is behind, where another process feeds it, and at nothing once it has caught up', () =>
    withRig(async ({ eventStore, react, looks }) => {
      const acted: string[] = [];
      react(async ({ id }) => void acted.push(id), { elsewhere: true });
      await record(eventStore, added('a', 100));
      await eventuallyHolds(() => acted.length === 1);
      await pause(100);
      const before = looks();
      await pause(300);
      expect(looks()).toBe(before);
      await record(eventStore, added('b', 100));
      await eventuallyHolds(() => acted.length === 2);
      expect(acted).toEqual(['a', 'b']);
    }));
});
