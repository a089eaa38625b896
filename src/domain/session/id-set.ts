/**
 * A set of ids that never changes: adding makes a new one which shares nearly everything with the old one.
 *
 * A session's state holds every client id of its events, often tens of thousands, and states are cached and read at
 * several revisions side by side, so the set may neither be copied for each event nor changed in place. Ids are
 * gathered in a short tail; a full tail becomes a run; runs at most as large as what comes after them are merged.
 * Run sizes at least halve from one to the next, so that a look-up searches O(log n) runs and an id is moved O(log n)
 * times. Runs are built-in Sets: their seeded hash prevents chosen collisions.
 */
export interface IdSet {
  /** Largest first; none is changed any more. */
  readonly runs: readonly ReadonlySet<string>[];
  readonly tail: readonly string[];
}

export const EMPTY_IDS: IdSet = { runs: [], tail: [] };

/** A tail of this length becomes a run. */
const TAIL = 64;

/** Whether the set has the id. */
export const hasId = ({ runs, tail }: IdSet, id: string): boolean =>
  tail.includes(id) || runs.some((run) => run.has(id));

/** The set with further ids. @param ids none of them in the set yet */
export const withIds = ({ runs, tail }: IdSet, ids: readonly string[]): IdSet => {
  const added = [...tail, ...ids];
  return added.length < TAIL ? { runs, tail: added } : { runs: withRun(runs, added), tail: [] };
};

const withRun = (
  runs: readonly ReadonlySet<string>[],
  ids: readonly string[],
): readonly ReadonlySet<string>[] => {
  const run = new Set(ids);
  let kept = runs.length;
  for (let last = runs[kept - 1]; last && last.size <= run.size; last = runs[kept - 1]) {
    for (const id of last) run.add(id);
    kept--;
  }
  return [...runs.slice(0, kept), run];
};
