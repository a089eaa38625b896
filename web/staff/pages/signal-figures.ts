import type {
  EvaluationSummary,
  Outcome,
  OutcomeStatus,
  SignalTotals,
} from '../../../packages/client/src/index.js';

/** The counts of a role, or of all. */
export type Counts = SignalTotals;

/** The steps from a completed assessment to a hire; none is larger than the first. */
export const STEPS = ['completed', 'recorded', 'passed', 'hired'] as const;
export type Step = (typeof STEPS)[number];

/** How many got to each step, as the service counts them. */
export const funnelOf = ({
  trialCompletedCount,
  outcomeRecordedCount,
  humanRound,
  disposition,
}: Counts): Readonly<Record<Step, number>> => ({
  completed: trialCompletedCount,
  recorded: outcomeRecordedCount,
  passed: humanRound.passed,
  hired: disposition.hired,
});

/** The kinds of outcomes, in the order in which they are recorded. */
export const OUTCOMES = ['awaiting', 'passed', 'failed', 'hired', 'declined'] as const;

/** The count of each kind of outcome. */
export const outcomesOf = ({
  awaitingOutcomeCount,
  humanRound,
  disposition,
}: Counts): Readonly<Record<(typeof OUTCOMES)[number], number>> => ({
  awaiting: awaitingOutcomeCount,
  ...humanRound,
  ...disposition,
});

/** The stages of an application that take time, in their order. */
export const STAGES = ['started', 'completed', 'evaluated', 'decided'] as const;
export type Stage = (typeof STAGES)[number];

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/**
 * A duration in whole units, such as "2 hr 5 sec". Units with the value 0 are left out.
 * @param most how many units at most, the largest ones
 */
export const durationOf = (seconds: number, language: string, most: number = UNITS.length): string => {
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || (unit === 'second' && parts.length === 0))
      parts.push(count.toLocaleString(language, { style: 'unit', unit, unitDisplay: 'short' }));
  }
  return parts.slice(0, most).join(' ');
};

/** A part in percent of a whole, with at most one decimal place; `null`: there is no whole. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1_000) / 10;

/** Scores are counted in steps of ten; the last has 100 too. */
export const BINS = 10;

/** A step of scores, both ends included, with its evaluations by their outcome. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly total: number;
  readonly by: Readonly<Record<OutcomeStatus, number>>;
}

/** An outcome's status, as the service decides it: by the disposition, else by the human round. */
export const outcomeStatusOf = (outcome: Outcome | null): OutcomeStatus =>
  outcome?.disposition ?? outcome?.humanRound ?? 'none';

/** The distribution of overall scores by outcome. What has no score is left out. */
export const binsOf = (
  evaluations: readonly Pick<EvaluationSummary, 'overallScore' | 'outcome'>[],
): readonly Bin[] => {
  const bins = Array.from({ length: BINS }, (_, index) => ({
    from: index * 10,
    to: index === BINS - 1 ? 100 : index * 10 + 9,
    total: 0,
    by: { none: 0, passed: 0, failed: 0, hired: 0, declined: 0 },
  }));
  for (const { overallScore, outcome } of evaluations) {
    const bin = overallScore === null ? undefined : bins[Math.min(BINS - 1, Math.floor(overallScore / 10))];
    if (!bin) continue;
    bin.total += 1;
    bin.by[outcomeStatusOf(outcome)] += 1;
  }
  return bins;
};

const startOfDay = (moment: Date): Date =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());

/** How many days of the device's calendar there are from a moment to another. */
export const daysBetween = (first: Date, last: Date): number =>
  // A day of the calendar may have 23 or 25 hours.
  Math.max(0, Math.round((startOfDay(last).getTime() - startOfDay(first).getTime()) / 86_400_000));

/** The end of the day that is that many days after the first one. */
export const endOfDay = (first: Date, days: number): Date =>
  new Date(first.getFullYear(), first.getMonth(), first.getDate() + days + 1);

/** The day of an address, such as `12`: days after the first. @returns `last` unless it is one of them */
export const dayIn = (text: string | undefined, last: number): number => {
  const day = text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : last;
  return Math.min(day, last);
};
