import type { TestCounts } from '../../domain/evaluation/events.js';
import type { CheckFailure } from '../../domain/session/check-events.js';
import type { EvidenceSource } from '../../domain/session/events.js';
import { type EvidenceEvent, textIn, quoteText } from '../evidence/evidence.js';
import { type Fraction, fraction, ZERO } from '../scores/arithmetic.js';

/**
 * Points of each signal of a category, out of 100. The role alone decides which row holds. A signal that a row
 * gives no points has no part in the score.
 */
export interface Weights<Signal extends string> {
  readonly withTickets: Readonly<Partial<Record<Signal, number>>>;
  readonly withoutTickets: Readonly<Partial<Record<Signal, number>>>;
}

export type CorrectnessSignal =
  | 'last_run_passed'
  | 'failures_fixed'
  | 'tickets_finished'
  | 'tickets_finished_green'
  | 'hidden_tests_passed'
  | 'visible_tests_passed'
  | 'unchecked_handed_in';
export type ProcessSignal =
  | 'tickets_handed_in'
  | 'visible_failures_resolved'
  | 'changes_tested'
  | 'small_steps'
  | 'tickets_started_first'
  | 'messages_with_substance'
  | 'sent_messages_with_substance'
  | 'questions_answered'
  | 'answers_with_substance';

export type Signal = CorrectnessSignal | ProcessSignal;

/** For each signal: what it counts, as a sentence, and which source vouches for the events that it reads. */
export const SIGNALS: Readonly<Record<Signal, SignalReading>> = {
  hidden_tests_passed: {
    counts: 'Hidden tests that the last hand-in of each ticket passed; each ticket weighs the same.',
    sources: ['checker'],
  },
  visible_tests_passed: {
    counts: 'Visible tests that the last hand-in of each ticket passed; each ticket weighs the same.',
    sources: ['checker'],
  },
  unchecked_handed_in: {
    counts: 'Tickets that were handed in and that no check measures.',
    sources: ['service'],
  },
  tickets_handed_in: { counts: 'Tickets that were handed in.', sources: ['service'] },
  visible_failures_resolved: {
    counts: 'Tickets whose last hand-in passed all of their visible tests.',
    sources: ['checker'],
  },
  last_run_passed: { counts: 'Tests that passed in the last test run.', sources: ['candidate'] },
  failures_fixed: {
    counts: 'Test runs with failures that were followed by a run without any.',
    sources: ['candidate'],
  },
  tickets_finished: { counts: 'Tickets that were marked as finished.', sources: ['candidate'] },
  tickets_finished_green: {
    counts: 'Tickets that were marked as finished after a test run without failures.',
    sources: ['candidate'],
  },
  changes_tested: { counts: 'File changes that were soon followed by a test run.', sources: ['candidate'] },
  small_steps: { counts: 'File changes of few lines.', sources: ['candidate'] },
  tickets_started_first: {
    counts: 'Tickets that were marked as started before they were finished.',
    sources: ['candidate'],
  },
  messages_with_substance: {
    counts: 'Messages and answers of more than a few characters.',
    sources: ['service', 'candidate'],
  },
  sent_messages_with_substance: {
    counts: 'Messages of more than a few characters.',
    sources: ['candidate'],
  },
  questions_answered: {
    counts: 'Planned questions of the interview that were answered.',
    sources: ['service'],
  },
  answers_with_substance: {
    counts: 'Answers in the interview of more than a few characters.',
    sources: ['service'],
  },
};

/** What a signal reads. */
export interface SignalReading {
  readonly counts: string;
  readonly sources: EvidenceSource[];
}

/** Points of signals, out of any sum. */
export type Points = Readonly<Partial<Record<Signal, number>>>;

/** Points of a category by what a role's setup can produce. */
export interface SetupPoints {
  /** What the service sees and the shipped page reports: the signals that the setup can produce share the 100 points. */
  readonly base: Points;
  /**
   * What other programs of the candidate's may report, out of 100. Each takes its points from the base, and only if its
   * share is higher than the base's: to report nothing costs nothing.
   */
  readonly reported: Points;
}

/** The rules of a rubric: which signals count how much. */
export interface RubricRules {
  readonly version: number;
  readonly correctness: Weights<CorrectnessSignal> | SetupPoints;
  readonly process: Weights<ProcessSignal> | SetupPoints;
  /** A change counts as tested if a test run follows before this many more changes. */
  readonly changesPerTestRun: number;
  /** Largest number of lines, added and removed together, of a change that counts as a small step. */
  readonly smallStepLines: number;
  /** Least number of characters that are not blank of a message or an answer with substance. */
  readonly substanceCharacters: number;
  /** A rationale notes that a dimension's `rubric` text was not read. */
  readonly mentionsRubricText?: true;
  /**
   * What only asks to repeat or explain a question is no answer, and what answers its clarification answers the planned
   * question.
   */
  readonly leavesOutRequests?: true;
}

/** A check that gave no result. */
export interface FailedCheck {
  /** The ticket's place in the role's list, from 1. */
  readonly ticket: number;
  /** `null`: there is no result, or it has no such test. */
  readonly reason: CheckFailure | null;
}

/** The result of one signal for a session. */
export interface Measure<Signal extends string = string> {
  readonly signal: Signal;
  /** From 0 to 1. */
  readonly share: Fraction;
  /** What the share counts, as a plain sentence with its figures. */
  readonly finding: string;
  /** Every event it rests on, in order; fewer may be cited. */
  readonly evidence: readonly EvidenceEvent[];
  /** What an event of it is quoted by; `null`: the event has nothing to quote. */
  readonly quote: (event: EvidenceEvent) => string | null;
  /** There was no checker for it, so the share means nothing. */
  readonly unmeasured?: true;
  /** Checks that gave no result; left out if there are none. */
  readonly unchecked?: {
    /** The share if all of their tests had passed. */
    readonly max: Fraction;
    readonly checks: readonly FailedCheck[];
  };
  /** Tests of the checker, if it counts them. */
  readonly tests?: TestCounts;
}

/** `counted / all`; 0 if there is nothing to count. */
export const shareOf = (counted: number | bigint, all: number | bigint): Fraction =>
  BigInt(all) === 0n ? ZERO : fraction(counted, all);

/** `1 change`, `2 changes`. */
export const counted = (count: number | bigint, one: string, many = `${one}s`): string =>
  `${count.toString()} ${BigInt(count) === 1n ? one : many}`;

/** One of the role's tickets was marked as finished. */
export interface TicketFinish {
  readonly ticket: string;
  readonly event: EvidenceEvent;
  /** It had been marked so before. */
  readonly again: boolean;
  /** It had been marked as started before. */
  readonly startedFirst: boolean;
}

/** The role's distinct tickets. */
export const ticketsOf = (ticketIds: readonly string[]): ReadonlySet<string> => new Set(ticketIds);

/** Every time that one of the role's tickets was marked as finished, in order. */
export function finishedTickets(
  evidence: readonly EvidenceEvent[],
  tickets: ReadonlySet<string>,
): readonly TicketFinish[] {
  const started = new Set<string>();
  const finished = new Set<string>();
  const finishes: TicketFinish[] = [];
  for (const event of evidence) {
    if (event.eventType !== 'ticket.started' && event.eventType !== 'ticket.finished') continue;
    const ticket = textIn(event, 'ticketId');
    if (ticket === null || !tickets.has(ticket)) continue;
    if (event.eventType === 'ticket.started') {
      started.add(ticket);
      continue;
    }
    finishes.push({ ticket, event, again: finished.has(ticket), startedFirst: started.has(ticket) });
    finished.add(ticket);
  }
  return finishes;
}

/** The ticket that an event names, as a quote; `null`: it names none. */
export const quoteTicket = (event: EvidenceEvent): string | null => quoteText(event, 'ticketId');
