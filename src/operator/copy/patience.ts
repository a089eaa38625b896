import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../core/errors.js';
import { joined } from '../../core/signals.js';
import { backoff } from '../../core/backoff.js';
import { VaultUnavailable } from '../../core/vault/port.js';
import { OperatorError } from '../cli/program.js';

/** How long a store may be away at a stretch before the copy is given up, in milliseconds. */
const PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export interface PatienceOptions {
  /** Ends every wait, and the copy. */
  readonly signal?: AbortSignal | undefined;
  readonly patienceMs?: number;
  /** Before the second try; doubled with each one after it. */
  readonly firstPauseMs?: number;
}

/** Waits for a store that is away, as often as that happens, but only so long at a stretch. */
export class Patience {
  constructor(private readonly options: PatienceOptions = {}) {}

  /** Tries until it succeeds. @param what the store's name at the beginning of a sentence */
  async persist<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    const tries = this.tries(what);
    for (;;) {
      this.assertWanted();
      try {
        return await attempt();
      } catch (error) {
        await tries.failed(error);
      }
    }
  }

  /** @param over ends a wait at once */
  tries(what: string, over?: AbortSignal): Tries {
    return new Tries(what, this.options, over);
  }

  /** @throws {OperatorError} somebody has asked the copy to stop */
  assertWanted(): void {
    if (this.options.signal?.aborted)
      throw new OperatorError('Stopped. Run the same command again: it continues where it stopped.');
  }
}

/** Failures of one thing that is tried again and again. */
export class Tries {
  #failures = 0;
  #since = 0;

  constructor(
    private readonly what: string,
    private readonly options: PatienceOptions,
    private readonly over?: AbortSignal,
  ) {}

  succeeded(): void {
    this.#failures = 0;
  }

  /**
   * Waits a while where trying again may help.
   * @throws {OperatorError} the store was away for too long
   * @throws the error itself, where it is of another kind
   */
  async failed(error: unknown): Promise<void> {
    if (!(error instanceof StoreUnavailable || error instanceof VaultUnavailable)) throw error;
    const { signal, patienceMs = PATIENCE_MS, firstPauseMs = FIRST_PAUSE_MS } = this.options;
    if (this.#failures === 0) this.#since = performance.now();
    const pause = backoff(this.#failures++, firstPauseMs, LONGEST_PAUSE_MS);
    if (performance.now() + pause - this.#since > patienceMs)
      throw new OperatorError(
        `${this.what} was away for too long (${error.message}) Run the same command again once it answers: it continues where it stopped.`,
        { cause: error },
      );
    // An end of the pause by the signal is seen by whoever tries again.
    const waiting = joined(signal, this.over);
    await sleep(pause, undefined, { signal: waiting.signal }).catch(() => undefined);
    waiting.end();
  }
}
