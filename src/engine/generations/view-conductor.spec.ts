import { describe, expect, it } from '@jest/globals';
import { startProjector } from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts, added, markingSealer, plainCodec, record } from '../../../test/support/projection-rig.js';
import { GenerationUnusable } from '../../stores/errors.js';
import type { Generation, ReadStore } from '../../stores/read-store.js';
import { viewHealth } from '../health/health.js';
import { silentLog } from '../log.js';
import { newGeneration } from './generations.js';
import { type Ending, noOperations, type Operation } from './operations.js';
import { building, first } from './pointer.js';
import { type DocumentWork, ViewConductor } from './view-conductor.js';

const SENTENCE = 'The index "mine" of the collection is not one of this service. Drop it.';

/** A read store whose documents of these generations cannot be written; counts the tries. */
const withUnusable = (store: ReadStore, names: ReadonlySet<string>) => {
  let tries = 0;
  const collection: ReadStore['collection'] = (name, indexes) => {
    const own = store.collection(name, indexes);
    if (!names.has(name)) return own;
    const apply = () => {
      tries++;
      return Promise.reject(new GenerationUnusable(SENTENCE));
    };
    return new Proxy(own, {
      get: (target, key) => {
        if (key === 'apply') return apply;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };
  return { store: { ...store, collection }, tries: () => tries };
};

describe('What an operator asks of a generation that cannot be stored until somebody acts', () => {
  it('ends with the sentence for him, a rebuild after one try, and what is live goes on', async () => {
    const eventStore = new MemoryEventStore();
    const readStore = openMemoryReadStore(new MemoryDatabase());
    const unusable = new Set<string>();
    const { store, tries } = withUnusable(readStore, unusable);
    await record(eventStore, added('a', 1));
    const projector = startProjector({
      ...{ eventStore, readStore: store, codec: plainCodec(), sealer: markingSealer, views: [accounts] },
      ...{ owner: 'test', leaseTimings: { renewMs: 20, deadMs: 150 }, backoff: { baseMs: 1, capMs: 2 } },
      pollIntervalMs: 5,
    });
    try {
      await projector.ready;
      const pointer = (await readStore.pointers.get('accounts'))!;
      const generation = await newGeneration({ eventStore, readStore }, accounts, 1);
      unusable.add(generation.name);
      const begun = building(pointer, generation, { operation: null, hold: false });
      await readStore.pointers.swap('accounts', pointer.revision, begun);
      await eventuallyHolds(async () => (await readStore.pointers.get('accounts'))?.next?.failure != null);
      const [health] = await viewHealth({ eventStore, readStore }, [accounts]);
      const failures = health?.generations.map(({ role, failure }) => [role, failure]);
      expect(failures).toEqual([
        ['live', null],
        ['next', { eventId: null, message: SENTENCE }],
      ]);
      await record(eventStore, added('a', 1));
      const live = readStore.collection(pointer.live.name, {});
      await eventuallyHolds(async () => JSON.stringify(await live.get('a')).includes('"total":2'));
      expect(tries()).toBe(1);
    } finally {
      await projector.stop();
    }
  });

  it('ends with the sentence for him: documents that are to be folded afresh', async () => {
    const eventStore = new MemoryEventStore();
    const readStore = openMemoryReadStore(new MemoryDatabase());
    await readStore.pointers.swap(
      'accounts',
      null,
      first(await newGeneration({ eventStore, readStore }, accounts, 1)),
    );
    const refold: Operation = {
      ...{ id: 'o-1', view: 'accounts', kind: 'refold' },
      ...{ documents: 'parked', parkedOnly: true },
    };
    const intent = { open: [refold], paused: new Set<string>(), skipped: () => new Set<string>() };
    const endings: Ending[] = [];
    const conductor = new ViewConductor({
      ...{ eventStore, readStore, versions: [accounts], log: silentLog },
      ...{ segments: 1, automatic: true, graceMs: 60_000 },
      operations: {
        ...noOperations,
        readIntent: () => Promise.resolve(intent),
        end: (_, ending) => Promise.resolve(void endings.push(ending)),
      },
      work: {
        comparing: () => ({ all: () => Promise.resolve(null), since: () => Promise.resolve(null) }),
        refold: () => Promise.reject(new GenerationUnusable(SENTENCE)),
      },
    });
    await conductor.step(intent, new AbortController().signal);
    expect(endings).toEqual([{ result: 'failed', message: SENTENCE, details: {} }]);
  });
});

describe('A former generation', () => {
  it('is let go by no clock that may be wrong, and once it is right', async () => {
    const eventStore = new MemoryEventStore();
    const readStore = openMemoryReadStore(new MemoryDatabase());
    const generations = [1, 2].map(() => newGeneration({ eventStore, readStore }, accounts, 1));
    const [former, live] = (await Promise.all(generations)) as [Generation, Generation];
    const since = '2026-03-01T09:00:00.000Z';
    const pointer = { ...first(live), former: { generation: former, since } };
    await readStore.pointers.swap('accounts', null, pointer);
    const intent = { open: [], paused: new Set<string>(), skipped: () => new Set<string>() };
    let believed = false;
    const conductor = new ViewConductor({
      ...{ eventStore, readStore, versions: [accounts], log: silentLog, operations: noOperations },
      ...{ segments: 1, automatic: true, graceMs: 60_000 },
      now: () => Date.parse('2028-03-01T09:00:00.000Z'),
      timekeeper: { nowIfTrusted: async () => (believed ? new Date() : null) },
      work: {} as DocumentWork,
    });
    const kept = async () => {
      await conductor.step(intent, new AbortController().signal);
      return (await readStore.pointers.get('accounts'))?.former?.since ?? null;
    };
    expect(await kept()).toBe(since);
    believed = true;
    expect(await kept()).toBeNull();
  });
});
