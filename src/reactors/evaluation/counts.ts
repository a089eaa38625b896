import type { ReadStore } from '../../stores/read-store.js';

/** How generations ended that this process recorded since it started: for figures alone. */
export interface EvaluationCounts {
  ready: number;
  failed: number;
}

const shared = new WeakMap<ReadStore, EvaluationCounts>();

/** The counts of whoever generates evaluations in this process. */
export const evaluationCountsOf = (readStore: ReadStore): EvaluationCounts => {
  let counts = shared.get(readStore);
  if (counts === undefined) {
    counts = { ready: 0, failed: 0 };
    shared.set(readStore, counts);
  }
  return counts;
};
