import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Ending,
  Operation,
  Operations,
  OperatorIntent,
} from '../../src/engine/generations/operations.js';
import type { Pointer } from '../../src/stores/read-store.js';
import { startConductor, startProjector } from '../support/alone.js';
import { eventuallyHolds } from '../support/eventually.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../support/memory-read-store.js';
import { accounts, added, markingSealer, plainCodec, record } from '../support/projection-rig.js';
import { Random } from './random.js';

/** The operators' requests. Each read takes a random time, so that a conductor may work with an old answer. */
class Desk {
  readonly open = new Map<string, Operation>();
  readonly endings = new Map<string, Ending>();

  operationsOf(slow: () => Promise<void>): Operations {
    return {
      readIntent: async (): Promise<OperatorIntent> => {
        await slow();
        const intent = {
          open: [...this.open.values()],
          paused: new Set<string>(),
          skipped: () => new Set<string>(),
        };
        await slow();
        return intent;
      },
      end: async (id, ending) => {
        await slow();
        if (this.open.delete(id)) this.endings.set(id, ending);
        await slow();
      },
      promoted: slow,
    };
  }
}

interface Course {
  readonly asked: number;
  readonly wrong: readonly string[];
}

/**
 * Requests operations, in sequence and at the same time. Two processes carry them out. They keep losing the lease to
 * each other during a step, and complete that step nevertheless.
 */
async function course(seed: number, ms: number): Promise<Course> {
  const random = new Random(seed);
  const eventStore = new MemoryEventStore();
  const database = new MemoryDatabase();
  const readStore = openMemoryReadStore(database);
  const desk = new Desk();
  const slow = async (): Promise<void> => {
    if (random.chance(0.03)) await sleep(random.below(80));
  };
  const common = {
    eventStore,
    views: [accounts],
    segments: 1,
    leaseTimings: { renewMs: 8, deadMs: 25 },
    pollIntervalMs: 3,
    automatic: true,
    graceMs: 60_000,
  };
  await record(eventStore, added('a', 1), added('b', 1));
  const projector = startProjector({
    ...common,
    readStore,
    codec: plainCodec(),
    sealer: markingSealer,
    operations: desk.operationsOf(async () => undefined),
    owner: 'projector',
    backoff: { baseMs: 1, capMs: 5 },
  });
  await projector.ready;
  const conductors = [1, 2].map((n) =>
    startConductor({
      ...common,
      readStore: openMemoryReadStore(database, { before: slow, after: slow }),
      operations: desk.operationsOf(slow),
      work: {
        comparing: () => ({ all: async () => null, since: async () => null }),
        refold: async () => ({ result: 'done', message: 'Folded.', details: {} }),
      },
      owner: `conductor-${n}`,
    }),
  );
  const pointer = async (): Promise<Pointer> => (await readStore.pointers.get('accounts'))!;
  const wrong: string[] = [];
  let asked = 0;
  const ask = async (what: object): Promise<Ending['result']> => {
    const id = `${++asked}`;
    desk.open.set(id, { id, view: 'accounts', ...what } as Operation);
    await eventuallyHolds(() => desk.endings.has(id));
    return desk.endings.get(id)!.result;
  };
  const rebuild = { kind: 'rebuild', segments: null, hold: false };
  const until = performance.now() + ms;
  try {
    // A busy machine needs more time for as many operations.
    while (performance.now() < until || asked <= FEW) {
      await record(eventStore, added('a', 1));
      const way = random.below(10);
      if (way < 5) {
        if ((await ask(rebuild)) !== 'done') wrong.push(`rebuild: ${desk.endings.get(`${asked}`)?.message}`);
        if ((await pointer()).operation !== `${asked}`) wrong.push(`${asked} does not serve`);
      } else if (way < 8) {
        const { former, live } = await pointer();
        const result = await ask({ kind: 'rollback' });
        if ((result === 'done') !== (former !== null)) wrong.push(`rollback ${asked}: ${result}`);
        if (former && (await pointer()).live.name === live.name)
          wrong.push(`rollback ${asked} changed nothing`);
      } else if (way < 9) {
        await ask({ kind: 'refold', documents: ['a'], parkedOnly: false });
      } else {
        const first = ask(rebuild);
        const id = `${asked}`;
        await sleep(random.below(20));
        await Promise.all([first, ask({ kind: 'cancel' })]);
        const serves = (await pointer()).operation === id;
        if ((desk.endings.get(id)?.result === 'done') !== serves) wrong.push(`${id} ended as what it is not`);
      }
      const { next } = await pointer();
      if (next !== null) wrong.push(`${next.generation.name} is left behind ${asked}`);
    }
    await sleep(200);
    const { next, freeze } = await pointer();
    if (next !== null || freeze !== null) wrong.push(`at the end: ${JSON.stringify({ next, freeze })}`);
  } finally {
    for (const conductor of conductors) await conductor.stop();
    await projector.stop();
  }
  return { asked, wrong };
}

const MS = 5_000;
/** A run with fewer operations proves too little. */
const FEW = 8;

describe('Conductors that lose their lease in the middle of a step', () => {
  it('carry out every operation once, and leave nothing behind', async () => {
    const courses = await Promise.all([2, 4, 6].map((seed) => course(seed, MS)));
    expect(courses.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(Math.min(...courses.map(({ asked }) => asked))).toBeGreaterThan(FEW);
  });
});
