import { EventStoreDBClient, excludeSystemEvents, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import type { EncodedEvent, EventStore, StreamName } from '../src/core/event-store.js';
import { openEventStoreDb } from '../src/stores/eventstoredb/open.js';
import { startEventStoreServer } from '../test/support/eventstoredb/server.js';
import { closedLoop } from './support/closed-loop.js';
import { compare } from './support/measure.js';

/** Appends to one stream before a writer takes the next. */
const STREAM_LENGTH = 20;
const APPENDS: readonly { readonly writers: number; readonly appends: number }[] = [
  { writers: 1, appends: 500 },
  { writers: 64, appends: 6_000 },
];
/** Smallest ratio ours / baseline that passes. */
const MIN_RATIO = 0.8;
const CATCH_UP_EVENTS = 60_000;
/** Events of one append while the log is filled. */
const BATCH = 200;

const type = 'trial.activity_recorded';
const metadata = { schemaVersion: 1, note: 'm'.repeat(200) };
const encodedMetadata = Buffer.from(JSON.stringify(metadata));
const activity = () => ({ clientEventId: randomUUID(), payload: 'x'.repeat(220) });

const event = (): EncodedEvent => ({
  id: randomUUID(),
  type,
  data: Buffer.from(JSON.stringify(activity())),
  metadata: encodedMetadata,
});

const clientEvent = () => jsonEvent({ id: randomUUID(), type, data: activity(), metadata });

/** What makes the client take its unary path; a server without users ignores it. */
const credentials = { username: 'bench', password: 'bench' };

const names = (): ((writer: number, turn: number) => StreamName) => {
  const run = randomUUID();
  return (writer, turn) => `trial-${run}-${writer}-${Math.floor(turn / STREAM_LENGTH)}` as StreamName;
};

const bareAppends = (client: EventStoreDBClient, writers: number, appends: number) => () => {
  const stream = names();
  return closedLoop(writers, appends, async (writer, turn) => {
    const at = turn % STREAM_LENGTH;
    await client.appendToStream(stream(writer, turn), clientEvent(), {
      expectedRevision: at === 0 ? NO_STREAM : BigInt(at - 1),
      credentials,
    });
  });
};

const ourAppends = (store: EventStore, writers: number, appends: number) => () => {
  const stream = names();
  return closedLoop(writers, appends, async (writer, turn) => {
    const at = turn % STREAM_LENGTH;
    const { kind } = await store.append(stream(writer, turn), at === 0 ? 'no-stream' : at - 1, [event()]);
    if (kind !== 'appended')
      throw new Error('The log refused an append to a stream that has no other writer.');
  });
};

/** @returns events a second */
const timed = async (events: number, read: (enough: () => boolean) => Promise<void>): Promise<number> => {
  let seen = 0;
  const start = performance.now();
  await read(() => ++seen >= events);
  return (events / (performance.now() - start)) * 1_000;
};

const bareCatchUp = (client: EventStoreDBClient) => () =>
  timed(CATCH_UP_EVENTS, async (enough) => {
    const subscription = client.subscribeToAll({
      fromPosition: START,
      filter: excludeSystemEvents({ maxSearchWindow: 1_000 }),
      credentials,
    });
    for await (const resolved of subscription) {
      // Both sides read each event's data.
      if (resolved.event?.data === undefined) throw new Error('No data came.');
      if (enough()) break;
    }
    await subscription.unsubscribe();
  });

const ourCatchUp = (store: EventStore) => () =>
  timed(CATCH_UP_EVENTS, async (enough) => {
    const ending = new AbortController();
    for await (const item of store.subscribeToAll({ signal: ending.signal })) {
      if (item.kind !== 'event') continue;
      if (item.event.data.length === 0) throw new Error('No data came.');
      if (enough()) break;
    }
    ending.abort();
  });

const fill = async (store: EventStore): Promise<void> => {
  const stream = names();
  await closedLoop(4, Math.ceil(CATCH_UP_EVENTS / BATCH), async (writer, turn) => {
    const name = stream(writer, turn * STREAM_LENGTH);
    await store.append(name, 'no-stream', Array.from({ length: BATCH }, event));
  });
};

/** Appends and catch-up over EventStoreDB's protocol: against the bare client on the same path. */
export async function run(): Promise<void> {
  // A server of its own, so that both sides read the same events and no others.
  const server = await startEventStoreServer();
  const store = await openEventStoreDb(server.url);
  const client = EventStoreDBClient.connectionString(server.url);
  const packages = ['@eventstore/db-client', '@grpc/grpc-js'];
  try {
    for (const { writers, appends } of APPENDS) {
      const result = await compare({
        name: `append, EventStoreDB, ${writers} in flight`,
        unit: 'appends/s',
        baseline: 'the bare client, unary',
        bar: MIN_RATIO,
        packages,
        sides: {
          baseline: bareAppends(client, writers, appends),
          ours: ourAppends(store, writers, appends),
        },
      });
      if (result.passed === false) process.exitCode = 1;
    }
    await fill(store);
    const result = await compare({
      name: 'catch-up, EventStoreDB',
      unit: 'events/s',
      baseline: 'the bare client, subscribeToAll',
      bar: MIN_RATIO,
      packages,
      sides: { baseline: bareCatchUp(client), ours: ourCatchUp(store) },
    });
    if (result.passed === false) process.exitCode = 1;
  } finally {
    await store.close();
    await client.dispose();
    await server.stop();
  }
}
