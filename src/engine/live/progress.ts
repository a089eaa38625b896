import type { Position, StreamName } from '../../core/event-store.js';
import type { ReadStore } from '../../stores/read-store.js';
import type { Segment } from '../segments.js';
import type { SharedEvent } from './ring.js';

/** An event that has come through this process's live feed. */
export type Arrival = Pick<SharedEvent, 'stream' | 'position' | 'mayBe'>;

/**
 * The positions of the live feed and the segments of this process, so that reads that wait in it need not poll the
 * stores.
 */
export class Progress {
  /** By segment. A caught-up segment is the object itself, whose position moves with the feed. */
  readonly #reached = new Map<string, { readonly position: Position }>();
  readonly #waiting = new Set<() => void>();
  readonly #awaited = new Set<() => void>();
  readonly #listeners = new Set<(segment: string) => void>();
  readonly #arrivals = new Set<(event: Arrival) => void>();
  /** Streams of which a reading of the whole log did not find the first event. */
  readonly truncated = new Set<StreamName>();
  #feedPosition: Position | null = null;

  /** Where the live feed began: every event after it arrives. `null`: there is none, or it has not begun. */
  get feedPosition(): Position | null {
    return this.#feedPosition;
  }

  /** The live feed follows the log from this position on. */
  feedBegan(position: Position): void {
    this.#feedPosition = position;
  }

  /** The live feed has ended. */
  feedEnded(): void {
    this.#feedPosition = null;
  }

  /** The live feed has passed the event to the views. */
  arrived(event: Arrival): void {
    for (const listen of this.#arrivals) listen(event);
  }

  /** Calls `listener` with each event that arrives, until the returned function is called. */
  onArrival(listener: (event: Arrival) => void): () => void {
    this.#arrivals.add(listener);
    return () => this.#arrivals.delete(listener);
  }

  /**
   * Everything up to `position` is in the documents; the checkpoint may follow a little later.
   * @param folded whether documents were written since: the listeners of `onFolded` are called. Default: true
   */
  publish(segment: string, position: Position, folded = true): void {
    const former = this.positionOf(segment);
    if (former !== null && former >= position) return;
    this.#reached.set(segment, { position });
    this.moved();
    if (folded) for (const listen of this.#listeners) listen(segment);
  }

  /** From now on the segment is at the position of `following`, until the next `publish` or `follow`. */
  follow(segment: string, following: { readonly position: Position }): void {
    this.#reached.set(segment, following);
  }

  /** To be called when caught-up segments have moved. */
  moved(): void {
    for (const check of this.#waiting) check();
  }

  /** The position of a segment in this process; `null`: this process does not feed it. */
  positionOf(segment: string): Position | null {
    return this.#reached.get(segment)?.position ?? null;
  }

  /** Whether this process has seen the segment reach the position. */
  has(segment: string, position: Position): boolean {
    const reached = this.positionOf(segment);
    return reached !== null && reached >= position;
  }

  /** This process no longer feeds the segment. */
  forget(segment: string): void {
    this.#reached.delete(segment);
  }

  /** Calls `listener` with each segment whose documents were written, until the returned function is called. */
  onFolded(listener: (segment: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether a read waits for segments. */
  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** Calls `listener` whenever a read begins to wait for segments, until the returned function is called. */
  onAwaited(listener: () => void): () => void {
    this.#awaited.add(listener);
    return () => this.#awaited.delete(listener);
  }

  /** Resolves once all these segments have reached `position`, at once if they have, or after `ms` milliseconds. */
  reached(segments: readonly string[], position: Position, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve();
      };
      const check = (): void => {
        if (segments.every((segment) => this.has(segment, position))) done();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.add(check);
      check();
      if (this.#waiting.has(check)) for (const listen of this.#awaited) listen();
    });
  }
}

const progressByStore = new WeakMap<ReadStore, Progress>();

/** The progress of the projector, if any, that works on this very read store object. */
export function progressOf(readStore: ReadStore): Progress {
  let progress = progressByStore.get(readStore);
  if (progress === undefined) progressByStore.set(readStore, (progress = new Progress()));
  return progress;
}

/** What this process has folded of one segment of a view since it started. */
export interface FoldCount {
  readonly view: string;
  /** Counted from 1. */
  readonly segment: number;
  /** `building`: of a generation that was never live; `serving`: of the live one or the former one. */
  readonly stage: 'building' | 'serving';
  /** Folded events; again for each repeated pass. */
  readonly events: number;
  /** Documents that were to be written, also those that the store refused. */
  readonly documents: number;
  /** Passes that have thrown and were repeated. */
  readonly failedPasses: number;
}

type Worked = Pick<Segment, 'index'> & {
  readonly view: { readonly name: string };
  readonly rules: Pick<Segment['rules'], 'strict'>;
};

/** Counts what this process has folded, for metrics alone. */
export class FoldCounts {
  readonly #tallies = new Map<string, Tally>();

  /** To be called when a pass has advanced. */
  folded(segment: Worked, events: number, documents: number): void {
    const tally = this.#of(segment);
    tally.events += events;
    tally.documents += documents;
  }

  /** To be called when a pass has thrown. */
  failed(segment: Worked): void {
    this.#of(segment).failedPasses++;
  }

  /** A copy of the counts. */
  all(): readonly FoldCount[] {
    return [...this.#tallies.values()].map((tally) => ({ ...tally }));
  }

  #of({ view, index, rules }: Worked): Tally {
    const stage = rules.strict ? 'building' : 'serving';
    const key = `${view.name} ${index} ${stage}`;
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      tally = { view: view.name, segment: index + 1, stage, events: 0, documents: 0, failedPasses: 0 };
      this.#tallies.set(key, tally);
    }
    return tally;
  }
}

type Tally = { -readonly [Name in keyof FoldCount]: FoldCount[Name] };

const countsByStore = new WeakMap<ReadStore, FoldCounts>();

/** The counts of the projector, if any, that works on this very read store object. */
export function foldCountsOf(readStore: ReadStore): FoldCounts {
  let counts = countsByStore.get(readStore);
  if (counts === undefined) countsByStore.set(readStore, (counts = new FoldCounts()));
  return counts;
}
