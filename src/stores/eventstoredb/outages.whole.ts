import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  appended,
  aStream,
  collect,
  event,
  events,
  eventsOf,
  surely,
  take,
  untilAnswered,
} from '../../../test/contracts/event-store-kit.js';
import { startEventStoreServer, type EventStoreServer } from '../../../test/support/eventstoredb/server.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { EventStore } from '../../core/event-store.js';
import { openEventStoreDb } from './open.js';
import type { EventStoreDbOptions } from './server.js';

describe('the log in an EventStoreDB that fails', () => {
  let folder: string;
  let server: EventStoreServer;
  let ending: AbortController;
  const stores: EventStore[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-esdb-'));
    server = await startEventStoreServer({ dataDir: folder });
    ending = new AbortController();
  });

  afterEach(async () => {
    ending.abort();
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const open = async (options: EventStoreDbOptions = {}): Promise<EventStore> => {
    // A server that just began may need longer for its first answer than the deadlines that are tested here.
    const store = await untilAnswered(() => openEventStoreDb(server.url, options));
    stores.push(store);
    return store;
  };

  const restart = async (): Promise<void> => {
    server = await startEventStoreServer({ dataDir: folder, port: server.port });
  };

  it.each(['stored-reset', 'stored-silent', 'lost-reset', 'lost-silent'] as const)(
    'settles an append whose outcome was %s by sending it again',
    async (fault) => {
      const store = await open({ deadlineMs: 400 });
      const stream = aStream();
      await surely(store, stream, 'no-stream', events(1));
      await server.admin.failAppends(fault);
      const batch = events(2);
      await expect(store.append(stream, 0, batch)).rejects.toBeInstanceOf(StoreUnavailable);
      const again = appended(await surely(store, stream, 0, batch));
      expect(again).toEqual({ kind: 'appended', revision: 2, position: await store.head() });
      expect(await collect(store.readStream(stream))).toHaveLength(3);
    },
  );

  it.each(['stored-timeout', 'stored-silent', 'lost-timeout', 'lost-silent'] as const)(
    'sends an append that was %s again by itself, where time is left',
    async (fault) => {
      const store = await open();
      const stream = aStream();
      await store.append(stream, 'no-stream', events(1));
      await server.admin.failAppends(fault, { times: 2 });
      const began = performance.now();
      const outcome = appended(await store.append(stream, 0, events(2)));
      expect(performance.now() - began).toBeLessThan(2_900);
      expect(outcome).toEqual({ kind: 'appended', revision: 2, position: await store.head() });
      expect(await collect(store.readStream(stream))).toHaveLength(3);
    },
  );

  it('gives up on an append that stays without an answer, within the deadline', async () => {
    const store = await open({ deadlineMs: 1_500 });
    await server.admin.failAppends('lost-timeout', { times: 100 });
    await expect(store.append(aStream(), 'no-stream', events(1))).rejects.toThrow(/could not commit in time/);
    await server.admin.failAppends('lost-silent', { times: 100 });
    await server.admin.change({ silent: true });
    const began = performance.now();
    await expect(store.append(aStream(), 'no-stream', events(1))).rejects.toThrow(
      /did not answer (?:in time|within 1500 ms)/,
    );
    expect(performance.now() - began).toBeLessThan(4_500);
  });

  it('says within the deadline that a frozen server did not answer, and goes on when it does', async () => {
    const store = await open({ deadlineMs: 300, pageDeadlineMs: 300, keepAliveMs: 200 });
    const stream = aStream();
    await surely(store, stream, 'no-stream', events(1));
    const thawed = server.freeze(4_000);
    const began = performance.now();
    const calls = [
      store.append(stream, 0, events(1)),
      store.head(),
      collect(store.readStream(stream)),
      collect(store.readAll()),
    ];
    for (const { status, ...outcome } of await Promise.allSettled(calls)) {
      expect(status).toBe('rejected');
      expect((outcome as { reason: unknown }).reason).toBeInstanceOf(StoreUnavailable);
    }
    expect(performance.now() - began).toBeLessThan(3_900);
    await thawed;
    expect(await surely(store, aStream(), 'no-stream', events(1))).toMatchObject({ kind: 'appended' });
  });

  it('keeps a feed and its appends whole over servers that are killed and started again', async () => {
    const troubles: string[] = [];
    const store = await open({ deadlineMs: 1_000, onTrouble: (sentence) => troubles.push(sentence) });
    const feed = take(
      store.subscribeToAll({ signal: ending.signal }),
      (seen) => eventsOf(seen).length === 120,
    );
    const writing = Promise.all(
      Array.from({ length: 4 }, async () => {
        const stream = aStream();
        for (let next = 0; next < 30; next++) {
          const outcome = await surely(store, stream, next === 0 ? 'no-stream' : next - 1, events(1));
          expect(appended(outcome).revision).toBe(next);
          await sleep(10);
        }
      }),
    );
    for (let kill = 0; kill < 2; kill++) {
      await sleep(150);
      await server.kill();
      await sleep(100);
      await restart();
    }
    await writing;
    const all = await collect(store.readAll());
    expect(all).toHaveLength(120);
    expect(eventsOf(await feed)).toEqual(all);
    expect(troubles.length).toBeGreaterThan(0);
  });

  it('is back within seconds after a long outage, having said what was wrong meanwhile', async () => {
    const troubles: string[] = [];
    const store = await open({ deadlineMs: 500, onTrouble: (sentence) => troubles.push(sentence) });
    const stream = aStream();
    const items = store.subscribeToAll({ signal: ending.signal })[Symbol.asyncIterator]();
    expect(await items.next()).toMatchObject({ value: { kind: 'live' } });
    const waiting = items.next();
    await server.kill();
    // Long enough for a connection's own pauses to have grown.
    const until = performance.now() + 12_000;
    let said = '';
    while (performance.now() < until) {
      const failure = await store.append(stream, 'no-stream', [event()]).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreUnavailable);
      said = (failure as Error).message;
      await sleep(200);
    }
    expect(said).toMatch(/Nothing listens at .* is EventStoreDB running there\?/);
    await restart();
    const began = performance.now();
    await surely(store, stream, 'no-stream', events(1));
    expect(await waiting).toMatchObject({ value: { kind: 'event' } });
    expect(performance.now() - began).toBeLessThan(4_000);
    expect(troubles.at(-1)).toMatch(/The live feed broke off and is taken up again\. Nothing listens at /);
  });

  it('notices a frozen server under a feed, and says so', async () => {
    const troubles: string[] = [];
    const store = await open({
      keepAliveMs: 300,
      pageDeadlineMs: 500,
      onTrouble: (sentence) => troubles.push(sentence),
    });
    const feed = take(store.subscribeToAll({ signal: ending.signal }), (seen) => eventsOf(seen).length === 2);
    await surely(store, aStream(), 'no-stream', events(1));
    await server.freeze(2_000);
    await surely(store, aStream(), 'no-stream', events(1));
    expect(eventsOf(await feed)).toHaveLength(2);
    expect(troubles[0]).toMatch(/no longer answers|did not answer|broke off|cannot be reached/);
  });

  it('ends feeds and refuses calls at once when it is closed while the server is away', async () => {
    const store = await open();
    const feed = collect(store.subscribeToAll({ signal: ending.signal }));
    const ended = expect(feed).rejects.toThrow(/was closed/);
    await server.kill();
    const closing = store.close();
    await expect(store.append(aStream(), 'no-stream', events(1))).rejects.toThrow(/was closed/);
    await expect(collect(store.readAll())).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.head()).rejects.toBeInstanceOf(StoreUnavailable);
    await Promise.all([closing, ended]);
  });

  it('ends a feed by its signal while the server is away', async () => {
    const store = await open();
    const feed = collect(store.subscribeToAll({ signal: ending.signal }));
    await server.kill();
    await sleep(100);
    const began = performance.now();
    ending.abort();
    expect(await feed).toEqual([{ kind: 'live' }].slice(0, (await feed).length));
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('goes on by pages and a new subscription, if a subscription stays open and brings nothing', async () => {
    const told: string[] = [];
    const store = await open({ silentMs: 400, onTrouble: (sentence) => told.push(sentence) });
    const writer = await open();
    const stream = aStream();
    const { signal } = ending;
    await surely(writer, stream, 'no-stream', events(1));
    const watching = take(store.subscribeToAll({ signal }), (seen) => eventsOf(seen).length >= 4);
    await sleep(300);
    await server.admin.change({ muted: true });
    await surely(writer, stream, 0, events(2));
    // The next subscription may be as mute: what comes meanwhile comes by pages.
    await sleep(1_500);
    await server.admin.change({ muted: false });
    await surely(writer, stream, 2, events(1));
    expect(eventsOf(await watching).map(({ revision }) => revision)).toEqual([0, 1, 2, 3]);
    expect(told.join()).toMatch(/brought nothing for 0\.4 s while the log went on/);
    expect(store.silentFeeds).toBeGreaterThan(0);
  });

  it('is not taken for silent while nobody appends, or others alone do', async () => {
    const store = await open({ silentMs: 200 });
    const { signal } = ending;
    const watching = take(store.subscribeToAll({ signal }), (seen) => eventsOf(seen).length >= 1);
    await sleep(700);
    await server.admin.writeSystemEvents(200);
    await sleep(700);
    await surely(store, aStream(), 'no-stream', events(1));
    await watching;
    expect(store.silentFeeds).toBe(0);
  });

  it.each(['follower', 'random'])(
    'goes to the leader whatever node the URL prefers (%s), and waits while there is none',
    async (preference) => {
      const store = await untilAnswered(() =>
        openEventStoreDb(`${server.url}&nodePreference=${preference}`, { deadlineMs: 15_000 }),
      );
      stores.push(store);
      const stream = aStream();
      await surely(store, stream, 'no-stream', events(1));
      // As during an election: no node answers calls that need the leader. One call at a time: a client that changes to
      // another node ends its other calls.
      const elected = async <T>(call: () => Promise<T>): Promise<T> => {
        await server.admin.change({ leader: { host: '127.0.0.1', port: server.port } });
        const called = call();
        await sleep(700);
        await server.admin.change({ leader: null });
        return called;
      };
      expect(await elected(() => collect(store.readStream(stream)))).toHaveLength(1);
      expect(await elected(() => store.head())).not.toBe('');
      const outcome = await elected(() => store.append(aStream(), 'no-stream', events(1)));
      expect(appended(outcome).revision).toBe(0);
    },
  );

  it('waits for a server that begins again, if it is told to be patient: an operator’s command', async () => {
    const store = await open({ patient: true, deadlineMs: 20_000 });
    const stream = aStream();
    await surely(store, stream, 'no-stream', events(1));
    await server.kill();
    const commands = Promise.all([
      collect(store.readStream(stream)),
      store.append(aStream(), 'no-stream', events(1)),
      openEventStoreDb(server.url, { patient: true, deadlineMs: 20_000 }),
    ]);
    await sleep(1_500);
    await restart();
    const [read, outcome, opened] = await commands;
    stores.push(opened);
    expect(read).toHaveLength(1);
    expect(appended(outcome).revision).toBe(0);
  });
});
