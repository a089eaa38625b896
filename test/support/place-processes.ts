import type { Place } from './same-folder.js';
import { type Ended, type Service, spawnService, type Spawned } from './service.js';

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

/** @param apart views are fed by a process of their own; the place's environment must say so too */
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
