import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { type Service, startService, type Ended, spawnService, type Spawned } from './service.js';

/** A data folder on which a service is started again and again, at one address, as an operator would. */
export interface Place {
  readonly dataDir: string;
  readonly url: string;
  /** Environment of every start. */
  readonly env: Readonly<Record<string, string>>;
  start(): Promise<Service>;
  remove(): Promise<void>;
}

/** Makes a data folder with an address; `remove` removes it. @param extra settings of every start */
export const makePlace = async (extra: Readonly<Record<string, string>> = {}): Promise<Place> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-place-'));
  const port = await freePort();
  const env = { PORT: `${port}`, LOG_LEVEL: 'warn', RATE_LIMITS: 'off', ...extra };
  return {
    dataDir,
    url: `http://127.0.0.1:${port}`,
    env,
    start: () => startService({ dataDir, env }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
};

/** The processes that serve one place: the service, and the projector where it runs apart. */
interface Processes {
  /** SIGKILL, then a new one; resolves once that is ready. */
  crashService(): Promise<void>;
  crashProjector(): Promise<void>;
  /** SIGTERM to all. */
  stop(): Promise<readonly Ended[]>;
  /** Leaves no process behind. */
  kill(): Promise<void>;
}

/** Starts a place's processes; stop or kill them. @param apart views are fed by a process of their own; the place's environment must say so too */
export const serve = async (place: Place, apart = false): Promise<Processes> => {
  const project = (): Spawned => spawnService(place.dataDir, { entry: 'bin/projector.js', env: place.env });
  let projector = apart ? project() : null;
  let service: Service = await place.start();
  return {
    crashService: async () => {
      await service.kill();
      service = await place.start();
    },
    crashProjector: async () => {
      await projector?.kill();
      projector = project();
    },
    stop: async () => {
      const ended = [await service.stop()];
      if (projector) ended.push(await projector.stop());
      return ended;
    },
    kill: async () => {
      await projector?.kill();
      await service.kill();
    },
  };
};
