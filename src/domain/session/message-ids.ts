import { createHash } from 'node:crypto';
import { EMPTY_IDS, hasId, type IdSet, withId } from './id-set.js';
import type { AnswerSource } from './interview-events.js';

/** The client's messages that were recorded: their ids, and the ids together with what they recorded. */
export interface MessageIds {
  readonly ids: IdSet;
  readonly contents: IdSet;
}

export const NO_MESSAGES: MessageIds = { ids: EMPTY_IDS, contents: EMPTY_IDS };

/** What tells a message from another one under the same id: all of it that is recorded as the client sent it. */
export type Content =
  | {
      readonly type: 'message.text';
      readonly turn: number;
      readonly source: AnswerSource;
      readonly text: string;
    }
  | { readonly type: 'interrupt'; readonly turn: number }
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
  ids: withId(ids, id),
  contents: withId(contents, keyOf(id, content)),
});

const keyOf = (id: string, content: Content): string => {
  const { type } = content;
  const parts =
    type === 'message.text'
      ? [type, content.turn, content.source, content.text]
      : type === 'interrupt'
        ? [type, content.turn]
        : [type];
  return createHash('sha256')
    .update(JSON.stringify([id, ...parts]))
    .digest('base64');
};
