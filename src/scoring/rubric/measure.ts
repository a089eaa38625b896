import { type Fraction, fraction, ZERO } from '../scores/arithmetic.js';
import { type EvidenceEvent, textIn, quoteText } from '../evidence/evidence.js';

/**
 * Points of each signal of a category, out of 100. The role alone decides which row holds. A signal that a row
 * gives no points has no part in the score.
 */
export interface Weights<Signal extends string> {
  readonly withTickets: Readonly<Partial<Record<Signal, number>>>;
  readonly withoutTickets: Readonly<Partial<Record<Signal, number>>>;
}

export type CorrectnessSignal =
  'last_run_passed' | 'failures_fixed' | 'tickets_finished' | 'tickets_finished_green';
export type ProcessSignal =
  | 'changes_tested'
  | 'small_steps'
  | 'tickets_started_first'
  | 'messages_with_substance'
  | 'sent_messages_with_substance'
  | 'questions_answered'
  | 'answers_with_substance';

export interface RubricRules {
  readonly version: number;
  readonly correctness: Weights<CorrectnessSignal>;
  readonly process: Weights<ProcessSignal>;
  /** A change counts as tested if a test run follows before this many more changes. */
  readonly changesPerTestRun: number;
  /** Lines added and removed by one change. */
  readonly smallStepLines: number;
  /** Characters that are not blank. */
  readonly substanceCharacters: number;
  /** A rationale notes that a dimension's `rubric` text was not read. */
  readonly mentionsRubricText?: true;
  /**
   * What only asks to repeat or explain a question is no answer, and what answers its clarification answers the planned
   * question.
   */
  readonly leavesOutRequests?: true;
}

/** What one signal finds in a session. */
export interface Measure<Signal extends string = string> {
  readonly signal: Signal;
  /** From 0 to 1. */
  readonly share: Fraction;
  /** What the share counts, as a plain sentence with its figures. */
  readonly finding: string;
  /** Every event it rests on, in order; fewer may be cited. */
  readonly evidence: readonly EvidenceEvent[];
  /** What an event of it is quoted by. */
  readonly quote: (event: EvidenceEvent) => string | null;
}

/** `counted / all`; 0 if there is nothing to count: what did not happen earns nothing. */
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

export const quoteTicket = (event: EvidenceEvent): string | null => quoteText(event, 'ticketId');
