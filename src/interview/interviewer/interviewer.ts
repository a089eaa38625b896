import type { RoleDefinition } from '../../domain/role/events.js';
import type { AskedBy, QuestionKind } from '../../domain/session/events.js';
import type { Question } from '../../domain/session/interview-state.js';
import type { Language } from '../../languages/languages.js';

/** An interviewer's input: the role as of the invitation, and the interview so far. */
export interface InterviewSoFar {
  readonly trialSessionId: string;
  readonly role: RoleDefinition;
  /** The invitation's: the interview is held in it if the interviewer has texts in it. */
  readonly language: Language;
  /** All questions so far, in order. The last one is answered. */
  readonly questions: readonly Question[];
  /** Time left of the interview, in milliseconds; before the first question the whole time limit. */
  readonly remainingMs: number;
}

/** The next question. */
export interface Proposal {
  readonly kind: QuestionKind;
  /** What is said before the question, such as the interview's opening; `null`: nothing. */
  readonly preface: string | null;
  /** 1 to 4,000 characters. */
  readonly text: string;
  /** The role's dimensions that it is about. */
  readonly dimensionIds: readonly string[];
  /** Index of the planned question that it is, or that it is about (a follow-up or clarification); `null`: none. */
  readonly planned: number | null;
  /** How many questions are planned. */
  readonly planSize: number;
  readonly askedBy: AskedBy;
}

/**
 * The interviewer's port. It is called once for each question, and its answer is stored as an event. It never throws:
 * an interviewer with a provider falls back to the scripted one.
 */
export interface Interviewer {
  /**
   * `finished`: the interview ends, since the closing question has been answered or too little time is left.
   * @param signal aborts when the connection ends: the answer is dropped then
   */
  next(soFar: InterviewSoFar, signal: AbortSignal): Promise<Proposal | 'finished'>;
}
