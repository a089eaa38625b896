import { describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { leasesOf } from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts, added, markingSealer, plainCodec, record } from '../../../test/support/projection-rig.js';
import type { LogId } from '../../core/event-store.js';
import type { GenerationName, Pointer } from '../../stores/read-store.js';
import { documentWork } from '../documents/work.js';
import { type ProjectorOptions, startProjector } from '../feeding/runner.js';
import { PARKED } from '../fold/fold.js';
import { silentLog } from '../log.js';
import type { Leases } from '../ownership/leases.js';
import { createViewReader } from '../reads/reads.js';
import { segmentName } from '../segments.js';
import type { AnyView, ViewDocument } from '../view.js';
import { type ConductorOptions, startConductor } from './conductor.js';
import {
  type Ending,
  noOperations,
  type Operation,
  type Operations,
  type Promotion,
  type OperatorIntent,
} from './operations.js';
import { first } from './pointer.js';

type Asking<T = Operation> = T extends Operation ? Omit<T, 'id' | 'view'> : never;

/** What operators want, in memory. */
class Wanted implements Operations {
  readonly promotions: Promotion[] = [];
  readonly paused = new Set<string>();
  skipped: ReadonlySet<string> = new Set();
  readonly #open = new Map<string, Operation>();
  readonly #endings = new Map<string, Ending>();

  /** @returns what came of it */
  async ask(operation: Asking): Promise<Ending> {
    const id = randomUUID();
    this.#open.set(id, { id, view: 'accounts', ...operation });
    await eventuallyHolds(() => this.#endings.has(id));
    return this.#endings.get(id)!;
  }

  readIntent(): Promise<OperatorIntent> {
    return Promise.resolve({
      open: [...this.#open.values()],
      paused: this.paused,
      skipped: () => this.skipped,
    });
  }

  end(operation: string, ending: Ending): Promise<void> {
    if (this.#open.delete(operation)) this.#endings.set(operation, ending);
    return Promise.resolve();
  }

  promoted(promotion: Promotion): Promise<void> {
    this.promotions.push(promotion);
    return Promise.resolve();
  }
}

interface Rig {
  readonly eventStore: MemoryEventStore;
  readonly database: MemoryDatabase;
  readonly wanted: Wanted;
  /** A process that feeds and conducts. @returns stops it */
  start(options?: Partial<ProjectorOptions & ConductorOptions>): Promise<() => Promise<void>>;
  pointer(): Promise<Pointer>;
  total(id: string): Promise<number | undefined>;
  /** The generations that anything is stored of. */
  stored(): Promise<readonly string[]>;
}

const rebuild = { kind: 'rebuild', segments: null, hold: false } as const;
const hold = { kind: 'rebuild', segments: null, hold: true } as const;

async function withRig(run: (rig: Rig) => Promise<void>): Promise<void> {
  const eventStore = new MemoryEventStore();
  const database = new MemoryDatabase();
  const readStore = openMemoryReadStore(database);
  const reader = createViewReader({ eventStore, readStore, sealer: markingSealer });
  const wanted = new Wanted();
  const running = new Set<() => Promise<void>>();
  try {
    await run({
      eventStore,
      database,
      wanted,
      start: async (options = {}) => {
        const common = {
          eventStore,
          readStore: openMemoryReadStore(database),
          codec: plainCodec(),
          sealer: markingSealer,
          views: [accounts] as readonly AnyView[],
          operations: wanted,
          owner: `process-${randomUUID()}`,
          leaseTimings: { renewMs: 20, deadMs: 100 },
          backoff: { baseMs: 2, capMs: 20 },
          pollIntervalMs: 5,
          segments: 1,
          automatic: true,
          graceMs: 60_000,
        };
        const leases = leasesOf(common.readStore, common);
        const work = documentWork({ ...common, documents: markingSealer }, wanted);
        const projector = startProjector({ ...common, leases, ...options });
        const conductor = startConductor({ ...common, leases, work, ...options });
        const stop = async (): Promise<void> => {
          running.delete(stop);
          await conductor.stop();
          await projector.stop();
          await leases.stop();
        };
        running.add(stop);
        await projector.ready;
        return stop;
      },
      pointer: async () => (await readStore.pointers.get('accounts'))!,
      total: async (id) => (await reader.get(accounts, id).catch(() => null))?.document.total,
      stored: () => readStore.generations(),
    });
  } finally {
    for (const stop of running) await stop();
  }
}

const doubled: AnyView = {
  ...accounts,
  version: 2,
  fingerprint: 'doubled',
  evolve: (document, event): ViewDocument => {
    const next = accounts.evolve(document as never, event);
    return { ...next, total: next.entries.reduce((a, b) => a + 2 * b, 0) } as ViewDocument;
  },
};

describe('A log that lacks the beginning of a stream', () => {
  it('is said by a rebuild from it, in its end and in the log, and by none from a whole one', () =>
    withRig(async ({ eventStore, start, wanted }) => {
      const warnings: string[] = [];
      const log = { ...silentLog, warn: (_: object, sentence: string) => void warnings.push(sentence) };
      await record(eventStore, added('a', 1), added('a', 2), added('b', 3));
      const stop = await start();
      expect(await wanted.ask(rebuild)).toMatchObject({ message: 'accounts.v1.g2 is now live.' });
      await stop();
      const [{ stream }] = eventStore.log as [(typeof eventStore.log)[number]];
      eventStore.scavenge(stream, 1);
      await start({ log, feed: { pageEvents: 1 } });
      const missing = `The stream’s beginning is missing of ${stream}: what it held is not in the view. \`assay streams verify\` names all.`;
      const built = await wanted.ask(hold);
      expect(built).toMatchObject({
        result: 'done',
        message: `accounts.v1.g3 is built and held: promote or cancel it. ${missing}`,
      });
      const promoted = await wanted.ask({ kind: 'promote', acceptDifferences: false });
      expect([promoted.result, promoted.message.endsWith(missing)]).toEqual(['failed', true]);
      expect(warnings.filter((one) => one.includes('beginning is missing'))).toEqual([
        expect.stringContaining(stream),
      ]);
    }));
});

describe('Changed code', () => {
  it('is rebuilt by itself while the former fold serves, which is then fed on, and let go after its time', () =>
    withRig(async ({ eventStore, start, total, stored, wanted, pointer }) => {
      const stop = await start();
      await record(eventStore, added('a', 1), added('a', 2));
      await eventuallyHolds(async () => (await total('a')) === 3);
      await stop();
      const seen = new Set<number | undefined>();
      const rebuilt = await start({ views: [doubled], formerViews: [accounts], feed: { pageEvents: 1 } });
      await eventuallyHolds(async () => {
        seen.add(await total('a'));
        return (await total('a')) === 6;
      });
      expect([...seen].filter((value) => value !== 3 && value !== 6)).toEqual([]);
      expect(wanted.promotions).toMatchObject([
        { from: 'accounts.v1.g1', to: 'accounts.v2.g2', operation: null },
      ]);
      // It still is, so that there is something to go back to.
      await record(eventStore, added('a', 4));
      const { former } = await pointer();
      expect(former?.generation.name).toBe('accounts.v1.g1');
      expect(await wanted.ask({ kind: 'rollback' })).toMatchObject({ result: 'done' });
      expect(await total('a')).toBe(7);
      // A version that was rolled back is not built again by itself.
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await pointer()).toMatchObject({ live: { version: 1 }, next: null });
      await rebuilt();
      await start({ views: [doubled], formerViews: [accounts], graceMs: 0 });
      await eventuallyHolds(async () => (await stored()).join() === 'accounts.v1.g1');
    }));

  it('that is not to rebuild by itself waits to be asked, and the former version is fed', () =>
    withRig(async ({ eventStore, start, total, wanted }) => {
      const stop = await start();
      await record(eventStore, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 1);
      await stop();
      await start({ views: [doubled], formerViews: [accounts], automatic: false });
      await record(eventStore, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 2);
      expect(await wanted.ask(rebuild)).toMatchObject({ result: 'done' });
      expect(await total('a')).toBe(4);
    }));
});

describe('A rebuild', () => {
  it('in several segments serves with the same documents, and a process that ends in the middle only delays it', () =>
    withRig(async ({ eventStore, start, wanted, pointer, total, database }) => {
      await start();
      await record(eventStore, ...Array.from({ length: 40 }, (_, n) => added(`account-${n % 7}`, n % 10)));
      await eventuallyHolds(async () => (await total('account-0')) !== undefined);
      const asked = wanted.ask({ ...rebuild, segments: 4 });
      for (let process = 0; process < 4; process++) await (await start({ feed: { pageEvents: 1 } }))();
      expect(await asked).toMatchObject({ result: 'done' });
      expect((await pointer()).live).toMatchObject({ number: 2, segments: 4 });
      const texts = (name: string): readonly unknown[] =>
        [...(database.documents.get(name)?.values() ?? [])].map((cell) => cell.at(database.now)?.text).sort();
      expect(texts('accounts.v1.g2')).toEqual(texts('accounts.v1.g1'));
    }));

  it('that meets an event it cannot fold fails with its name, leaves nothing behind, and the rest as it was', () =>
    withRig(async ({ eventStore, start, wanted, total, stored, pointer }) => {
      await start();
      await record(eventStore, added('a', 1), added('a', 13), added('b', 2));
      await eventuallyHolds(async () => (await total('b')) === 2);
      const ending = await wanted.ask(rebuild);
      expect(ending).toMatchObject({
        result: 'failed',
        details: { eventId: eventStore.log[1]!.id, documentId: 'a' },
      });
      expect(ending.message).toContain('Thirteen cannot be added.');
      await eventuallyHolds(async () => (await stored()).join() === 'accounts.v1.g1');
      expect(await pointer()).toMatchObject({ live: { number: 1 }, next: null });
      // Once an operator skips the event, no fold fails on it.
      wanted.skipped = new Set([eventStore.log[1]!.id]);
      const refold = { kind: 'refold', documents: ['a'], parkedOnly: true } as const;
      expect(await wanted.ask(refold)).toMatchObject({ result: 'done' });
      expect(await wanted.ask(rebuild)).toMatchObject({ result: 'done' });
      expect(await total('a')).toBe(1);
    }));

  it('that is held is fed, compared and promoted when that is asked for', () =>
    withRig(async ({ eventStore, start, wanted, total, pointer, database }) => {
      await start();
      await record(eventStore, added('a', 1), added('b', 1));
      await eventuallyHolds(async () => (await total('b')) === 1);
      expect(await wanted.ask({ kind: 'promote', acceptDifferences: false })).toMatchObject({
        result: 'failed',
      });
      expect(await wanted.ask(hold)).toMatchObject({ result: 'done' });
      expect(await pointer()).toMatchObject({ live: { number: 1 }, next: { hold: true, ready: true } });
      expect(await wanted.ask(rebuild)).toMatchObject({ result: 'failed' });
      // Somebody has changed a document of the one that serves.
      const readStore = openMemoryReadStore(database);
      const live = readStore.collection((await pointer()).live.name, { ...accounts.indexes, ...PARKED });
      const document = (await live.get('a'))!;
      const body = { sealed: { total: 77, entries: [77], closed: false } };
      const repairs = (document.repairs ?? 0) + 1;
      await live.apply([{ expected: document.position, document: { ...document, body, repairs }, keys: {} }]);
      const refused = await wanted.ask({ kind: 'promote', acceptDifferences: false });
      expect(refused).toMatchObject({ result: 'failed' });
      expect(refused.message).toMatch(/differs.*: a\./);
      expect(await total('a')).toBe(77);
      expect(await wanted.ask({ kind: 'promote', acceptDifferences: true })).toMatchObject({
        result: 'done',
      });
      expect(await total('a')).toBe(1);
    }));

  it('that is cancelled is gone, and so is every trace of it', () =>
    withRig(async ({ eventStore, start, wanted, stored, pointer, database }) => {
      await start({ feed: { pageEvents: 1 } });
      await record(eventStore, ...Array.from({ length: 30 }, (_, n) => added(`account-${n % 7}`, n % 10)));
      await wanted.ask(hold);
      expect(await wanted.ask({ kind: 'cancel' })).toMatchObject({ result: 'done' });
      expect(await stored()).toEqual(['accounts.v1.g1']);
      const other = wanted.ask(rebuild);
      await eventuallyHolds(async () => (await pointer()).next !== null);
      const [ended] = await Promise.all([other, wanted.ask({ kind: 'cancel' })]);
      expect(['cancelled', 'done']).toContain(ended.result);
      await eventuallyHolds(async () => (await stored()).length === (ended.result === 'done' ? 2 : 1));
      expect([...database.leases.keys()].filter((name) => /\.g[23]\./.test(name))).toEqual([]);
    }));

  it('is carried out by a process that stood still in the middle of a longer step', () =>
    withRig(async ({ eventStore, start, wanted }) => {
      await start();
      await record(eventStore, added('a', 1));
      await wanted.ask(hold);
      const cancelled = wanted.ask({ kind: 'cancel' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      // For longer than its lease lasts.
      for (const until = performance.now() + 250; performance.now() < until;);
      await cancelled;
      expect(await wanted.ask(rebuild)).toMatchObject({ result: 'done' });
    }));

  it('of a paused view is refused; what is paused is not fed, also by a process that starts, until it is resumed', () =>
    withRig(async ({ eventStore, start, wanted, total }) => {
      const stop = await start();
      await record(eventStore, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 1);
      wanted.paused.add('accounts');
      expect(await wanted.ask(rebuild)).toMatchObject({ result: 'failed' });
      await stop();
      await start();
      await record(eventStore, added('a', 1));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await total('a')).toBe(1);
      wanted.paused.clear();
      await eventuallyHolds(async () => (await total('a')) === 2);
    }));
});

describe('Documents', () => {
  it('that are parked are folded once the code is mended, and equal a rebuild', () =>
    withRig(async ({ eventStore, start, wanted, total }) => {
      const stop = await start();
      await record(eventStore, added('a', 1), added('a', 13), added('a', 5), added('b', 2));
      await eventuallyHolds(async () => (await total('b')) === 2);
      const refold = { kind: 'refold', documents: 'parked', parkedOnly: true } as const;
      expect(await wanted.ask(refold)).toMatchObject({ result: 'failed', details: { parked: 1 } });
      // A parked document is never shown.
      expect(await total('a')).toBeUndefined();
      await stop();
      const mended: AnyView = {
        ...accounts,
        fingerprint: 'mended',
        evolve: (account, event) => add(account, event),
      };
      await start({ views: [mended], automatic: false, formerViews: [accounts] });
      expect(await wanted.ask(rebuild)).toMatchObject({ result: 'done' });
      expect(await total('a')).toBe(19);
    }));

  it('are asked for in vain where there are none', () =>
    withRig(async ({ start, wanted }) => {
      await start();
      const none = await wanted.ask({ kind: 'refold', documents: ['nobody'], parkedOnly: false });
      expect(none.result).toBe('failed');
      expect(none.message).toContain('nobody');
    }));
});

const add = (account: ViewDocument, event: { readonly data: object }): ViewDocument => {
  const { total, entries } = account as ReturnType<typeof accounts.initial>;
  const { amount } = event.data as { amount: number };
  return { total: total + amount, entries: [...entries, amount], closed: false } as ViewDocument;
};

describe('A conductor that has lost its lease', () => {
  it('conducts every view again once it has the lease again, also if a step outlasted the loss', async () => {
    const eventStore = new MemoryEventStore();
    let isHeld = true;
    let isLossSeen = false;
    let acquired = 0;
    const leases: Pick<Leases, 'holds' | 'acquired' | 'forget'> = {
      holds: () => {
        isLossSeen ||= !isHeld;
        return isHeld;
      },
      acquired: async () => {
        acquired++;
        // No other process has it.
        isHeld = true;
        return new AbortController().signal;
      },
      forget: async () => undefined,
    };
    const steps = new Map<string, number>();
    let isStepHeld = false;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const readStore = openMemoryReadStore(new MemoryDatabase(), {
      before: async ({ operation, subject }) => {
        if (operation !== 'pointers.get') return;
        steps.set(subject, (steps.get(subject) ?? 0) + 1);
        if (subject !== 'accounts' || isStepHeld) return;
        isStepHeld = true;
        await released;
      },
    });
    const conductor = startConductor({
      ...{ eventStore, readStore, views: [accounts, { ...accounts, name: 'others' }] },
      operations: noOperations,
      ...{ leases: leases as Leases, work: {} as ConductorOptions['work'], pollIntervalMs: 1 },
      ...{ segments: 1, automatic: true, graceMs: 60_000 },
    });
    try {
      await eventuallyHolds(() => isStepHeld && (steps.get('others') ?? 0) > 0);
      isHeld = false;
      await eventuallyHolds(() => isLossSeen);
      // The other loops end meanwhile, but need not for this test to pass.
      await new Promise((resolve) => setTimeout(resolve, 50));
      isHeld = true;
      steps.clear();
      release();
      await eventuallyHolds(() => steps.has('others') && steps.has('accounts'));
      expect(acquired).toBe(2);
    } finally {
      release();
      await conductor.stop();
    }
  });
});

describe('A conductor whose code lacks a view', () => {
  it.each<readonly [string, boolean]>([
    ['leaves an operation on it to newer code, and ends it only if none carries it out in time', false],
    ['ends no operation that lasts long, such as a refold, while newer code feeds the view', true],
  ])('%s', async (_, feeds) => {
    const open: Operation[] = [{ id: 'one', view: 'newer', kind: 'rollback' }];
    const readStore = openMemoryReadStore(new MemoryDatabase());
    const newer = leasesOf(readStore, { owner: 'newer', leaseTimings: { renewMs: 20, deadMs: 100 } });
    if (feeds) {
      const [name, number] = ['newer.v1.g1' as GenerationName, 1];
      const live = { name, number, version: 1, log: 'log' as LogId, fingerprint: 'newer', segments: 1 };
      await readStore.pointers.swap('newer', null, first(live));
      await newer.acquired(segmentName(name, 0, 1), new AbortController().signal);
    }
    const ended: string[] = [];
    let reads = 0;
    const operations: Operations = {
      ...noOperations,
      readIntent: async () => {
        reads++;
        return {
          open: open.filter(({ id }) => !ended.includes(id)),
          paused: new Set(),
          skipped: () => new Set(),
        };
      },
      end: async (id, { message }) => void ended.push(id, message),
    };
    const real = performance.now.bind(performance);
    let ahead = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
    const leases: Pick<Leases, 'holds' | 'acquired' | 'forget'> = {
      holds: () => true,
      acquired: async () => new AbortController().signal,
      forget: async () => undefined,
    };
    const conductor = startConductor({
      ...{ eventStore: new MemoryEventStore(), readStore },
      ...{ views: [accounts], operations, work: {} as ConductorOptions['work'], pollIntervalMs: 5 },
      ...{ leases: leases as Leases, segments: 1, automatic: true, graceMs: 60_000 },
    });
    try {
      await eventuallyHolds(() => reads > 3);
      expect(ended).toEqual([]);
      ahead = 61_000;
      if (feeds) {
        const since = reads;
        await eventuallyHolds(() => reads > since + 3);
        expect(ended).toEqual([]);
        await newer.stop();
      }
      await eventuallyHolds(() => ended.length > 0);
      expect(ended).toEqual(['one', 'The running code has no view "newer".']);
    } finally {
      clock.mockRestore();
      await conductor.stop();
      await newer.stop();
    }
  });
});

describe('A conductor that stops', () => {
  it('leaves its lease to other processes', async () => {
    const forgotten: string[] = [];
    const acquired: string[] = [];
    const leases: Pick<Leases, 'holds' | 'acquired' | 'forget'> = {
      holds: () => true,
      acquired: async (name) => (acquired.push(name), new AbortController().signal),
      forget: async (name) => void forgotten.push(name),
    };
    const conductor = startConductor({
      ...{ eventStore: new MemoryEventStore(), readStore: openMemoryReadStore(new MemoryDatabase()) },
      ...{ views: [accounts], operations: noOperations, work: {} as ConductorOptions['work'] },
      ...{ leases: leases as Leases, segments: 1, automatic: true, graceMs: 60_000 },
    });
    await conductor.stop();
    expect(forgotten).toEqual(acquired);
    expect(forgotten).toHaveLength(1);
  });
});
