import { createHash } from 'node:crypto';
import type { AnswerSource } from './events.js';
import { EMPTY_IDS, hasId, type IdSet, withIds } from './id-set.js';

/** The messages of an interview's clients that were recorded: their ids, and hashes of each id with its content. */
export interface MessageIds {
  readonly ids: IdSet;
  readonly contents: IdSet;
}

/** Before the first message. */
export const NO_MESSAGES: MessageIds = { ids: EMPTY_IDS, contents: EMPTY_IDS };

/** What a message records. Two messages under one id are the same message if their contents are equal. */
export type MessageContent =
  | {
      readonly type: 'message.text';
      readonly turn: number;
      readonly source: AnswerSource;
      readonly text: string;
    }
  | { readonly type: 'interrupt' | 'turn.skip'; readonly turn: number }
  /** These record nothing under their ids: if an id of theirs is recorded, another message has used it. */
  | { readonly type: 'turn.commit' | 'activity' | 'session.end' };

/** What was recorded under the id: nothing, the same content, or another one. */
export const recordedUnder = (
  { ids, contents }: MessageIds,
  id: string,
  content: MessageContent,
): 'nothing' | 'same' | 'other' => {
  if (!hasId(ids, id)) return 'nothing';
  return hasId(contents, keyOf(id, content)) ? 'same' : 'other';
};

/** The ids with one more message. @param id one under which nothing was recorded yet */
export const withMessage = (
  { ids, contents }: MessageIds,
  id: string,
  content: MessageContent,
): MessageIds => ({
  ids: withIds(ids, [id]),
  contents: withIds(contents, [keyOf(id, content)]),
});

const keyOf = (id: string, content: MessageContent): string => {
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
