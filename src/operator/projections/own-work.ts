import type { PolledViews } from '../../engine/feeding/runner.js';
import type { EngineLog } from '../../engine/log.js';
import { Members } from '../../engine/ownership/members.js';
import { LEASE_TIMINGS } from '../../engine/ownership/presence.js';
import { type BuildWorker, hasBuildWork, startBuildWorker } from '../../process/build-worker.js';
import { isGone } from '../../process/owner.js';
import type { ReadStore } from '../../stores/read-store.js';
import { OperatorError } from '../cli/program.js';
import type { Engine } from '../cli/stores.js';

/**
 * Whether any process feeds views. That a process of this machine has ended is found at once. A process of another machine
 * counts as alive until its lease has not changed for some seconds.
 */
export class Projectors {
  readonly #members: Members;

  /** @param now monotonic milliseconds */
  constructor(leases: ReadStore['leases'], now: () => number = () => performance.now()) {
    this.#members = new Members({ leases, owner: 'assay', deadMs: LEASE_TIMINGS.deadMs, isGone, now });
  }

  /** Call it again and again, less than two seconds apart. */
  async areAlive(): Promise<boolean> {
    await this.#members.poll();
    return this.#members.alive().length > 0;
  }
}

/** The work of projectors, done by this very process if none is alive. */
export class LocalBuildWorker {
  readonly #engine: Engine;
  readonly #log: EngineLog;
  #worker: BuildWorker | null = null;
  /** Since when it has found nothing to do. */
  #idleSince: number | null = null;

  constructor(engine: Engine, say: (line: string) => void) {
    this.#engine = engine;
    const warn = (fields: object, message: string): void => {
      const { reason } = fields as { readonly reason?: unknown };
      say(typeof reason === 'string' ? `${message} (${reason})` : message);
    };
    this.#log = { info: () => undefined, warn, error: warn };
  }

  get begun(): boolean {
    return this.#worker !== null;
  }

  begin(): void {
    const { configuration, stores } = this.#engine;
    const { segments, automatic, graceMs } = configuration;
    const onPoll = (polled: PolledViews): void => {
      this.#idleSince = hasBuildWork(polled, configuration) ? null : (this.#idleSince ?? performance.now());
    };
    const options = { segments, automatic, graceMs, log: this.#log, feeds: 'all' as const, onPoll };
    this.#worker = startBuildWorker(stores, options);
  }

  /** @throws {OperatorError} for a minute there was nothing that this process could do */
  assertNotInVain(): void {
    if (this.#idleSince !== null && performance.now() - this.#idleSince >= GIVE_UP_AFTER_MS)
      throw new OperatorError('It could not be carried out here: start a projector, which goes on with it.');
  }

  /** Ends after the work at hand. */
  async stop(): Promise<void> {
    await this.#worker?.stop();
  }
}

const GIVE_UP_AFTER_MS = 60_000;
