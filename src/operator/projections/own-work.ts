import { LEASE_TIMINGS } from '../../engine/ownership/presence.js';
import { Members } from '../../engine/ownership/members.js';
import type { ReadStore } from '../../stores/read-store.js';
import { isGone } from '../../process/owner.js';
import { runBuildWorker } from '../../process/build-worker.js';
import { Unavailable } from '../../core/errors.js';
import { longLived } from '../../core/signals.js';
import type { EngineLog } from '../../engine/log.js';
import { reasonOf } from '../../engine/errors.js';
import type { Engine } from '../cli/stores.js';
import { OperatorError } from '../cli/program.js';

/**
 * Whether any process feeds views. One of this machine that runs no more is known at once; of any other it shows
 * only after some seconds of looking that it moves no more, and until then it counts as alive.
 */
export class Projectors {
  readonly #members: Members;

  /** @param now monotonic milliseconds */
  constructor(leases: ReadStore['leases'], now: () => number = () => performance.now()) {
    this.#members = new Members({ leases, owner: 'assay', deadMs: LEASE_TIMINGS.deadMs, isGone, now });
  }

  /** To be asked again and again, less than two seconds apart. */
  async areAlive(): Promise<boolean> {
    await this.#members.look();
    return this.#members.alive().length > 0;
  }
}

/** The work of projectors, done by this very process where none is alive. */
export class LocalBuildWorker {
  readonly #abort = longLived();
  readonly #engine: Engine;
  readonly #log: EngineLog;
  #running: Promise<void> | null = null;
  #failed: Error | null = null;
  #begun = 0;

  constructor(engine: Engine, say: (line: string) => void) {
    this.#engine = engine;
    const warn = (fields: object, message: string): void => {
      const { reason } = fields as { readonly reason?: unknown };
      say(typeof reason === 'string' ? `${message} (${reason})` : message);
    };
    this.#log = { info: () => undefined, warn, error: warn };
  }

  get begun(): boolean {
    return this.#begun > 0;
  }

  /**
   * Begins, or begins again where nothing was left to do at the time.
   * @throws {OperatorError} there is something to do, and it is never found
   */
  keepUp(): void {
    if (this.#failed !== null) throw this.#failed;
    if (this.#running !== null) return;
    if (++this.#begun > MAX_BEGINNINGS)
      throw new OperatorError('It could not be carried out here: start a projector, which goes on with it.');
    const { configuration, stores } = this.#engine;
    const { segments, automatic, graceMs } = configuration;
    const options = { segments, automatic, graceMs, log: this.#log, feeds: 'all' as const };
    this.#running = runBuildWorker(stores, { ...options, signal: this.#abort.signal })
      .catch((error: unknown) => {
        if (error instanceof Unavailable)
          this.#log.warn({ reason: reasonOf(error) }, 'A store does not answer.');
        else this.#failed = error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => (this.#running = null));
  }

  /** Ends after the work at hand. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }
}

const MAX_BEGINNINGS = 20;
