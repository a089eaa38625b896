import type { EvidenceDocument, EvidenceEntry, Payload } from '../../projections/evidence.js';
import type {
  AnswerRecorded,
  AnswerSource,
  AskedBy,
  QuestionAsked,
  QuestionKind,
  SpeechInterrupted,
} from '../interview/events.js';
import type { TrialIds } from '../trials/events.js';

/** A question of the interview with what became of it. */
export interface QuestionRecord {
  readonly kind: QuestionKind;
  readonly id: string;
  /** From 1. */
  readonly turn: number;
  /** `null` once it can no longer be read. */
  readonly text: string | null;
  readonly askedAt: string;
  readonly askedBy: AskedBy;
  readonly dimensionIds: readonly string[];
  /** Of the answer that closed the turn, like its source and gap. */
  readonly answeredAt: string | null;
  /** Late answers stand below it, each on a line of its own. `null` until there is one, and once unreadable. */
  readonly answer: string | null;
  readonly source: AnswerSource | null;
  /** Milliseconds from the end of the question to the start of the answer. */
  readonly gapMs: number | null;
  /** Where the candidate cut its speech off, in milliseconds from its beginning. */
  readonly interruptedAtMs: number | null;
  /** The question's event, its answers' and interruptions', in the order of the session. */
  readonly evidenceEventIds: readonly string[];
}

/** What stands in plain of an event. */
type Facts<Event extends { readonly data: TrialIds }> = Omit<Event['data'], keyof TrialIds>;

/**
 * The questions of a session's interview, in the order in which they were asked: another reading of its evidence, so
 * that the two never disagree.
 * @param chunks all of the session's, in their order
 */
export const questionsOf = (chunks: readonly EvidenceDocument[]): readonly QuestionRecord[] => {
  const byTurn = new Map<number, QuestionRecord>();
  const change = (turn: number, id: string, changed: (question: QuestionRecord) => QuestionRecord): void => {
    const question = byTurn.get(turn);
    if (!question) return;
    const evidenceEventIds = [...question.evidenceEventIds, id];
    byTurn.set(turn, { ...changed(question), evidenceEventIds });
  };
  for (const { events, personal } of chunks)
    for (const entry of events) {
      // An activity may go by any name, but none has facts.
      if (entry.facts === null) continue;
      const text = textOf(personal?.payloads[entry.sequenceNumber]);
      switch (entry.eventType) {
        case 'interview.question_asked': {
          const facts = entry.facts as unknown as Facts<QuestionAsked>;
          byTurn.set(facts.turn, asked(entry, facts, text));
          break;
        }
        case 'interview.answer_recorded': {
          const facts = entry.facts as unknown as Facts<AnswerRecorded>;
          change(facts.turn, entry.id, (question) => answered(question, entry, facts, text));
          break;
        }
        case 'interview.interrupted': {
          const { turn, playedMs } = entry.facts as unknown as Facts<SpeechInterrupted>;
          change(turn, entry.id, (question) => ({ ...question, interruptedAtMs: playedMs }));
        }
      }
    }
  return [...byTurn.values()];
};

const asked = (entry: EvidenceEntry, facts: Facts<QuestionAsked>, text: string | null): QuestionRecord => ({
  kind: facts.kind,
  id: facts.questionId,
  turn: facts.turn,
  text,
  askedAt: entry.recordedAt,
  askedBy: facts.askedBy,
  dimensionIds: facts.dimensionIds,
  answeredAt: null,
  answer: null,
  source: null,
  gapMs: null,
  interruptedAtMs: null,
  evidenceEventIds: [entry.id],
});

const answered = (
  question: QuestionRecord,
  entry: EvidenceEntry,
  { late, source, gapMs }: Facts<AnswerRecorded>,
  text: string | null,
): QuestionRecord => {
  if (!late) return { ...question, answeredAt: entry.recordedAt, answer: text, source, gapMs };
  const lines = [question.answer, text];
  return {
    ...question,
    answer: lines.includes(null) ? null : lines.filter((line) => line !== '').join('\n'),
  };
};

const textOf = (part: Payload | undefined): string | null =>
  typeof part?.['text'] === 'string' ? part['text'] : null;
