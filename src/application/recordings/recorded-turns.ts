import type { Stored } from '../../core/event.js';
import type { AnswerRecorded, TrialEvent } from '../../domain/session/events.js';
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
  /** Numbers of the turns whose own speech is not to be transcribed any more. */
  readonly closed: ReadonlySet<number>;
}

/**
 * The data of an answer or a skip. A skip has neither of the optional fields: it is not late, and closes its turn as a
 * transcribed answer does, so that no further speech is transcribed.
 */
type TurnData = Pick<AnswerRecorded['data'], 'turn' | 'voice'> &
  Partial<Pick<AnswerRecorded['data'], 'late' | 'source'>>;

/** Collects the turns whose speech is kept, from the answers and the skips of a session in their order. */
export class KeptSpeech implements KeptTurns {
  readonly kept = new Set<number>();
  readonly keptLate = new Set<number>();
  /** Numbers of the turns that a text has closed: speech that was being transcribed then becomes a late answer. */
  readonly closedByText = new Set<number>();

  add({ turn, voice, late = false, source = 'transcribed' }: TurnData): void {
    if (!late && source !== 'transcribed') this.closedByText.add(turn);
    if (voice?.kept !== true) return;
    (late ? this.keptLate : this.kept).add(turn);
    // The late answer may have been spoken before the text came: that speech is stored as the turn's own.
    if (late && this.closedByText.has(turn)) this.kept.add(turn);
  }
}

const ENDS: ReadonlySet<string> = new Set(END_TYPES);

/** @param events all of a session, in order */
export const recordedTurns = async (
  events: Iterable<Stored<TrialEvent>> | AsyncIterable<Stored<TrialEvent>>,
): Promise<RecordedTurns> => {
  const closed = new Set<number>();
  const speech = new KeptSpeech();
  let begun = false;
  let ended = false;
  for await (const event of events) {
    begun = true;
    if (ENDS.has(event.type)) ended = true;
    if (event.type !== 'interview.answer_recorded' && event.type !== 'interview.turn_skipped') continue;
    const { turn, late = false }: TurnData = event.data;
    speech.add(event.data);
    if (!late && !speech.closedByText.has(turn)) closed.add(turn);
  }
  return { begun, ended, closed, kept: speech.kept, keptLate: speech.keptLate };
};

/**
 * Whether stored audio has to stay: always if it is kept for good, and until the session ends if it may still be
 * transcribed. That is late speech, and the speech of a turn that is open or was closed by a text.
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
