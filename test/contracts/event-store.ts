import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppendRefused } from '../../src/core/errors.js';
import {
  MAX_APPEND_BYTES,
  START,
  type Expected,
  type EventStore,
  type FeedItem,
  type StreamName,
} from '../../src/core/event-store.js';
import {
  appendAnywhere,
  appended,
  aStream,
  collect,
  event,
  events,
  eventsOf,
  plain,
  positionsOf,
  spaceBeside,
  take,
  texts,
  type LogUnderTest,
} from './event-store-kit.js';
import { eventStoreModel } from './event-store-model.js';

export type { LogUnderTest } from './event-store-kit.js';

/** What every adapter of the `EventStore` port holds. `open` gives an empty log of its own each time. */
export function eventStoreContract(name: string, open: () => Promise<LogUnderTest>): void {
  describe(`the event store contract: ${name}`, () => {
    let log: LogUnderTest;
    let store: EventStore;
    let others: EventStore[];

    beforeEach(async () => {
      log = await open();
      store = log.store;
      others = [];
    });

    afterEach(async () => {
      await Promise.all([store, ...others].map((handle) => handle.close()));
      await log.remove();
    });

    const another = async (): Promise<EventStore> => {
      const handle = await log.another();
      others.push(handle);
      return handle;
    };

    describe('an empty log', () => {
      it('has nothing to read and its head at START', async () => {
        expect(await store.head()).toBe(START);
        expect(await collect(store.readAll())).toEqual([]);
        expect(await collect(store.readStream(aStream()))).toEqual([]);
        expect(await collect(store.readStream(aStream(), { direction: 'backward' }))).toEqual([]);
      });

      it('has an identity that every handle sees, and no other log has', async () => {
        expect(store.logId).not.toBe('');
        expect((await another()).logId).toBe(store.logId);
        const second = await open();
        expect(second.store.logId).not.toBe(store.logId);
        await second.store.close();
        await second.remove();
      });
    });

    describe('append', () => {
      it('answers the last revision and position, which is the head', async () => {
        const stream = aStream();
        const first = appended(await store.append(stream, 'no-stream', events(3)));
        expect(first.revision).toBe(2);
        expect(await store.head()).toBe(first.position);
        const next = appended(await store.append(stream, 2, events(1)));
        expect(next.revision).toBe(3);
        expect(next.position > first.position).toBe(true);
        expect(await store.head()).toBe(next.position);
      });

      it('is a conflict with the actual revision if the stream has another revision', async () => {
        const stream = aStream();
        expect(await store.append(stream, 0, events(1))).toEqual({ kind: 'conflict', actual: 'no-stream' });
        await store.append(stream, 'no-stream', events(2));
        for (const expected of ['no-stream', 0, 2, 7] as Expected[]) {
          expect(await store.append(stream, expected, events(1))).toEqual({ kind: 'conflict', actual: 1 });
        }
        expect(await collect(store.readAll())).toHaveLength(2);
      });

      it('takes the same events again as the first answer, later and elsewhere too', async () => {
        const stream = aStream();
        const batch = events(2);
        const first = await store.append(stream, 'no-stream', batch);
        expect(await store.append(stream, 'no-stream', batch)).toEqual(first);
        await store.append(stream, 1, events(2));
        await store.append(aStream(), 'no-stream', events(1));
        expect(await store.append(stream, 'no-stream', batch)).toEqual(first);
        expect(await (await another()).append(stream, 'no-stream', batch)).toEqual(first);
        expect(await collect(store.readStream(stream))).toHaveLength(4);
      });

      it('takes copies sent at once as one', async () => {
        const stream = aStream();
        const batch = events(3);
        const handles = [store, await another(), store];
        const outcomes = await Promise.all(
          handles.map((handle) => handle.append(stream, 'no-stream', batch)),
        );
        for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
        expect(appended(outcomes[0]!).revision).toBe(2);
        expect(await collect(store.readAll())).toHaveLength(3);
      });

      it('is a conflict if other events are at that revision, or the same in part or in another order', async () => {
        const stream = aStream();
        const [a, b, c] = events(3) as [
          ReturnType<typeof event>,
          ReturnType<typeof event>,
          ReturnType<typeof event>,
        ];
        await store.append(stream, 'no-stream', [a, b]);
        for (const other of [[b, a], [a, c], [c, b], [a, b, c], [b], [c]]) {
          expect(await store.append(stream, 'no-stream', other)).toEqual({ kind: 'conflict', actual: 1 });
        }
        expect(await store.append(stream, 0, [a, b])).toEqual({ kind: 'conflict', actual: 1 });
        expect((await collect(store.readStream(stream))).map(({ id }) => id)).toEqual([a.id, b.id]);
      });

      it('refuses what no store would take, and stores nothing of it', async () => {
        const twice = event();
        const big = (bytes: number) => ({ ...event(), data: Buffer.alloc(bytes, 0x20) });
        const refused: [unknown, unknown, unknown][] = [
          [aStream(), 'no-stream', []],
          [aStream(), 'no-stream', [twice, event(), twice]],
          [aStream(), 'no-stream', [big(MAX_APPEND_BYTES)]],
          [aStream(), 'no-stream', [event(), big(spaceBeside(event(), event()) + 1)]],
          [aStream(), 'no-stream', [big(MAX_APPEND_BYTES / 2), big(MAX_APPEND_BYTES / 2)]],
          [aStream(), 'no-stream', [{ ...event(), id: '' }]],
          [aStream(), 'no-stream', [{ ...event(), type: '' }]],
          [aStream(), 'no-stream', [{ ...event(), type: '$deleted' }]],
          [aStream(), -1, [event()]],
          [aStream(), 1.5, [event()]],
          [aStream(), Number.NaN, [event()]],
          [aStream(), 'any', [event()]],
        ];
        for (const [stream, expected, batch] of refused) {
          const attempt = store.append(stream as StreamName, expected as Expected, batch as never);
          await expect(attempt).rejects.toBeInstanceOf(AppendRefused);
        }
        expect(await store.head()).toBe(START);
      });

      it.each([
        '',
        '-',
        'thing',
        'thing-',
        '-1',
        '$all',
        '$thing-1',
        'thing-1\n',
        '\nthing-1',
        'thing-\0',
        'thing-a b',
        'thing-é',
        'thing-../../x',
        'thing-a.b',
        'thing-%2F',
        `thing-${'x'.repeat(195)}`,
      ])('refuses the stream name %j, under which nothing stands', async (odd) => {
        await expect(store.append(odd as StreamName, 'no-stream', events(1))).rejects.toBeInstanceOf(
          AppendRefused,
        );
        expect(await collect(store.readStream(odd as StreamName))).toEqual([]);
        expect(await store.head()).toBe(START);
      });

      it('keeps streams apart whose names begin alike', async () => {
        const names = ['a-1', 'a-10', 'a-1-', 'a-1_', 'A-1', 'a-1-0', '__proto__-x', `k-${'x'.repeat(198)}`];
        for (const [index, odd] of names.entries()) {
          appended(
            await store.append(odd as StreamName, 'no-stream', [event(`${index}a`), event(`${index}b`)]),
          );
        }
        for (const [index, odd] of names.entries()) {
          const back = await collect(store.readStream(odd as StreamName, { direction: 'backward' }));
          expect(texts(back)).toEqual([`${index}b`, `${index}a`]);
        }
      });

      it('gives each revision to exactly one of 100 concurrent writers', async () => {
        const stream = aStream();
        const handles = [store, await another()];
        for (const expected of ['no-stream', 0, 1] as Expected[]) {
          const outcomes = await Promise.all(
            Array.from({ length: 100 }, (_, index) =>
              handles[index % 2]!.append(stream, expected, events(1)),
            ),
          );
          const winners = outcomes.filter(({ kind }) => kind === 'appended');
          expect(winners).toHaveLength(1);
          const revision = expected === 'no-stream' ? 0 : expected + 1;
          expect(winners[0]).toMatchObject({ revision });
          for (const outcome of outcomes) {
            if (outcome.kind === 'conflict') expect(outcome.actual).toBe(revision);
          }
        }
        expect(await collect(store.readStream(stream))).toHaveLength(3);
      });

      it('lets 100 writers all get through by trying again', async () => {
        const stream = aStream();
        const handles = [store, await another()];
        const won = await Promise.all(
          Array.from({ length: 100 }, (_, index) => appendAnywhere(handles[index % 2]!, stream)),
        );
        expect(new Set(won.map(({ revision }) => revision)).size).toBe(100);
        const stored = await collect(store.readStream(stream));
        expect(stored.map(({ revision }) => revision)).toEqual(
          Array.from({ length: 100 }, (_, index) => index),
        );
      });
    });

    describe('bytes', () => {
      it('come back as they were sent, in any language and size, and stay so', async () => {
        const stream = aStream();
        const sent = [
          { ...event(), type: 'ereignis.größe', data: Buffer.from('{"text":"naïve 日本語 🧪 \\u0000 ‮"}') },
          { ...event(), data: Buffer.alloc(0), metadata: Buffer.alloc(0) },
          { ...event(), data: Buffer.alloc(3_000, 'a') },
          { ...event(), data: Buffer.alloc(300_000, 'b') },
          { ...event(), data: Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte)) },
        ];
        const before = sent.map((one) => ({ ...one, data: Buffer.from(one.data).toString('hex') }));
        const appending = store.append(stream, 'no-stream', sent);
        // The caller's buffers are its own again once append has returned its promise.
        for (const { data } of sent) data.fill(0x7a);
        appended(await appending);
        const read = await collect(store.readStream(stream));
        const all = await collect(store.readAll());
        for (let more = 0; more < 5; more++) {
          await appendAnywhere(store, aStream(), { ...event(), data: Buffer.alloc(200_000, 'c') });
        }
        await collect(store.readAll());
        for (const seen of [read, all]) {
          seen.forEach((recorded, index) => {
            expect(Buffer.from(recorded.data).toString('hex')).toBe(before[index]?.data);
            expect(recorded.type).toBe(before[index]?.type);
            expect(recorded.id).toBe(before[index]?.id);
          });
        }
      });

      it('fill an append to its limit', async () => {
        const stream = aStream();
        const full = { ...event(), metadata: Buffer.alloc(10), type: 'größe' };
        full.data = Buffer.alloc(spaceBeside(full), 'd');
        appended(await store.append(stream, 'no-stream', [full]));
        const many = Array.from({ length: 500 }, () => ({ ...event(), data: Buffer.alloc(2_000, 'e') }));
        const rest = event();
        many.push({ ...rest, data: Buffer.alloc(spaceBeside(...many, rest), 'f') });
        appended(await store.append(stream, 0, many));
        const back = await collect(store.readStream(stream));
        expect(back).toHaveLength(502);
        expect(back[0]?.data.byteLength).toBe(MAX_APPEND_BYTES - 10 - 2 * 5);
        expect(back[501]?.data.byteLength).toBe(many[500]?.data.byteLength);
      });
    });

    describe('reading a stream', () => {
      const stream = 'thing-read' as StreamName;
      const read = async (options: Parameters<EventStore['readStream']>[1]) =>
        (await collect(store.readStream(stream, options))).map(({ revision }) => revision);

      beforeEach(async () => {
        await store.append(stream, 'no-stream', events(3));
        await store.append(aStream(), 'no-stream', events(2));
        await store.append(stream, 2, events(2));
      });

      it('starts at any event, in either direction, and ends at its limit', async () => {
        expect(await read({})).toEqual([0, 1, 2, 3, 4]);
        expect(await read({ from: 3 })).toEqual([3, 4]);
        expect(await read({ from: 5 })).toEqual([]);
        expect(await read({ from: 1, limit: 2 })).toEqual([1, 2]);
        expect(await read({ limit: 0 })).toEqual([]);
        expect(await read({ limit: 99 })).toEqual([0, 1, 2, 3, 4]);
        expect(await read({ direction: 'backward' })).toEqual([4, 3, 2, 1, 0]);
        expect(await read({ direction: 'backward', limit: 1 })).toEqual([4]);
        expect(await read({ direction: 'backward', from: 2 })).toEqual([2, 1, 0]);
        expect(await read({ direction: 'backward', from: 2, limit: 2 })).toEqual([2, 1]);
        expect(await read({ direction: 'backward', from: 99, limit: 2 })).toEqual([4, 3]);
        expect(await read({ direction: 'backward', from: 0 })).toEqual([0]);
        expect(await read({ direction: 'backward', from: -1 })).toEqual([]);
      });

      it('ends with the last event that was stored when it began, whatever is appended meanwhile', async () => {
        const seen: number[] = [];
        for await (const { revision } of store.readStream(stream)) {
          seen.push(revision);
          await appendAnywhere(store, stream);
        }
        expect(seen).toEqual([0, 1, 2, 3, 4]);
        expect(await read({})).toHaveLength(10);
      });

      it('sees what another handle has appended, at once', async () => {
        const other = await another();
        for (let round = 0; round < 20; round++) {
          const { revision } = await appendAnywhere(other, stream);
          const [last] = await collect(store.readStream(stream, { direction: 'backward', limit: 1 }));
          expect(last?.revision).toBe(revision);
          expect(await store.head()).toBe(last?.position);
        }
      });

      it('joins its pages: a long stream reads as one', async () => {
        for (let batch = 0; batch < 6; batch++) await store.append(stream, 4 + batch * 150, events(150));
        const all = Array.from({ length: 905 }, (_, index) => index);
        expect(await read({})).toEqual(all);
        expect(await read({ direction: 'backward' })).toEqual([...all].reverse());
        expect(await read({ from: 255, limit: 300 })).toEqual(all.slice(255, 555));
      });
    });

    describe('reading the whole log', () => {
      it('gives every event once, in one order, from every position', async () => {
        const [one, two] = [aStream(), aStream()];
        await store.append(one, 'no-stream', events(2));
        await store.append(two, 'no-stream', events(1));
        await store.append(one, 1, events(1));
        await store.append(two, 0, events(3));
        const all = await collect(store.readAll());
        expect(all.map(({ stream, revision }) => [stream, revision])).toEqual([
          [one, 0],
          [one, 1],
          [two, 0],
          [one, 2],
          [two, 1],
          [two, 2],
          [two, 3],
        ]);
        const positions = all.map(({ position }) => position);
        expect([...new Set(positions)].sort()).toEqual(positions);
        expect(new Set(positions.map(({ length }) => length)).size).toBe(1);
        for (const [index, after] of [START, ...positions].entries()) {
          expect(await collect(store.readAll({ after }))).toEqual(all.slice(index));
          expect(await collect(store.readAll({ after, limit: 2 }))).toEqual(all.slice(index, index + 2));
        }
        expect(await collect(store.readAll({ limit: 0 }))).toEqual([]);
        expect(await store.head()).toBe(positions.at(-1));
      });

      it('begins after a position, or at a position with its event included', async () => {
        expect(await collect(store.readAll({ from: START }))).toEqual([]);
        await store.append(aStream(), 'no-stream', events(4));
        await appendAnywhere(await another(), aStream());
        const all = await collect(store.readAll());
        expect(await collect(store.readAll({ from: START }))).toEqual(all);
        expect(await collect(store.readAll({ from: START, limit: 2 }))).toEqual(all.slice(0, 2));
        for (const [index, { position }] of all.entries()) {
          expect(await collect(store.readAll({ from: position }))).toEqual(all.slice(index));
          for (const limit of [0, 1, 2, all.length - index, 99]) {
            const slice = all.slice(index, index + limit);
            expect(await collect(store.readAll({ from: position, limit }))).toEqual(slice);
          }
        }
        const head = await store.head();
        expect(await collect(store.readAll({ after: head }))).toEqual([]);
        expect(await collect(store.readAll({ from: head }))).toEqual(all.slice(-1));
        const next = await appendAnywhere(store, aStream());
        expect(positionsOf(await collect(store.readAll({ after: head })))).toEqual([next.position]);
        expect(positionsOf(await collect(store.readAll({ from: head })))).toEqual([head, next.position]);
      });

      it('has one beginning: two are a mistake', async () => {
        await store.append(aStream(), 'no-stream', events(1));
        const head = await store.head();
        for (const [after, from] of [
          [START, START],
          [START, head],
          [head, head],
        ] as const) {
          await expect(collect(store.readAll({ after, from }))).rejects.toThrow(TypeError);
        }
      });

      it('counts its positions in growing numbers', async () => {
        await store.append(aStream(), 'no-stream', events(3));
        const ordinals = (await collect(store.readAll())).map(({ position }) => store.ordinal(position));
        expect(ordinals).toEqual([...new Set(ordinals)].sort((a, b) => a - b));
        expect(store.ordinal(START)).toBe(0);
        expect(ordinals[0]).toBeGreaterThan(0);
        if (store.ordinalUnit === 'events') expect(ordinals).toEqual(ordinals.map((_, n) => n + 1));
      });

      it('agrees with reading the streams', async () => {
        const streams = [aStream(), aStream(), aStream()];
        await Promise.all(
          streams.flatMap((stream) => Array.from({ length: 20 }, () => appendAnywhere(store, stream))),
        );
        const all = await collect(store.readAll());
        expect(all).toHaveLength(60);
        for (const stream of streams) {
          const mine = all.filter((recorded) => recorded.stream === stream);
          expect(await collect(store.readStream(stream))).toEqual(mine);
        }
      });
    });

    describe('the live feed', () => {
      let ending: AbortController;
      beforeEach(() => {
        ending = new AbortController();
      });
      afterEach(() => ending.abort());

      const feed = (after = START, from = store) => from.subscribeToAll({ after, signal: ending.signal });

      it('is live at once on an empty log', async () => {
        expect(await take(feed(), (items) => items.length === 1)).toEqual([{ kind: 'live' }]);
      });

      it('yields what is stored, then a caught-up mark, then what is appended', async () => {
        await store.append(aStream(), 'no-stream', events(300));
        const stored = await collect(store.readAll());
        const later = sleep(20).then(() => appendAnywhere(store, aStream()));
        const items = await take(
          feed(),
          (seen) => eventsOf(seen).length === 301 && seen.some(({ kind }) => kind === 'live'),
        );
        await later;
        expect(eventsOf(items).slice(0, 300)).toEqual(stored);
        const live = items.flatMap(({ kind }, index) => (kind === 'live' ? [index] : []));
        expect(live).toHaveLength(1);
        // Also the later event, if it was appended before the log was read.
        expect(eventsOf(items.slice(0, live[0])).length).toBeGreaterThanOrEqual(300);
      });

      it('gives for each item the position from which a reader resumes', async () => {
        await store.append(aStream(), 'no-stream', events(5));
        const writing = (async () => {
          for (let more = 0; more < 20; more++) await appendAnywhere(store, aStream());
        })();
        const items = await take(feed(), (seen) => eventsOf(seen).length === 25);
        await writing;
        let last = START;
        for (const item of items) {
          if (item.kind === 'live') continue;
          expect(item.after).toBe(last);
          expect(item.position > item.after).toBe(true);
          last = item.position;
        }
        expect(last).toBe(await store.head());
      });

      it('resumes after any position', async () => {
        await store.append(aStream(), 'no-stream', events(10));
        const all = await collect(store.readAll());
        for (const [index, { position }] of all.entries()) {
          const items = await take(feed(position), (seen) => seen.at(-1)?.kind === 'live');
          expect(eventsOf(items)).toEqual(all.slice(index + 1));
        }
      });

      it('misses nothing and repeats nothing while several handles append', async () => {
        const other = await another();
        const streams = [aStream(), aStream(), aStream(), aStream()];
        const watching = take(feed(), (seen) => eventsOf(seen).length === 200);
        const watchingToo = take(feed(START, other), (seen) => eventsOf(seen).length === 200);
        await Promise.all(
          streams.map(async (stream, index) => {
            for (let more = 0; more < 50; more++) await appendAnywhere(index % 2 ? other : store, stream);
          }),
        );
        const all = await collect(store.readAll());
        expect(eventsOf(await watching)).toEqual(all);
        expect(eventsOf(await watchingToo)).toEqual(all);
      });

      it('waits for a slow consumer and then continues without a gap', async () => {
        await store.append(aStream(), 'no-stream', events(5));
        const seen: string[] = [];
        for await (const item of feed()) {
          if (item.kind !== 'event') continue;
          seen.push(item.event.id);
          if (seen.length < 10) await appendAnywhere(store, aStream());
          await sleep(5);
          if (seen.length === 14) break;
        }
        expect(seen).toEqual((await collect(store.readAll())).map(({ id }) => id));
      });

      it('ends only by its signal: before it begins, while it waits, or between two items', async () => {
        await store.append(aStream(), 'no-stream', events(3));
        const aborted = AbortSignal.abort();
        expect(await collect(store.subscribeToAll({ signal: aborted }))).toEqual([]);

        const waiting = new AbortController();
        const all: FeedItem[] = [];
        const reading = (async () => {
          for await (const item of store.subscribeToAll({ signal: waiting.signal })) all.push(item);
          return 'ended';
        })();
        while (!(eventsOf(all).length === 3 && all.some(({ kind }) => kind === 'live'))) await sleep(5);
        expect(await Promise.race([reading, sleep(100)])).not.toBe('ended');
        waiting.abort();
        expect(await reading).toBe('ended');
        expect(eventsOf(all)).toHaveLength(3);

        const between = new AbortController();
        const seen = [];
        for await (const item of store.subscribeToAll({ signal: between.signal })) {
          seen.push(item);
          between.abort();
        }
        expect(seen).toHaveLength(1);
      });

      it('leaves other feeds alone when one ends', async () => {
        const short = new AbortController();
        const ended = collect(store.subscribeToAll({ signal: short.signal }));
        const watching = take(feed(), (seen) => eventsOf(seen).length === 1);
        await sleep(10);
        short.abort();
        await ended;
        await appendAnywhere(store, aStream());
        expect(eventsOf(await watching)).toHaveLength(1);
      });
    });

    it('answers what was asked for before it was closed', async () => {
      const stream = aStream();
      const answers = Array.from({ length: 10 }, () => store.append(stream, 'no-stream', events(1)));
      const other = await another();
      await store.close();
      const outcomes = await Promise.all(answers);
      expect(outcomes.filter(({ kind }) => kind === 'appended')).toHaveLength(1);
      expect(await collect(other.readStream(stream))).toHaveLength(1);
    });

    it('agrees with a list of events over random appends, resends and reads', async () => {
      await eventStoreModel(open);
    });

    it('shows every reader the same plain event', async () => {
      const stream = aStream();
      const one = event('plain');
      const { position } = appended(await store.append(stream, 'no-stream', [one]));
      const expected = { ...plain({ ...one, stream, revision: 0, position }) };
      for (const handle of [store, await another()]) {
        for (const [recorded] of [
          await collect(handle.readStream(stream)),
          await collect(handle.readAll()),
        ]) {
          expect(plain(recorded!)).toEqual(expected);
          expect(recorded?.position).toBe(position);
        }
      }
    });
  });
}
