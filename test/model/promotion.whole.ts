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
/** A run that has tried less says nothing. */
const PROMOTIONS = 2;
const READS = 200;

const same = (store: ReadStore): ReadStore => store;

/** What is weakened, to show that the run notices. */
interface Mutation {
  readonly forReaders?: (store: ReadStore) => ReadStore;
  readonly forConductor?: (store: ReadStore) => ReadStore;
}

interface Course {
  readonly promotions: number;
  readonly reads: number;
  /** Reads that showed less than one that had ended before they began. */
  readonly backwards: readonly string[];
  readonly failed: readonly Ending[];
}

/**
 * Promotions and roll-backs one after another, while somebody writes, several processes feed both generations, each as
 * slowly as chance has it, and readers of several processes look at the view in every way.
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
  // A machine that is busy with other work gets the time that it needs to try anything at all.
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
  // Time for others between the log's end being read and its being told to readers.
  // Time for others between the log's end being read and its being told to readers.
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
      // Whoever sleeps for a moment finds that another has taken over, and goes on all the same.
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

/** Asks for a rebuild and for going back, turn about, each once the one before has ended. */
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
  it('never takes a read back in time, whoever feeds what serves, and however slowly what is to serve', async () => {
    const { promotions, reads, backwards, failed } = await course(1, MS);
    expect(backwards).toEqual([]);
    expect(failed).toEqual([]);
    expect(promotions).toBeGreaterThan(PROMOTIONS);
    expect(reads).toBeGreaterThan(READS);
  });
});

describe('The run notices', () => {
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
