import { describe, expect, it } from '@jest/globals';
import { startConductor, startProjector } from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts, added, markingSealer, plainCodec, record } from '../../../test/support/projection-rig.js';
import type { Position } from '../../core/event-store.js';
import type { GenerationName, Json, Page, Pointer, ReadStore } from '../../stores/read-store.js';
import { ReadModelBehind, ViewParked } from '../errors.js';
import { newGeneration } from '../generations/generations.js';
import { noOperations } from '../generations/operations.js';
import { ensurePointer } from '../generations/pointer.js';
import { silentLog } from '../log.js';
import type { AnyView, DocumentSealer, ViewDocument } from '../view.js';
import { createViewReader, type ViewReader } from './reads.js';

/** The document work of a conductor that gets no operation. */
const NO_WORK = {
  comparing: () => ({ all: async () => null, since: async () => null }),
  refold: () => Promise.reject(new Error('There is nothing to replay.')),
};

interface Rig {
  readonly eventStore: MemoryEventStore;
  readonly database: MemoryDatabase;
  readonly reader: ViewReader;
  /** A projector in this process, or in another one on the same stores. */
  start(where?: 'here' | 'elsewhere', views?: readonly AnyView[]): Promise<void>;
}

async function withRig(run: (rig: Rig) => Promise<void>): Promise<void> {
  const eventStore = new MemoryEventStore();
  const database = new MemoryDatabase();
  const readStore = openMemoryReadStore(database);
  const stops: (() => Promise<void>)[] = [];
  try {
    await run({
      eventStore,
      database,
      reader: createViewReader({ eventStore, readStore, sealer: markingSealer }),
      start: async (where = 'here', views = [accounts]) => {
        const projector = startProjector({
          eventStore,
          views,
          readStore: where === 'here' ? readStore : openMemoryReadStore(database),
          codec: plainCodec(),
          sealer: markingSealer,
          owner: 'test',
          segments: 3,
          pollIntervalMs: 10,
        });
        const conductor = startConductor({
          eventStore,
          views,
          readStore: openMemoryReadStore(database),
          operations: noOperations,
          work: NO_WORK,
          owner: 'test',
          segments: 3,
          automatic: true,
          graceMs: 60_000,
          pollIntervalMs: 10,
        });
        stops.push(
          () => conductor.stop(),
          () => projector.stop(),
        );
        await projector.ready;
      },
    });
  } finally {
    for (const stop of stops) await stop();
  }
}

describe('A read with a token', () => {
  it.each(['here', 'elsewhere'] as const)('sees what its token has seen; projector %s', (where) =>
    withRig(async ({ eventStore, reader, start }) => {
      await start(where);
      for (let n = 1; n <= 10; n++) {
        const [token] = await record(eventStore, added('a', 1));
        expect((await reader.get(accounts, 'a', { token }))?.document.total).toBe(n);
        const many = await reader.getMany(accounts, ['a', 'none'], { token });
        expect([...many].map(([id, { document }]) => [id, document.total])).toEqual([['a', n]]);
        const page = await reader.page(accounts, { index: 'byTotal', prefix: [n], limit: 5 }, { token });
        expect(page.items.map(({ id }) => id)).toEqual(['a']);
      }
    }),
  );

  it('waits for a projector that starts meanwhile', () =>
    withRig(async ({ eventStore, reader, start }) => {
      const [token] = await record(eventStore, added('a', 1));
      const read = reader.get(accounts, 'a', { token });
      await start();
      expect((await read)?.document.total).toBe(1);
    }));

  it('of an outline waits likewise, and shows nothing personal', () =>
    withRig(async ({ eventStore, reader, start }) => {
      await start();
      const [token] = await record(eventStore, added('a', 1));
      const found = await reader.outline(accounts, 'a', { token });
      expect(found?.document).toMatchObject({ total: 1, personal: null });
      expect(await reader.outline(accounts, 'none')).toBeNull();
      const page = { index: 'byTotal', prefix: [], limit: 9, outlined: true };
      const { items } = await reader.page(accounts, page, { token });
      expect(items).toMatchObject([{ id: 'a', document: { total: 1, personal: null } }]);
    }));

  it('gives up at its deadline', () =>
    withRig(async ({ eventStore, reader }) => {
      const [token] = await record(eventStore, added('a', 1));
      const before = performance.now();
      await expect(reader.get(accounts, 'a', { token, deadlineMs: 60 })).rejects.toThrow(ReadModelBehind);
      expect(performance.now() - before).toBeGreaterThanOrEqual(59);
      await expect(reader.waitFor([accounts], token as Position, 20)).rejects.toThrow(ReadModelBehind);
    }));

  it('of one document waits for its segment alone, a list for all', () =>
    withRig(async ({ eventStore, reader, database }) => {
      const readStore = openMemoryReadStore(database);
      const stores = { eventStore, readStore, log: silentLog };
      const { live } = await ensurePointer(stores, accounts, 2);
      const [token] = await record(eventStore, added('a', 1));
      // 'a' belongs to the second of two segments (golden values in segments.spec).
      await readStore.checkpoints.advance(`${live.name}.2of2`, null, token as Position);
      expect(await reader.get(accounts, 'a', { token, deadlineMs: 50 })).toBeNull();
      const page = reader.page(
        accounts,
        { index: 'byTotal', prefix: [], limit: 1 },
        { token, deadlineMs: 50 },
      );
      await expect(page).rejects.toThrow(ReadModelBehind);
    }));

  it('of a parked document is refused, whatever the token, until it is repaired', () =>
    withRig(async ({ eventStore, reader, start }) => {
      await start();
      const [before, parking, later] = await record(eventStore, added('a', 1), added('a', 13), added('a', 2));
      await reader.waitFor([accounts], later as Position);
      const list = { index: 'byTotal', prefix: [], limit: 9 };
      for (const token of [undefined, before, parking, later]) {
        await expect(reader.get(accounts, 'a', { token })).rejects.toThrow(ViewParked);
        await expect(reader.outline(accounts, 'a', { token })).rejects.toThrow(ViewParked);
        await expect(reader.getMany(accounts, ['b', 'a'], { token })).rejects.toThrow(ViewParked);
        await expect(reader.page(accounts, list, { token })).rejects.toThrow(ViewParked);
        const worked = await reader.page(accounts, { ...list, evenParked: true }, { token });
        expect(worked.items).toMatchObject([{ id: 'a', document: { total: 1 } }]);
      }
    }));

  it('finds a document that was parked before its first event where its id alone lists it', () =>
    withRig(async ({ eventStore, reader, start }) => {
      const byId: AnyView = {
        ...accounts,
        evolve: (document, event) => accounts.evolve(document as never, event),
        keys: { owner: (_: object, id: string) => id.slice(0, 1) },
        indexes: { byOwner: ['owner'] },
      };
      await start('here', [byId]);
      const [, token] = await record(eventStore, added('a-1', 1), added('b-1', 13));
      const listOf = (owner: string) =>
        reader.page(byId, { index: 'byOwner', prefix: [owner], limit: 9 }, { token });
      expect((await listOf('a')).items).toHaveLength(1);
      await expect(listOf('b')).rejects.toThrow(ViewParked);
    }));
});

describe('A generation that took the place of what is gone', () => {
  it('is not read before it has come to where the log ended then: no list is half of what there is', () =>
    withRig(async ({ eventStore, database, reader, start }) => {
      await record(eventStore, ...Array.from({ length: 36 }, (_, n) => added(`account-${n}`, 1)));
      const elsewhere = createViewReader({
        ...{ eventStore, readStore: openMemoryReadStore(database), sealer: markingSealer },
      });
      const list = { index: 'byTotal', prefix: [], limit: 50 };
      const counts = async (of: ViewReader) => [
        (await of.page(accounts, list)).items.length,
        (await of.getMany(accounts, ['account-0', 'account-35'])).size,
        (await of.get(accounts, 'account-35')) === null ? 0 : 1,
      ];
      const seen = new Set<string>();
      let reading = true;
      const watching = [reader, elsewhere].map(async (of) => {
        while (reading) {
          const count = await counts(of).catch((error: unknown) => (error as Error).name);
          seen.add(String(count));
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
      await start();
      await eventuallyHolds(() => seen.has('36,2,1')).finally(() => (reading = false));
      await Promise.all(watching);
      const pointer = [...database.pointers.values()][0];
      expect(pointer?.at(database.now)).toMatchObject({ live: { readableFrom: await eventStore.head() } });
      expect([...seen].filter((count) => count !== '36,2,1' && count !== 'ReadModelBehind')).toEqual([]);
    }));
});

describe('A read in a process without a projector', () => {
  /** Calls of the read store, in turns: those of one turn were asked at once. */
  function watched(database: MemoryDatabase) {
    const turns: string[][] = [];
    let open = 0;
    const readStore = openMemoryReadStore(database, {
      before: async ({ operation }) => {
        if (open++ === 0) turns.push([]);
        turns.at(-1)?.push(operation);
        await new Promise((resolve) => setImmediate(resolve));
      },
      after: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        open--;
      },
    });
    const take = (): string[][] => turns.splice(0).map((turn) => turn.sort());
    return { readStore, take };
  }

  it('asks in as few turns as it can', () =>
    withRig(async ({ eventStore, database, start }) => {
      await start('elsewhere');
      const others = createViewReader({
        ...{ eventStore, readStore: openMemoryReadStore(database), sealer: markingSealer },
      });
      /** Events that are folded, which the reader does not know. @returns where they are */
      const folded = async (...accountsOf: string[]): Promise<readonly Position[]> => {
        const positions = await record(eventStore, ...accountsOf.map((account) => added(account, 1)));
        await others.waitFor([accounts], positions.at(-1) as Position);
        take();
        return positions;
      };
      const { readStore, take } = watched(database);
      const reader = createViewReader({ eventStore, readStore, sealer: markingSealer });
      await folded('b', 'c');
      await reader.get(accounts, 'a');
      const [first] = await folded('a', 'c');
      await reader.get(accounts, 'a');
      expect(take()).toEqual([['get'], ['pointers.get']]);
      await reader.get(accounts, 'a', { token: first });
      expect(take()).toEqual([['checkpoints.get', 'get'], ['pointers.get']]);
      // The document does not say that nothing of its own came later.
      const [, last] = await folded('a', 'c');
      await reader.get(accounts, 'a', { token: last });
      expect(take()).toEqual([['checkpoints.get', 'get'], ['pointers.get'], ['get'], ['pointers.get']]);
      // It never goes back.
      await reader.get(accounts, 'a', { token: last });
      expect(take()).toEqual([['get'], ['pointers.get']]);
      await reader.get(accounts, 'none');
      expect(take()).toEqual([['get'], ['pointers.get']]);
      const list = { index: 'byTotal', prefix: [], limit: 9 };
      await reader.page(accounts, list);
      expect(take()).toEqual([['page'], ['pointers.get']]);
      const [token] = await folded('b');
      await reader.page(accounts, list, { token });
      const checkpoints = ['checkpoints.get', 'checkpoints.get', 'checkpoints.get'];
      expect(take()).toEqual([[...checkpoints, 'pointers.get'], ['page'], ['pointers.get']]);
    }));

  it('turns to a promoted generation at once, whatever it knew', () =>
    withRig(async ({ eventStore, database, start }) => {
      await start('elsewhere');
      const [token] = await record(eventStore, added('a', 1));
      const readStore = openMemoryReadStore(database);
      const reader = createViewReader({ eventStore, readStore, sealer: markingSealer });
      const former = await reader.get(accounts, 'a', { token });
      expect(former?.document.total).toBe(1);
      const doubled: AnyView = {
        ...accounts,
        version: 2,
        fingerprint: 'doubled',
        evolve: (document, event) => ({ ...accounts.evolve(document as never, event), total: 77 }),
      };
      await start('elsewhere', [doubled]);
      const before = (await readStore.pointers.get('accounts'))?.turn;
      // Promoted between two reads, and while a read is at it.
      for (let promoted = false; !promoted;) {
        await new Promise((resolve) => setImmediate(resolve));
        promoted = (await readStore.pointers.get('accounts'))?.turn !== before;
        const [one, page, stamps] = await Promise.all([
          reader.get(accounts, 'a'),
          reader.page(accounts, { index: 'byTotal', prefix: [], limit: 9 }),
          reader.stamps(accounts, ['a']),
        ]);
        if (!promoted) continue;
        expect(one?.document.total).toBe(77);
        expect(one?.position).toBe(former?.position);
        expect(one?.stamp).not.toBe(former?.stamp);
        expect(stamps.get('a')).toBe(one?.stamp);
        expect(page.items.map(({ document }) => document.total)).toEqual([77]);
      }
    }));
});

describe('A generation that was about to serve when its process died, and all others', () => {
  const list = { index: 'byTotal', prefix: [], limit: 9 };
  const kinds: readonly [string, (reader: ViewReader) => Promise<unknown>][] = [
    ['a document', (reader) => reader.get(accounts, 'a').then((found) => found?.document.total)],
    [
      'several documents',
      (reader) => reader.getMany(accounts, ['a']).then((found) => found.get('a')?.document.total),
    ],
    [
      'a list',
      (reader) =>
        reader.page(accounts, list).then(({ items }) => items.map(({ document }) => document.total)),
    ],
    ['stamps', (reader) => reader.stamps(accounts, ['a']).then((found) => found.has('a'))],
  ];

  /** A view that was folded and then frozen; only readers still run. */
  const frozenAt = async (barrier: 'known' | 'not known') => {
    let left: Pick<Rig, 'eventStore' | 'database'> | null = null;
    let early: Position | undefined;
    await withRig(async ({ eventStore, database, reader, start }) => {
      await start();
      [early] = await record(eventStore, added('a', 1));
      const [last] = await record(eventStore, added('a', 2));
      await reader.waitFor([accounts], last!);
      left = { eventStore, database };
    });
    const { eventStore, database } = left!;
    const readStore = openMemoryReadStore(database);
    const pointer = (await readStore.pointers.get('accounts'))!;
    const freeze = {
      to: `${pointer.live.name}x` as GenerationName,
      barrier: barrier === 'known' ? early! : null,
    };
    const open = () => createViewReader({ eventStore, readStore, sealer: markingSealer });
    const known = open();
    await known.get(accounts, 'a');
    const frozen = { ...pointer, revision: pointer.revision + 1, freeze };
    expect(await readStore.pointers.swap('accounts', pointer.revision, frozen)).toBe(true);
    return { readStore, known, open };
  };

  it.each(['known', 'not known'] as const)(
    'holds up no read for longer than 2 s, whatever the reader knew; its barrier is %s',
    async (barrier) => {
      const timed = async ([kind, read]: (typeof kinds)[number], isKnown: boolean) => {
        const { readStore, known, open } = await frozenAt(barrier);
        const before = performance.now();
        const answer = await read(isKnown ? known : open());
        const tookMs = performance.now() - before;
        expect([kind, answer]).toEqual([kind, kind === 'stamps' ? true : kind === 'a list' ? [3] : 3]);
        expect(tookMs).toBeLessThan(2_000);
        expect((await readStore.pointers.get('accounts'))?.freeze).toBeNull();
      };
      await Promise.all(kinds.flatMap((kind) => [timed(kind, true), timed(kind, false)]));
    },
  );

  it('shows meanwhile nothing beyond the barrier, and leaves a freeze that another process has made since', async () => {
    const { readStore, known } = await frozenAt('known');
    const reading = known.get(accounts, 'a');
    await new Promise((resolve) => setTimeout(resolve, 600));
    const pointer = (await readStore.pointers.get('accounts'))!;
    const anew = { ...pointer, revision: pointer.revision + 1 };
    expect(await readStore.pointers.swap('accounts', pointer.revision, anew)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect((await readStore.pointers.get('accounts'))?.freeze).toEqual(pointer.freeze);
    expect((await reading)?.document.total).toBe(3);
  });
});

describe('A read while the view’s pointer moves', () => {
  const list = { index: 'byTotal', prefix: [], limit: 9 };
  const KINDS: readonly (readonly [string, (reader: ViewReader) => Promise<unknown>])[] = [
    ['a document', async (reader) => (await reader.get(accounts, 'a'))?.document.total],
    ['several documents', async (reader) => (await reader.getMany(accounts, ['a'])).get('a')?.document.total],
    [
      'a list',
      async (reader) => (await reader.page(accounts, list)).items.map(({ document }) => document.total)[0],
    ],
  ];

  /** Two generations, the next one further on, and what happens in the middle of the first read of documents. */
  const twoGenerations = async (during?: (readStore: ReadStore, pointer: Pointer) => Promise<unknown>) => {
    const [eventStore, database] = [new MemoryEventStore(), new MemoryDatabase()];
    const readStore = openMemoryReadStore(database);
    const stores = { eventStore, readStore, log: silentLog };
    const pointer = await ensurePointer(stores, accounts, 1);
    const next = await newGeneration(stores, accounts, 1);
    const positions = (await record(eventStore, added('a', 1), added('a', 1))) as [Position, Position];
    for (const [n, { name }] of [pointer.live, next].entries()) {
      const total = n + 1;
      const position = positions[n] as Position;
      const body = markingSealer.seal({ total, entries: [], closed: false } as ViewDocument) as Json;
      const document = { id: 'a', position, parkedAt: null, deleted: false, body };
      const collection = readStore.collection(name, accounts.indexes ?? {});
      await collection.apply([{ expected: null, document, keys: { total } }]);
      await readStore.checkpoints.advance(`${name}.1of1`, null, position);
    }
    let isOver = false;
    const read = openMemoryReadStore(database, {
      after: async ({ operation }) => {
        if (isOver || !['get', 'getMany', 'page'].includes(operation)) return;
        isOver = true;
        await during?.(readStore, pointer);
      },
    });
    const swap = (change: Partial<Pointer>) =>
      readStore.pointers.swap('accounts', pointer.revision, {
        ...pointer,
        ...change,
        revision: pointer.revision + 1,
      });
    const reader = createViewReader({ eventStore, readStore: read, sealer: markingSealer });
    return { reader, positions, next, swap, readStore };
  };

  it.each(KINDS)('is answered by the generation that is live when it ends: %s', async (_, read) => {
    const made = await twoGenerations(() => made.swap({ live: made.next, turn: 2 }));
    expect(await read(made.reader)).toBe(2);
  });

  it.each(KINDS)('does not wait if nothing lies beyond the barrier: %s', async (_, read) => {
    const { reader, positions, next, swap, readStore } = await twoGenerations();
    const freeze = { to: next.name, barrier: positions[1] };
    await swap({ freeze });
    expect(await read(reader)).toBe(1);
    // A reader that waits ends the freeze after a second.
    expect((await readStore.pointers.get('accounts'))?.freeze).toEqual(freeze);
  });

  it('does not wait for a document at the barrier', async () => {
    const { reader, positions, next, swap, readStore } = await twoGenerations();
    const freeze = { to: next.name, barrier: positions[0] };
    await swap({ freeze });
    expect((await reader.get(accounts, 'a'))?.document.total).toBe(1);
    expect((await readStore.pointers.get('accounts'))?.freeze).toEqual(freeze);
  });

  it('of background work waits for its token too', async () => {
    const { reader, positions } = await twoGenerations();
    const read = (token: Position) =>
      reader.page(accounts, { ...list, evenParked: true }, { token, deadlineMs: 20 });
    expect((await read(positions[0])).items).toHaveLength(1);
    await expect(read(positions[1])).rejects.toThrow(ReadModelBehind);
  });
});

describe('Stamps', () => {
  it('are those of the documents as they are found, of removed ones too, and wait for a token', () =>
    withRig(async ({ eventStore, reader, start }) => {
      await start();
      let last: string | undefined;
      for (let n = 0; n < 5; n++) {
        const [token] = await record(eventStore, added('a', 1), added(`b-${n}`, 1));
        const stamps = await reader.stamps(accounts, ['a', 'none'], { token });
        expect([...stamps.keys()]).toEqual(['a']);
        const stamp = stamps.get('a');
        expect(stamp).not.toBe(last);
        const page = await reader.page(accounts, { index: 'byTotal', prefix: [n + 1], limit: 9 });
        const found = [
          await reader.get(accounts, 'a'),
          await reader.outline(accounts, 'a'),
          (await reader.getMany(accounts, ['a'])).get('a'),
          page.items.find(({ id }) => id === 'a'),
        ];
        expect(found.map((one) => one?.stamp)).toEqual(found.map(() => stamp));
        last = stamp;
      }
      const [token] = await record(eventStore, { type: 'closed', data: { account: 'a' } });
      const removed = await reader.stamps(accounts, ['a'], { token });
      expect(removed.get('a')).toEqual(expect.any(String));
      expect(removed.get('a')).not.toBe(last);
    }));

  it('are refused where the view has not come to their token', () =>
    withRig(async ({ eventStore, reader }) => {
      const [token] = await record(eventStore, added('a', 1));
      await expect(reader.stamps(accounts, ['a'], { token, deadlineMs: 20 })).rejects.toThrow(
        ReadModelBehind,
      );
    }));
});

describe('A list that is read again', () => {
  /** A store that hands out the same page again, as the embedded one does. */
  const sharingPages = (inner: ReadStore): ReadStore => ({
    ...inner,
    collection: (name, indexes) => {
      const view = inner.collection(name, indexes);
      let page: Promise<Page> | null = null;
      return { ...view, page: (options) => (page ??= view.page(options)) };
    },
  });
  const list = { index: 'byTotal', prefix: [], limit: 9 };

  const readTwice = async (sealer: DocumentSealer, between: () => void) => {
    const eventStore = new MemoryEventStore();
    const readStore = sharingPages(openMemoryReadStore());
    const { live } = await ensurePointer({ eventStore, readStore, log: silentLog }, accounts, 1);
    const [position] = await record(eventStore, added('a', 1));
    const body = { total: 1, personal: 'sealed' };
    const stored = { id: 'a', position: position as Position, parkedAt: null, deleted: false, body };
    await readStore
      .collection(live.name, accounts.indexes ?? {})
      .apply([{ expected: null, document: stored, keys: { total: 1 } }]);
    const reader = createViewReader({ eventStore, readStore, sealer });
    const first = await reader.page(accounts, list);
    between();
    return [first, await reader.page(accounts, list)];
  };

  it('does not keep what a key opened: after an erasure it shows nothing personal', async () => {
    let isErased = false;
    const seal = (document: ViewDocument) => document as Json;
    const open = (body: Json): ViewDocument => ({
      ...(body as object),
      personal: isErased ? null : { name: 'A.' },
    });
    const [first, second] = await readTwice({ seal, open }, () => (isErased = true));
    expect(first?.items[0]?.document.personal).toEqual({ name: 'A.' });
    expect(second?.items[0]?.document.personal).toBeNull();
  });

  it('is refused for a parked document, though background work has read the same page', async () => {
    const eventStore = new MemoryEventStore();
    const readStore = sharingPages(openMemoryReadStore());
    const { live } = await ensurePointer({ eventStore, readStore, log: silentLog }, accounts, 1);
    const [position] = (await record(eventStore, added('a', 1))) as [Position];
    const document = { id: 'a', position, parkedAt: position, deleted: false, body: { total: 1 } };
    await readStore
      .collection(live.name, accounts.indexes ?? {})
      .apply([{ expected: null, document, keys: { total: 1 } }]);
    const sealer = {
      seal: (one: ViewDocument) => one as Json,
      open: (body: Json) => body as ViewDocument,
    };
    const reader = createViewReader({ eventStore, readStore, sealer });
    expect((await reader.page(accounts, { ...list, evenParked: true })).items).toHaveLength(1);
    await expect(reader.page(accounts, list)).rejects.toThrow(ViewParked);
  });

  it('is the same one where no document needs a key', async () => {
    const seal = (document: ViewDocument) => document as Json;
    const open = (body: Json) => body as ViewDocument;
    const [first, second] = await readTwice({ seal, open }, () => undefined);
    expect(second).toBe(first);
  });
});

describe('A read', () => {
  it('is refused, not empty, before the view was ever built', () =>
    withRig(async ({ reader }) => {
      await expect(reader.get(accounts, 'a')).rejects.toThrow(ReadModelBehind);
    }));

  it('is refused where the view belongs to another log', () =>
    withRig(async ({ database, start }) => {
      await start();
      const foreign = createViewReader({
        eventStore: new MemoryEventStore(),
        readStore: openMemoryReadStore(database),
        sealer: markingSealer,
      });
      await expect(foreign.get(accounts, 'a')).rejects.toThrow(ReadModelBehind);
    }));

  it('does not find what is unknown or removed', () =>
    withRig(async ({ eventStore, reader, start }) => {
      await start();
      const closed = { type: 'closed', data: { account: 'gone' } };
      const [, position] = await record(eventStore, added('gone', 1), closed);
      await reader.waitFor([accounts], position as Position);
      for (const id of ['unknown', 'gone']) expect(await reader.get(accounts, id)).toBeNull();
      expect((await reader.getMany(accounts, ['unknown', 'gone'])).size).toBe(0);
    }));

  it('is refused where nobody can say whether a document is there: parked before its first event, or after it was removed', () =>
    withRig(async ({ eventStore, reader, start }) => {
      await start();
      const closed = { type: 'closed', data: { account: 'a' } };
      const [, , , position] = await record(
        eventStore,
        ...[added('a', 1), closed, added('a', 13), added('stillborn', 13)],
      );
      await reader.waitFor([accounts], position as Position);
      for (const id of ['a', 'stillborn']) await expect(reader.get(accounts, id)).rejects.toThrow(ViewParked);
    }));

  it('pages forward and back', () =>
    withRig(async ({ eventStore, reader, start }) => {
      await start();
      const events = Array.from({ length: 7 }, (_, n) => added(`account-${n}`, n));
      const token = (await record(eventStore, ...events)).at(-1);
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await reader.page(
          accounts,
          { index: 'byTotal', prefix: [], limit: 3, cursor, reverse: true, upTo: 5 },
          { token },
        );
        seen.push(...page.items.map(({ document }) => document.total));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual([5, 4, 3, 2, 1, 0]);
    }));
});
