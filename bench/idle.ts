import { setTimeout as sleep } from 'node:timers/promises';
import { startServers } from '../test/servers/both.js';
import { missingForMongoServer } from '../test/support/mongodb/server.js';
import { activityOf } from './support/activity.js';
import {
  type CountingProxy,
  http2Calls,
  mongodbCommands,
  openCountingProxy,
} from './support/counting-proxy.js';
import { inFolder } from './support/folder.js';
import { makeOrganisation } from './support/hiring.js';
import { versions } from './support/measure.js';
import { type Server, startProjector, startService, stopAfter } from './support/servers.js';

/** Wait after a start: sweeps run, and V8 returns memory for most of a minute. */
const SETTLE_MS = 60_000;
/** The longest interval at which an idle process reads anything, so that each read counts once. */
const SECONDS = 60;
const ROLES = 3;

/**
 * Settings of an API process beside a projector. The projector sends the mails; with the development outbox the API
 * would.
 */
const APART = { PROJECTOR: 'off', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'jobs@example.org' };

interface Bars {
  /** Per cent of a core. */
  readonly processor: number;
  /** Wake-ups a second. */
  readonly wakeUps: number | null;
  /** Commands a second, to each store. */
  readonly commands: number | null;
}

const EMBEDDED: Bars = { processor: 0.5, wakeUps: 20, commands: null };
const ON_SERVERS: Bars = { processor: 1, wakeUps: null, commands: 3 };

interface Idling {
  readonly name: string;
  readonly server: Server;
  readonly bars: Bars;
  /** The proxy before each store. */
  readonly proxies?: Readonly<Record<string, CountingProxy>>;
}

/** Figures a second, by name. */
type Rates = Readonly<Record<string, number>>;

const countsOf = ({ proxies = {} }: Idling): Readonly<Record<string, ReadonlyMap<string, number>>> =>
  Object.fromEntries(Object.entries(proxies).map(([store, { counts }]) => [store, new Map(counts)]));

const ratesBetween = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Rates =>
  Object.fromEntries(
    [...after]
      .map(([name, count]) => [name, (count - (before.get(name) ?? 0)) / SECONDS] as const)
      .filter(([, rate]) => rate > 0),
  );

const sum = (rates: Rates): number => Object.values(rates).reduce((total, rate) => total + rate, 0);

/** Prints a figure beside its bar. @returns whether it was reached */
const shown = (what: string, figure: number, unit: string, bar: number | null): boolean => {
  const passed = bar === null || figure <= bar;
  const verdict = bar === null ? '' : `, bar ${bar} ${passed ? 'reached' : 'MISSED'}`;
  console.log(`  ${what}: ${figure.toFixed(2)} ${unit}${verdict}`);
  return passed;
};

/** Measures idle processes, all over the same time. */
const measure = async (processes: readonly Idling[]): Promise<void> => {
  await sleep(SETTLE_MS);
  const before = processes.map((one) => ({ ...activityOf(one.server.pid), counts: countsOf(one) }));
  await sleep(SECONDS * 1_000);
  const after = processes.map((one) => ({ ...activityOf(one.server.pid), counts: countsOf(one) }));
  processes.forEach(({ name, bars }, index) => {
    const [from, to] = [before[index], after[index]];
    if (from === undefined || to === undefined) return;
    const processor = (to.processorMs - from.processorMs) / (SECONDS * 10);
    const wakeUps = (to.wakeUps - from.wakeUps) / SECONDS;
    console.log(`\nidle, ${name}, over ${SECONDS} s`);
    const passed = [
      shown('processor', processor, '% of a core', bars.processor),
      shown('wake-ups', wakeUps, '/s', bars.wakeUps),
    ];
    const stores: Record<string, Rates> = {};
    for (const [store, counts] of Object.entries(to.counts)) {
      const rates = ratesBetween(from.counts[store] ?? new Map<string, number>(), counts);
      stores[store] = rates;
      const named = Object.entries(rates).map(([command, rate]) => `${command} ${rate.toFixed(2)}`);
      passed.push(shown(`to ${store}`, sum(rates), `commands/s (${named.join(', ')})`, bars.commands));
    }
    console.log(
      JSON.stringify({ name: `idle, ${name}`, processor, wakeUps, stores, bars, versions: versions([]) }),
    );
    if (passed.includes(false)) process.exitCode = 1;
  });
};

const embedded = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const server = started(await startService(`${folder}/service`));
      await makeOrganisation(server.url, `${folder}/service`, ROLES);
      await measure([{ name: 'embedded, one process', server, bars: EMBEDDED }]);
    }),
  );

const embeddedApart = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const data = `${folder}/service`;
      const projector = started(await startProjector(data));
      const api = started(await startService(data, APART));
      await makeOrganisation(api.url, data, ROLES);
      await measure([
        { name: 'embedded, API', server: api, bars: EMBEDDED },
        { name: 'embedded, projector', server: projector, bars: EMBEDDED },
      ]);
    }),
  );

const onServers = (apart: boolean): Promise<void> =>
  inFolder(async (folder) => {
    const servers = await startServers({ dataDir: `${folder}/servers`, eventStore: {}, mongo: {} });
    const open: CountingProxy[] = [];
    const through = async (): Promise<{
      readonly proxies: Readonly<Record<string, CountingProxy>>;
      readonly env: Readonly<Record<string, string>>;
    }> => {
      const log = await openCountingProxy(servers.eventStore?.port ?? 0, http2Calls);
      const views = await openCountingProxy(servers.mongo?.port ?? 0, mongodbCommands);
      open.push(log, views);
      return {
        proxies: { EventStoreDB: log, MongoDB: views },
        env: {
          EVENTSTORE_URL: `esdb://127.0.0.1:${log.port}?tls=false`,
          MONGODB_URL: `mongodb://127.0.0.1:${views.port}/assay`,
        },
      };
    };
    try {
      await stopAfter(async (started) => {
        const [one, other] = [await through(), await through()];
        const data = `${folder}/service`;
        const bars = ON_SERVERS;
        const env = { ...one.env, ...(apart && APART) };
        const projector = apart ? started(await startProjector(data, other.env)) : null;
        const server = started(await startService(data, env));
        await makeOrganisation(server.url, data, ROLES, env);
        const api = { name: apart ? 'on servers, API' : 'on servers, one process', server, bars };
        await measure([
          { ...api, proxies: one.proxies },
          ...(projector
            ? [{ name: 'on servers, projector', server: projector, bars, proxies: other.proxies }]
            : []),
        ]);
      });
    } finally {
      await Promise.all(open.map((proxy) => proxy.close()));
      await servers.stop();
    }
  });

/** What idle processes do, against a peer that only sleeps. */
export const run = async (): Promise<void> => {
  await embedded();
  await embeddedApart();
  const lack = missingForMongoServer();
  if (lack !== null) {
    console.log(`idle on servers: not measured. ${lack}`);
    return;
  }
  await onServers(false);
  await onServers(true);
};
