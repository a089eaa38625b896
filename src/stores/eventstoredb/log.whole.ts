import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  appendAnywhere,
  appended,
  aStream,
  collect,
  event,
  events,
  eventsOf,
  surely,
  take,
} from '../../../test/contracts/event-store-kit.js';
import { TestLogs } from '../../../test/support/eventstoredb/logs.js';
import { AppendRefused, StoreUnavailable, StoreUnusable } from '../../core/errors.js';
import { START, type FeedItem, type Position, type StreamName } from '../../core/event-store.js';

describe('the log in an EventStoreDB', () => {
  const logs = new TestLogs();
  const open = logs.open.bind(logs);
  const feed = logs.feed.bind(logs);

  it('shares a server with other logs and sees nothing of theirs', async () => {
    const [mine, theirs] = [await open(), await open({}, `${logs.name}-too`)];
    expect(mine.logId).not.toBe(theirs.logId);
    const stream = aStream();
    await mine.append(stream, 'no-stream', events(2));
    await theirs.append(stream, 'no-stream', events(3));
    await logs.server.admin.writeSystemEvents(40);
    await mine.append(stream, 1, events(1));
    await theirs.append(stream, 2, events(300));
    for (const [store, count] of [
      [mine, 3],
      [theirs, 303],
    ] as const) {
      const all = await collect(store.readAll());
      expect(all.map(({ stream: name, revision }) => [name, revision])).toEqual(
        Array.from({ length: count }, (_, revision) => [stream, revision]),
      );
      expect(await collect(store.readStream(stream))).toEqual(all);
      expect(await store.head()).toBe(all.at(-1)?.position);
      expect(eventsOf(await take(feed(store), (seen) => seen.at(-1)?.kind === 'live'))).toEqual(all);
    }
  });

  it('is begun once, however many begin it at once', async () => {
    const handles = await Promise.all(Array.from({ length: 6 }, () => open()));
    expect(new Set(handles.map(({ logId }) => logId)).size).toBe(1);
    await handles[0]?.append(aStream(), 'no-stream', events(1));
    expect(await collect(handles[5]!.readAll())).toHaveLength(1);
  });

  it.each([
    ['an older', 1, 'an older version (format 1, this one knows 2) and cannot be read any more'],
    ['a newer', 3, 'a newer version (format 3, this one knows 2). Run that version'],
  ])('refuses the log of %s version, and leaves it as it is', async (_, format, said) => {
    const client = EventStoreDBClient.connectionString(logs.server.url);
    const identity = `${logs.name}.assay_log`;
    const data = { logId: 'some-log', format };
    await client.appendToStream(identity, jsonEvent({ type: 'assay.log.begun', data }));
    const opening = open();
    await expect(opening).rejects.toBeInstanceOf(StoreUnusable);
    await expect(opening).rejects.toThrow(said);
    const stored = [];
    for await (const { event: one } of client.readStream(identity)) stored.push(one?.data);
    expect(stored).toEqual([data]);
    await client.dispose();
  });

  describe('on a server that takes its time to commit', () => {
    const COMMIT_MS = 250;
    beforeEach(() => logs.server.admin.change({ commitMs: COMMIT_MS }));

    it('is begun once, and a later opener waits for what the first has made', async () => {
      const handles = await Promise.all(Array.from({ length: 4 }, () => open()));
      expect(new Set(handles.map(({ logId }) => logId)).size).toBe(1);
    });

    it('takes what is sent again meanwhile as one', async () => {
      const [one, other] = [await open(), await open()];
      const [stream, batch] = [aStream(), events(2)];
      const outcomes = await Promise.all(
        [one, other, one].map((store) => store.append(stream, 'no-stream', batch)),
      );
      for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
      expect(await collect(one.readStream(stream))).toHaveLength(2);
    });

    it('answers a conflict when its reason can be read', async () => {
      const [one, other] = [await open(), await open()];
      const stream = aStream();
      const appending = one.append(stream, 'no-stream', events(2));
      const refused = () => other.append(stream, 7, events(1));
      let conflict = await refused();
      while (conflict.kind === 'conflict' && conflict.actual === 'no-stream') conflict = await refused();
      expect(conflict).toEqual({ kind: 'conflict', actual: 1 });
      expect(await collect(other.readStream(stream))).toHaveLength(2);
      appended(await appending);
    });
  });

  it('takes no id that would come back otherwise', async () => {
    const store = await open();
    for (const id of ['1', '0190F3A0-0000-7000-8000-000000000000', 'x'.repeat(36)]) {
      await expect(store.append(aStream(), 'no-stream', [event('x', id)])).rejects.toBeInstanceOf(
        AppendRefused,
      );
    }
    expect(await store.head()).toBe(START);
  });

  it('refuses positions of another form', async () => {
    const store = await open();
    for (const odd of ['1', '00000000000011'] as Position[]) {
      await expect(collect(store.readAll({ after: odd }))).rejects.toBeInstanceOf(RangeError);
      await expect(collect(store.readAll({ from: odd }))).rejects.toBeInstanceOf(RangeError);
      await expect(collect(feed(store, odd))).rejects.toBeInstanceOf(RangeError);
    }
  });

  it('reads more than a page, and more bytes than one, as one', async () => {
    const store = await open();
    const stream = aStream();
    for (let batch = 0; batch < 9; batch++) {
      await store.append(stream, batch === 0 ? 'no-stream' : batch * 500 - 1, events(500));
    }
    const big = () => ({ ...event(), data: Buffer.alloc(900_000, 'x') });
    for (let more = 0; more < 12; more++) await store.append(stream, 4_499 + more, [big()]);
    const all = Array.from({ length: 4_512 }, (_, index) => index);
    const revisions = async (read: AsyncIterable<{ revision: number }>) =>
      (await collect(read)).map(({ revision }) => revision);
    expect(await revisions(store.readStream(stream))).toEqual(all);
    expect(await revisions(store.readStream(stream, { direction: 'backward' }))).toEqual([...all].reverse());
    expect(await revisions(store.readStream(stream, { from: 300, limit: 4_205 }))).toEqual(
      all.slice(300, 4_505),
    );
    expect(await revisions(store.readAll())).toEqual(all);
    expect(await revisions(store.readAll({ limit: 4_097 }))).toEqual(all.slice(0, 4_097));
    const from = (await collect(store.readStream(stream, { from: 3, limit: 1 })))[0]!.position;
    expect(await revisions(store.readAll({ from }))).toEqual(all.slice(3));
    expect(await revisions(store.readAll({ from, limit: 4_097 }))).toEqual(all.slice(3, 4_100));
    expect(await revisions(store.readAll({ after: from, limit: 4_097 }))).toEqual(all.slice(4, 4_101));
    const items = await take(feed(store), (seen) => seen.at(-1)?.kind === 'live');
    expect(eventsOf(items).map(({ revision }) => revision)).toEqual(all);
  });

  it('reads from a place between two events as from the next one, as many as it is asked for', async () => {
    const store = await open();
    await store.append(aStream(), 'no-stream', events(5));
    const all = await collect(store.readAll());
    // A position as in the server's checkpoints: after all earlier events, and before the event there.
    const between = (all[2]!.position.slice(0, 16) + '0'.repeat(16)) as Position;
    for (const beginning of [{ after: between }, { from: between }]) {
      expect(await collect(store.readAll(beginning))).toEqual(all.slice(2));
      expect(await collect(store.readAll({ ...beginning, limit: 2 }))).toEqual(all.slice(2, 4));
    }
  });

  it('reads a stream once whose beginning an operator has cut off', async () => {
    const store = await open();
    const stream = aStream();
    const big = () => ({ ...event(), data: Buffer.alloc(900_000, 'x') });
    for (let next = 0; next < 14; next++) {
      await store.append(stream, next === 0 ? 'no-stream' : next - 1, [big()]);
    }
    const operator = EventStoreDBClient.connectionString(logs.server.url);
    await operator.setStreamMetadata(`${logs.name}.${stream}`, { truncateBefore: 3 });
    await operator.dispose();
    const left = Array.from({ length: 11 }, (_, index) => index + 3);
    expect((await collect(store.readStream(stream))).map(({ revision }) => revision)).toEqual(left);
    const back = await collect(store.readStream(stream, { direction: 'backward' }));
    expect(back.map(({ revision }) => revision)).toEqual([...left].reverse());
  });

  it('names a stream of which an operator has left nothing to whoever reads it, and lets nobody begin it', async () => {
    const store = await open();
    const stream = aStream();
    await store.append(stream, 'no-stream', events(3));
    const operator = EventStoreDBClient.connectionString(logs.server.url);
    await operator.setStreamMetadata(`${logs.name}.${stream}`, { truncateBefore: 3 });
    await operator.dispose();
    const missing = /^The stream’s beginning is missing: of .+, no event is left of it/;
    await expect(collect(store.readStream(stream))).rejects.toThrow(missing);
    await expect(collect(store.readStream(stream, { direction: 'backward' }))).rejects.toThrow(missing);
    expect(await store.append(stream, 'no-stream', events(1))).toEqual({ kind: 'conflict', actual: 2 });
    // Another one that was never there.
    expect(await collect(store.readStream(aStream()))).toEqual([]);
  });

  it('reads many streams at once and appends beside them, however few calls a connection takes', async () => {
    const store = await open();
    const streams = Array.from({ length: 30 }, aStream);
    await Promise.all(streams.map((stream) => store.append(stream, 'no-stream', events(20))));
    const feeds = Array.from({ length: 5 }, () => take(feed(store), (seen) => eventsOf(seen).length === 601));
    const reads = Array.from({ length: 300 }, (_, index) => collect(store.readStream(streams[index % 30]!)));
    const [read] = await Promise.all([Promise.all(reads), store.append(aStream(), 'no-stream', events(1))]);
    expect(read.map(({ length }) => length)).toEqual(Array.from({ length: 300 }, () => 20));
    for (const seen of await Promise.all(feeds)) expect(eventsOf(seen)).toHaveLength(601);
  });

  it('leaves no call open when a reader stops early', async () => {
    const store = await open();
    await store.append(aStream(), 'no-stream', events(500));
    for (let more = 0; more < 120; more++) {
      for await (const one of store.readAll()) {
        expect(one.revision).toBe(0);
        break;
      }
    }
    expect(await collect(store.readAll())).toHaveLength(500);
  });

  it('answers silence with StoreUnavailable in time, and the rest when it is over', async () => {
    const store = await open({ deadlineMs: 200, pageDeadlineMs: 200 });
    const stream = aStream();
    await store.append(stream, 'no-stream', events(1));
    await logs.server.admin.change({ silent: true });
    const calls = [
      ...Array.from({ length: 100 }, () => store.append(aStream(), 'no-stream', events(1))),
      ...Array.from({ length: 50 }, () => collect(store.readStream(stream))),
      collect(store.readAll()),
      store.head(),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    }
    await logs.server.admin.change({ silent: false });
    expect(await collect(store.readStream(stream))).toHaveLength(1);
  });

  describe('its feed', () => {
    it('goes on without a gap when it is thrown out, and when connections break', async () => {
      const troubles: string[] = [];
      const store = await open({ onTrouble: (sentence) => troubles.push(sentence) });
      const watching = take(feed(store), (seen) => eventsOf(seen).length === 200);
      const stream = aStream();
      for (let next = 0; next < 200; next++) {
        appended(await surely(store, stream, next === 0 ? 'no-stream' : next - 1, events(1)));
        if (next % 40 === 10) await logs.server.admin.dropSubscriptions();
        if (next % 40 === 30) await logs.server.admin.resetConnections();
      }
      const items = await watching;
      expect(eventsOf(items).map(({ revision }) => revision)).toEqual(
        Array.from({ length: 200 }, (_, n) => n),
      );
      expect(items.filter(({ kind }) => kind === 'live')).toHaveLength(1);
      let last: Position = START;
      for (const item of items) {
        if (item.kind === 'live') continue;
        expect(item.after).toBe(last);
        expect(item.position > last).toBe(true);
        last = item.position;
      }
      expect(troubles.length).toBeGreaterThan(0);
    });

    it('holds a bounded stretch for a slow consumer, goes on by pages, and is never thrown out for it', async () => {
      const troubles: string[] = [];
      const store = await open({ bufferEvents: 20, onTrouble: (sentence) => troubles.push(sentence) });
      const seen: number[] = [];
      const writing = (async () => {
        for (let batch = 0; batch < 40; batch++) {
          await store.append(`thing-${batch}` as StreamName, 'no-stream', events(10));
        }
      })();
      for await (const item of feed(store)) {
        if (item.kind !== 'event') continue;
        seen.push(Number(item.event.stream.slice(6)) * 10 + item.event.revision);
        if (seen.length % 40 === 0) await sleep(20);
        if (seen.length === 400) break;
      }
      await writing;
      const all = (await collect(store.readAll())).map(
        ({ stream, revision }) => Number(stream.slice(6)) * 10 + revision,
      );
      expect(seen).toEqual(all);
      expect(troubles).toEqual([]);
    });

    it('never stands beyond the head while others write, so that no view looks like one of another log', async () => {
      const [store, others] = [await open(), await open({}, `${logs.name}-others`)];
      await store.append(aStream(), 'no-stream', events(1));
      const items: FeedItem[] = [];
      const watching = (async () => {
        for await (const item of feed(store)) items.push(item);
      })();
      for (let batch = 0; batch < 5; batch++) {
        await others.append(aStream(), 'no-stream', events(900));
        await logs.server.admin.writeSystemEvents(30);
      }
      const { position } = await appendAnywhere(store, aStream());
      while (!items.some((item) => item.kind === 'event' && item.position === position)) await sleep(5);
      logs.endFeeds();
      await watching;
      const passed = items.flatMap((item) => (item.kind === 'live' ? [] : [item.position]));
      expect(passed.at(-1)).toBe(await store.head());
      expect([...passed].sort()).toEqual(passed);
    });

    it('tells a view that catches up over a long stretch of others how far it has come', async () => {
      const [store, others] = [await open(), await open({}, `${logs.name}-others`)];
      await store.append(aStream(), 'no-stream', events(1));
      for (let batch = 0; batch < 20; batch++) await others.append(aStream(), 'no-stream', events(450));
      const { position } = await appendAnywhere(store, aStream());
      const items = await take(feed(store), (seen) => seen.at(-1)?.kind === 'live');
      expect(items.map(({ kind }) => kind)).toEqual(['event', 'passed', 'passed', 'event', 'live']);
      const [, , passed] = items;
      const resumed = feed(store, passed?.kind === 'passed' ? passed.position : START);
      const rest = await take(resumed, (seen) => seen.at(-1)?.kind === 'live');
      expect(eventsOf(rest).map((one) => one.position)).toEqual([position]);
    });
  });
});
