import { EventStoreDBClient, streamNameFilter } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  appendAnywhere,
  aStream,
  collect,
  events,
  eventsOf,
  take,
} from '../../../test/contracts/event-store-kit.js';
import { TestLogs } from '../../../test/support/eventstoredb/logs.js';
import { startEventStoreServer } from '../../../test/support/eventstoredb/server.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { EventStore, FeedItem } from '../../core/event-store.js';

describe('the log in an EventStoreDB whose answers mislead', () => {
  const logs = new TestLogs();
  const open = logs.open.bind(logs);
  const feed = logs.feed.bind(logs);

  it('names where a stream stands by what can be read, not by an old answer', async () => {
    const store = await open();
    const stream = aStream();
    await store.append(stream, 'no-stream', events(1));
    await logs.server.admin.failAppends('stored-stale');
    expect(await store.append(stream, 0, events(2))).toEqual({ kind: 'conflict', actual: 2 });
    const another = aStream();
    await logs.server.admin.failAppends('stored-stale');
    expect(await store.append(another, 'no-stream', events(1))).toEqual({ kind: 'conflict', actual: 0 });
  });

  it.each(['lost-timeout', 'lost-silent'] as const)(
    'answers a conflict as soon as one try of an append meets it, though another was %s',
    async (fault) => {
      const store = await open({ deadlineMs: 20_000 });
      const stream = aStream();
      await store.append(stream, 'no-stream', events(2));
      await logs.server.admin.failAppends(fault);
      const began = performance.now();
      expect(await store.append(stream, 0, events(1))).toEqual({ kind: 'conflict', actual: 1 });
      expect(performance.now() - began).toBeLessThan(15_000);
    },
  );

  it('reads by the leader, wherever the node is that it is connected to', async () => {
    const [behind, ahead] = await Promise.all(
      ['behind', 'ahead'].map((name) => mkdtemp(join(tmpdir(), `assay-esdb-${name}-`))),
    );
    const stream = aStream();
    const first = await startEventStoreServer({ dataDir: behind! });
    const store = await open({}, logs.name, first);
    await store.append(stream, 'no-stream', events(1));
    await logs.close();
    await first.stop();
    await cp(behind!, ahead!, { recursive: true });
    const follower = await startEventStoreServer({ dataDir: behind! });
    const leader = await startEventStoreServer({ dataDir: ahead! });
    try {
      const atLeader = await open({}, logs.name, leader);
      await atLeader.append(stream, 0, events(1));
      const reads: readonly ((one: EventStore) => Promise<unknown>)[] = [
        (one) => collect(one.readStream(stream)),
        (one) => collect(one.readStream(stream, { direction: 'backward', limit: 1 })),
        (one) => collect(one.readAll()),
        (one) => one.head(),
        async (one) => eventsOf(await take(feed(one), (seen) => seen.at(-1)?.kind === 'live')),
      ];
      for (const read of reads) {
        // Each by a store of its own: the first call that is sent on takes the connection along.
        await follower.admin.clear();
        const store = await open({}, logs.name, follower);
        await follower.admin.change({ leader: { host: '127.0.0.1', port: leader.port } });
        expect(await onceSentOn(() => read(store))).toEqual(await read(atLeader));
      }
    } finally {
      await logs.close();
      await Promise.all([follower.stop(), leader.stop()]);
      await Promise.all([behind!, ahead!].map((folder) => rm(folder, { recursive: true })));
    }
  });

  it('never goes back with its end, though a leader that was deposed reads so for a moment', async () => {
    const store = await open();
    const stream = aStream();
    await store.append(stream, 'no-stream', events(5));
    const head = await store.head();
    await logs.server.admin.change({ stale: 3 });
    expect(await store.head()).toBe(head);
    const begun = await open();
    expect((await begun.head()) < head).toBe(true);
    await logs.server.admin.change({ stale: 0 });
    expect(await begun.head()).toBe(head);
  });

  describe('hands on by its feed', () => {
    it('no event twice that a subscription begins with again', async () => {
      await logs.server.admin.change({ repeat: 7 });
      const store = await open();
      const stream = aStream();
      await store.append(stream, 'no-stream', events(10));
      const watching = take(feed(store), (seen) => eventsOf(seen).length >= 40);
      for (let next = 10; next < 40; next += 10) {
        await store.append(stream, next - 1, events(10));
        await logs.server.admin.dropSubscriptions();
        await sleep(100);
      }
      expect(eventsOf(await watching).map(({ revision }) => revision)).toEqual(
        Array.from({ length: 40 }, (_, revision) => revision),
      );
    });

    it('every event of a long stretch, though checkpoints come between them', async () => {
      const [store, writer, others] = [await open(), await open(), await open({}, `${logs.name}-others`)];
      await store.append(aStream(), 'no-stream', events(1));
      const stream = aStream();
      const count = 6_000;
      const watching = take(feed(store), (seen) => eventsOf(seen).length > count);
      // In small parts, each of which is answered in time on a busy machine.
      for (let next = 0; next < count; next += 100) {
        await writer.append(stream, next === 0 ? 'no-stream' : next - 1, events(100));
        if (next % 2_000 === 0) await others.append(aStream(), 'no-stream', events(500));
      }
      expect(eventsOf(await watching).map(({ revision }) => revision)).toEqual([
        0,
        ...Array.from({ length: count }, (_, revision) => revision),
      ]);
    });

    it('no place behind its last event, however far others have written', async () => {
      const [store, others] = [await open(), await open({}, `${logs.name}-others`)];
      await store.append(aStream(), 'no-stream', events(1));
      const items: FeedItem[] = [];
      const watching = (async () => {
        for await (const item of feed(store)) items.push(item);
      })();
      while (!items.some(({ kind }) => kind === 'live')) await sleep(5);
      const heard = checkpoints();
      for (let batch = 0; batch < 5; batch++) await others.append(aStream(), 'no-stream', events(900));
      while (heard.count < 3) await sleep(5);
      await heard.end();
      await sleep(200);
      const head = await store.head();
      for (const item of items) if (item.kind !== 'live') expect(item.position <= head).toBe(true);
      const { position } = await appendAnywhere(store, aStream());
      while (!items.some((item) => item.kind === 'event' && item.position === position)) await sleep(5);
      logs.endFeeds();
      await watching;
    });
  });

  /** A node that does not lead refuses the call that its client is sent on by. */
  const onceSentOn = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return read();
    }
  };

  /** As a subscription of the log hears them. */
  const checkpoints = () => {
    const client = EventStoreDBClient.connectionString(logs.server.url);
    const heard = {
      count: 0,
      end: async () => {
        await subscription.unsubscribe();
        await client.dispose();
      },
    };
    const filter = streamNameFilter({
      prefixes: [`${logs.name}.`],
      maxSearchWindow: 1_000,
      checkpointInterval: 1,
      checkpointReached: () => {
        heard.count++;
      },
    });
    const subscription = client.subscribeToAll({ fromPosition: 'end', filter });
    subscription.on('data', () => undefined).on('error', () => undefined);
    return heard;
  };
});
