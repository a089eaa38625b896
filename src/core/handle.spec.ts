import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { MemoryEventStore } from '../../test/support/memory-event-store.js';
import { wrapEventStore } from '../../test/support/projection-rig.js';
import type { Codec } from './codec.js';
import type { CommandContext } from './command-context.js';
import { accept, type Decider, refuse, staleVersion } from './decider.js';
import { AppendTooLarge, StoreUnavailable, StreamIncomplete } from './errors.js';
import {
  type EncodedEvent,
  type EventStore,
  type Expected,
  type StreamName,
  streamName,
} from './event-store.js';
import type { EventOf, Stored } from './event.js';
import { CommandStreams } from './handle.js';
import type { PersonId } from './vault/port.js';

type Added = EventOf<'added', { readonly amount: number }>;
type Noted = EventOf<'noted', object>;
interface Sum {
  readonly total: number;
  readonly version: number;
}

const sum: Decider<Sum, Added | Noted> = {
  kind: 'sum',
  initial: { total: 0, version: 0 },
  evolve: (state, event) =>
    event.type === 'noted' ? state : { total: state.total + event.data.amount, version: state.version + 1 },
};
const add = (amount: number) => (): ReturnType<typeof accept<Added>> =>
  accept<Added>({ type: 'added', data: { amount }, person: null, personal: null });
const note = () => accept<Noted>({ type: 'noted', data: {}, person: null, personal: null });
const ID = '1';
const STREAM = streamName(sum.kind, ID);

/** The plainest codec: what the loop needs of one, nothing sealed. */
const codec: Codec = {
  latestTypes: (type) => [type],
  encode: (events, metadata, chain) =>
    Promise.resolve({
      encoded: events.map((event) => ({
        id: crypto.randomUUID(),
        type: event.type,
        data: Buffer.from(JSON.stringify(event.data)),
        metadata: Buffer.from(JSON.stringify(metadata)),
      })),
      lastHash: chain ? 'hash' : null,
    }),
  decode: (event) => Promise.resolve(codec.outline(event)),
  outline: (event) => ({
    kind: 'event',
    event: {
      ...event,
      data: JSON.parse(Buffer.from(event.data).toString()) as object,
      metadata: JSON.parse(Buffer.from(event.metadata).toString()) as Stored['metadata'],
      person: null,
      personal: null,
      chain: null,
    },
  }),
};

const context = (commandId: string, requestHash: string | null = 'request'): CommandContext => ({
  commandId,
  requestHash,
  actor: { type: 'staff', id: 'somebody' },
  correlationId: 'correlation',
  causationId: null,
  now: new Date(0),
});

const open = () => {
  const store = new MemoryEventStore();
  return { store, streams: new CommandStreams(store, codec), others: new CommandStreams(store, codec) };
};

const storedEvents = async (store: EventStore) => {
  const events = [];
  for await (const event of store.readStream(STREAM)) events.push(event);
  return events;
};

/** The store, but for what a test puts in the way of appends. */
const withAppend = (store: EventStore, append: EventStore['append']): EventStore =>
  new Proxy(store, {
    get: (target, key) => {
      if (key === 'append') return append;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });

describe('a command', () => {
  it('appends what was decided and answers with the state that follows', async () => {
    const { streams, store } = open();
    const done = await streams.handle(sum, ID, context('a'), add(2));
    expect(done).toMatchObject({ kind: 'done', changed: true, recorded: true, state: { total: 2 } });
    expect(done).toMatchObject({ position: await store.head() });
  });

  it('leaves the stream at its position, for every reader and alone or with others', async () => {
    const { streams, others, store } = open();
    const reads = async () => Promise.all([streams, others].map((one) => one.read(sum, ID)));
    for (const ids of [['a'], ['b', 'c', 'd'], ['e']]) {
      await Promise.all(ids.map((id) => streams.handle(sum, ID, context(id), add(1))));
      const { position, revision } = (await storedEvents(store)).at(-1)!;
      for (const read of await reads()) expect(read).toMatchObject({ position, revision });
    }
  });

  it('sent again does nothing again, whatever came in between, and is answered as the first time', async () => {
    const { streams, others, store } = open();
    await streams.handle(sum, ID, context('a'), add(2));
    await streams.handle(sum, ID, context('b'), add(3));
    for (const again of [streams, others]) {
      const done = await again.handle(sum, ID, context('a'), add(2));
      expect(done).toMatchObject({ kind: 'done', changed: false, recorded: true, state: { total: 2 } });
    }
    expect(await storedEvents(store)).toHaveLength(2);
  });

  it('leaves others their turns while a long stream is read', async () => {
    const { streams, others } = open();
    const one: Added = { type: 'added', data: { amount: 1 }, person: null, personal: null };
    for (const commandId of 'abcde')
      await streams.handle(sum, ID, context(commandId), () => accept(...Array<Added>(4_000).fill(one)));
    const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
      let turns = 0;
      let working = true;
      const count = (): void => {
        turns += 1;
        if (working) setImmediate(count);
      };
      setImmediate(count);
      await work();
      working = false;
      return turns;
    };
    expect(await turnsDuring(() => others.read(sum, ID))).toBeGreaterThan(10);
    expect(await turnsDuring(() => others.events(sum, ID))).toBeGreaterThan(10);
  });

  it('sent three times at once, by two processes, is recorded once', async () => {
    const { streams, others, store } = open();
    const results = await Promise.all(
      [streams, others, streams].map((one) => one.handle(sum, ID, context('a'), add(2))),
    );
    expect(results.every((one) => one.kind === 'done' && one.state.total === 2)).toBe(true);
    expect(await storedEvents(store)).toHaveLength(1);
  });

  it('is refused where its id was used for another request', async () => {
    const { streams } = open();
    await streams.handle(sum, ID, context('a'), add(2));
    const other = await streams.handle(sum, ID, context('a', 'other request'), add(2));
    expect(other).toMatchObject({ kind: 'refused', refusal: { code: 'idempotency_key_reused' } });
  });

  it('of somebody who was erased since is known by its id alone, and answered as the first time', async () => {
    const { store, streams } = open();
    await streams.handle(sum, ID, context('a'), add(2));
    const unreadable: Codec = {
      ...codec,
      decode: async (event) => {
        const decoded = await codec.decode(event);
        if (decoded.kind !== 'event') return decoded;
        const metadata = { ...decoded.event.metadata, requestHash: null };
        return { ...decoded, event: { ...decoded.event, metadata, person: 'p' as PersonId } };
      },
    };
    const later = new CommandStreams(store, unreadable);
    const refused = () => refuse<'erased'>('erased', 'Erased.');
    const known = { kind: 'done', changed: false, recorded: true, state: { total: 2 } };
    expect(await later.handle(sum, ID, context('a'), refused)).toMatchObject(known);
    expect(await later.handle(sum, ID, context('a', 'another'), refused)).toMatchObject(known);
    expect(await later.handle(sum, ID, context('b'), refused)).toMatchObject({ kind: 'refused' });
  });

  it('without a request is decided again each time: its decider says what was done', async () => {
    const { streams, others } = open();
    for (const one of [streams, streams, others]) await one.handle(sum, ID, context('a', null), add(2));
    expect((await streams.read(sum, ID)).state.total).toBe(6);
    expect(await streams.hasCommand(sum, ID, 'a')).toBe(false);
  });

  it('that was refused or changed nothing is not remembered', async () => {
    const { streams } = open();
    await streams.handle(sum, ID, context('a'), () => refuse('conflict', 'no'));
    await streams.handle(sum, ID, context('a', 'another'), () => accept<Added>());
    const done = await streams.handle(sum, ID, context('a', 'a third'), add(1));
    expect(done).toMatchObject({ kind: 'done', changed: true });
  });

  it('that was refused leaves the state for the next one, which reads only what follows', async () => {
    const { store, others } = open();
    await others.handle(sum, ID, context('a'), add(1));
    const from: (number | undefined)[] = [];
    const readStream: EventStore['readStream'] = (stream, options) => {
      from.push(options?.from);
      return store.readStream(stream, options);
    };
    const streams = new CommandStreams(wrapEventStore(store, { readStream }), codec);
    for (const id of ['b', 'c']) await streams.handle(sum, ID, context(id), () => refuse('conflict', 'no'));
    expect(from).toEqual([undefined, 1]);
  });

  /** Where in a state a text may lie. */
  const places: Readonly<Record<string, (text: string) => unknown>> = {
    'a member': (text) => text,
    'a list of records': (text) => [
      { answer: { text: text.slice(1) } },
      { answer: { text: text.charAt(0) } },
    ],
    'a Map': (text) => new Map([['id', { text }]]),
    'a Set': (text) => new Set([text]),
  };
  it.each(Object.keys(places))(
    'counts a cached state for what it takes, if that lies in %s',
    async (place) => {
      const mebibytes = (count: number): Decider<Sum, Added> => ({
        ...sum,
        evolve: (state, event) => {
          const held = places[place]!(`${event.id}${'x'.repeat(count * 2 ** 19)}`);
          return { ...sum.evolve(state, event), held } as Sum;
        },
      });
      const loads = async (decider: Decider<Sum, Added>): Promise<number> => {
        const { store, streams } = open();
        let read = 0;
        const readStream = store.readStream.bind(store);
        store.readStream = (...given: Parameters<typeof readStream>) => {
          read += 1;
          return readStream(...given);
        };
        const names = ['a', 'b', 'c', 'd'].map((name) => `sum-${name}` as StreamName);
        for (const name of names) await streams.handle(decider, name, context('first'), add(1));
        expect(read).toBe(names.length);
        for (const name of names) await streams.handle(decider, name, context('second'), add(1));
        return read - names.length;
      };
      expect(await loads(sum)).toBe(0);
      expect(await loads(mebibytes(1))).toBe(0);
      expect(await loads(mebibytes(30))).toBe(4);
      // One that is too heavy by itself is handled all the same.
      expect(await loads(mebibytes(100))).toBe(4);
    },
  );

  it('counts a cached state anew as it grows', async () => {
    const { store, streams } = open();
    const growing: Decider<Sum, Added> = {
      ...sum,
      evolve: (state, event) => {
        const held = event.data.amount > 1 ? 'x'.repeat(event.data.amount) : '';
        return { ...sum.evolve(state, event), held } as Sum;
      },
    };
    let reads = 0;
    const readStream = store.readStream.bind(store);
    store.readStream = (...given: Parameters<typeof readStream>) => (reads++, readStream(...given));
    for (const [amount, expected] of [
      [1, 4],
      // Each that has grown drives out all others.
      [15 * 2 ** 20, 6],
      [1, 10],
    ] as const) {
      for (const id of ['a', 'b', 'c', 'd'])
        await streams.handle(growing, id, context(`${id} ${reads}`), add(amount));
      expect(reads).toBe(expected);
    }
  });

  it('counts a cached state again once it has grown in place, by events of another process', async () => {
    const growing: Decider<Sum, Added> = {
      ...sum,
      evolve: (state, event) => {
        const next = sum.evolve(state, event);
        return next.version < 2 ? next : ({ ...next, text: `${event.id}${'x'.repeat(30 * 2 ** 19)}` } as Sum);
      },
    };
    const { store, streams, others } = open();
    let loads = 0;
    const readStream = store.readStream.bind(store);
    store.readStream = (...given: Parameters<typeof readStream>) => {
      if (given[1]?.from === undefined) loads++;
      return readStream(...given);
    };
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) {
      await streams.handle(growing, name, context('first'), add(1));
      await others.handle(growing, name, context('second'), add(1));
      await streams.handle(growing, name, context('third'), () => accept<Added>());
    }
    loads = 0;
    for (const name of names) await streams.handle(growing, name, context('fourth'), () => accept<Added>());
    expect(loads).toBe(names.length);
  });

  it('is not refused by a cached state that another process has moved on from', async () => {
    const { streams, others } = open();
    await streams.handle(sum, ID, context('a'), add(1));
    await others.handle(sum, ID, context('b'), add(1));
    const done = await streams.handle(sum, ID, context('c'), (state) =>
      state.total < 2 ? refuse('conflict', 'too small') : add(5)(),
    );
    expect(done).toMatchObject({ kind: 'done', state: { total: 7 } });
  });

  it('that would change nothing by a stale state is decided again on the present one', async () => {
    const { streams, others } = open();
    await streams.handle(sum, ID, context('a'), add(1));
    await others.handle(sum, ID, context('b'), add(1));
    const done = await streams.handle(sum, ID, context('c'), (state) =>
      state.total === 1 ? accept<Added>() : add(5)(),
    );
    expect(done).toMatchObject({ kind: 'done', changed: true, state: { total: 7 } });
  });

  it('is decided again after a conflict, on what others have appended', async () => {
    const { streams, others } = open();
    await streams.handle(sum, ID, context('a'), add(1));
    await others.handle(sum, ID, context('b'), add(10));
    const seen: number[] = [];
    const done = await streams.handle(sum, ID, context('c'), ({ total }) => {
      seen.push(total);
      return add(100)();
    });
    expect(seen).toEqual([1, 11]);
    expect(done).toMatchObject({ state: { total: 111 } });
  });

  /** As `add`, at the version named by If-Match. A record's version counts what is added, not notes beside it. */
  const addAt = (expected: number, amount: number) => (state: Sum) =>
    staleVersion(expected, state.version) ?? add(amount)();

  it('with If-Match is refused only if the record has another version, whatever else came into its stream', async () => {
    const { streams, others } = open();
    await streams.handle(sum, ID, context('a'), add(1));
    await others.handle(sum, ID, context('b'), note);
    const done = await streams.handle(sum, ID, context('c'), addAt(1, 100));
    expect(done).toMatchObject({ kind: 'done', state: { total: 101, version: 2 } });
    await others.handle(sum, ID, context('d'), add(10));
    const refused = await streams.handle(sum, ID, context('e'), addAt(2, 100));
    expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'version_mismatch' } });
  });

  it('with If-Match at once in two processes is recorded in one, and refused in the other', async () => {
    const { streams, others, store } = open();
    await streams.handle(sum, ID, context('a'), add(1));
    await others.read(sum, ID);
    const results = await Promise.all([
      streams.handle(sum, ID, context('b'), addAt(1, 10)),
      others.handle(sum, ID, context('c'), addAt(1, 100)),
    ]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(['done', 'refused']);
    expect(await storedEvents(store)).toHaveLength(2);
  });

  it('with If-Match that another process has recorded is answered as the first time', async () => {
    const { streams, others, store } = open();
    await streams.handle(sum, ID, context('a'), add(1));
    await others.handle(sum, ID, context('b'), addAt(1, 10));
    const again = await streams.handle(sum, ID, context('b'), addAt(1, 10));
    expect(again).toMatchObject({ kind: 'done', changed: false, recorded: true, state: { total: 11 } });
    const reused = await others.handle(sum, ID, context('b', 'another'), addAt(1, 10));
    expect(reused).toMatchObject({ kind: 'refused', refusal: { code: 'idempotency_key_reused' } });
    expect(await storedEvents(store)).toHaveLength(2);
  });

  it('gives up with a conflict after three tries, never silently', async () => {
    const { store } = open();
    const appends: Expected[] = [];
    const streams = new CommandStreams(
      withAppend(store, (_, expected) => {
        appends.push(expected);
        return Promise.resolve({ kind: 'conflict', actual: 7 });
      }),
      codec,
    );
    const refused = await streams.handle(sum, ID, context('a'), add(1));
    expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
    expect(appends).toHaveLength(4);
  });
});

describe('a command that is too large for the server by itself', () => {
  it('fails at once, and holds up none behind it', async () => {
    const { store } = open();
    let refused = 0;
    const streams = new CommandStreams(
      withAppend(store, async (stream, expected, events) => {
        if (events.length > 1 && ++refused < 9) throw new AppendTooLarge('Too much at once.');
        return store.append(stream, expected, events);
      }),
      codec,
    );
    const event: Added = { type: 'added', data: { amount: 1 }, person: null, personal: null };
    const large = streams.handle(sum, ID, context('a'), () => accept(event, event));
    const next = streams.handle(sum, ID, context('b'), add(1));
    await expect(large).rejects.toThrow(AppendTooLarge);
    await expect(next).resolves.toMatchObject({ kind: 'done', state: { total: 1 } });
    // Together, then alone.
    expect(refused).toBe(2);
  });
});

describe('an append of unknown outcome', () => {
  it('is sent again with the same ids, and counts once where it had been stored', async () => {
    const { store } = open();
    const sent: string[][] = [];
    const streams = new CommandStreams(
      withAppend(store, async (stream, expected, events: readonly EncodedEvent[]) => {
        sent.push(events.map(({ id }) => id));
        const result = await store.append(stream, expected, events);
        if (sent.length === 1) throw new StoreUnavailable('The answer was lost.');
        return result;
      }),
      codec,
    );
    const done = await streams.handle(sum, ID, context('a'), add(1));
    expect(done).toMatchObject({ kind: 'done', changed: true, state: { total: 1 } });
    expect(sent[1]).toEqual(sent[0]);
    expect(await storedEvents(store)).toHaveLength(1);
  });

  it('is not sent again after the caller should have heard of it', async () => {
    const { store } = open();
    let sends = 0;
    const clock = jest.spyOn(performance, 'now');
    const streams = new CommandStreams(
      withAppend(store, () => {
        sends++;
        clock.mockReturnValue(performance.now() + 4_001);
        return Promise.reject(new StoreUnavailable('There was no answer in time.'));
      }),
      codec,
    );
    try {
      await expect(streams.handle(sum, ID, context('a'), add(1))).rejects.toThrow(StoreUnavailable);
      expect(sends).toBe(1);
    } finally {
      clock.mockRestore();
    }
  });

  it('that stays unknown is sent three times, reported, and known when sent again', async () => {
    const { store } = open();
    let away = false;
    let sends = 0;
    const streams = new CommandStreams(
      withAppend(store, async (stream, expected, events) => {
        const result = await store.append(stream, expected, events);
        if (away) sends++;
        if (away) throw new StoreUnavailable('The answer was lost.');
        return result;
      }),
      codec,
    );
    await streams.handle(sum, ID, context('a'), add(1));
    away = true;
    const sent = () => streams.handle(sum, ID, context('b'), add(2));
    await expect(sent()).rejects.toThrow(StoreUnavailable);
    expect(sends).toBe(3);
    away = false;
    const again = await sent();
    expect(again).toMatchObject({ kind: 'done', changed: false, recorded: true, state: { total: 3 } });
  });
});

describe('a queue behind a log that does not answer', () => {
  /** A log whose appends do not end until it thaws. */
  const frozen = () => {
    const { store } = open();
    let thaw: () => void = () => undefined;
    const thawed = new Promise<void>((resolve) => (thaw = resolve));
    const sent: number[] = [];
    const streams = new CommandStreams(
      withAppend(store, async (stream, expected, events) => {
        sent.push(events.length);
        await thawed;
        return store.append(stream, expected, events);
      }),
      codec,
    );
    return { store, streams, thaw, sent };
  };
  const LARGE = { type: 'added', data: { amount: 1, text: 'x'.repeat(600 * 1024) }, person: null } as const;
  /** Too large to share an append. */
  const large = () => accept<Added>({ ...LARGE, personal: null });

  /**
   * A log that refuses the first append, as another process was first, and answers nothing any more.
   * @returns those that shared it
   */
  const refusedTogether = (): readonly Promise<unknown>[] => {
    let over = false;
    const conflict: EventStore['append'] = async () => {
      over = true;
      return { kind: 'conflict', actual: 0 };
    };
    const memory = new MemoryEventStore();
    const readStream: EventStore['readStream'] = async function* (...given) {
      if (over) await new Promise(() => undefined);
      yield* memory.readStream(...given);
    };
    const streams = new CommandStreams(wrapEventStore(memory, { append: conflict, readStream }), codec);
    return ['a', 'b', 'c'].map((id) => streams.handle(sum, ID, context(id), add(1))).slice(1);
  };

  it('answers what has waited past its deadline at once, and sends nothing of it afterwards', async () => {
    const { store, streams, thaw, sent } = frozen();
    const began = performance.now();
    const [first, ...rest] = Array.from({ length: 60 }, (_, index) =>
      streams.handle(sum, ID, context(`c${index}`), large),
    );
    const waited = await Promise.allSettled([...rest, ...refusedTogether()]);
    expect(performance.now() - began).toBeLessThan(8_000);
    for (const one of waited)
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    thaw();
    await expect(first).resolves.toMatchObject({ kind: 'done', state: { total: 1 } });
    await expect(streams.handle(sum, ID, context('later'), add(5))).resolves.toMatchObject({
      state: { total: 6 },
    });
    expect(sent).toEqual([1, 1]);
    expect(await storedEvents(store)).toHaveLength(2);
  });

  it('sends nothing of what has waited past its deadline, though its timer is late', async () => {
    const { streams, thaw, sent } = frozen();
    const first = streams.handle(sum, ID, context('first'), add(1));
    await new Promise((resolve) => setImmediate(resolve));
    const late = streams.handle(sum, ID, context('late'), add(1));
    // As after the process was stopped: the append is answered before any timer runs.
    const now = performance.now() + 4_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
    try {
      thaw();
      await expect(late).rejects.toThrow(StoreUnavailable);
      await expect(first).resolves.toMatchObject({ kind: 'done', state: { total: 1 } });
      expect(sent).toEqual([1]);
    } finally {
      clock.mockRestore();
    }
  });

  it('sends nothing for clients that are gone when their turn comes, also joined to others', async () => {
    for (const decide of [large, add(1)]) {
      const { store, streams, thaw, sent } = frozen();
      const first = streams.handle(sum, ID, context('first'), decide);
      await new Promise((resolve) => setImmediate(resolve));
      const gone = { ...context('gone'), isGone: () => true };
      const rest = ['gone', 'also'].map((id) => streams.handle(sum, ID, { ...gone, commandId: id }, decide));
      const stays = streams.handle(sum, ID, context('stays'), decide);
      thaw();
      await expect(first).resolves.toMatchObject({ kind: 'done' });
      await expect(stays).resolves.toMatchObject({ kind: 'done' });
      for (const one of await Promise.allSettled(rest))
        expect(one).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
      expect(sent).toEqual([1, 1]);
      expect(await storedEvents(store)).toHaveLength(2);
    }
  });

  it('tells of what is in an append under way by the outcome, however long that takes', async () => {
    const { streams, thaw } = frozen();
    const joined = [1, 2, 3].map((amount) => streams.handle(sum, ID, context(`c${amount}`), add(amount)));
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    thaw();
    expect(await Promise.all(joined)).toMatchObject([
      { state: { total: 1 } },
      { state: { total: 3 } },
      { state: { total: 6 } },
    ]);
  });
});

describe('commands side by side', () => {
  it('of one process on one stream queue, so that none is refused', async () => {
    const { streams, store } = open();
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => streams.handle(sum, ID, context(`c${index}`), add(1))),
    );
    expect(results.every(({ kind }) => kind === 'done')).toBe(true);
    expect(await storedEvents(store)).toHaveLength(50);
  });

  /** All of these at once on one stream, with the number of events of each append. */
  const together = (
    decides: readonly ((state: Sum) => ReturnType<ReturnType<typeof add>> | ReturnType<typeof refuse>)[],
    append: (store: EventStore) => EventStore['append'] = (store) => store.append.bind(store),
  ) => {
    const { store, others } = open();
    const appends: number[] = [];
    const send = append(store);
    const streams = new CommandStreams(
      withAppend(store, (stream, expected, events) => {
        appends.push(events.length);
        return send(stream, expected, events);
      }),
      codec,
    );
    const handled = (ids = decides.map((_, index) => `c${index}`)) =>
      Promise.allSettled(
        decides.map((decide, index) => streams.handle(sum, ID, context(ids[index] ?? ''), decide)),
      );
    return { store, others, appends, handled };
  };

  it('share appends, each answered with the state that it led to', async () => {
    const { store, appends, handled } = together(Array.from({ length: 100 }, () => add(1)));
    const results = await handled();
    const states = results.map((one) => (one.status === 'fulfilled' ? one.value : null));
    expect(states.map((one) => (one?.kind === 'done' ? one.state.total : null))).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    expect(appends).toEqual([65, 35]);
    expect(await storedEvents(store)).toHaveLength(100);
  });

  it('are refused by what is stored, and fail by themselves alone', async () => {
    const upTo3 = ({ total }: Sum) => (total < 3 ? add(1)() : refuse('conflict', `There are ${total}.`));
    const failing = () => {
      throw new Error('No luck.');
    };
    const { store, handled } = together([upTo3, upTo3, failing, upTo3, upTo3, upTo3]);
    const kinds = (await handled()).map((one) => (one.status === 'fulfilled' ? one.value.kind : 'failed'));
    expect(kinds).toEqual(['done', 'done', 'failed', 'done', 'refused', 'refused']);
    expect(await storedEvents(store)).toHaveLength(3);
  });

  it('are all of unknown outcome where their append is, and known when sent again', async () => {
    let away = true;
    const { store, handled } = together([add(1), add(2), add(3)], (store) => async (...given) => {
      const result = await store.append(...given);
      if (away) throw new StoreUnavailable('The answer was lost.');
      return result;
    });
    expect((await handled()).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    away = false;
    const again = await handled();
    expect(again.map((one) => (one.status === 'fulfilled' ? one.value : null))).toMatchObject([
      { changed: false, state: { total: 1 } },
      { changed: false, state: { total: 3 } },
      { changed: false, state: { total: 6 } },
    ]);
    expect(await storedEvents(store)).toHaveLength(3);
  });

  it.each([
    ['', 'request'],
    [', if nothing remembers them', null],
  ])(
    'are all of unknown outcome though the log answers again at once, and none is stored twice%s',
    async (_, requestHash) => {
      const { store } = open();
      const unanswered = new Set<string>();
      const streams = new CommandStreams(
        withAppend(store, async (stream, expected, events) => {
          const result = await store.append(stream, expected, events);
          if (unanswered.size === 0) for (const { id } of events) unanswered.add(id);
          if (events.some(({ id }) => unanswered.has(id))) throw new StoreUnavailable('The answer was lost.');
          return result;
        }),
        codec,
      );
      const sent = ['a', 'b', 'c'].map((id) => streams.handle(sum, ID, context(id, requestHash), add(1)));
      for (const one of await Promise.allSettled(sent))
        expect(one).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
      expect(await storedEvents(store)).toHaveLength(3);
      const later = await streams.handle(sum, ID, context('d', requestHash), add(1));
      expect(later).toMatchObject({ kind: 'done', state: { total: 4 } });
    },
  );

  it('are stored once, though nothing remembers them and one that could not join them comes in between', async () => {
    const { store, streams } = open();
    let asked = 0;
    const later = () => (asked++ === 0 ? refuse('conflict', 'Not yet.') : add(10)());
    const decides = [add(1), later, add(100), add(1_000)];
    const sent = decides.map((decide, index) => streams.handle(sum, ID, context(`c${index}`, null), decide));
    const totals = (await Promise.all(sent)).map((one) => (one.kind === 'done' ? one.state.total : one));
    expect(totals).toEqual([1, 1_111, 101, 1_101]);
    expect(await storedEvents(store)).toHaveLength(4);
  });

  it('are each decided again where another process was first', async () => {
    const { others, store, handled } = together([add(1), add(2), add(3)]);
    await handled(['x', 'y', 'z']);
    await others.handle(sum, ID, context('other'), add(100));
    const results = await handled();
    expect(results.map((one) => (one.status === 'fulfilled' ? one.value : null))).toMatchObject([
      { changed: true, state: { total: 107 } },
      { changed: true, state: { total: 109 } },
      { changed: true, state: { total: 112 } },
    ]);
    expect(await storedEvents(store)).toHaveLength(7);
  });

  it('share no append that would be too large', async () => {
    const large = () =>
      accept<Added>({
        type: 'added',
        data: { amount: 1, text: 'x'.repeat(400 * 1024) } as Added['data'],
        person: null,
        personal: null,
      });
    const { appends, handled } = together([large, large, large, large, large]);
    expect((await handled()).map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'));
    expect(appends).toEqual([2, 2, 1]);
  });

  it('go in parts to a server that takes less at once, none of them refused, and are joined by less from then on', async () => {
    const appended: number[] = [];
    const refusing =
      (store: EventStore): EventStore['append'] =>
      async (stream, expected, events) => {
        if (events.length > 5) throw new AppendTooLarge('Too much at once.');
        appended.push(events.length);
        return store.append(stream, expected, events);
      };
    const { store, appends, handled } = together(
      Array.from({ length: 24 }, () => add(1)),
      refusing,
    );
    const results = await handled();
    expect(
      results.map((one) =>
        one.status === 'fulfilled' && one.value.kind === 'done' ? one.value.state.total : one,
      ),
    ).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
    expect(await storedEvents(store)).toHaveLength(24);
    expect(Math.min(...appended)).toBeGreaterThan(0);
    const refused = appends.length - appended.length;
    // Half of what was refused each time.
    expect(refused).toBeLessThan(5);
    await handled(Array.from({ length: 24 }, (_, index) => `again ${index}`));
    expect(appends.length - appended.length).toBe(refused);
  });

  it('leave no timer behind, however long they might have waited', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const { handled } = together(Array.from({ length: 10 }, () => add(1)));
    await handled();
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('may each read the stream that the other is queued on', async () => {
    const { streams } = open();
    const two = '2';
    const crossing = (own: string, other: string, id: string) =>
      streams.handle(sum, own, context(id), async () => {
        await streams.read(sum, other);
        return add(1)();
      });
    const results = await Promise.all([crossing(ID, two, 'a'), crossing(two, ID, 'b')]);
    expect(results.map(({ kind }) => kind)).toEqual(['done', 'done']);
  });

  it('a read sees what another process has appended, and leaves the cached state to its owner', async () => {
    const { streams, others } = open();
    await streams.handle(sum, ID, context('a'), add(1));
    await others.handle(sum, ID, context('b'), add(1));
    expect((await streams.read(sum, ID)).state.total).toBe(2);
    expect(await streams.handle(sum, ID, context('b'), add(1))).toMatchObject({ changed: false });
  });

  it('whatever is sent how often and by whom, each command counts once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: fc.integer({ min: 0, max: 5 }), other: fc.boolean() }), { maxLength: 30 }),
        async (commands) => {
          const { streams, others, store } = open();
          await Promise.all(
            commands.map(({ id, other }) =>
              (other ? others : streams).handle(sum, ID, context(`c${id}`), add(1)),
            ),
          );
          const distinct = new Set(commands.map(({ id }) => id)).size;
          // Two processes that keep colliding may refuse one after three tries: it is then simply not there.
          expect((await storedEvents(store)).length).toBeLessThanOrEqual(distinct);
          for (const { id } of commands) await streams.handle(sum, ID, context(`c${id}`), add(1));
          expect(await storedEvents(store)).toHaveLength(distinct);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('a stream whose beginning is missing', () => {
  const MISSING = /^The stream’s beginning is missing: of sum-1, /;
  const cut = async (before: number) => {
    const { store, streams } = open();
    for (const [n, amount] of [1, 2, 3].entries())
      await streams.handle(sum, ID, context(`c${n}`), add(amount));
    store.scavenge(STREAM, before);
    // A process that has not read it yet.
    return new CommandStreams(store, codec);
  };
  const READINGS: readonly (readonly [string, (streams: CommandStreams) => Promise<unknown>])[] = [
    ['a command', (streams) => streams.handle(sum, ID, context('c9'), add(4))],
    ['a command that changes nothing', (streams) => streams.handle(sum, ID, context('c9'), () => accept())],
    [
      'a command that is refused',
      (streams) => streams.handle(sum, ID, context('c9'), () => refuse('conflict', 'No.')),
    ],
    ['a command sent again', (streams) => streams.handle(sum, ID, context('c2'), add(3))],
    ['a read of its state', (streams) => streams.read(sum, ID)],
    ['a look for a command', (streams) => streams.hasCommand(sum, ID, 'c1')],
    ['a read of its events', (streams) => streams.events(sum, ID)],
    [
      'a read of its events from the last',
      async (streams) => {
        const seen: unknown[] = [];
        for await (const event of streams.each(sum, ID, { direction: 'backward' })) seen.push(event);
        return seen;
      },
    ],
  ];

  it.each(READINGS)('is taken for the whole by no reading: %s', async (_name, reading) => {
    await expect(reading(await cut(1))).rejects.toThrow(StreamIncomplete);
    await expect(reading(await cut(2))).rejects.toThrow(MISSING);
  });

  it('can still be read from a later event on, and near its end', async () => {
    const streams = await cut(1);
    const seen: number[] = [];
    for await (const { revision } of streams.each(sum, ID, { from: 1 })) seen.push(revision);
    for await (const { revision } of streams.each(sum, ID, { direction: 'backward', limit: 2 }))
      seen.push(revision);
    expect(seen).toEqual([1, 2, 2, 1]);
  });
});
