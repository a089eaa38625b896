import type { ReadStore } from '../stores/read-store.js';
import type { Segment } from './segments.js';

/** What the workers of this process have done to one segment of a view since the process started. */
export interface FoldCount {
  readonly view: string;
  /** Counted from 1. */
  readonly segment: number;
  /** `building`: of a generation that does not serve yet; `serving`: of one that serves, or served before. */
  readonly stage: 'building' | 'serving';
  /** That it handles, folded; again where a pass had to be repeated. */
  readonly events: number;
  /** Written, whatever became of the write. */
  readonly documents: number;
  /** That ended with an error and were repeated. */
  readonly failedPasses: number;
}

type Worked = Pick<Segment, 'index'> & {
  readonly view: { readonly name: string };
  readonly rules: Pick<Segment['rules'], 'strict'>;
};

/** What this process has folded, for figures alone: it only grows, and nothing rests on it. */
export class FoldCounts {
  readonly #tallies = new Map<string, Tally>();

  /** A pass has advanced. */
  folded(segment: Worked, events: number, documents: number): void {
    const tally = this.#of(segment);
    tally.events += events;
    tally.documents += documents;
  }

  /** A pass has thrown. */
  failed(segment: Worked): void {
    this.#of(segment).failedPasses++;
  }

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

const shared = new WeakMap<ReadStore, FoldCounts>();

/** The counts of the projector, if any, that works on this very read store object. */
export function foldCountsOf(readStore: ReadStore): FoldCounts {
  let counts = shared.get(readStore);
  if (counts === undefined) shared.set(readStore, (counts = new FoldCounts()));
  return counts;
}
