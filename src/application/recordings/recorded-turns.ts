import type { Stored } from '../../core/event.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { END_TYPES } from '../../domain/session/lifecycle.js';
import { lateTurn } from '../../vault/late-turns.js';

/** Turns with speech that is kept for the organisation to hear. */
export interface KeptTurns {
  /** Numbers of the turns whose own speech is kept. */
  readonly kept: ReadonlySet<number>;
  /** Numbers of the turns whose late speech is kept, as it could not be transcribed. */
  readonly keptLate: ReadonlySet<number>;
}

/** The audio of a session's turns, from its events. */
export interface RecordedTurns extends KeptTurns {
  /** Whether there is any event of the session. */
  readonly begun: boolean;
  /** Whether the session has ended, by an event. */
  readonly ended: boolean;
  /** Turns that were answered or skipped; one that is open may still be transcribed. */
  readonly closed: ReadonlySet<number>;
}

const ENDS: ReadonlySet<string> = new Set(END_TYPES);

/** @param events all of the session's */
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
    // A late answer comes to a turn whose speech was decided on when it was closed.
    const late = event.type === 'interview.answer_recorded' && event.data.late;
    if (!late) closed.add(turn);
    if (voice?.kept === true) (late ? keptLate : kept).add(turn);
  }
  return { begun, ended, closed, kept, keptLate };
};

/**
 * Whether anybody still needs audio: to transcribe it, to send the rest of it, or to hear it.
 * @param number a turn, or that of late speech
 */
export const isNeeded = ({ ended, closed, kept, keptLate }: RecordedTurns, number: number): boolean => {
  const late = lateTurn(number);
  if (late) return !ended || keptLate.has(late.turn);
  return kept.has(number) || !(ended || closed.has(number));
};

/**
 * The numbers of stored audio that make up a turn's recording, in their order: what it was answered with, then what
 * came late and could not be transcribed.
 * @param stored the session's audio
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
