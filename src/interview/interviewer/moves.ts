import { oneLine, truncateAtWord } from '../../core/text.js';
import type { RoleDefinition } from '../../domain/role/events.js';
import type { QuestionKind } from '../../domain/session/events.js';
import { LAST_TURN } from '../../domain/session/interview-decider.js';
import type { Question } from '../../domain/session/interview-state.js';
import type { InterviewTexts } from '../../languages/en/shapes.js';
import { interviewTexts } from '../../languages/languages.js';
import { qualityOf } from './answers.js';
import type { Interviewer, InterviewSoFar, Proposal } from './interviewer.js';
import { followUp, prefaceOf, topicQuestion } from './wording.js';

/** The longest text of a question, in UTF-16 units. */
export const MAX_QUESTION = 4_000;
/** Most follow-ups, and most clarifications, of a planned question. */
const MAX_OF_A_KIND = 2;
/** If less time is left, the interviewer asks the closing question; in milliseconds. */
export const CLOSING_AT_MS = 120_000;
/** If less time is left, the interview ends without a closing question; in milliseconds. */
export const FINISH_AT_MS = 15_000;
/** Time reserved for each planned question still to come, before a follow-up is asked; in milliseconds. */
const PLANNED_MS = 90_000;

/** A question that may come next, in the scripted interviewer's words. */
export interface Move {
  readonly kind: QuestionKind;
  /** What is said before the question; `null`: nothing. */
  readonly preface: string | null;
  readonly text: string;
  readonly dimensionIds: readonly string[];
  /** Index of the planned question that it is, or that it is about; `null`: none, as for the closing question. */
  readonly planned: number | null;
  /** Words that the question must contain verbatim; empty: none. */
  readonly verbatim: string;
}

/** All questions that may come next. The scripted interviewer asks the first. */
export type Moves = readonly [Move, ...(readonly Move[])];

/**
 * The rules of an interview, for the script and for a model: all planned questions in order, at most two follow-ups and
 * two clarifications for each, and the closing question in time. After the closing question only that is clarified, if
 * the candidate asks. Pure: the same interview so far has the same moves.
 */
export const movesOf = ({ role, language, questions, remainingMs }: InterviewSoFar): Moves | 'finished' => {
  if (remainingMs < FINISH_AT_MS) return 'finished';
  const texts = interviewTexts(language);
  const last = questions.at(-1);
  // A skipped question gets no follow-up: the next planned one comes.
  const quality = last?.skipped === true ? 'skipped' : qualityOf(last?.answer?.text ?? '', language);
  const closing = questions.findIndex(({ kind }) => kind === 'closing');
  if (closing >= 0) {
    const again = texts.closingAgain[questions.length - 1 - closing];
    if (quality !== 'asks_again' || again === undefined) return 'finished';
    return [{ ...CLOSING, kind: 'clarification', text: again }];
  }
  const hurried = remainingMs < CLOSING_AT_MS || questions.length >= LAST_TURN - MAX_OF_A_KIND - 1;
  const close: Move = { ...CLOSING, text: texts.closing(hurried) };
  if (hurried) return [close];

  const plan = planOf(role, texts);
  const place = questions.reduce((most, { planned }) => Math.max(most, planned ?? -1), -1);
  const next = plannedMove(plan, place + 1, () => prefaceOf(texts, role.name)) ?? close;
  const current = plan[place];
  if (current === undefined) return [next];

  const about = questions.filter(({ planned }) => planned === place);
  const clarification = clarificationOf(texts, current, place, about);
  const clarifications = clarification ? [clarification] : [];
  const unhurried = remainingMs - CLOSING_AT_MS >= (plan.length - place - 1) * PLANNED_MS;
  const asked = count(about, 'follow_up');
  const further: readonly Move[] =
    unhurried && asked < MAX_OF_A_KIND
      ? [
          {
            kind: 'follow_up',
            preface: null,
            text: followUp(texts, quality === 'vague' ? 'vague' : 'short', place, asked),
            dimensionIds: current.dimensionIds,
            planned: place,
            verbatim: '',
          },
        ]
      : [];
  if (quality === 'skipped') return [next];
  if (quality === 'asks_again') return [clarification ?? next];
  return quality === 'full'
    ? [next, ...further, ...clarifications]
    : orElse([...further, next, ...clarifications], next);
};

const CLOSING: Omit<Move, 'text'> = {
  kind: 'closing',
  preface: null,
  dimensionIds: [],
  planned: null,
  verbatim: '',
};

const plannedMove = (plan: readonly PlannedTurn[], place: number, preface: () => string): Move | null => {
  const turn = plan[place];
  if (turn === undefined) return null;
  return {
    kind: 'planned',
    preface: place === 0 ? preface() : null,
    text: turn.text,
    dimensionIds: turn.dimensionIds,
    planned: place,
    verbatim: turn.own ? turn.text : '',
  };
};

/** The last question in other words; `null`: it has had all its clarifications. */
const clarificationOf = (
  { afterFollowUp }: InterviewTexts,
  turn: PlannedTurn,
  place: number,
  about: readonly Question[],
): Move | null => {
  const time = count(about, 'clarification');
  const again = turn.again[time];
  if (again === undefined) return null;
  const aboutFollowUp = about.findLast(({ kind }) => kind !== 'clarification')?.kind === 'follow_up';
  const text = aboutFollowUp ? `${afterFollowUp[time] ?? ''} ${again}`.trim() : again;
  return {
    kind: 'clarification',
    preface: null,
    text: truncateAtWord(text, MAX_QUESTION),
    dimensionIds: turn.dimensionIds,
    planned: place,
    verbatim: '',
  };
};

const count = (questions: readonly Question[], kind: QuestionKind): number =>
  questions.filter((question) => question.kind === kind).length;

const orElse = ([first, ...rest]: readonly Move[], otherwise: Move): Moves => [first ?? otherwise, ...rest];

/** Version of the plan, the wordings and the rules about answers. Stored with each question. */
const SCRIPT_VERSION = 2;

/** The script's next question. @param instead why it replaces a model's question; `null`: it replaces none */
export const scriptedProposal = (soFar: InterviewSoFar, instead: string | null): Proposal | 'finished' => {
  const moves = movesOf(soFar);
  if (moves === 'finished') return moves;
  const { kind, preface, text, dimensionIds, planned } = moves[0];
  return {
    ...{ kind, preface, text, dimensionIds, planned },
    planSize: planSizeOf(soFar),
    askedBy: { interviewer: 'scripted', version: SCRIPT_VERSION, model: null, instead },
  };
};

/** Asks by the script alone. Needs no provider, and asks the same questions in the same interview. */
export class ScriptedInterviewer implements Interviewer {
  next(soFar: InterviewSoFar): Promise<Proposal | 'finished'> {
    return Promise.resolve(scriptedProposal(soFar, null));
  }
}

/** A question that every candidate for a role is asked. */
interface PlannedTurn {
  readonly text: string;
  readonly dimensionIds: readonly string[];
  /** True: the text is the role's; false: ours. */
  readonly own: boolean;
  /** The same in other words, for the first and the second clarification. */
  readonly again: readonly [string, string];
}

/**
 * A role's planned questions, never empty: its own in their order, then one for each dimension that none of them
 * names.
 */
export const planOf = (role: RoleDefinition, texts: InterviewTexts): readonly PlannedTurn[] => {
  const own = role.questions
    .map(({ text, dimensionName }) => ({ text: oneLine(text), dimensionName }))
    .filter(({ text }) => text !== '');
  const named = new Set(own.map(({ dimensionName }) => dimensionName));
  const plan = [
    ...own.map(({ text, dimensionName }) => ownTurn(texts, text, dimensionsCalled(role, dimensionName))),
    ...role.dimensions
      .filter(({ name }) => !named.has(name))
      .map((dimension, index) => ({
        ...topicQuestion(texts, dimension, own.length + index),
        dimensionIds: [dimension.id],
        own: false,
      })),
  ];
  return plan.length > 0
    ? plan
    : [{ text: texts.general, dimensionIds: [], own: false, again: texts.generalAgain }];
};

/** How many questions the plan has: the same for every candidate of a role. */
export const planSizeOf = ({ role, language }: Pick<InterviewSoFar, 'role' | 'language'>): number =>
  planOf(role, interviewTexts(language)).length;

const dimensionsCalled = (role: RoleDefinition, name: string | null): readonly string[] =>
  role.dimensions.filter((dimension) => dimension.name === name).map(({ id }) => id);

const ownTurn = (
  { ownAgain }: InterviewTexts,
  long: string,
  dimensionIds: readonly string[],
): PlannedTurn => {
  const text = truncateAtWord(long, MAX_QUESTION);
  const again = (time: 0 | 1): string => truncateAtWord(ownAgain[time](text), MAX_QUESTION);
  return { text, dimensionIds, own: true, again: [again(0), again(1)] };
};
