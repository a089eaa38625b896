import { setTimeout as sleep } from 'node:timers/promises';
import { startServers } from '../test/servers/both.js';
import { missingForMongoServer } from '../test/support/mongodb/server.js';
import { activityBatch, BATCH } from './support/activities.js';
import { activityOf } from './support/activity.js';
import { inFolder } from './support/folder.js';
import { definition, makeOrganisation, send } from './support/hiring.js';
import { type Candidate, makeCandidates } from './support/interview/candidates.js';
import { load } from './support/load.js';
import { compare, median, SETTLE_MS } from './support/measure.js';
import { type Server, startBareOnServers, startService, stopAfter } from './support/servers.js';
import { tokensLike } from './support/tokens.js';

const ROLES = 16;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
/** Batches in a round. */
const BATCHES = 64;
const BASELINE = 'bare Fastify on the drivers of both stores';
const PACKAGES = ['fastify', '@eventstore/db-client', 'mongodb', '@nestjs/core'];

type Name = 'baseline' | 'ours';
/** Gives how many requests it made, and their rate. */
type Work = () => Promise<readonly [number, number]>;

/** Processor time of both sides, in milliseconds a request, what follows it in the views included. */
class ProcessorTimes {
  private readonly each: Record<Name, number[]> = { baseline: [], ours: [] };

  /** @param work what is measured */
  async of(name: Name, { pid }: Server, work: Work): Promise<number> {
    const before = activityOf(pid).processorMs;
    const [requests, rate] = await work();
    await sleep(SETTLE_MS);
    this.each[name].push((activityOf(pid).processorMs - before) / requests);
    return rate;
  }

  print(): void {
    const [ours, baseline] = [median(this.each.ours), median(this.each.baseline)];
    const ratio = (baseline / ours).toFixed(2);
    console.log(
      `  processor: ours ${ours.toFixed(2)} ms a request, baseline ${baseline.toFixed(2)}: ${ratio} x`,
    );
  }
}

/**
 * Command, signal read and batches of activities on EventStoreDB and MongoDB, 16 at once: against a bare service that
 * reads, appends and writes the same documents in bulk. The stores are the tests' own servers, which need a processor
 * too: so the processor time of both services is printed beside their rates.
 */
export const run = async (): Promise<void> => {
  const lack = missingForMongoServer();
  if (lack !== null) {
    console.log(`\nNot measured on servers: ${lack}`);
    return;
  }
  await inFolder((folder) =>
    withStores(`${folder}/ours`, (own) =>
      withStores(`${folder}/bare`, (others) => stopAfter((started) => measure(folder, own, others, started))),
    ),
  );
};

/** The variables that name stores. */
type Stores = Readonly<Record<'EVENTSTORE_URL' | 'MONGODB_URL', string>>;

/** Each side has stores of its own, so that it does not read what the other side wrote. */
const withStores = async (dataDir: string, work: (stores: Stores) => Promise<void>): Promise<void> => {
  const servers = await startServers({ dataDir, eventStore: {}, mongo: {} });
  try {
    await work({ EVENTSTORE_URL: servers.eventStore?.url ?? '', MONGODB_URL: servers.mongo?.url ?? '' });
  } finally {
    await servers.stop();
  }
};

const measure = async (
  folder: string,
  own: Stores,
  others: Stores,
  started: (server: Server) => Server,
): Promise<void> => {
  const ours = started(await startService(`${folder}/service`, own));
  const { id, token, roleIds } = await makeOrganisation(ours.url, `${folder}/service`, ROLES, own);
  const tokens = await tokensLike(token, `${ours.url}/issuer/jwks`);
  const bare = started(await startBareOnServers(`${folder}/bare-service`, others, tokens));
  const bareRoles: string[] = [];
  for (let role = 0; role < ROLES; role++) {
    const made = await send(`${bare.url}/organisations/${id}/roles`, definition(`Role ${role}`, 60), token);
    bareRoles.push(made.id ?? '');
  }
  const authorization = { authorization: `Bearer ${token}` };

  /** @param prepared what is to be measured, once all that comes before is done */
  const rated = async (
    bar: number,
    name: string,
    prepared: (side: Name, server: Server) => Work | Promise<Work>,
  ) => {
    const times = new ProcessorTimes();
    const result = await compare({
      ...{
        name: `${name}, EventStoreDB and MongoDB, ${ROLES} at once`,
        baseline: BASELINE,
        bar,
        packages: PACKAGES,
      },
      unit: 'requests/s',
      sides: {
        baseline: async () => times.of('baseline', bare, await prepared('baseline', bare)),
        ours: async () => times.of('ours', ours, await prepared('ours', ours)),
      },
      warmUps: 2,
    });
    times.print();
    if (result.passed === false) process.exitCode = 1;
  };
  const common = { connections: ROLES, seconds: SECONDS, headers: authorization };

  let round = 0;
  await rated(0.8, 'command', (side, { url }) => async () => {
    round++;
    const ids = side === 'ours' ? roleIds : bareRoles;
    const rate = await load({
      ...{ ...common, url, method: 'PATCH' },
      next: (connection, turn) => ({
        path: `/organisations/${id}/roles/${ids[connection] ?? ''}`,
        body: JSON.stringify(definition(`Role ${connection} ${round}`, turn % 101)),
      }),
    });
    return [rate * SECONDS, rate];
  });

  await rated(0.6, 'signal read', (_, { url }) => async () => {
    const rate = await load({ ...common, url: `${url}/organisations/${id}/signal` });
    return [rate * SECONDS, rate];
  });

  const employer = { url: ours.url, id, token, roleId: roleIds[0] ?? '' };
  await rated(0.5, `batch of ${BATCH} activities`, async (side, { url }) => {
    const candidates = await makeCandidates(employer, `round-${round++}`, ROLES);
    const sessions = await Promise.all(
      candidates.map(async (candidate) => {
        if (side === 'ours') return candidate.sessionId;
        return (await send(`${url}/trial-sessions/of/${id}`, {}, candidate.token)).id;
      }),
    );
    await sleep(SETTLE_MS);
    return async () => {
      const rate = await load({
        ...{ url, connections: ROLES, seconds: 0, amount: BATCHES, method: 'POST' },
        next: (connection, turn) => ({
          path: `/trial-sessions/${sessions[connection] ?? ''}/activity`,
          body: activityBatch(turn),
          headers: { authorization: `Bearer ${(candidates[connection] as Candidate).token}` },
        }),
      });
      return [BATCHES, rate];
    };
  });
};
