import { createHash } from 'node:crypto';
import type { AnswerSource } from './events.js';

/**
 * A set of ids that never changes: adding makes a new one which shares nearly everything with the old one.
 *
 * A session's state holds every client id of its events, often tens of thousands, and states are cached and read at
 * several revisions side by side, so the set may neither be copied for each event nor changed in place. Ids are
 * gathered in a short tail; a full tail becomes a run; runs at most as large as what comes after them are merged.
 * Run sizes at least halve from one to the next, so that a look-up asks O(log n) runs and an id is moved O(log n)
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

/** @param ids none of them in the set yet */
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

/** The client's messages that were recorded: their ids, and the ids together with what they recorded. */
export interface MessageIds {
  readonly ids: IdSet;
  readonly contents: IdSet;
}

/** Before the first message. */
export const NO_MESSAGES: MessageIds = { ids: EMPTY_IDS, contents: EMPTY_IDS };

/** The recorded content of a message, by which it is compared with another one under the same id. */
export type Content =
  | {
      readonly type: 'message.text';
      readonly turn: number;
      readonly source: AnswerSource;
      readonly text: string;
    }
  | { readonly type: 'interrupt' | 'turn.skip'; readonly turn: number }
  /** Nothing is recorded under the ids of these. */
  | { readonly type: 'turn.commit' | 'activity' | 'session.end' };

/** Whether nothing was recorded under the id yet, or this very content, or another one. */
export const recordedUnder = (
  { ids, contents }: MessageIds,
  id: string,
  content: Content,
): 'nothing' | 'same' | 'other' => {
  if (!hasId(ids, id)) return 'nothing';
  return hasId(contents, keyOf(id, content)) ? 'same' : 'other';
};

/** @param id one under which nothing was recorded yet */
export const withMessage = ({ ids, contents }: MessageIds, id: string, content: Content): MessageIds => ({
  ids: withIds(ids, [id]),
  contents: withIds(contents, [keyOf(id, content)]),
});

const keyOf = (id: string, content: Content): string => {
  const { type } = content;
  const parts =
    type === 'message.text'
      ? [type, content.turn, content.source, content.text]
      : type === 'interrupt' || type === 'turn.skip'
        ? [type, content.turn]
        : [type];
  return createHash('sha256')
    .update(JSON.stringify([id, ...parts]))
    .digest('base64');
};
