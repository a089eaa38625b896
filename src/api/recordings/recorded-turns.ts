import type { Stored } from '../../core/event.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { END_TYPES } from '../../domain/session/lifecycle.js';

/** The audio of a session's turns, from its events. */
export interface RecordedTurns {
  /** Whether there is any event of the session. */
  readonly begun: boolean;
  /** Whether the session has ended, by an event. */
  readonly ended: boolean;
  /** Turns that were answered or skipped; one that is open may still be transcribed. */
  readonly closed: ReadonlySet<number>;
  /** Those of them whose speech is kept for the organisation to hear. */
  readonly kept: ReadonlySet<number>;
}

const ENDS: ReadonlySet<string> = new Set(END_TYPES);

/** @param events all of the session's */
export const recordedTurns = async (
  events: Iterable<Stored<TrialEvent>> | AsyncIterable<Stored<TrialEvent>>,
): Promise<RecordedTurns> => {
  const closed = new Set<number>();
  const kept = new Set<number>();
  let begun = false;
  let ended = false;
  for await (const event of events) {
    begun = true;
    if (ENDS.has(event.type)) ended = true;
    if (event.type !== 'interview.answer_recorded' && event.type !== 'interview.turn_skipped') continue;
    // A late answer comes to a turn whose speech was decided on when it was closed.
    if (event.type === 'interview.answer_recorded' && event.data.late) continue;
    closed.add(event.data.turn);
    if (event.data.voice?.kept === true) kept.add(event.data.turn);
  }
  return { begun, ended, closed, kept };
};

/** Whether anybody still needs a turn's audio: to transcribe it, to send the rest of it, or to hear it. */
export const isNeeded = ({ ended, closed, kept }: RecordedTurns, turn: number): boolean =>
  kept.has(turn) || !(ended || closed.has(turn));
