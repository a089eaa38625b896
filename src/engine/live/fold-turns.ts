import { pause } from '../../core/backoff.js';
import type { Progress } from './progress.js';

/** Shortest time between two turns. */
const GAP_MS = 25;

interface Turn {
  readonly begun: Promise<void>;
  /** Lets it begin at once. */
  readonly now: AbortController;
}

/**
 * When the segments of a process that follow the log's end fold what has arrived: at once after a quiet time, or if a
 * reader waits. Events that come at shorter intervals are folded together, since a pass costs much the same for one event
 * as for ten. All segments have the same turns, so that a store can write their documents in one go.
 */
export class FoldTurns {
  readonly #progress: Pick<Progress, 'isAwaited'>;
  readonly #gapMs: number;
  readonly #ignore: () => void;
  #begunAt = -Infinity;
  /** The one that is waited for, or has just begun. */
  #turn: Turn | null = null;

  constructor(progress: Pick<Progress, 'isAwaited' | 'onAwaited'>, gapMs = GAP_MS) {
    this.#progress = progress;
    this.#gapMs = gapMs;
    this.#ignore = progress.onAwaited(() => this.#turn?.now.abort());
  }

  /** Resolves when the next turn begins. */
  next(): Promise<void> {
    this.#turn ??= this.#make();
    return this.#turn.begun;
  }

  /** Begins the turn that is waited for, if any. */
  close(): void {
    this.#ignore();
    this.#turn?.now.abort();
  }

  #make(): Turn {
    const now = new AbortController();
    const waitMs = this.#progress.isAwaited ? 0 : this.#begunAt + this.#gapMs - performance.now();
    if (waitMs > 0) return { begun: pause(waitMs, now.signal).then(() => this.#begin()), now };
    this.#begin();
    return { begun: Promise.resolve(), now };
  }

  #begin(): void {
    this.#begunAt = performance.now();
    // Others that the same events concern come in the same turn of the event loop.
    setImmediate(() => (this.#turn = null));
  }
}
