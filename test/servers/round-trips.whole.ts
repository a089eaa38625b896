import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { activityBatch, BATCH } from '../../bench/support/activities.js';
import {
  type CountingProxy,
  http2Calls,
  mongodbCommands,
  openCountingProxy,
} from '../../bench/support/counting-proxy.js';
import { Api, type Person } from '../support/api.js';
import { missingForMongoServer } from '../support/mongodb/server.js';
import { createOrganisation, definition, invite } from '../support/organisation.js';
import { type Service, startService } from '../support/service.js';
import { type Servers, startServers } from './both.js';

/** Requests in a count. With so many, additional background calls stay below the fractions of `MAX`. */
const REQUESTS = 80;
/** Time in which the views fold what a request wrote, on most machines. */
const PAUSE_MS = 100;
/** Time until the views have the last request's events and the process is idle again. */
const SETTLE_MS = 3_000;
/** Time over which the commands of an idle process are counted. */
const IDLE_MS = 10_000;
/** Number of tries. A busy machine adds commands, but not in every try: one try within the limits is enough. */
const COUNTS = 3;

/**
 * The most commands to each store that a request may cost, including all views that fold its events, for any number of
 * views and segments. The fractions leave room for background calls.
 */
const MAX = {
  'PATCH role': { eventStore: 2.2, mongodb: 6 },
  'activity batch': { eventStore: 2.2, mongodb: 6 },
  'GET signal': { eventStore: 0.5, mongodb: 2.1 },
} as const;

const lack = missingForMongoServer();

(lack === null ? describe : describe.skip)('round trips of a request on EventStoreDB and MongoDB', () => {
  let folder: string;
  let servers: Servers;
  let eventStore: CountingProxy;
  let mongodb: CountingProxy;
  let service: Service;
  let owner: Person;
  let organisation: string;
  let roleId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-round-trips-'));
    servers = await startServers({ dataDir: join(folder, 'servers'), eventStore: {}, mongo: {} });
    eventStore = await openCountingProxy(servers.eventStore!.port, http2Calls);
    mongodb = await openCountingProxy(servers.mongo!.port, mongodbCommands);
    const stores = {
      EVENTSTORE_URL: `esdb://127.0.0.1:${eventStore.port}?tls=false`,
      MONGODB_URL: `mongodb://127.0.0.1:${mongodb.port}/assay`,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    };
    service = await startService({ dataDir: join(folder, 'service'), env: stores });
    const email = 'owner@example.org';
    const id = await createOrganisation({ DATA_DIR: join(folder, 'service'), ...stores }, 'Example', email);
    owner = await new Api(service.url).as(email);
    await owner.get('/me');
    organisation = `/organisations/${id}`;
    roleId = (await owner.post<{ id: string }>(`${organisation}/roles`, definition())).body.id;
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([eventStore.close(), mongodb.close()]);
    await servers.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The number of commands to a store by name, since its proxy was opened. */
  const counts = () => ({ eventStore: new Map(eventStore.counts), mongodb: new Map(mongodb.counts) });

  /** Commands to each store for each request, without those of an idle process, by name. */
  const counted = async (
    send: (turn: number) => Promise<{ readonly status: number; readonly text: string }>,
  ) => {
    await sleep(SETTLE_MS);
    const idle = counts();
    await sleep(IDLE_MS);
    const before = counts();
    const began = performance.now();
    for (let turn = 0; turn < REQUESTS; turn++) {
      const { status, text } = await send(turn);
      if (status >= 300) throw new Error(text);
      // In sequence: requests that share commands would not show the cost of one.
      await sleep(PAUSE_MS);
    }
    await sleep(SETTLE_MS);
    const after = counts();
    const idles = (performance.now() - began) / IDLE_MS;
    const each = (store: 'eventStore' | 'mongodb'): Readonly<Record<string, number>> =>
      Object.fromEntries(
        [...after[store]].flatMap(([name, count]) => {
          const then = before[store].get(name) ?? 0;
          const background = (then - (idle[store].get(name) ?? 0)) * idles;
          const own = (count - then - background) / REQUESTS;
          return name !== 'ping' && own > 0.05 ? [[name, own]] : [];
        }),
      );
    return { eventStore: each('eventStore'), mongodb: each('mongodb') };
  };

  const sum = (commands: Readonly<Record<string, number>>): number =>
    Object.values(commands).reduce((total, count) => total + count, 0);

  /** Reports all counts in one expectation, so that a failure names the commands. */
  const expectAtMost = async (
    most: { readonly eventStore: number; readonly mongodb: number },
    /** The requests of one count, different from those of every other count. */
    sending: (count: number) => Promise<Parameters<typeof counted>[0]>,
  ): Promise<void> => {
    const found: Awaited<ReturnType<typeof counted>>[] = [];
    const fits = ({ eventStore: calls, mongodb: commands }: (typeof found)[number]): boolean =>
      sum(calls) <= most.eventStore && sum(commands) <= most.mongodb;
    while (found.length < COUNTS && !found.some(fits)) found.push(await counted(await sending(found.length)));
    expect(found.some(fits) ? null : found).toBeNull();
  };

  it('sends no more for a changed role', async () => {
    await expectAtMost(
      MAX['PATCH role'],
      async (count) => (turn) =>
        owner.api.send('PATCH', `${organisation}/roles/${roleId}`, {
          token: owner.token,
          body: definition(`Role ${count}.${turn}`),
        }),
    );
  });

  it(`sends no more for ${BATCH} activities`, async () => {
    // Each count in a session of its own: one may not hold two counts of them.
    await expectAtMost(MAX['activity batch'], async (count) => {
      const email = `candidate-${count}@example.org`;
      const { sessionId } = await invite(owner, organisation.split('/')[2]!, roleId, email);
      const candidate = await owner.api.as(email);
      candidate.follow(owner);
      await candidate.get('/me');
      await candidate.post(`/trial-sessions/${sessionId}/start`, { consent: true });
      return (turn) =>
        owner.api.send('POST', `/trial-sessions/${sessionId}/activity`, {
          token: candidate.token,
          body: activityBatch(turn),
        });
    });
  });

  it('sends no more for a read of the signal', async () => {
    await expectAtMost(
      MAX['GET signal'],
      async () => () => owner.api.send('GET', `${organisation}/signal`, { token: owner.token }),
    );
  });
});
