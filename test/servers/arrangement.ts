import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEventStoreServer } from '../support/eventstoredb/server.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { freePort } from '../support/free-port.js';
import { serveIssuer } from '../support/issuer-server.js';
import { startMongoServer } from '../support/mongodb/server.js';
import { suspend } from '../support/server-process.js';
import { type Ended, type Service, spawnService, type Spawned, startService } from '../support/service.js';

/** A process that a test kills and starts again at the same address. */
interface Replaceable {
  readonly pid: number;
  /** SIGKILL, then a new process at the same address. Resolves once that is ready. */
  crash(): Promise<void>;
  /** SIGKILL; there is no new process before `start`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** SIGSTOP for so many milliseconds, then SIGCONT. */
  freeze(ms: number): Promise<void>;
}

/** A production deployment on this machine: servers, API processes and projectors. */
export interface Arrangement {
  /** The URLs of the API processes. */
  readonly urls: readonly string[];
  readonly apis: readonly Replaceable[];
  readonly projectors: readonly Replaceable[];
  readonly eventStore: Replaceable;
  readonly mongodb: Replaceable;
  /** The proxies between the service and the servers. */
  readonly proxies: { readonly eventStore: FaultProxy; readonly mongodb: FaultProxy };
  /** The environment of a process that connects to the servers without the proxies, for checks. */
  readonly direct: Readonly<Record<string, string>>;
  /** The output of all processes of the service, also of killed ones. */
  output(): string;
  /** SIGTERM to one of the API processes; there is no new one before `start`. */
  stopApi(index: number): Promise<Ended>;
  /** Ends the service's processes by SIGTERM. @returns their exit codes, APIs first */
  stopService(): Promise<readonly Ended[]>;
  /** Ends all processes and removes all files. */
  remove(): Promise<void>;
}

export interface ArrangementOptions {
  readonly apis?: number;
  readonly projectors?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Further settings, for the first API process and for the first projector only. */
  readonly firstApi?: Readonly<Record<string, string>>;
  readonly firstProjector?: Readonly<Record<string, string>>;
}

const replaceable = (start: () => Promise<{ readonly pid: number; kill(): Promise<unknown> }>) => {
  let running: { readonly pid: number; kill(): Promise<unknown> } | null = null;
  const self = {
    get pid() {
      // A signal to process 0 would go to the tests' own process group.
      if (!running) throw new Error('It does not run: its test before this one has not started it again.');
      return running.pid;
    },
    start: async () => {
      running = await start();
    },
    kill: async () => {
      await running?.kill();
      running = null;
    },
    crash: async () => {
      await self.kill();
      await self.start();
    },
    freeze: async (ms: number) => {
      const { pid } = self;
      await suspend(pid);
      await sleep(ms);
      process.kill(pid, 'SIGCONT');
    },
  };
  return self;
};

/** @throws if Java or Maven is missing: callers must check first */
export const arrange = async (options: ArrangementOptions = {}): Promise<Arrangement> => {
  const begun: (() => Promise<unknown>)[] = [];
  const remove = async (): Promise<void> => {
    for (const end of begun.splice(0).reverse()) await end();
  };
  try {
    return { ...(await begin(options, begun)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
};

/** @param begun receives a function that ends each part, as soon as that part is begun */
const begin = async (
  options: ArrangementOptions,
  begun: (() => Promise<unknown>)[],
): Promise<Omit<Arrangement, 'remove'>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-arranged-'));
  begun.push(() => rm(dataDir, { recursive: true, force: true }));
  const [eventStorePort, mongodbPort] = [await freePort(), await freePort()];
  const eventStore = replaceable(() =>
    startEventStoreServer({ dataDir: join(dataDir, 'events'), port: eventStorePort }),
  );
  const mongodb = replaceable(() =>
    startMongoServer({ dataDir: join(dataDir, 'documents'), port: mongodbPort }),
  );
  const servers = [eventStore.start(), mongodb.start()];
  begun.push(async () => {
    await Promise.allSettled(servers);
    await Promise.all([eventStore.kill(), mongodb.kill()]);
  });
  await Promise.all(servers);
  const proxies = {
    eventStore: await FaultProxy.open(eventStorePort),
    mongodb: await FaultProxy.open(mongodbPort),
  };
  begun.push(() => Promise.all([proxies.eventStore.close(), proxies.mongodb.close()]));
  await mkdir(join(dataDir, 'issuer'));
  const issuer = await serveIssuer(join(dataDir, 'issuer'));
  begun.push(() => issuer.stop());
  const common = {
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    DATA_DIR: dataDir,
    OIDC_ISSUER: `${issuer.url}/issuer`,
    OIDC_AUDIENCE: 'assay',
    // One address for all, as behind a load balancer: a command repeated at another process has the same answer.
    PUBLIC_URL: 'http://127.0.0.1:3000',
    ...options.env,
  };
  const addresses = (events: number, documents: number) => ({
    EVENTSTORE_URL: `esdb://127.0.0.1:${events}?tls=false`,
    MONGODB_URL: `mongodb://127.0.0.1:${documents}/assay`,
  });
  const env = { ...common, ...addresses(proxies.eventStore.port, proxies.mongodb.port) };
  const direct = { ...common, ...addresses(eventStorePort, mongodbPort) };

  const outputs: (() => string)[] = [];
  const services: (Service | null)[] = [];
  const workers: (Spawned | null)[] = [];
  const urls: string[] = [];
  const projectors = Array.from({ length: options.projectors ?? 2 }, (_, index) =>
    replaceable(async () => {
      const spawned = (workers[index] = spawnService(dataDir, {
        entry: 'bin/projector.js',
        env: { ...env, ...(index === 0 && options.firstProjector) },
      }));
      outputs.push(() => spawned.output());
      return {
        pid: spawned.child.pid ?? 0,
        kill: async () => {
          workers[index] = null;
          await spawned.kill();
        },
      };
    }),
  );
  for (const projector of projectors) {
    begun.push(() => projector.kill());
    await projector.start();
  }
  const apis: Replaceable[] = [];
  for (let index = 0; index < (options.apis ?? 2); index++) {
    const port = await freePort();
    urls.push(`http://127.0.0.1:${port}`);
    const api = replaceable(async () => {
      const service = await startService({
        dataDir,
        env: { ...env, PROJECTOR: 'off', PORT: `${port}`, ...(index === 0 && options.firstApi) },
      });
      services[index] = service;
      outputs.push(() => service.output());
      return {
        pid: service.pid,
        kill: () => {
          services[index] = null;
          return service.kill();
        },
      };
    });
    begun.push(() => api.kill());
    await api.start();
    apis.push(api);
  }

  const stopApi = async (index: number) => {
    const service = services[index];
    if (!service) throw new RangeError(`API process ${index} does not run.`);
    services[index] = null;
    return service.stop();
  };
  const stopService = async () => {
    const ended: Ended[] = [];
    for (const service of services.splice(0)) if (service) ended.push(await service.stop());
    for (const worker of workers.splice(0)) {
      if (worker) ended.push(await worker.stop());
    }
    return ended;
  };
  return {
    direct,
    urls,
    apis,
    projectors,
    eventStore,
    mongodb,
    proxies,
    output: () => outputs.map((output) => output()).join(''),
    stopApi,
    stopService,
  };
};
