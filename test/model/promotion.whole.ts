import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '../../src/core/event-store.js';
import type { Ending, Operation, Operations } from '../../src/engine/generations/operations.js';
import { createViewReader } from '../../src/engine/reads/reads.js';
import type { Pointer, ReadStore } from '../../src/stores/read-store.js';
import { startConductor, startProjector } from '../support/alone.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore, type ReadStoreCall } from '../support/memory-read-store.js';
import { accounts, added, markingSealer, plainCodec, record } from '../support/projection-rig.js';
import { Random } from './random.js';

const MS = 2_500;
const MAX_MS = 60_000;
/** A run with fewer promotions and reads proves nothing. */
const PROMOTIONS = 2;
const READS = 200;

const same = (store: ReadStore): ReadStore => store;

/** A weakened store, to show that the run finds the fault. */
interface Mutation {
  readonly forReaders?: (store: ReadStore) => ReadStore;
  readonly forConductor?: (store: ReadStore) => ReadStore;
}

interface Course {
  readonly promotions: number;
  readonly reads: number;
  /** Reads that showed less than a read that had ended before they began. */
  readonly backwards: readonly string[];
  readonly failed: readonly Ending[];
}

/**
 * Promotions and roll-backs in sequence. Meanwhile events are appended, several processes feed both generations at
 * random speed, and readers of several processes read the view in every way.
 */
async function course(
  seed: number,
  ms: number,
  { forReaders = same, forConductor = same }: Mutation = {},
): Promise<Course> {
  const random = new Random(seed);
  const eventStore = new MemoryEventStore();
  const database = new MemoryDatabase();
  const began = performance.now();
  const operations = new Asked();
  let reads = 0;
  // A busy machine gets the time that it needs for the minimum.
  const going = (): boolean => {
    const passed = performance.now() - began;
    const tried = operations.promotions > PROMOTIONS && reads > READS;
    return passed < ms || (!tried && passed < MAX_MS);
  };
  const slow = async (): Promise<void> => {
    if (random.chance(0.01)) await sleep(random.below(60));
    else if (random.chance(0.1)) await turn();
  };
  const feeding = (): ReadStore => openMemoryReadStore(database, { before: slow, after: slow });
  // Other work may run after a process has read the log's end and before it reports that end to readers.
  const promoting = async ({ operation }: ReadStoreCall): Promise<void> => {
    if (operation === 'pointers.swap') await sleep(random.below(15));
  };
  const projectors = [1, 2].map((n) =>
    startProjector({
      eventStore,
      readStore: feeding(),
      codec: plainCodec(),
      sealer: markingSealer,
      views: [accounts],
      operations,
      owner: `process-${n}`,
      segments: 2,
      // So short that a process which sleeps for a moment loses its lease, and completes its step nevertheless.
      leaseTimings: { renewMs: 8, deadMs: 25 },
      backoff: { baseMs: 1, capMs: 5 },
      pollIntervalMs: 5,
    }),
  );
  await record(eventStore, added('a', 1), added('b', 1));
  await Promise.all(projectors.map(({ ready }) => ready));
  const conductor = startConductor({
    eventStore,
    readStore: forConductor(openMemoryReadStore(database, { before: promoting, after: promoting })),
    views: [accounts],
    operations,
    work: {
      comparing: () => ({ all: async () => null, since: async () => null }),
      refold: () => Promise.reject(new Error('Nobody asks for it.')),
    },
    owner: 'conductor',
    segments: 2,
    automatic: true,
    graceMs: 60_000,
    pollIntervalMs: 2,
  });

  const backwards: string[] = [];
  let highest = 0;
  const reading = async (): Promise<void> => {
    const store = openMemoryReadStore(database, { before: slow, after: slow });
    const reader = createViewReader({
      eventStore,
      readStore: forReaders(store),
      sealer: markingSealer,
    });
    const total = async (): Promise<readonly [string, number]> => {
      const way = random.below(3);
      if (way === 0) return ['get', (await reader.get(accounts, 'a'))?.document.total ?? 0];
      if (way === 1)
        return ['getMany', (await reader.getMany(accounts, ['a', 'b'])).get('a')?.document.total ?? 0];
      const { items } = await reader.page(accounts, {
        index: 'byTotal',
        prefix: [],
        limit: 5,
        reverse: true,
      });
      return ['page', items.find(({ id }) => id === 'a')?.document.total ?? 0];
    };
    while (going()) {
      const before = highest;
      const [way, seen] = await total();
      reads++;
      if (seen < before) backwards.push(`${way}: ${seen} after ${before}`);
      highest = Math.max(highest, seen);
    }
  };
  const writing = async (): Promise<void> => {
    while (going()) {
      await record(eventStore, added('a', 1));
      await sleep(random.below(12));
    }
  };
  try {
    await Promise.all([writing(), reading(), reading(), reading()]);
  } finally {
    await conductor.stop();
    for (const projector of projectors) await projector.stop();
  }
  return { promotions: operations.promotions, reads, backwards, failed: operations.failed };
}

/** Requests a rebuild and a roll-back in turn, each once the former operation has ended. */
class Asked implements Operations {
  promotions = 0;
  readonly failed: Ending[] = [];
  #number = 1;
  #notBefore = 0;

  readIntent(): ReturnType<Operations['readIntent']> {
    const nothing = { open: [], paused: new Set<string>(), skipped: () => new Set<string>() };
    if (performance.now() < this.#notBefore) return Promise.resolve(nothing);
    const common = { id: `${this.#number}`, view: 'accounts' };
    const open: Operation =
      this.#number % 2 === 1
        ? { ...common, kind: 'rebuild', segments: 1 + (this.#number % 3), hold: false }
        : { ...common, kind: 'rollback' };
    return Promise.resolve({ ...nothing, open: [open] });
  }

  end(id: string, ending: Ending): Promise<void> {
    if (id === `${this.#number}`) this.#number++;
    this.#notBefore = performance.now() + 15;
    if (ending.result !== 'done') this.failed.push(ending);
    return Promise.resolve();
  }

  promoted(): Promise<void> {
    this.promotions++;
    return Promise.resolve();
  }
}

describe('A promotion', () => {
  it('never shows an older state than before, whichever process feeds a generation, and however slowly', async () => {
    const { promotions, reads, backwards, failed } = await course(1, MS);
    expect(backwards).toEqual([]);
    expect(failed).toEqual([]);
    expect(promotions).toBeGreaterThan(PROMOTIONS);
    expect(reads).toBeGreaterThan(READS);
  });
});

describe('The run finds', () => {
  const withPointer =
    (change: (pointer: Pointer) => Pointer) =>
    (store: ReadStore): ReadStore => ({
      ...store,
      pointers: {
        ...store.pointers,
        get: async (view) => {
          const pointer = await store.pointers.get(view);
          return pointer && change(pointer);
        },
      },
    });
  const mutations: readonly (Mutation & { readonly what: string })[] = [
    {
      what: 'readers that show what lies beyond the barrier',
      forReaders: withPointer((pointer) => ({ ...pointer, freeze: null })),
    },
    {
      what: 'a swap that waits for nothing',
      forConductor: (store) => ({
        ...store,
        checkpoints: { ...store.checkpoints, get: () => Promise.resolve('far ahead' as Position) },
      }),
    },
  ];
  it.each(mutations)('$what', async ({ forReaders, forConductor }) => {
    const mutation = { ...(forReaders && { forReaders }), ...(forConductor && { forConductor }) };
    for (let seed = 1; seed <= 30; seed++) {
      if ((await course(seed, MS, mutation)).backwards.length > 0) return;
    }
    throw new Error('No read went back in time.');
  });
});
