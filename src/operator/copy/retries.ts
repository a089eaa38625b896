import { setTimeout as sleep } from 'node:timers/promises';
import { backoff } from '../../core/backoff.js';
import { Unavailable } from '../../core/errors.js';
import { anySignal } from '../../core/signals.js';
import { Interrupted, OperatorError } from '../cli/program.js';

/** If a store does not answer for this long, the copy fails; in milliseconds. */
const GIVE_UP_AFTER_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

export interface RetryOptions {
  /** Ends all waiting, and the copy. */
  readonly signal: AbortSignal;
  /** For how long a store may not answer, in milliseconds. Default: a minute. */
  readonly giveUpAfterMs?: number;
  /** Pause before the second attempt, in milliseconds. It is doubled after each failure, up to 5 s. Default: 100. */
  readonly firstPauseMs?: number;
}

/** Repeats calls to a store that does not answer, for a limited time. */
export class Retries {
  constructor(private readonly options: RetryOptions) {}

  /**
   * Repeats a call until it succeeds.
   * @param what the store's name at the beginning of a sentence
   * @throws what `Tries.failed` throws, or {Interrupted}
   */
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

  /**
   * The tries of one call that the caller repeats itself.
   * @param what the store's name at the beginning of a sentence
   * @param over aborts waiting. Default: only the operator does
   */
  tries(what: string, over?: AbortSignal): Tries {
    return new Tries(what, this.options, over);
  }

  /** @throws {Interrupted} the operator has stopped the copy */
  assertWanted(): void {
    if (this.options.signal.aborted)
      throw new Interrupted('Stopped. Run the same command again: it continues where it stopped.');
  }
}

/** Limits the consecutive failures of one repeated call. Call `failed` after each failure, then try again. */
export class Tries {
  #failures = 0;
  #since = 0;

  constructor(
    private readonly what: string,
    private readonly options: RetryOptions,
    private readonly over?: AbortSignal,
  ) {}

  /** Call it when the store has answered: the time limit begins again with the next failure. */
  succeeded(): void {
    this.#failures = 0;
  }

  /**
   * Waits before the next try.
   * @throws {OperatorError} the store did not answer for too long
   * @throws the error itself, if it is of another kind
   */
  async failed(error: unknown): Promise<void> {
    if (!(error instanceof Unavailable)) throw error;
    const { signal, giveUpAfterMs = GIVE_UP_AFTER_MS, firstPauseMs = FIRST_PAUSE_MS } = this.options;
    if (this.#failures === 0) this.#since = performance.now();
    const pause = backoff(this.#failures++, firstPauseMs, MAX_PAUSE_MS);
    if (performance.now() + pause - this.#since > giveUpAfterMs)
      throw new OperatorError(
        `${this.what} did not answer for a minute (${error.message}) Run the same command again once it answers: it continues where it stopped.`,
        { cause: error },
      );
    const waiting = anySignal(signal, this.over);
    await sleep(pause, undefined, { signal: waiting.signal }).catch(() => undefined);
    waiting.end();
  }
}
