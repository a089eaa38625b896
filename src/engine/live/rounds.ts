import { pause } from '../../core/backoff.js';
import type { Progress } from './progress.js';

/** Shortest time between the starts of two rounds, in milliseconds. */
const GAP_MS = 25;

interface Round {
  readonly begun: Promise<void>;
  /** Aborted to begin it at once. */
  readonly now: AbortController;
}

/**
 * Decides when the segments that follow the log's end fold the events that have arrived: at once after a quiet time, or
 * if a reader waits. Events that come at shorter intervals are folded together, since a pass costs about as much for
 * one event as for ten. All segments of a process fold in the same rounds, so that a store can write their documents in
 * one go.
 */
export class FoldScheduler {
  readonly #progress: Pick<Progress, 'isAwaited'>;
  readonly #gapMs: number;
  readonly #ignore: () => void;
  #begunAt = -Infinity;
  /** The next one, or the one that has just begun. */
  #round: Round | null = null;

  constructor(progress: Pick<Progress, 'isAwaited' | 'onAwaited'>, gapMs = GAP_MS) {
    this.#progress = progress;
    this.#gapMs = gapMs;
    this.#ignore = progress.onAwaited(() => this.#round?.now.abort());
  }

  /** Resolves when the next round begins. */
  next(): Promise<void> {
    this.#round ??= this.#schedule();
    return this.#round.begun;
  }

  /** Begins the scheduled round, if any. */
  close(): void {
    this.#ignore();
    this.#round?.now.abort();
  }

  #schedule(): Round {
    const now = new AbortController();
    const waitMs = this.#progress.isAwaited ? 0 : this.#begunAt + this.#gapMs - performance.now();
    if (waitMs > 0) return { begun: pause(waitMs, now.signal).then(() => this.#begin()), now };
    this.#begin();
    return { begun: Promise.resolve(), now };
  }

  #begin(): void {
    this.#begunAt = performance.now();
    // Segments that handle the same events call `next` before the event loop turns: they share the round.
    setImmediate(() => (this.#round = null));
  }
}

/** The part of a segment that the flusher uses. */
export interface Flushed {
  /** Moves the checkpoint to the segment's position, if it is behind: at once, or after the current pass. */
  flush(): void;
}

/** Delay of a checkpoint after its fold, in milliseconds: segments that fold the same event share one write. */
const FOLDED_MS = 8;
/**
 * Shortest time between two flushes of all segments, in milliseconds, for events that needed no fold: readers in other
 * processes seldom wait for these.
 */
const PASSED_MS = 250;

/**
 * Flushes the checkpoints of a process's segments: soon after a fold, otherwise at most four times a second, and many
 * at the same moment, so that a store moves them in one write.
 */
export class CheckpointFlusher {
  readonly #segments = new Set<Flushed>();
  readonly #folded = new Set<Flushed>();
  #soon: NodeJS.Timeout | null = null;
  #later: NodeJS.Timeout | null = null;
  /** When all were flushed last. */
  #allAt = -Infinity;

  /** Flushes its checkpoint from now on, until the returned function is called. */
  add(segment: Flushed): () => void {
    this.#segments.add(segment);
    return () => {
      this.#segments.delete(segment);
      this.#folded.delete(segment);
    };
  }

  /** The segment has folded events and is at the log's end. */
  folded(segment: Flushed): void {
    this.#folded.add(segment);
    this.#soon ??= setTimeout(() => this.#flushFolded(), FOLDED_MS);
  }

  /** Segments have moved past events. */
  moved(): void {
    const wait = Math.max(FOLDED_MS, this.#allAt + PASSED_MS - performance.now());
    this.#later ??= setTimeout(() => this.#flushAll(), wait);
  }

  /** Stops the timers. */
  close(): void {
    for (const timer of [this.#soon, this.#later]) if (timer !== null) clearTimeout(timer);
  }

  #flushFolded(): void {
    this.#soon = null;
    // The other segments' checkpoints, if due soon, share this write.
    if (performance.now() >= this.#allAt + PASSED_MS / 2) this.#flushAll();
    else for (const segment of this.#folded) segment.flush();
    this.#folded.clear();
  }

  #flushAll(): void {
    if (this.#later !== null) clearTimeout(this.#later);
    this.#later = null;
    this.#allAt = performance.now();
    for (const segment of this.#segments) segment.flush();
  }
}
