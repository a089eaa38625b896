import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { START, type Position } from '../src/core/event-store.js';
import { lowest, positionsOf } from '../src/engine/generations/generations.js';
import { openEventStoreDb } from '../src/stores/eventstoredb/open.js';
import { openMongoReadStore } from '../src/stores/mongodb/views/open.js';
import type { ReadStore } from '../src/stores/read-store.js';
import { startEventStoreServer } from '../test/support/eventstoredb/server.js';
import { missingForMongoServer, startMongoServer } from '../test/support/mongodb/server.js';
import { compare, median } from './support/measure.js';
import { answers, fillWithSessions, sessionsCodec } from './support/sessions.js';

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
  const pointer = await readStore.pointers.get(answers.name);
  return pointer === null ? START : lowest(await positionsOf(readStore, pointer.live));
};

const start = async ({ eventStore, mongodb }: Urls): Promise<ChildProcess> => {
  const child = fork(CHILD, { env: { ...process.env, EVENTSTORE_URL: eventStore, MONGODB_URL: mongodb } });
  await once(child, 'message');
  return child;
};

/** What a projector did with its time, in milliseconds. */
interface Spent {
  readonly active: number;
  readonly idle: number;
}

/** @returns events folded a second by so many projectors, and what they did with their time */
const fold = async (
  urls: Urls,
  head: Position,
  projectors: number,
): Promise<{ readonly rate: number; readonly spent: readonly Spent[] }> => {
  // An empty database: every run folds from the first event on.
  const mongodb = `${urls.mongodb}/bench_${randomBytes(6).toString('hex')}`;
  const readStore = await openMongoReadStore(mongodb);
  const children = await Promise.all(Array.from({ length: projectors }, () => start({ ...urls, mongodb })));
  const began = performance.now();
  for (const child of children) child.send('go');
  while ((await slowest(readStore)) < head) await sleep(10);
  const rate = (EVENTS / (performance.now() - began)) * 1_000;
  const spent = await Promise.all(
    children.map(async (child) => {
      const answer = once(child, 'message') as Promise<[Spent]>;
      const exit = once(child, 'exit');
      child.send('stop');
      const [own] = await answer;
      await exit;
      return own;
    }),
  );
  await readStore.close();
  return { rate, spent };
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
  const times: Record<'one' | 'two', Spent[]> = { one: [], two: [] };
  const side = (projectors: number, into: Spent[]) => async () => {
    const { rate, spent } = await fold(urls, head, projectors);
    into.push(...spent);
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
      sides: { baseline: side(1, times.one), ours: side(2, times.two) },
    });
    const share = (spent: readonly Spent[]) =>
      `${Math.round(median(spent.map(({ active, idle }) => idle / (active + idle))) * 100)} %`;
    const work = (spent: readonly Spent[]) => median(spent.map(({ active }) => active));
    console.log(
      `  Of their time the projectors waited for servers: one ${share(times.one)}, two ${share(times.two)} each. ` +
        `One worked ${Math.round(work(times.one))} ms, each of two ${Math.round(work(times.two))} ms: ` +
        `with a core for each that is ${(work(times.one) / work(times.two)).toFixed(2)} x as fast` +
        `${enough ? '' : ` (here are ${availableParallelism()} cores for ${CORES} processes)`}.`,
    );
    if (result.passed === false) process.exitCode = 1;
  } finally {
    await log.close();
    await eventServer.stop();
    await mongoServer.stop();
  }
}
