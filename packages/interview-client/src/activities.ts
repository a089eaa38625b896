import { MAX_ACTIVITIES, MAX_FRAME_BYTES } from './protocol/messages.js';

/** What the candidate did, as the REST path takes it. */
export interface ActivityEvent {
  readonly clientEventId: string;
  readonly eventType: string;
  /** RFC 3339. */
  readonly occurredAt: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** For the message around the events. */
const SPARE_BYTES = 256;

/** @returns the events in messages that fit a frame each, or a sentence where one of them fits none */
export const piecesOf = (
  events: readonly ActivityEvent[],
): readonly (readonly ActivityEvent[])[] | string => {
  const pieces: ActivityEvent[][] = [];
  let left = 0;
  for (const event of events) {
    const bytes = new TextEncoder().encode(JSON.stringify(event)).length + 1;
    if (bytes > MAX_FRAME_BYTES - SPARE_BYTES) return `${event.clientEventId} is too large for a frame.`;
    const last = pieces.at(-1);
    if (last !== undefined && last.length < MAX_ACTIVITIES && bytes <= left) {
      last.push(event);
      left -= bytes;
    } else {
      pieces.push([event]);
      left = MAX_FRAME_BYTES - SPARE_BYTES - bytes;
    }
  }
  return pieces;
};
