import { pause } from '../../core/backoff.js';
import { IDLE_POLL_MS, untilTick } from '../../core/shared-interval.js';
import { longLived } from '../../core/signals.js';
import type { ReadStore } from '../../stores/read-store.js';
import { progressOf, type Progress } from '../live/progress.js';
import type { Operations, OperatorIntent } from './operations.js';

export interface OperatorIntentWatcherOptions {
  readonly readStore: ReadStore;
  readonly operations: Pick<Operations, 'readIntent' | 'stream'>;
  /** How often to poll while something is under way, in milliseconds. Default: 250. */
  readonly pollIntervalMs?: number | undefined;
  /** Ends the watcher: from then on `untilNextPoll` does not wait. */
  readonly signal: AbortSignal;
}

const POLL_INTERVAL_MS = 250;
/** Polls are this many times rarer while nothing is under way: another process may move a pointer by itself. */
const QUIET = IDLE_POLL_MS / POLL_INTERVAL_MS;

/**
 * Caches the operators' intent, and decides when the pointers are polled: at once after an event of the operator's
 * stream, often while something is under way, every 1.5 seconds otherwise.
 */
export class OperatorIntentWatcher {
  readonly #options: OperatorIntentWatcherOptions;
  readonly #pollIntervalMs: number;
  readonly #progress: Progress;
  /** The last read; `null`: the intent may have changed since. */
  #intent: Promise<OperatorIntent> | null = null;
  #changed = longLived();

  constructor(options: OperatorIntentWatcherOptions) {
    this.#options = options;
    this.#pollIntervalMs = options.pollIntervalMs ?? POLL_INTERVAL_MS;
    this.#progress = progressOf(options.readStore);
    const { operations, signal } = options;
    const stop = this.#progress.onArrival(({ stream }) => {
      if (stream !== operations.stream) return;
      this.refresh();
      this.#changed.abort();
      this.#changed = longLived();
    });
    signal.addEventListener('abort', () => {
      stop();
      this.#changed.abort();
    });
  }

  /**
   * The operators' intent; read again if it may have changed since the last read.
   * @throws what the event store throws
   */
  intent(): Promise<OperatorIntent> {
    if (this.#intent !== null) return this.#intent;
    // Before the read: an event that arrives during it makes `refresh` drop the result.
    const isNotified = this.#isNotified;
    const read = this.#options.operations.readIntent();
    this.#intent = read;
    const forget = (): void => {
      if (this.#intent === read) this.#intent = null;
    };
    read.then(() => (isNotified ? undefined : forget()), forget);
    return read;
  }

  /** Drops the cached intent, for a process that has just changed it. */
  refresh(): void {
    this.#intent = null;
  }

  /**
   * Resolves when it is time for the next poll, or when the signal aborts. All callers poll at the same moment, so that
   * a store reads all pointers at once.
   * @param busy whether something is under way
   */
  untilNextPoll(busy: boolean): Promise<void> {
    const { signal } = this.#options;
    const intervalMs = this.#pollIntervalMs;
    // The intent has changed since it was read.
    const isOld = this.#isNotified && this.#intent === null;
    if (signal.aborted || isOld) return Promise.resolve();
    if (busy || !this.#isNotified)
      return pause(intervalMs - (performance.now() % intervalMs), this.#changed.signal);
    return untilTick(intervalMs * QUIET, this.#changed.signal);
  }

  /** Whether this process's feed delivers the events that change the intent. */
  get #isNotified(): boolean {
    return this.#options.operations.stream !== undefined && this.#progress.feedPosition !== null;
  }
}
