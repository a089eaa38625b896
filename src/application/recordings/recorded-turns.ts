import type { Stored } from '../../core/event.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { END_TYPES } from '../../domain/session/lifecycle.js';
import { lateTurn } from '../../vault/late-turns.js';

/** The turns whose speech is kept for good, so that the organisation can hear it. */
export interface KeptTurns {
  /** Numbers of the turns whose own speech is kept. */
  readonly kept: ReadonlySet<number>;
  /**
   * Numbers of the turns whose late speech is kept: it came after the turn was closed, and could not be transcribed.
   */
  readonly keptLate: ReadonlySet<number>;
}

/** The state of the speech in a session's turns, by its events. */
export interface RecordedTurns extends KeptTurns {
  /** Whether the session has an event. */
  readonly begun: boolean;
  /** Whether the session has ended, by an event. */
  readonly ended: boolean;
  /** Numbers of the turns that were answered or skipped. The speech of an open turn may still be transcribed. */
  readonly closed: ReadonlySet<number>;
}

const ENDS: ReadonlySet<string> = new Set(END_TYPES);

/** @param events all of a session, in order */
export const recordedTurns = async (
  events: Iterable<Stored<TrialEvent>> | AsyncIterable<Stored<TrialEvent>>,
): Promise<RecordedTurns> => {
  const closed = new Set<number>();
  const kept = new Set<number>();
  const keptLate = new Set<number>();
  let begun = false;
  let ended = false;
  for await (const event of events) {
    begun = true;
    if (ENDS.has(event.type)) ended = true;
    if (event.type !== 'interview.answer_recorded' && event.type !== 'interview.turn_skipped') continue;
    const { turn, voice } = event.data;
    // A late answer is about late speech alone. The event that closed the turn has the turn’s own speech.
    const late = event.type === 'interview.answer_recorded' && event.data.late;
    if (!late) closed.add(turn);
    if (voice?.kept === true) (late ? keptLate : kept).add(turn);
  }
  return { begun, ended, closed, kept, keptLate };
};

/**
 * Whether stored audio has to stay: always if it is kept for good, and until the session ends if it is late speech or
 * the speech of an open turn, which may still be transcribed.
 * @param number under which it is stored: its turn's or, for late speech, one that `lateTurn` reads
 */
export const isNeeded = ({ ended, closed, kept, keptLate }: RecordedTurns, number: number): boolean => {
  const late = lateTurn(number);
  if (late) return !ended || keptLate.has(late.turn);
  return kept.has(number) || !(ended || closed.has(number));
};

/**
 * The numbers of stored audio that make up a turn's recording, in their order: its own speech, then its late speech, as
 * far as each is kept.
 * @param stored bytes of PCM by number, of all audio of the session
 */
export const recordedAudio = (
  { kept, keptLate }: KeptTurns,
  turn: number,
  stored: ReadonlyMap<number, number>,
): readonly number[] => {
  const late = [...stored.keys()].filter((number) => lateTurn(number)?.turn === turn);
  const numbers = [...(kept.has(turn) ? [turn] : []), ...(keptLate.has(turn) ? late : [])];
  return numbers.filter((number) => stored.has(number)).sort((one, other) => one - other);
};
