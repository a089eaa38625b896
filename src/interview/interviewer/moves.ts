import { LAST_TURN } from '../../domain/session/interview-decider.js';
import type { QuestionKind } from '../../domain/session/events.js';
import type { Question } from '../../domain/session/interview-state.js';
import { qualityOf } from './answers.js';
import type { Interviewer, InterviewSoFar, Proposal } from './interviewer.js';
import { MAX_QUESTION, shortened, oneLine, spokenName } from '../../clients/openai/text.js';
import {
  AFTER_FOLLOW_UP,
  CLOSING_AGAIN,
  closingQuestion,
  followUp,
  dimensionAgain,
  dimensionQuestion,
  GENERAL_AGAIN,
  GENERAL_QUESTION,
  greeting,
  ownAgain,
} from '../../languages/en/interview.js';
import type { Dimension, RoleDefinition } from '../../domain/role/events.js';

/** Most follow-ups, and most clarifications, of a planned question. */
const MOST_OF_A_KIND = 2;
/** With less time than this left the interview comes to its closing question, in milliseconds. */
export const CLOSING_AT_MS = 120_000;
/** With less than this it ends without one. */
export const FINISH_AT_MS = 15_000;
/** What each planned question still to come is given before another is asked about further, in milliseconds. */
const PLANNED_MS = 90_000;

/** A question that may come next, in the scripted interviewer's words. */
export interface Move {
  readonly kind: QuestionKind;
  readonly text: string;
  readonly dimensionIds: readonly string[];
  readonly planned: number | null;
  /** Words that the question must contain verbatim; empty: none. */
  readonly verbatim: string;
}

/** All that may come next, never empty; the first is what the scripted interviewer does. */
export type Moves = readonly [Move, ...(readonly Move[])];

/**
 * The rules of an interview, scripted or by a model: the whole plan in its order, two follow-ups and two
 * clarifications at most for each question of it, the closing question in time, nothing after that but the same again
 * for who asks for it. Pure: the same interview so far has the same moves.
 */
export const movesOf = ({ role, questions, remainingMs }: InterviewSoFar): Moves | 'finished' => {
  if (remainingMs < FINISH_AT_MS) return 'finished';
  const last = questions.at(-1);
  // Nothing is asked about a question that was skipped: the plan goes on.
  const quality = last?.skipped === true ? 'skipped' : qualityOf(last?.answer?.text ?? '');
  const closing = questions.findIndex(({ kind }) => kind === 'closing');
  if (closing >= 0) {
    const again = CLOSING_AGAIN[questions.length - 1 - closing];
    if (quality !== 'asks_again' || again === undefined) return 'finished';
    return [{ ...CLOSING, kind: 'clarification', text: again }];
  }
  const hurried = remainingMs < CLOSING_AT_MS || questions.length >= LAST_TURN - MOST_OF_A_KIND - 1;
  const close: Move = { ...CLOSING, text: closingQuestion(hurried) };
  if (hurried) return [close];

  const plan = planOf(role);
  const place = questions.reduce((most, { planned }) => Math.max(most, planned ?? -1), -1);
  const next = plannedMove({ role, plan, place: place + 1 }) ?? close;
  const current = plan[place];
  if (current === undefined) return [next];

  const about = questions.filter(({ planned }) => planned === place);
  const clarification = clarificationOf(current, place, about);
  const clarifications = clarification ? [clarification] : [];
  const unhurried = remainingMs - CLOSING_AT_MS >= (plan.length - place - 1) * PLANNED_MS;
  const asked = count(about, 'follow_up');
  const further: readonly Move[] =
    unhurried && asked < MOST_OF_A_KIND
      ? [
          {
            kind: 'follow_up',
            text: followUp(quality === 'vague' ? 'vague' : 'short', place, asked),
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

const CLOSING: Omit<Move, 'text'> = { kind: 'closing', dimensionIds: [], planned: null, verbatim: '' };

const plannedMove = (at: {
  readonly role: InterviewSoFar['role'];
  readonly plan: readonly PlannedTurn[];
  readonly place: number;
}): Move | null => {
  const turn = at.plan[at.place];
  if (turn === undefined) return null;
  return {
    kind: 'planned',
    text: at.place === 0 ? opening(at.role, turn) : turn.text,
    dimensionIds: turn.dimensionIds,
    planned: at.place,
    verbatim: turn.own ? turn.text : '',
  };
};

/** The question that is open again, in other words; `null` once that was done often enough. */
const clarificationOf = (turn: PlannedTurn, place: number, about: readonly Question[]): Move | null => {
  const time = count(about, 'clarification');
  const again = turn.again[time];
  if (again === undefined) return null;
  const aboutFollowUp = about.findLast(({ kind }) => kind !== 'clarification')?.kind === 'follow_up';
  const text = aboutFollowUp ? `${AFTER_FOLLOW_UP[time] ?? ''} ${again}`.trim() : again;
  return {
    kind: 'clarification',
    text: shortened(text, MAX_QUESTION),
    dimensionIds: turn.dimensionIds,
    planned: place,
    verbatim: '',
  };
};

const count = (questions: readonly Question[], kind: QuestionKind): number =>
  questions.filter((question) => question.kind === kind).length;

const orElse = ([first, ...rest]: readonly Move[], otherwise: Move): Moves => [first ?? otherwise, ...rest];

/** Version of the plan, the wordings and the rules about answers; it is stored with each question. */
const SCRIPT_VERSION = 1;

/** The script's next question. @param instead why it replaces a model's; `null`: it does not */
export const scriptedProposal = (soFar: InterviewSoFar, instead: string | null): Proposal | 'finished' => {
  const moves = movesOf(soFar);
  if (moves === 'finished') return moves;
  const { kind, text, dimensionIds, planned } = moves[0];
  return {
    kind,
    text,
    dimensionIds,
    planned,
    askedBy: { interviewer: 'scripted', version: SCRIPT_VERSION, model: null, instead },
  };
};

/** Asks by the script alone: without a provider, and the same questions for the same interview. */
export class ScriptedInterviewer implements Interviewer {
  next(soFar: InterviewSoFar): Promise<Proposal | 'finished'> {
    return Promise.resolve(scriptedProposal(soFar, null));
  }
}

/** A question that every candidate for a role is asked. */
interface PlannedTurn {
  readonly text: string;
  readonly dimensionIds: readonly string[];
  /** The role's own words; else ours. */
  readonly own: boolean;
  /** The same in other words, for the first and the second clarification. */
  readonly again: readonly [string, string];
}

/**
 * What a role asks, never empty: its own questions in their order, then one for every dimension that none of them
 * names. The first one of all opens the interview.
 */
export const planOf = (role: RoleDefinition): readonly PlannedTurn[] => {
  const own = role.questions
    .map(({ text, dimensionName }) => ({ text: oneLine(text), dimensionName }))
    .filter(({ text }) => text !== '');
  const named = new Set(own.map(({ dimensionName }) => dimensionName));
  const plan = [
    ...own.map(({ text, dimensionName }) => ownTurn(text, dimensionsCalled(role, dimensionName))),
    ...role.dimensions
      .filter(({ name }) => !named.has(name))
      .map((dimension, index) => dimensionTurn(dimension, own.length + index)),
  ];
  return plan.length > 0 ? plan : [GENERAL];
};

/** The interview's opening: what will happen, and the plan's first question. */
const opening = (role: RoleDefinition, first: PlannedTurn): string => {
  const text = `${greeting(spokenName(role.name))} ${first.text}`;
  return text.length <= MAX_QUESTION ? text : first.text;
};

const GENERAL: PlannedTurn = { text: GENERAL_QUESTION, dimensionIds: [], own: false, again: GENERAL_AGAIN };

const dimensionsCalled = (role: RoleDefinition, name: string | null): readonly string[] =>
  role.dimensions.filter((dimension) => dimension.name === name).map(({ id }) => id);

const ownTurn = (long: string, dimensionIds: readonly string[]): PlannedTurn => {
  const text = shortened(long, MAX_QUESTION);
  const again = (time: number): string => shortened(ownAgain(text, time), MAX_QUESTION);
  return { text, dimensionIds, own: true, again: [again(0), again(1)] };
};

const dimensionTurn = ({ id, name, category }: Dimension, place: number): PlannedTurn => {
  const spoken = spokenName(name);
  return {
    text: dimensionQuestion(category, spoken, place),
    dimensionIds: [id],
    own: false,
    again: [dimensionAgain(category, spoken, place, 0), dimensionAgain(category, spoken, place, 1)],
  };
};
