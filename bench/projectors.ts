import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openEventStoreDb } from '../src/event-store/eventstoredb/open.js';
import { START, type Position } from '../src/event-store/port.js';
import { checkpointNames } from '../src/projection-engine/generations.js';
import { openMongoReadStore } from '../src/read-store/mongodb/open.js';
import type { ReadStore } from '../src/read-store/port.js';
import { startEventStoreServer } from '../test/support/eventstoredb/server.js';
import { missingForMongoServer, startMongoServer } from '../test/support/mongodb/server.js';
import { compare, median } from './support/measure.js';
import { fillWithSessions, sessions, sessionsCodec } from './support/sessions.js';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 20_000);
/** Two projectors, their two servers and this process: with fewer cores they wait for each other. */
const CORES = 5;
const CHILD = fileURLToPath(new URL('support/projector-child.js', import.meta.url));

interface Urls {
  readonly eventStore: string;
  readonly mongodb: string;
}

/** The slowest checkpoint of the view that serves. */
const slowest = async (readStore: ReadStore): Promise<Position> => {
  const generation = await readStore.pointers.get(sessions.name);
  if (generation === null) return START;
  const checkpoints = await Promise.all(
    checkpointNames(generation).map((name) => readStore.checkpoints.get(name)),
  );
  return checkpoints.map((one) => one?.position ?? START).reduce((a, b) => (a < b ? a : b));
};

const start = async ({ eventStore, mongodb }: Urls): Promise<ChildProcess> => {
  const child = fork(CHILD, { env: { ...process.env, EVENTSTORE_URL: eventStore, MONGODB_URL: mongodb } });
  await once(child, 'message');
  return child;
};

/** @returns events folded a second by so many projectors, and the mean share of their time that they waited */
const fold = async (
  urls: Urls,
  head: Position,
  projectors: number,
): Promise<{ readonly rate: number; readonly waiting: number }> => {
  // An empty database: every run folds from the first event on.
  const mongodb = `${urls.mongodb}/bench_${randomBytes(6).toString('hex')}`;
  const readStore = await openMongoReadStore(mongodb);
  const children = await Promise.all(Array.from({ length: projectors }, () => start({ ...urls, mongodb })));
  const began = performance.now();
  for (const child of children) child.send('go');
  while ((await slowest(readStore)) < head) await sleep(10);
  const rate = (EVENTS / (performance.now() - began)) * 1_000;
  const shares = await Promise.all(
    children.map(async (child) => {
      const answer = once(child, 'message') as Promise<[{ waiting: number }]>;
      const exit = once(child, 'exit');
      child.send('stop');
      const [{ waiting }] = await answer;
      await exit;
      return waiting;
    }),
  );
  await readStore.close();
  return { rate, waiting: median(shares) };
};

/** Two projectors on the two segments of a view, against one that has both. */
export async function run(): Promise<void> {
  const lack = missingForMongoServer();
  if (lack !== null) {
    console.log(`two projectors: not measured. ${lack}`);
    return;
  }
  const eventServer = await startEventStoreServer();
  const mongoServer = await startMongoServer();
  const urls = { eventStore: eventServer.url, mongodb: mongoServer.url };
  const log = await openEventStoreDb(urls.eventStore);
  const waits: Record<'one' | 'two', number[]> = { one: [], two: [] };
  const side = (projectors: number, shares: number[]) => async () => {
    const { rate, waiting } = await fold(urls, head, projectors);
    shares.push(waiting);
    return rate;
  };
  await fillWithSessions(log, sessionsCodec(), EVENTS);
  const head = await log.head();
  const enough = availableParallelism() >= CORES;
  try {
    const result = await compare({
      name: 'two projectors, two segments',
      unit: 'events/s',
      baseline: 'one projector with both segments',
      bar: enough ? 1.5 : null,
      packages: ['@eventstore/db-client', 'mongodb'],
      sides: { baseline: side(1, waits.one), ours: side(2, waits.two) },
    });
    const share = (shares: number[]) => `${Math.round(median(shares) * 100)} %`;
    console.log(
      `  Of their time the projectors waited for servers: one ${share(waits.one)}, two ${share(waits.two)} each` +
        `${enough ? '' : `; with ${availableParallelism()} cores for ${CORES} processes this says more than the ratio`}.`,
    );
    if (result.passed === false) process.exitCode = 1;
  } finally {
    await log.close();
    await eventServer.stop();
    await mongoServer.stop();
  }
}
