import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { type Service, startService, type Ended, spawnService, type Spawned } from './service.js';

/** A data folder with a fixed address, on which a test starts a service several times. */
export interface Place {
  readonly dataDir: string;
  readonly url: string;
  /** The environment of every start. */
  readonly env: Readonly<Record<string, string>>;
  start(): Promise<Service>;
  remove(): Promise<void>;
}

/** Makes a data folder with a fixed address. Remove it. @param extra further settings of every start */
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

/** The processes of a place: the service, and the projector if it runs apart. */
interface Processes {
  /** SIGKILL, then a new process. Resolves once that is ready. */
  crashService(): Promise<void>;
  crashProjector(): Promise<void>;
  /** Ends all by SIGTERM. @returns how they ended */
  stop(): Promise<readonly Ended[]>;
  /** Ends all by SIGKILL. */
  kill(): Promise<void>;
}

/**
 * Starts a place's processes. Stop or kill them.
 * @param apart whether a process of its own feeds the views; the place's environment must be set accordingly
 */
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
