import type { ReadStore } from '../read-store/port.js';
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
  readonly #counts = new Map<string, FoldCount>();

  /** A pass has advanced. */
  folded(segment: Worked, events: number, documents: number): void {
    const count = this.#of(segment);
    this.#set({ ...count, events: count.events + events, documents: count.documents + documents });
  }

  /** A pass has thrown. */
  failed(segment: Worked): void {
    const count = this.#of(segment);
    this.#set({ ...count, failedPasses: count.failedPasses + 1 });
  }

  all(): readonly FoldCount[] {
    return [...this.#counts.values()];
  }

  #of({ view, index, rules }: Worked): FoldCount {
    const stage = rules.strict ? 'building' : 'serving';
    const names = { view: view.name, segment: index + 1, stage } as const;
    return this.#counts.get(keyOf(names)) ?? { ...names, events: 0, documents: 0, failedPasses: 0 };
  }

  #set(count: FoldCount): void {
    this.#counts.set(keyOf(count), count);
  }
}

const keyOf = ({ view, segment, stage }: Pick<FoldCount, 'view' | 'segment' | 'stage'>): string =>
  `${view} ${segment} ${stage}`;

const shared = new WeakMap<ReadStore, FoldCounts>();

/** The counts of the projector, if any, that works on this very read store object. */
export function foldCountsOf(readStore: ReadStore): FoldCounts {
  let counts = shared.get(readStore);
  if (counts === undefined) shared.set(readStore, (counts = new FoldCounts()));
  return counts;
}
