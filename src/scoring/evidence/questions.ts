import type { EvidenceDocument, EvidenceEntry, Payload } from '../../../projections/evidence.js';
import type {
  AnswerRecorded,
  AnswerSource,
  AskedBy,
  QuestionAsked,
  QuestionKind,
  SpeechInterrupted,
  TurnSkipped,
  TrialIds,
} from '../../domain/session/events.js';

/** A question of the interview with what became of it. */
export interface QuestionRecord {
  readonly kind: QuestionKind;
  readonly id: string;
  /** From 1. */
  readonly turn: number;
  /** What was said before it, such as a greeting; `null`: nothing, or it can no longer be read. */
  readonly preface: string | null;
  /** `null` once it can no longer be read. */
  readonly text: string | null;
  readonly askedAt: string;
  readonly askedBy: AskedBy;
  readonly dimensionIds: readonly string[];
  /** When the turn was closed by an answer, whose source and gap follow; `null`: none has closed it. */
  readonly answeredAt: string | null;
  /** Late answers follow it, each on a line of its own. `null`: there is none yet, or it can no longer be read. */
  readonly answer: string | null;
  /** The candidate's request to repeat or explain it, which is no answer; `null`: there is none, or it is unreadable. */
  readonly request: string | null;
  /** The candidate chose not to answer: there is no `answeredAt`, and no answer but a late one. */
  readonly skipped: boolean;
  /** `null` until an answer closes the turn. */
  readonly source: AnswerSource | null;
  /**
   * Milliseconds from the end of the question to the start of the answer; `null` until an answer closes the turn, and
   * if no start was seen.
   */
  readonly gapMs: number | null;
  /** Where the candidate interrupted its speech, in milliseconds from its beginning; `null`: nowhere. */
  readonly interruptedAtMs: number | null;
  /** The events of the question, its answers, its skipping and interruptions, in the order of the session. */
  readonly evidenceEventIds: readonly string[];
}

/** The unencrypted part of an event. */
type Facts<Event extends { readonly data: TrialIds }> = Omit<Event['data'], keyof TrialIds>;

/**
 * The questions of a session's interview, in the order in which they were asked. They are read from the session's
 * evidence, so the two never disagree.
 * @param chunks all of the session's, in their order
 */
export const questionsOf = (chunks: readonly EvidenceDocument[]): readonly QuestionRecord[] => {
  const byTurn = new Map<number, Draft>();
  for (const { events, personal } of chunks)
    for (const entry of events) {
      // Not an event of the interview: a candidate can give an activity the name of one, but activities have no facts.
      if (entry.facts === null) continue;
      const said = personal?.payloads[entry.sequenceNumber];
      const text = textOf(said, 'text');
      switch (entry.eventType) {
        case 'interview.question_asked': {
          const facts = entry.facts as unknown as Facts<QuestionAsked>;
          byTurn.set(facts.turn, {
            question: asked(entry, facts, text, textOf(said, 'preface')),
            lines: [],
            requests: [],
            eventIds: [entry.id],
          });
          break;
        }
        case 'interview.answer_recorded': {
          const { turn, late, source, gapMs, asksAgain } = entry.facts as unknown as Facts<AnswerRecorded>;
          const draft = byTurn.get(turn);
          if (!draft) break;
          draft.eventIds.push(entry.id);
          (asksAgain ? draft.requests : draft.lines).push(text);
          if (asksAgain) break;
          if (!late) draft.question = { ...draft.question, answeredAt: entry.recordedAt, source, gapMs };
          break;
        }
        case 'interview.turn_skipped': {
          const { turn } = entry.facts as unknown as Facts<TurnSkipped>;
          const draft = byTurn.get(turn);
          if (!draft) break;
          draft.eventIds.push(entry.id);
          draft.question = { ...draft.question, skipped: true };
          break;
        }
        case 'interview.interrupted': {
          const { turn, playedMs } = entry.facts as unknown as Facts<SpeechInterrupted>;
          const draft = byTurn.get(turn);
          if (!draft) break;
          draft.eventIds.push(entry.id);
          draft.question = { ...draft.question, interruptedAtMs: playedMs };
        }
      }
    }
  return [...byTurn.values()].map(finished);
};

/** A question while its answers are collected: there can be many late ones. */
interface Draft {
  question: QuestionRecord;
  /** The texts of its answers in order: the one that closed the turn, if any, then late ones. */
  readonly lines: (string | null)[];
  readonly requests: (string | null)[];
  readonly eventIds: string[];
}

const finished = ({ question, lines, requests, eventIds }: Draft): QuestionRecord => ({
  ...question,
  answer: joinedLines(lines),
  request: joinedLines(requests),
  evidenceEventIds: eventIds,
});

const joinedLines = (lines: readonly (string | null)[]): string | null =>
  lines.length === 0 || lines.includes(null) ? null : lines.filter((line) => line !== '').join('\n');

const asked = (
  entry: EvidenceEntry,
  facts: Facts<QuestionAsked>,
  text: string | null,
  preface: string | null,
): QuestionRecord => ({
  kind: facts.kind,
  id: facts.questionId,
  turn: facts.turn,
  preface,
  text,
  askedAt: entry.recordedAt,
  askedBy: facts.askedBy,
  dimensionIds: facts.dimensionIds,
  answeredAt: null,
  answer: null,
  request: null,
  skipped: false,
  source: null,
  gapMs: null,
  interruptedAtMs: null,
  evidenceEventIds: [],
});

const textOf = (part: Payload | undefined, key: 'text' | 'preface'): string | null => {
  const text = part?.[key];
  return typeof text === 'string' ? text : null;
};
