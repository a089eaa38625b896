import { readFileSync } from 'node:fs';
import { OperatorRequests } from '../../src/operator/cli/requests.js';
import { readConfiguration } from '../../src/process/config.js';
import { openStores, type Stores } from '../../src/process/stores.js';
import { Api } from '../support/api.js';
import { freePort } from '../support/free-port.js';
import { makePlace, type Place } from '../support/place.js';
import { type Ended, type Service, spawnService, type Spawned } from '../support/service.js';
import { KnownOrganisation, type OrganisationSize } from './rebuild-organisation.js';

export type Victims = 'all' | 'builder' | 'parent';

/**
 * A place whose views are rebuilt while its processes are killed: a service with a child that builds, or a service and
 * a projector that builds. The test opens its stores, too.
 */
export class RebuildPlace {
  #service: Service;
  #projector: Spawned | null;

  private constructor(
    readonly place: Place,
    readonly stores: Stores,
    readonly requests: OperatorRequests,
    readonly organisation: KnownOrganisation,
    service: Service,
    projector: Spawned | null,
  ) {
    this.#service = service;
    this.#projector = projector;
  }

  /** @param apart views are fed and built by a projector of its own */
  static async open(
    size: OrganisationSize,
    { apart, env = {} }: { readonly apart: boolean; readonly env?: Readonly<Record<string, string>> },
  ): Promise<RebuildPlace> {
    const place = await makePlace({ ...env, ...(apart && { PROJECTOR: 'off' }) });
    const projector = apart ? await spawnProjector(place) : null;
    const service = await place.start();
    const organisation = await KnownOrganisation.create(new Api(service.url), place.dataDir, 'example');
    await organisation.fill(size);
    const stores = await openStores(readConfiguration({ DATA_DIR: place.dataDir }));
    const requests = new OperatorRequests(stores.streams);
    return new RebuildPlace(place, stores, requests, organisation, service, projector);
  }

  /** The settings with which the stores are opened. */
  get settings(): Readonly<Record<string, string>> {
    return { DATA_DIR: this.place.dataDir };
  }

  /** The process id of the service. */
  get service(): number {
    return this.#service.pid;
  }

  get apart(): boolean {
    return this.#projector !== null;
  }

  /** The output of the running processes. */
  output(): string {
    return this.#service.output() + (this.#projector?.output() ?? '');
  }

  /** The id of the building process; `null`: there is none. With a projector apart it is the projector. */
  builder(): number | null {
    if (this.#projector !== null) return this.#projector.child.pid ?? null;
    return childrenOf(this.#service.pid).find((pid) => commandOf(pid).includes('build-worker.js')) ?? null;
  }

  /**
   * Sends SIGKILL to the building process, to the process that started it, or to both.
   * @returns those that were killed
   */
  kill(victims: Victims): readonly number[] {
    const builder = this.builder();
    const parent = this.apart ? null : this.#service.pid;
    const wanted = [victims === 'parent' ? null : builder, victims === 'builder' && builder ? null : parent];
    const killed = (this.apart ? [builder] : wanted).filter((pid) => pid !== null);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    return killed;
  }

  /** Starts the killed processes again that the test had started. The service starts its own child. */
  async restart(): Promise<void> {
    if (this.#projector !== null && isGone(this.#projector.child.pid ?? 0)) {
      await this.#projector.ended;
      this.#projector = await spawnProjector(this.place);
    }
    if (isGone(this.#service.pid)) {
      await this.#service.kill();
      this.#service = await this.place.start();
    }
  }

  async stop(): Promise<readonly Ended[]> {
    const ended = [await this.#service.stop()];
    if (this.#projector !== null) ended.push(await this.#projector.stop());
    return ended;
  }

  async remove(): Promise<void> {
    await this.stores.close();
    await this.#projector?.kill();
    await this.#service.kill();
    await this.place.remove();
  }
}

const spawnProjector = async ({ dataDir, env }: Place): Promise<Spawned> => {
  const HEALTH_PORT = `${await freePort()}`;
  return spawnService(dataDir, {
    entry: 'bin/projector.js',
    env: { ...env, PROJECTOR: 'embedded', HEALTH_PORT },
  });
};

const fileOf = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};

const childrenOf = (pid: number): readonly number[] =>
  fileOf(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);

const commandOf = (pid: number): string => fileOf(pid, 'cmdline').replaceAll('\0', ' ');

/** Whether a process has ended, even if its parent has not waited for it yet. */
export const isGone = (pid: number): boolean => /^(?:.*\) [ZX] |$)/s.test(fileOf(pid, 'stat'));
