import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { leasesOf, startProjector } from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts, added, markingSealer, plainCodec, record } from '../../../test/support/projection-rig.js';
import { GenerationUnusable } from '../../stores/errors.js';
import type { Generation, GenerationName, Pointer, ReadStore } from '../../stores/read-store.js';
import { viewHealth } from '../health/health.js';
import { silentLog } from '../log.js';
import { segmentName } from '../segments.js';
import { newGeneration } from './generations.js';
import { type Ending, noOperations, type Operation, type OperatorIntent } from './operations.js';
import { building, first, frozen, nextIs, thawed, withoutNext } from './pointer.js';
import { type DocumentWork, ViewConductor, type ViewConductorOptions } from './view-conductor.js';

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

describe('The steps of a view', () => {
  afterEach(() => void jest.restoreAllMocks());

  const NO_INTENT = { open: [], paused: new Set<string>(), skipped: () => new Set<string>() };
  const rebuild: Operation = { id: 'o-1', view: 'accounts', kind: 'rebuild', segments: null, hold: false };
  const refold: Operation = {
    ...{ id: 'o-2', view: 'accounts', kind: 'refold' },
    ...{ documents: 'parked', parkedOnly: true },
  };

  /** A conductor of a view that has its first generation. The test moves the clock. */
  const rig = async (options: Partial<ViewConductorOptions> = {}) => {
    const eventStore = new MemoryEventStore();
    const readStore = openMemoryReadStore(new MemoryDatabase());
    let now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const live = await newGeneration({ eventStore, readStore }, accounts, 1);
    await readStore.pointers.swap('accounts', null, first(live));
    const conductor = new ViewConductor({
      ...{ eventStore, readStore, versions: [accounts], log: silentLog, operations: noOperations },
      ...{ segments: 1, automatic: true, graceMs: 60_000, work: {} as DocumentWork },
      ...options,
    });
    const pointer = async () => (await readStore.pointers.get('accounts'))!;
    return {
      eventStore,
      readStore,
      pass: (ms: number) => (now += ms),
      pointer,
      swap: async (next: Pointer) =>
        expect(await readStore.pointers.swap('accounts', next.revision - 1, next)).toBe(true),
      step: async (intent: OperatorIntent = NO_INTENT, signal = new AbortController().signal) => {
        const outcome = await conductor.step(intent, signal);
        return { outcome, ...(await pointer()) };
      },
      /** A generation that code of the same version builds, which this process does not have. */
      foreign: async () => ({
        ...(await newGeneration({ eventStore, readStore }, accounts, 1)),
        fingerprint: 'other',
      }),
    };
  };

  it('do not carry out again an operation that has ended since the intent was read', async () => {
    const { step } = await rig();
    const { outcome, next } = await step({ ...NO_INTENT, open: [rebuild] });
    expect([outcome, next]).toEqual(['waiting', null]);
  });

  it('leave a freeze to its promotion for a second, each freeze for its own', async () => {
    const { step, swap, pointer, pass } = await rig();
    const freeze = async () => swap(frozen(await pointer(), (await pointer()).live.name));
    await freeze();
    expect((await step()).freeze).not.toBeNull();
    pass(900);
    expect((await step()).freeze).not.toBeNull();
    await swap(thawed(await pointer()));
    await freeze();
    expect((await step()).freeze).not.toBeNull();
    pass(900);
    expect((await step()).freeze).not.toBeNull();
    pass(100);
    expect((await step()).freeze).toBeNull();
  });

  it('take over a build of other code once it has not moved for ten seconds, each build for its own', async () => {
    const { step, swap, pointer, pass, foreign } = await rig();
    const unasked = { operation: null, hold: false };
    await swap(building(await pointer(), await foreign(), unasked));
    await step();
    pass(9_000);
    await swap(withoutNext(await pointer()));
    const second = await foreign();
    await swap(building(await pointer(), second, unasked));
    for (let n = 0; n < 2; n++, pass(9_000)) expect((await step()).next?.generation.name).toBe(second.name);
    expect((await step()).next?.generation).toMatchObject({ fingerprint: accounts.fingerprint });
  });

  it('leave a built generation of other code at the log’s end alone, until it is behind', async () => {
    const { step, swap, pointer, pass, foreign, eventStore } = await rig();
    const built = await foreign();
    await swap(building(await pointer(), built, { operation: null, hold: true }));
    await swap(nextIs(await pointer(), built.name, { ready: true })!);
    for (let n = 0; n < 3; n++, pass(10_000)) expect((await step()).next?.generation.name).toBe(built.name);
    await record(eventStore, added('a', 1));
    expect((await step()).next?.generation).toMatchObject({ fingerprint: accounts.fingerprint });
  });

  it('do not end a replay of documents of newer code, which a process with that code carries out', async () => {
    const endings: Ending[] = [];
    const intent = { ...NO_INTENT, open: [refold] };
    const work = {
      comparing: () => ({ all: async () => null, since: async () => null }),
      refold: async (): Promise<Ending> => ({ result: 'done', message: 'The former one.', details: {} }),
    };
    const readIntent = async () => intent;
    const end = async (_: string, ending: Ending) => void endings.push(ending);
    const { step, swap, pointer, readStore } = await rig({
      ...{ work, operations: { ...noOperations, readIntent, end } },
    });
    const { live, ...rest } = await pointer();
    const former = { generation: live, since: '2026-03-01T09:00:00.000Z' };
    const newer = { ...live, name: 'accounts.v2.g2' as GenerationName, version: 2, fingerprint: 'newer' };
    await swap({ ...rest, live: newer, former, revision: rest.revision + 1 });
    const leases = leasesOf(readStore, { leaseTimings: { renewMs: 20, deadMs: 100 } });
    await leases.acquired(segmentName(newer.name, 0, 1), new AbortController().signal);
    expect((await step(intent)).outcome).toBe('waiting');
    expect(endings).toEqual([]);
    await leases.stop();
    await step(intent);
    expect(endings).toHaveLength(1);
  });

  it('do not end a replay of documents that the end of the process has interrupted', async () => {
    const endings: Ending[] = [];
    const abort = new AbortController();
    const intent = { ...NO_INTENT, open: [refold] };
    const { step } = await rig({
      operations: {
        ...noOperations,
        readIntent: async () => intent,
        end: async (_, ending) => void endings.push(ending),
      },
      work: {
        comparing: () => ({ all: async () => null, since: async () => null }),
        refold: async () => {
          abort.abort();
          return { result: 'done', message: 'Some were replayed.', details: {} };
        },
      },
    });
    await step(intent, abort.signal);
    expect(endings).toEqual([]);
  });
});
