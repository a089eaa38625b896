import { EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable, StoreUnusable } from '../../core/errors.js';
import {
  START,
  type EncodedEvent,
  type EventStore,
  type LogId,
  type Position,
  type RecordedEvent,
  type StreamName,
} from '../../core/event-store.js';
import { append, prepare } from './appending.js';
import { Connection, type Kind } from './connection.js';
import { ignoreRepairFailures, followSubscription, mark } from './drivers/clients.js';
import type { DriverClient, RawEvent, RawPosition, Take } from './drivers/driver.js';
import { TimedOut } from './faults.js';
import { LogFeed } from './feed.js';
import { identityOf } from './open.js';
import { readBack } from './reading.js';
import { isKnown, LogNames, toPosition, toProposed, toRaw, toRecorded } from './record.js';
import { Head, LIMITS, type Server } from './server.js';
import { EventStoreDbStore } from './store.js';
import { parseUrl } from './url.js';

describe('a position', () => {
  const raw = fc.record({ commit: fc.bigInt(0n, 2n ** 63n), prepare: fc.bigInt(0n, 2n ** 63n) });

  it('has one width, its byte order, and comes back as it was', () => {
    fc.assert(
      fc.property(raw, raw, (a, b) => {
        const [one, other] = [toPosition(a), toPosition(b)];
        expect(one).toHaveLength(32);
        expect(toRaw(one)).toEqual(a);
        const before = a.commit === b.commit ? a.prepare < b.prepare : a.commit < b.commit;
        expect(one < other).toBe(before);
        expect(START < one).toBe(true);
      }),
    );
  });

  it('between two events stands before the next one', () => {
    const [before, at] = [toPosition({ commit: 7n, prepare: 0n }), toPosition({ commit: 7n, prepare: 7n })];
    expect(toPosition({ commit: 6n, prepare: 6n }) < before && before < at).toBe(true);
  });

  it('is known by its form', () => {
    expect(toRaw(START)).toBeNull();
    for (const odd of ['1', 'F'.repeat(32), `${'0'.repeat(31)}g`, '0'.repeat(14), '0'.repeat(33)]) {
      expect(() => toRaw(odd as Position)).toThrow(RangeError);
    }
    const none = 2n ** 64n - 1n;
    for (const unknown of [null, undefined, { commit: none, prepare: none }, { commit: -1n, prepare: -1n }]) {
      expect(isKnown(unknown)).toBe(false);
    }
  });
});

describe('a log’s first event', () => {
  const first = (change: Partial<RawEvent>): RawEvent => ({
    ...{ streamId: 'assay_log', revision: 0n, id: randomUUID(), type: 'assay.log.begun' },
    ...{ data: { logId: 'log', format: 2 }, metadata: undefined, position: { commit: 7n, prepare: 7n } },
    ...change,
  });

  it('is the log’s identity', () => {
    expect(identityOf(first({}))).toEqual({ logId: 'log', origin: toPosition({ commit: 7n, prepare: 7n }) });
    expect(() => identityOf(first({ type: 'a' }))).toThrow(/was not written by this service/);
  });

  it.each([undefined, { commit: 2n ** 64n - 1n, prepare: 2n ** 64n - 1n }])(
    'is not taken for another program’s if what is not known is its position: %o',
    (position) => {
      const read = () => identityOf(first({ position }));
      expect(read).toThrow('event 0 of assay_log came without its position');
      expect(read).not.toThrow(StoreUnusable);
    },
  );
});

describe('the bytes of an event', () => {
  /** What either client stores of what it is given, and hands over of that. */
  function through(sent: Pick<EncodedEvent, 'data' | 'metadata'>): RecordedEvent {
    const { contentType, data, metadata } = toProposed({ id: randomUUID(), type: 'a', ...sent });
    const parsed = (stored: Uint8Array | undefined): unknown => {
      try {
        return stored?.length ? JSON.parse(Buffer.from(stored).toString()) : undefined;
      } catch {
        // Then the bytes themselves.
        return stored;
      }
    };
    const position = { commit: 1n, prepare: 1n };
    const stored = contentType === 'application/json' ? Buffer.from(JSON.stringify(data)) : data;
    const raw = {
      streamId: 's',
      revision: 0n,
      id: 'i',
      type: 'a',
      data: contentType === 'application/json' ? parsed(stored) : stored,
      metadata: parsed(metadata),
      position,
    };
    return toRecorded('a-1' as StreamName, toPosition(position), raw);
  }

  it.each([
    '',
    '{}',
    '{"a":1}',
    '{"a": 1}',
    '{"a":1.0}',
    '{"a":1,"a":2}',
    '{"2":1,"1":2}',
    '{"__proto__":{"a":1}}',
    'null',
    '"text"',
    ' 1',
    '\ufeff{}',
    '\ufeff\ufeff',
    '{"a":"\\u00e9"}',
    'no json',
    '[1e400]',
  ])('come back: %j', (text) => {
    const { data, metadata } = through({ data: Buffer.from(text), metadata: Buffer.from(text) });
    expect([data, metadata].map((bytes) => Buffer.from(bytes).toString())).toEqual([text, text]);
  });

  it('come back, whatever they are', () => {
    const json = fc.json().map((text) => Buffer.from(text));
    const bytes = fc.oneof(json, fc.uint8Array({ maxLength: 20 }));
    fc.assert(
      fc.property(bytes, bytes, (data, metadata) => {
        const back = through({ data, metadata });
        expect(Buffer.from(back.data).equals(data)).toBe(true);
        expect(Buffer.from(back.metadata).equals(metadata)).toBe(true);
      }),
    );
  });

  it('are JSON to the server wherever they can be', () => {
    const contentType = (text: string) =>
      toProposed({ id: 'i', type: 'a', data: Buffer.from(text), metadata: Buffer.from('{}') }).contentType;
    expect(['{}', '{"a":[1,"ü"]}'].map(contentType)).toEqual(['application/json', 'application/json']);
    expect(['', '{"a": 1}', '[]'].map(contentType)).toEqual(Array(3).fill('application/octet-stream'));
  });

  it('are not those of its caller', () => {
    const data = Buffer.from('{"a":1}');
    const metadata = Buffer.from('{"b":1}');
    const proposed = toProposed({ id: randomUUID(), type: 'a', data, metadata });
    data.fill(0);
    metadata.fill(0);
    expect(proposed.data).toEqual({ a: 1 });
    expect(Buffer.from(proposed.metadata ?? []).toString()).toBe('{"b":1}');
  });
});

describe('the names of a log', () => {
  it('keep its streams apart from those of others and of the server', () => {
    const [plain, a, ab] = [new LogNames(null), new LogNames('a'), new LogNames('a-b')];
    const stream = 'role-1' as StreamName;
    expect([plain, a, ab].map((names) => names.stored(stream))).toEqual(['role-1', 'a.role-1', 'a-b.role-1']);
    for (const names of [plain, a, ab]) {
      const own = [plain, a, ab].map((other) => names.own(other.stored(stream)));
      expect(own).toEqual([plain, a, ab].map((other) => (other === names ? stream : null)));
      for (const system of ['$stats-1', '$$role-1', '$ce-role', names.identity, 'x.y.role-1', '']) {
        expect(names.own(system)).toBeNull();
      }
    }
  });
});

describe('the URL of an EventStoreDB', () => {
  it.each([
    ['esdb://a:2113?tls=false', 'eventstoredb', null, 'esdb://a:2113?tls=false&'],
    ['esdb+discover://a/log', 'eventstoredb', 'log', 'esdb+discover://a?'],
    [
      'esdb://u:p%40@a:1,b:2/log?tlsCAFile=/ca',
      'eventstoredb',
      'log',
      'esdb://u:p%40@a:1,b:2?tlsCAFile=/ca&',
    ],
    ['kurrentdb://a/log/?keepAliveInterval=1', 'kurrentdb', 'log', 'kurrentdb://a?'],
    ['KDB://a', 'kurrentdb', null, 'kdb://a?'],
    ['kdb://a?TLS_CA_FILE=/ca=&t-l-s=true', 'kurrentdb', null, 'kdb://a?tlsCAFile=/ca=&tls=true&'],
    ['esdb://a,b?nodePreference=follower&tls=false', 'eventstoredb', null, 'esdb://a,b?tls=false&'],
  ])('%s is read', (url, driver, log, client) => {
    const parsed = parseUrl(url);
    expect(parsed).toMatchObject({ driver, log });
    expect(parsed.connectionString(1, 2)).toBe(`${client}keepAliveInterval=1&keepAliveTimeout=2`);
    expect(parsed.address).not.toMatch(/p%40/);
  });

  it('gives its credentials, decoded', () => {
    expect(parseUrl('esdb://u:p%40%3a@a').credentials).toEqual({ username: 'u', password: 'p@:' });
  });
});

describe('the head of a log among others', () => {
  const at = (place: number): RawPosition => ({ commit: BigInt(place), prepare: BigInt(place) });

  function logOf(ours: (place: number) => boolean) {
    const log = { end: 0, read: 0 };
    const head = new Head(
      async (from, count) => {
        const page = [];
        const top = from === 'end' ? log.end : Number(from.commit) - 1;
        for (let place = top; place >= 1 && page.length < count; place--) {
          page.push({ position: at(place), ours: ours(place) });
        }
        log.read += page.length;
        return page;
      },
      toPosition(at(3)),
    );
    return { log, head };
  }

  it('is START where nothing follows the beginning', async () => {
    const { log, head } = logOf((place) => place < 3);
    log.end = 3;
    expect(await head.find()).toBe(START);
    log.end = 500;
    expect(await head.find()).toBe(START);
  });

  it('is found behind any number of others, which are looked through once', async () => {
    const { log, head } = logOf((place) => place === 5);
    log.end = 20_000;
    expect(await head.find()).toBe(toPosition(at(5)));
    expect(log.read).toBeGreaterThan(19_000);
    log.read = 0;
    log.end = 20_010;
    expect(await head.find()).toBe(toPosition(at(5)));
    expect(log.read).toBeLessThan(20);
  });

  it('is not answered too low if a record came without its position: it is read again', async () => {
    const record = (position: RawPosition | undefined): RawEvent => ({
      ...{ streamId: 'role-1', revision: 0n, id: randomUUID(), type: 'a', position },
      ...{ data: Buffer.alloc(0), metadata: Buffer.alloc(0) },
    });
    const unknown = { commit: 0xffff_ffff_ffff_ffffn, prepare: 0xffff_ffff_ffff_ffffn };
    const answers = [[record(undefined), record(at(4))], [record(unknown)], [record(at(5)), record(at(4))]];
    const client = {
      readAll: (_: unknown, take: Take) => void (answers.shift() ?? []).every(take),
    } as unknown as DriverClient;
    const interactive = {
      run: async (_: Kind, __: number, begin: (client: DriverClient) => unknown) => begin(client),
    } as unknown as Connection;
    const closing = new AbortController().signal;
    const pages = readBack({ interactive, limits: LIMITS, names: new LogNames(null), closing });
    const head = new Head(pages, toPosition(at(3)));
    for (let time = 0; time < 2; time++)
      await expect(head.find()).rejects.toThrow('event 0 of role-1 came without its position');
    expect(await head.find()).toBe(toPosition(at(5)));
  });

  it('agrees with looking at everything, whatever is appended and told meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ ours: fc.array(fc.boolean(), { maxLength: 40 }), tell: fc.boolean() })),
        async (steps) => {
          const places: boolean[] = [false, false, false, false];
          const { log, head } = logOf((place) => places[place] === true);
          for (const { ours, tell } of steps) {
            places.push(...ours);
            log.end = places.length - 1;
            const last = places.lastIndexOf(true);
            if (tell && last > 0) head.reached(toPosition(at(last)));
            else expect(await head.find()).toBe(last > 0 ? toPosition(at(last)) : START);
          }
        },
      ),
    );
  });
});

describe('a feed that begins between two events', () => {
  const at = (place: bigint): Position => toPosition({ commit: place, prepare: place });

  /** The position from which a subscription begins if the log has no event after `after`. */
  async function askedFrom(after: Position): Promise<RawPosition | null> {
    let asked: RawPosition | null = null;
    const ending = new AbortController();
    const client = {
      subscribe: (from: RawPosition) => {
        asked = from;
        ending.abort();
        return { result: new Promise<void>(() => undefined), cancel: () => undefined };
      },
    };
    const server = {
      origin: at(5n),
      names: new LogNames('a'),
      limits: LIMITS,
      closing: new AbortController().signal,
      bulk: { run: async () => undefined },
      interactive: { hold: async (begin: (one: typeof client) => unknown) => void begin(client) },
    } as unknown as Server;
    for await (const item of new LogFeed(server, after, ending.signal).items()) {
      expect(item).toEqual({ kind: 'live' });
    }
    return asked;
  }

  it('asks from an event, since a server may pass over what comes next', async () => {
    expect(await askedFrom(at(9n))).toEqual({ commit: 9n, prepare: 9n });
    expect(await askedFrom(START)).toEqual({ commit: 5n, prepare: 5n });
    const between = toPosition({ commit: 9n, prepare: 0n });
    expect(await askedFrom(between)).toEqual({ commit: 5n, prepare: 5n });
  });
});

describe('a subscription', () => {
  it('hands over a checkpoint behind the events that were in its buffer before it', async () => {
    const unsubscribe = async () => undefined;
    const subscription = Object.assign(new PassThrough({ objectMode: true }), { unsubscribe });
    const events = [1n, 2n, 3n].map((place) => ({ event: { position: { commit: place, prepare: place } } }));
    for (const event of events) subscription.push(event);
    mark(subscription, { commit: 4n, prepare: 0n });
    const heard: (bigint | undefined)[] = [];
    const call = followSubscription(subscription, {
      event: ({ position }) => heard.push(position?.commit),
      passed: ({ commit }) => heard.push(commit),
    });
    subscription.end();
    await call.result;
    expect(heard).toEqual([1n, 2n, 3n, 4n]);
  });
});

describe('a client of a cluster of which no node is found', () => {
  it('fails no promise that nobody waits for', async () => {
    const url = 'esdb://127.0.0.1:1,127.0.0.1:2?tls=false&maxDiscoverAttempts=1&gossipTimeout=1';
    const lost = new UnavailableError({ code: 14, details: '', message: '' } as never);
    for (const tamed of [false, true]) {
      const client = EventStoreDBClient.connectionString(url);
      if (tamed) ignoreRepairFailures(client);
      const connecting = expect(client['getChannel']()).rejects.toThrow(/discover/);
      const seenTo = client['handleError']({ getChannel: () => null } as never, lost);
      if (tamed) await seenTo;
      else await expect(seenTo).rejects.toThrow(/discover/);
      await connecting;
    }
  });
});

describe('a connection', () => {
  it('waits for a slot within the time of the call, after which the slot goes to others', async () => {
    const driver = () => ({ close: async () => undefined }) as unknown as DriverClient;
    const slots = { append: 1, read: 0, subscription: 1 };
    const connection = new Connection(driver, parseUrl('esdb://a'), LIMITS, slots);
    const cancel = () => undefined;
    const answered = () => ({ result: Promise.resolve('answered'), cancel });
    let answer: (text: string) => void = () => undefined;
    const first = connection.run('append', 60_000, () => ({
      result: new Promise<string>((resolve) => (answer = resolve)),
      cancel,
    }));
    await expect(connection.run('append', 10, answered)).rejects.toBeInstanceOf(TimedOut);
    const next = connection.run('append', 60_000, answered);
    answer('first');
    expect(await first).toBe('first');
    expect(await next).toBe('answered');

    let ended: () => void = () => undefined;
    const { signal } = new AbortController();
    const held = connection.hold(
      () => ({ result: new Promise<void>((resolve) => (ended = resolve)), cancel }),
      signal,
      60_000,
    );
    await expect(
      connection.hold(() => ({ result: Promise.resolve(), cancel }), signal, 10),
    ).rejects.toBeInstanceOf(TimedOut);
    ended();
    await held;
    await connection.close();
  });
});

describe('a call over a connection', () => {
  const cancel = () => undefined;
  const notLeader = () => Object.assign(new Error('Another node leads.'), { type: 'not-leader' });
  const slots = { append: 1, read: 1, subscription: 1 };
  const connect = (client: Partial<DriverClient> = {}) =>
    new Connection(
      () => ({ close: async () => undefined, ...client }) as unknown as DriverClient,
      parseUrl('esdb://a'),
      LIMITS,
      slots,
    );

  it('is sent again only if it is a read of which nothing has come', async () => {
    const begun = { append: 0, read: 0, partly: 0 };
    const connection = connect({
      readAll: (_, take) => {
        begun.partly++;
        take({} as RawEvent);
        return { result: Promise.reject(notLeader()), cancel };
      },
    });
    const appended = connection.run('append', 1_000, () => {
      begun.append++;
      return { result: Promise.reject(notLeader()), cancel };
    });
    await expect(appended).rejects.toThrow('Another node leads.');
    const read = connection.run('read', 1_000, () => {
      const result = ++begun.read === 1 ? Promise.reject(notLeader()) : Promise.resolve('read');
      return { result, cancel };
    });
    expect(await read).toBe('read');
    const options = { from: 'end', direction: 'backwards', count: 1 } as const;
    const partly = connection.run('read', 1_000, (client) => client.readAll(options, () => true));
    await expect(partly).rejects.toThrow('Another node leads.');
    expect(begun).toEqual({ append: 1, read: 2, partly: 1 });
  });

  it('is cancelled if its caller or its time is gone, and leaves no listener once it is answered', async () => {
    const connection = connect();
    let cancelled = 0;
    const never = () => ({
      result: new Promise<never>(() => undefined),
      cancel: () => {
        cancelled++;
      },
    });
    const gone = new AbortController();
    const left = connection.run('read', 60_000, never, gone.signal);
    setImmediate(() => gone.abort());
    await expect(left).rejects.toThrow();
    await expect(connection.run('append', 1, never)).rejects.toBeInstanceOf(TimedOut);
    expect(cancelled).toBe(2);
    const { signal } = new AbortController();
    await connection.run('read', 60_000, () => ({ result: Promise.resolve(), cancel }), signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('reading by pages', () => {
  const STREAM = 'role-1' as StreamName;
  const at = (place: number): RawPosition => ({ commit: BigInt(place), prepare: BigInt(place) });
  const cancel = () => undefined;
  const never = { result: new Promise<never>(() => undefined), cancel };

  interface Held {
    /** How many bytes each of the events has. */
    readonly sizes: readonly number[];
    /** Another log's event comes before every fourth one. */
    readonly others?: boolean;
    /** After how many events each page of the whole log in turn falls silent, and `last` each one after them. */
    readonly cuts?: readonly number[];
    readonly last?: number;
  }

  /** The log at a server that holds these events, all of one stream. */
  function logOf({ sizes, others = false, cuts = [], last = Infinity }: Held): EventStore {
    const all: RawEvent[] = [];
    const add = (streamId: string, revision: number, size: number): void => {
      const [data, metadata, position] = [Buffer.alloc(size), Buffer.alloc(0), at(all.length + 2)];
      const revisions = BigInt(revision);
      all.push({ streamId, revision: revisions, id: randomUUID(), type: 'a', data, metadata, position });
    };
    for (const [revision, size] of sizes.entries()) {
      if (others && revision % 4 === 0) add('b.role-1', revision, size);
      add(STREAM, revision, size);
    }
    const own = all.filter(({ streamId }) => streamId === STREAM);
    let calls = 0;
    const page = (found: RawEvent[], count: number, cut: number, take: Take) => {
      const asked = found.slice(0, count);
      for (const event of asked.slice(0, cut)) if (!take(event)) return { result: Promise.resolve(), cancel };
      return asked.length > cut ? never : { result: Promise.resolve(), cancel };
    };
    const client: DriverClient = {
      readAll: ({ from, count }, take) => {
        const found = all.filter(({ position }) => from !== 'end' && position!.commit >= from.commit);
        return page(found, count, cuts[calls++] ?? last, take);
      },
      readStream: (_, { from, direction, count }, take) => {
        const forward = direction === 'forwards';
        const begin = typeof from === 'bigint' ? Number(from) : from === 'start' ? 0 : own.length - 1;
        const found = forward ? own.slice(begin) : own.slice(0, begin + 1).reverse();
        return page(found, count, Infinity, take);
      },
      subscribe: () => never,
      append: () => never,
      version: async () => '',
      close: async () => undefined,
    };
    const limits = { ...LIMITS, pageDeadlineMs: 20 };
    const slots = { append: 1, read: 1, subscription: 1 };
    const connection = () => new Connection(() => client, parseUrl('esdb://a'), limits, slots);
    const closing = new AbortController();
    const origin = toPosition(at(1));
    const server = {
      ...{ logId: 'log' as LogId, address: 'here', names: new LogNames(null), limits, origin },
      ...{ interactive: connection(), bulk: connection(), head: new Head(async () => [], origin) },
      ...{ closing: closing.signal, onTrouble: () => undefined, counts: { silentFeeds: 0 } },
    };
    return new EventStoreDbStore(server, closing);
  }

  const revisions = async (events: AsyncIterable<RecordedEvent>): Promise<readonly number[]> => {
    const read: number[] = [];
    for await (const { revision } of events) read.push(revision);
    return read;
  };
  const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

  async function readUntilLive(log: EventStore): Promise<readonly number[]> {
    const read: number[] = [];
    for await (const item of log.subscribeToAll({ signal: new AbortController().signal })) {
      if (item.kind === 'live') break;
      if (item.kind === 'event') read.push(item.event.revision);
    }
    return read;
  }

  it('goes on where a page did not come in time: to the log’s end or a failure, never short, and no feed is live before', async () => {
    const sizes = Array<number>(9).fill(1);
    const held = { sizes, others: true };
    const wholly = [[], [1], [5], [11], [12], [3, 4, 5], [11, 2], [4, 4, 4]].map(async (cuts) => {
      expect(await revisions(logOf({ ...held, cuts }).readAll())).toEqual(upTo(9));
      expect(await readUntilLive(logOf({ ...held, cuts }))).toEqual(upTo(9));
    });
    // No further than it was: nothing of the log comes any more.
    const failing = [[0], [4, 0], [4, 1]].map(async (cuts) => {
      const reading = revisions(logOf({ ...held, cuts, last: cuts.at(-1)! }).readAll());
      await expect(reading).rejects.toThrow(StoreUnavailable);
    });
    await Promise.all([...wholly, ...failing]);
  });

  const MANY = 4_096;
  const LARGE = 2 << 20;
  it.each<readonly [string, readonly number[]]>([
    ['a few events', [1, 1, 1, 1]],
    ['as many events as a page has', Array<number>(MANY).fill(1)],
    ['one event more than a page has', Array<number>(MANY + 1).fill(1)],
    ['a byte less than a page has', [LARGE, LARGE - 1, 1, 1]],
    ['as many bytes as a page has', [LARGE, LARGE, 1, LARGE, LARGE]],
    ['a byte more than a page has', [LARGE, LARGE + 1, 1]],
    ['events each larger than a page', [2 * LARGE, 3 * LARGE, 2 * LARGE + 1]],
  ])('gives pages no meaning where it comes to %s', async (_, sizes) => {
    const log = logOf({ sizes });
    const all = upTo(sizes.length);
    expect(await readUntilLive(log)).toEqual(all);
    for (const limit of [Infinity, 1, 2, 3].slice(0, sizes.length)) {
      const back = { limit, direction: 'backward' } as const;
      expect(await revisions(log.readAll({ limit }))).toEqual(all.slice(0, limit));
      expect(await revisions(log.readStream(STREAM, { limit }))).toEqual(all.slice(0, limit));
      expect(await revisions(log.readStream(STREAM, { from: 1, limit }))).toEqual(all.slice(1, 1 + limit));
      expect(await revisions(log.readStream(STREAM, back))).toEqual([...all].reverse().slice(0, limit));
    }
  });
});

describe('an append that a frozen server does not answer', () => {
  it('is sent four times in all, by whatever calls are made for it', async () => {
    let sent = 0;
    const client = {
      append: () => {
        sent++;
        return { result: new Promise(() => undefined), cancel: () => undefined };
      },
    } as unknown as DriverClient;
    const interactive = {
      run: async (_kind: Kind, ms: number, begin: (client: DriverClient, leftMs: number) => unknown) => {
        begin(client, ms);
        await sleep(ms);
        throw new TimedOut(ms);
      },
    };
    const limits = { ...LIMITS, deadlineMs: 1_500 };
    const server = {
      interactive,
      limits,
      names: new LogNames(null),
      address: 'here',
      closing: new AbortController().signal,
    } as unknown as Server;
    const stream = 'role-1' as StreamName;
    const anEvent = () => ({
      id: randomUUID(),
      type: 'a',
      data: Buffer.from('{}'),
      metadata: Buffer.from('{}'),
    });
    const [events, others] = [[anEvent()], [anEvent()]];
    for (let call = 0; call < 3; call++)
      await expect(append(server, prepare(stream, 0, events))).rejects.toThrow(StoreUnavailable);
    expect(sent).toBe(4);
    await expect(append(server, prepare(stream, 0, others))).rejects.toThrow(StoreUnavailable);
    expect(sent).toBe(7);
  });
});
