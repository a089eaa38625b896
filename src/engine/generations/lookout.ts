import { PULSE_MS, untilBeat } from '../../core/pulse.js';
import { pause } from '../../core/backoff.js';
import { longLived } from '../../core/signals.js';
import type { ReadStore } from '../../stores/read-store.js';
import type { Operations, OperatorIntent } from './operations.js';
import { progressOf, type Progress } from '../live/progress.js';

export interface LookoutOptions {
  readonly readStore: ReadStore;
  readonly operations: Pick<Operations, 'look' | 'stream'>;
  /** How often to look while something is under way, in milliseconds. */
  readonly lookMs?: number | undefined;
  readonly signal: AbortSignal;
}

const LOOK_MS = 250;
/** So many times `lookMs` between looks while nothing is under way: another process may move a pointer by itself. */
const QUIET = PULSE_MS / LOOK_MS;

/**
 * When to look at pointers and at what operators want: at once after an event of the operator's stream, often while
 * something is under way, else now and then.
 */
export class Lookout {
  readonly #options: LookoutOptions;
  readonly #lookMs: number;
  readonly #progress: Progress;
  /** As it was read last; `null`: it may have changed. */
  #intent: Promise<OperatorIntent> | null = null;
  #changed = longLived();

  constructor(options: LookoutOptions) {
    this.#options = options;
    this.#lookMs = options.lookMs ?? LOOK_MS;
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
   * What operators want. It is read where it may have changed since it was read last.
   * @throws what the event store throws
   */
  intent(): Promise<OperatorIntent> {
    if (this.#intent !== null) return this.#intent;
    // Asked before the read: an event from then on arrives.
    const isTold = this.#isTold;
    const looked = this.#options.operations.look();
    this.#intent = looked;
    const forget = (): void => {
      if (this.#intent === looked) this.#intent = null;
    };
    looked.then(() => (isTold ? undefined : forget()), forget);
    return looked;
  }

  /** The intent is read anew: this process has just changed it. */
  refresh(): void {
    this.#intent = null;
  }

  /**
   * Resolves when it is time for the next look, or when the signal ends. All who wait look at the same moment, so that a
   * store can be asked for all pointers at once.
   * @param busy whether something is under way
   */
  next(busy: boolean): Promise<void> {
    const { signal } = this.#options;
    const lookMs = this.#lookMs;
    // The intent that was looked by has changed meanwhile.
    const isOld = this.#isTold && this.#intent === null;
    if (signal.aborted || isOld) return Promise.resolve();
    if (busy || !this.#isTold) return pause(lookMs - (performance.now() % lookMs), this.#changed.signal);
    return untilBeat(lookMs * QUIET, this.#changed.signal);
  }

  /** Whether this process's feed brings what changes the intent. */
  get #isTold(): boolean {
    return this.#options.operations.stream !== undefined && this.#progress.feedPosition !== null;
  }
}
