import type { FailedChecks, LeftOut, LeftOutReason, UncheckedWork } from '../../domain/evaluation/events.js';
import type { TicketWork } from '../../domain/session/events.js';
import type { WorkSetup } from '../evidence/work.js';
import {
  add,
  type Fraction,
  fraction,
  fromMicros,
  isGreater,
  type Micros,
  multiply,
  toMicros,
  ZERO,
} from '../scores/arithmetic.js';
import {
  type FailedCheck,
  type Measure,
  type Points,
  type RubricRules,
  type SetupPoints,
  type Signal,
  SIGNALS,
} from './measure.js';

/** The most points of a signal in a role of that setup, out of 100. */
export interface SignalPoints {
  readonly signal: Signal;
  readonly max: Fraction;
  /** It counts only if it raises the score. */
  readonly onlyRaises: boolean;
}

/**
 * What signals of a category can count in a role; none: no rule reads evidence for the category.
 * @param hasChecker whether the service has a checker
 */
export const pointsOf = (
  rules: RubricRules,
  category: string,
  tickets: WorkSetup,
  hasChecker: boolean,
): readonly SignalPoints[] => {
  const table = tableOf(rules, category);
  if (table === null) return [];
  if (!('base' in table)) {
    const row = tickets.size > 0 ? table.withTickets : table.withoutTickets;
    return entriesOf(row).map(([signal, points]) => ({ signal, max: fraction(points), onlyRaises: false }));
  }
  const { base: possible, reported } = possibleOf(table, category, tickets);
  const checkable = possible.filter(([signal]) => hasChecker || !SIGNALS[signal].sources.includes('checker'));
  const base = checkable.length > 0 ? checkable : arrivalOf(table);
  const all = sumOf(base);
  return [
    ...base.map(([signal, points]) => ({ signal, max: fraction(points * 100, all), onlyRaises: false })),
    ...reported.map(([signal, points]) => ({ signal, max: fraction(points), onlyRaises: true })),
  ];
};

/** A rule set's points for a category; `null`: no rule reads evidence for it. */
export const tableOf = (rules: RubricRules, category: string) =>
  category === 'correctness' ? rules.correctness : category === 'process' ? rules.process : null;

export interface WeighedMeasure extends Measure<Signal> {
  readonly weight: Fraction;
}

/** What a category's score is made of. */
export interface Weighed {
  readonly measures: readonly WeighedMeasure[];
  /** Signals that have no part in the score, each with the reason. */
  readonly leftOut: readonly LeftOut[];
  /** What was handed in and not checked. `null`: every check gave a result. */
  readonly unchecked: UncheckedWork | null;
}

/**
 * Weighs what a session's setup can produce: the base's points are scaled to 100, and each reported signal that raises
 * the score takes its points from them. What could not be checked keeps its points and earns none of them.
 */
export function weighBySetup(
  table: SetupPoints,
  category: string,
  tickets: WorkSetup,
  measures: readonly Measure<Signal>[],
): Weighed {
  const weighed = weighShares(table, category, tickets, measures);
  const failed = weighed.measures.flatMap(({ unchecked }) => unchecked?.checks ?? []);
  if (failed.length === 0) return { ...weighed, unchecked: null };
  const best = weighShares(
    ...([table, category, tickets] as const),
    measures.map((measure) => ({ ...measure, share: measure.unchecked?.max ?? measure.share })),
  );
  const points = fromMicros(scoreOf(best.measures) - scoreOf(weighed.measures));
  return { ...weighed, unchecked: { points, checks: byReason(failed) } };
}

const scoreOf = (measures: readonly WeighedMeasure[]): Micros =>
  toMicros(measures.reduce((sum, { share, weight }) => add(sum, multiply(share, weight)), ZERO));

/** Each ticket once: two measures can read the same result. */
const byReason = (failed: readonly FailedCheck[]): readonly FailedChecks[] => {
  const reasons = new Map(
    [...failed].sort((a, b) => a.ticket - b.ticket).map((one) => [one.ticket, one.reason]),
  );
  return [...new Set(reasons.values())].map((reason) => ({
    reason,
    tickets: [...reasons].flatMap(([ticket, why]) => (why === reason ? [ticket] : [])),
  }));
};

function weighShares(
  table: SetupPoints,
  category: string,
  tickets: WorkSetup,
  measures: readonly Measure<Signal>[],
): Omit<Weighed, 'unchecked'> {
  const bySignal = new Map(measures.map((measure) => [measure.signal, measure]));
  const possible = possibleOf(table, category, tickets);
  const leftOut: LeftOut[] = [...possible.leftOut];
  const weighed = ([signal, points]: Entry) => {
    const measure = bySignal.get(signal);
    return measure === undefined ? [] : [{ ...measure, points }];
  };
  let base = possible.base.flatMap(weighed).filter(({ signal, unmeasured }) => {
    if (unmeasured) leftOut.push({ signal, reason: 'not_checked' });
    return !unmeasured;
  });
  if (base.length === 0) {
    // There was no checker: all that is known is whether work was handed in.
    base = arrivalOf(table).flatMap(weighed);
    remove(leftOut, 'unchecked_handed_in');
  }
  const all = sumOf(base.map(({ signal, points }) => [signal, points]));
  const mean = base.reduce(
    (sum, { share, points }) => add(sum, multiply(share, fraction(points, all))),
    ZERO,
  );
  const reported = possible.reported.flatMap(weighed).filter(({ signal, share }) => {
    const raises = isGreater(share, mean);
    if (!raises) leftOut.push({ signal, reason: 'not_higher' });
    return raises;
  });
  const left = 100 - reported.reduce((sum, { points }) => sum + points, 0);
  return {
    measures: [
      ...base.map((measure) => ({ ...measure, weight: fraction(measure.points * left, all) })),
      ...reported.map((measure) => ({ ...measure, weight: fraction(measure.points) })),
    ],
    leftOut,
  };
}

type Entry = readonly [Signal, number];

const entriesOf = (points: Points): readonly Entry[] => Object.entries(points) as unknown as readonly Entry[];

/** The one signal that counts without a checker where checks would measure all. */
const arrivalOf = ({ base }: SetupPoints): readonly Entry[] =>
  entriesOf(base).filter(([signal]) => signal === 'unchecked_handed_in');

const sumOf = (entries: readonly Entry[]): number => entries.reduce((sum, [, points]) => sum + points, 0);

const remove = (leftOut: LeftOut[], signal: Signal): void => {
  const place = leftOut.findIndex((one) => one.signal === signal);
  if (place !== -1) leftOut.splice(place, 1);
};

const possibleOf = (table: SetupPoints, category: string, tickets: WorkSetup) => {
  const leftOut: LeftOut[] = [];
  const possible = (points: Points) =>
    entriesOf(points).filter(([signal]) => {
      const reason = reasonAgainst(signal, category, tickets);
      if (reason !== null) leftOut.push({ signal, reason });
      return reason === null;
    });
  return { base: possible(table.base), reported: possible(table.reported), leftOut };
};

/** Why no session of that setup can have the signal; `null`: it can. */
const reasonAgainst = (signal: Signal, category: string, tickets: WorkSetup): LeftOutReason | null => {
  const works = [...tickets.values()];
  const some = (isSuch: (work: TicketWork) => boolean): boolean =>
    works.some((work) => work !== null && isSuch(work));
  const isChecked = some((work) => work.visibleChecks || work.hiddenChecks);
  switch (signal) {
    case 'hidden_tests_passed':
      return some((work) => work.hiddenChecks) ? null : 'no_checks';
    case 'visible_tests_passed':
    case 'visible_failures_resolved':
      return some((work) => work.visibleChecks) ? null : 'no_checks';
    case 'unchecked_handed_in':
      if (some((work) => !work.visibleChecks && !work.hiddenChecks)) return null;
      return isChecked ? 'checked' : 'no_hand_ins';
    case 'tickets_handed_in':
      return some(() => true) ? null : 'no_hand_ins';
    case 'last_run_passed':
    case 'failures_fixed':
      return isChecked ? 'checked' : null;
    case 'tickets_finished':
    case 'tickets_finished_green':
      if (isChecked) return 'checked';
      return works.includes(null) ? null : 'no_tickets';
    case 'tickets_started_first':
      return works.includes(null) ? null : 'no_tickets';
    case 'questions_answered':
    case 'answers_with_substance':
      return category === 'correctness' && tickets.size > 0 ? 'tickets_count' : null;
    default:
      return null;
  }
};
