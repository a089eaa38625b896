/** What the flusher needs of a segment. */
export interface Flushed {
  /** Moves the checkpoint to what was folded, if it is behind: at once, or after the pass at hand. */
  flush(): void;
}

/** How long checkpoints may follow later than what was folded: segments that fold the same event share one write. */
const FOLDED_MS = 8;
/** The same for events that no fold was needed for: readers elsewhere seldom wait for them. */
const PASSED_MS = 250;

/**
 * When the checkpoints of a process follow its segments: soon after a fold, at most four times a second otherwise, and
 * many at the same moment, so that a store moves them in one write.
 */
export class CheckpointFlusher {
  readonly #segments = new Set<Flushed>();
  readonly #folded = new Set<Flushed>();
  #soon: NodeJS.Timeout | null = null;
  #later: NodeJS.Timeout | null = null;
  /** When all were flushed last. */
  #allAt = -Infinity;

  /** Its checkpoint follows until the returned function is called. */
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

  close(): void {
    for (const timer of [this.#soon, this.#later]) if (timer !== null) clearTimeout(timer);
  }

  #flushFolded(): void {
    this.#soon = null;
    // What is taken along needs no write of its own.
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
