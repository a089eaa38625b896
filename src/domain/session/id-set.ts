/**
 * A set of ids that never changes: adding makes a new one which shares nearly everything with the old one.
 *
 * A session's state knows every client id it has seen, often tens of thousands, and states are cached and read at
 * several revisions side by side, so the set may neither be copied for each event nor changed in place. Ids are
 * gathered in a short tail; a full tail becomes a run; runs at most as large as what comes after them are merged.
 * Run sizes at least halve from one to the next, so that a look-up asks O(log n) runs and an id is moved O(log n)
 * times. Runs are built-in Sets: their seeded hash gives nobody a way to choose ids that collide.
 */
export interface IdSet {
  /** Largest first; none is changed once it stands here. */
  readonly runs: readonly ReadonlySet<string>[];
  readonly tail: readonly string[];
}

export const EMPTY_IDS: IdSet = { runs: [], tail: [] };

const TAIL = 64;

export const hasId = ({ runs, tail }: IdSet, id: string): boolean =>
  tail.includes(id) || runs.some((run) => run.has(id));

/** @param id not in the set yet */
export const withId = ({ runs, tail }: IdSet, id: string): IdSet =>
  tail.length + 1 < TAIL ? { runs, tail: [...tail, id] } : { runs: withRun(runs, [...tail, id]), tail: [] };

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
