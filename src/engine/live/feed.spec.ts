import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { added, plainCodec, record, wrapEventStore } from '../../../test/support/projection-rig.js';
import { START, type EventStore, type Position, type RecordedEvent } from '../../core/event-store.js';
import { anySignal } from '../../core/signals.js';
import { Feed, type Batch, type FeedOptions } from './feed.js';
import { Progress } from './progress.js';
import { SharedEvent } from './ring.js';

const never = new AbortController().signal;

async function withFeed(
  { wrap, ...options }: Partial<FeedOptions> & { wrap?: (store: MemoryEventStore) => Partial<EventStore> },
  run: (feed: Feed, store: MemoryEventStore, codec: ReturnType<typeof plainCodec>) => Promise<void>,
  stored = 0,
): Promise<void> {
  const store = new MemoryEventStore();
  const codec = plainCodec();
  for (let n = 0; n < stored; n++) await record(store, added('a', n));
  const eventStore = wrapEventStore(store, wrap?.(store));
  const feed = new Feed({ eventStore, codec, ...options });
  try {
    await eventuallyHolds(() => feed.position !== null);
    await run(feed, store, codec);
  } finally {
    await feed.close();
  }
}

/** Everything after a position, pulled to the end. */
async function drain(feed: Feed, from: Position = START): Promise<{ positions: Position[]; pulls: number }> {
  const positions: Position[] = [];
  let position = from;
  for (let pulls = 1; ; pulls++) {
    const batch: Batch = await feed.pull(position);
    if (batch.position <= position) return { positions, pulls };
    positions.push(...batch.events.map((event) => event.position));
    position = batch.position;
  }
}

describe('The feed', () => {
  it('leads from the first page to the live events without a gap or a repetition', () =>
    withFeed(
      { pageEvents: 3 },
      async (feed, store) => {
        const live = await record(store, added('a', 1), added('b', 2));
        await feed.changed(live[0] as Position, never);
        expect((await drain(feed)).positions).toEqual(store.log.map(({ position }) => position));
      },
      8,
    ));

  it('holds back whoever is far behind until it is their turn, and nobody at the log’s end', () => {
    let goOn: () => void = () => undefined;
    const throttle = { wait: () => new Promise<void>((resolve) => (goOn = resolve)) };
    return withFeed(
      { throttle },
      async (feed, store) => {
        const end = store.log.at(-1)?.position ?? START;
        await record(store, added('a', 4));
        await feed.changed(end, never);
        let pulled = false;
        const pulling = feed.pull(START).finally(() => (pulled = true));
        expect((await feed.pull(end)).events).toHaveLength(1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(pulled).toBe(false);
        goOn();
        expect((await pulling).events).toHaveLength(4);
      },
      3,
    );
  });

  it('serves a consumer that has fallen out of the ring from pages', () =>
    withFeed({ ringEvents: 2, pageEvents: 4 }, async (feed, store) => {
      for (let n = 0; n < 20; n++) await record(store, added('a', n));
      await eventuallyHolds(() => feed.position === store.log.at(-1)?.position);
      expect((await drain(feed)).positions).toHaveLength(20);
    }));

  it('forgets what it decoded, so that nobody’s words stay in memory where nothing else happens', () =>
    withFeed({ keptMs: 40 }, async (feed, store) => {
      await record(store, added('a', 1));
      await feed.changed(START, never);
      const kept = async () => (await feed.pull(START)).events[0];
      const first = await kept();
      await eventuallyHolds(() => feed.position === store.log.at(-1)?.position);
      const again = async (): Promise<boolean> => (await kept()) !== first;
      await eventuallyHolds(again);
      expect((await drain(feed)).positions).toEqual(store.log.map(({ position }) => position));
    }));

  it('forgets the pages that it read, so that nothing personal stays in memory while nothing else happens', () => {
    let reads = 0;
    const wrap = (store: MemoryEventStore): Partial<EventStore> => ({
      readAll: (options) => (reads++, store.readAll(options)),
    });
    return withFeed(
      { wrap, pageEvents: 2, keptMs: 40 },
      async (feed) => {
        await feed.pull(START);
        await new Promise((resolve) => setTimeout(resolve, 100));
        await feed.pull(START);
        expect(reads).toBe(2);
      },
      3,
    );
  });

  it('decodes an event once, however many views fold it', () =>
    withFeed({}, async (feed, store, codec) => {
      await record(store, added('a', 1));
      await feed.changed(START, never);
      for (let view = 0; view < 3; view++) {
        for (const event of (await feed.pull(START)).events) await event.decode();
      }
      expect(codec.decodes).toBe(1);
    }));

  it('reads a full page once for all who catch up over it, and its end anew each time', () => {
    const reads: (string | undefined)[] = [];
    const wrap = (store: MemoryEventStore): Partial<EventStore> => ({
      readAll: (options) => {
        reads.push(options?.after);
        return store.readAll(options);
      },
    });
    return withFeed({ wrap, pageEvents: 2, ringEvents: 1 }, async (feed, store) => {
      for (let n = 0; n < 5; n++) await record(store, added('a', n));
      // A position before the ring's, so that everything is paged.
      const first = await Promise.all([feed.pull(START), feed.pull(START)]);
      expect(first[0].events[0]).toBe(first[1].events[0]);
      await feed.pull(START);
      expect(reads.filter((after) => after === START)).toHaveLength(1);
    });
  });

  it('does not take a full page for the end of what is stored', () =>
    withFeed(
      { pageBytes: 1 },
      async (feed) => {
        const { positions, pulls } = await drain(feed);
        expect(positions).toHaveLength(5);
        expect(pulls).toBe(6);
      },
      5,
    ));

  it('wakes whoever waits when something arrives, and only then', () =>
    withFeed({}, async (feed, store) => {
      let woken = false;
      const waiting = feed.changed(START, never).then(() => (woken = true));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(woken).toBe(false);
      await record(store, added('a', 1));
      await waiting;
    }));

  it('leaves no listener on the signal of one that was woken, and none on one that had aborted', () =>
    withFeed({}, async (feed, store) => {
      const { signal } = new AbortController();
      const waiting = feed.changed(START, signal);
      await record(store, added('a', 1));
      await waiting;
      const aborted = AbortSignal.abort();
      await feed.changed(store.log.at(-1)?.position ?? START, aborted);
      expect([signal, aborted].map((one) => getEventListeners(one, 'abort'))).toEqual([[], []]);
    }));

  it('follows no log once it is closed, and moves nobody on', async () => {
    const progress = new Progress();
    let closed: Feed | null = null;
    await withFeed({ progress }, async (feed) => {
      expect(progress.feedPosition).toBe(feed.position);
      closed = feed;
    });
    expect(progress.feedPosition).toBeNull();
    const feed = closed as Feed | null;
    expect(feed?.follow(feed.position ?? START, new Set())).toBeNull();
  });

  it('asks a log that fails again and again at growing intervals', async () => {
    let asked = 0;
    const wrap = (): Partial<EventStore> => ({
      // eslint-disable-next-line require-yield -- it fails before the first item
      subscribeToAll: async function* () {
        asked++;
        throw new Error('The connection broke.');
      },
    });
    await withFeed({ wrap }, async () => {
      // The pauses are at least 50, 100, 200 and 400 ms.
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect(asked).toBeLessThanOrEqual(4);
    });
  });

  it('begins no second ring after a failure: who follows the feed misses nothing', async () => {
    let fail: () => void = () => undefined;
    const wrap = (store: MemoryEventStore): Partial<EventStore> => ({
      subscribeToAll: async function* (options) {
        const broken = new AbortController();
        fail = () => broken.abort();
        const { signal } = anySignal(options.signal, broken.signal);
        yield* store.subscribeToAll({ ...options, signal });
        if (broken.signal.aborted) throw new Error('The connection broke.');
      },
    });
    await withFeed({ wrap }, async (feed, store) => {
      const following = feed.follow(feed.position ?? START, new Set(['added']));
      fail();
      const positions = await record(store, added('a', 1), added('b', 1));
      await eventuallyHolds(() => feed.position === positions.at(-1));
      expect([following?.isEnded, following?.position]).toEqual([true, START]);
      expect((await feed.pull(START)).events.map(({ position }) => position)).toEqual(positions);
    });
  });

  it('takes the subscription up again after a failure, without a gap', async () => {
    let failures = 2;
    const wrap = (store: MemoryEventStore): Partial<EventStore> => ({
      subscribeToAll: async function* (options) {
        let taken = 0;
        for await (const item of store.subscribeToAll(options)) {
          yield item;
          if (++taken > 2 && failures-- > 0) throw new Error('The connection broke.');
        }
      },
    });
    await withFeed({ wrap }, async (feed, store) => {
      for (let n = 0; n < 9; n++) await record(store, added('a', n));
      await eventuallyHolds(() => feed.position === store.log.at(-1)?.position);
      expect((await drain(feed)).positions).toEqual(store.log.map(({ position }) => position));
    });
  });

  it('finds a stream whose beginning was removed since an earlier reading of the whole log', () => {
    const progress = new Progress();
    return withFeed(
      { progress, pageEvents: 2, keptMs: 20, ringEvents: 1 },
      async (feed, store) => {
        await drain(feed);
        expect([...progress.truncated]).toEqual([]);
        const { stream } = store.log[0] as RecordedEvent;
        store.scavenge(stream, 1);
        await new Promise((resolve) => setTimeout(resolve, 60));
        await drain(feed);
        expect([...progress.truncated]).toEqual([stream]);
      },
      3,
    );
  });

  it('decodes an event after its key was missing for a moment', () =>
    withFeed({}, async (_feed, store) => {
      await record(store, added('a', 1));
      const codec = plainCodec();
      let failures = 1;
      const event = new SharedEvent(store.log[0] as RecordedEvent, {
        decode: async (one) => {
          if (failures-- > 0) throw new Error('The vault holds no key for it.');
          return codec.decode(one);
        },
      });
      await expect(event.decode()).rejects.toThrow('no key');
      expect(await event.decode()).toMatchObject({ kind: 'event' });
    }));

  it('tries an event again whose decoding failed', () =>
    withFeed({}, async (feed, store) => {
      await record(store, { ...added('a', 1), sealed: true });
      await feed.changed(START, never);
      const [event] = (await feed.pull(START)).events;
      await expect(event?.decode()).rejects.toThrow('no key');
      await expect(event?.decode()).rejects.toThrow('no key');
      expect(event?.decoded).toBeNull();
    }));
});
