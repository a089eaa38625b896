import type { TicketWork } from '../../domain/session/events.js';
import { type EvidenceEvent, quotePart, quoteText, textIn } from '../evidence/evidence.js';
import type { CheckResult, HandIns, Tests, WorkSetup } from '../evidence/work.js';
import { add, type Fraction, fraction, ZERO } from '../scores/arithmetic.js';
import {
  counted,
  type FailedCheck,
  type Measure,
  shareOf,
  type CorrectnessSignal,
  type ProcessSignal,
  type Signal,
} from './measure.js';

/** Measures of hand-ins and of the checker's results for them. */
export function measureWork(
  setup: WorkSetup,
  handIns: HandIns,
): readonly Measure<CorrectnessSignal | ProcessSignal>[] {
  const hidden = testsPassed('hidden', setup, handIns);
  const visible = testsPassed('visible', setup, handIns);
  const all = ticketsWith(setup, () => true);
  const unchecked = ticketsWith(setup, (work) => !work.visibleChecks && !work.hiddenChecks);
  const isUnmeasured = [hidden, visible].every((tests) => tests.tickets === 0 || tests.unmeasured === true);
  return [
    hidden,
    visible,
    // If nothing could be checked, all that is known of the work is that it arrived.
    handedIn('unchecked_handed_in', unchecked.length === 0 && isUnmeasured ? all : unchecked, handIns),
    handedIn('tickets_handed_in', all, handIns),
    failuresResolved(setup, handIns),
  ];
}

/** The ids of the tickets that take hand-ins and meet the condition. */
const ticketsWith = (setup: WorkSetup, condition: (work: TicketWork) => boolean): readonly string[] =>
  [...setup].flatMap(([id, work]) => (work !== null && condition(work) ? [id] : []));

/**
 * The results of checks over the last hand-ins of some tickets. Only results of scope `all` count: those of scope
 * `visible` came while the session was open.
 */
interface LastResults {
  readonly testKind: 'visible' | 'hidden';
  readonly checked: readonly Checked[];
  /** Checks that gave no result. */
  readonly failed: readonly (FailedCheck & { readonly result: CheckResult | undefined })[];
  /** How many tickets have a hand-in, but the service had no checker for it. */
  readonly withoutChecker: number;
  /** How many tickets have no hand-in. */
  readonly absent: number;
}

interface Checked extends Tests {
  readonly result: CheckResult;
}

const lastResults = (
  testKind: 'visible' | 'hidden',
  tickets: readonly string[],
  setup: WorkSetup,
  handIns: HandIns,
): LastResults => {
  const places = new Map([...setup.keys()].map((id, place) => [id, place + 1]));
  const last = tickets.flatMap((id) => handIns.get(id)?.at(-1) ?? []);
  const all = last.map(({ ticketId, results }) => {
    const result = results.findLast(({ scope }) => scope === 'all');
    return { ticket: places.get(ticketId) ?? 0, result, tests: result?.[testKind] ?? null };
  });
  const checked = all.flatMap(({ result, tests }): readonly Checked[] =>
    result === undefined || tests === null ? [] : [{ ...tests, result }],
  );
  const failed = all.flatMap(({ ticket, result, tests }) =>
    tests !== null || result?.failure === 'no_checker'
      ? []
      : [{ ticket, result, reason: result?.failure ?? null }],
  );
  const withoutChecker = all.length - checked.length - failed.length;
  return { testKind, checked, failed, withoutChecker, absent: tickets.length - last.length };
};

/**
 * How many tickets a share is out of. A ticket without a result or a hand-in is one of them, with nothing proven; one
 * without a checker is not.
 */
const countable = ({ checked, failed, absent }: LastResults): number =>
  checked.length + failed.length + absent;

/**
 * The part of a measure that all measures of check results have in common.
 * @param proven the sum of the tickets' shares
 */
const measured = (
  results: LastResults,
  proven: Fraction,
): Pick<Measure<Signal>, 'share' | 'evidence' | 'quote' | 'unmeasured' | 'unchecked'> => {
  const { testKind, checked, failed, withoutChecker } = results;
  const shareOfAll = ({ numerator, denominator }: Fraction): Fraction =>
    shareOf(numerator, denominator * BigInt(countable(results)));
  return {
    share: shareOfAll(proven),
    evidence: [...checked, ...failed].flatMap(({ result }) => result?.event ?? []),
    quote: (event) => (isFailed(event) ? quoteText(event, 'reason') : quotePart(event, testKind)),
    ...(checked.length + failed.length === 0 && withoutChecker > 0 && { unmeasured: true }),
    ...(failed.length > 0 && {
      unchecked: { max: shareOfAll(add(proven, fraction(failed.length))), checks: failed },
    }),
  };
};

const isFailed = (event: EvidenceEvent): boolean => textIn(event, 'outcome') === 'error';

const findings = ({ failed, withoutChecker }: LastResults): readonly string[] => [
  ...(failed.length > 0
    ? [`The checks of ${counted(failed.length, 'ticket')} gave no result and earn nothing.`]
    : []),
  ...(withoutChecker > 0
    ? [`The service had no checker for ${counted(withoutChecker, 'ticket')}: it does not count.`]
    : []),
];

function testsPassed(
  testKind: 'visible' | 'hidden',
  setup: WorkSetup,
  handIns: HandIns,
): Measure<CorrectnessSignal> & { readonly tickets: number } {
  const tickets = ticketsWith(setup, (work) =>
    testKind === 'hidden' ? work.hiddenChecks : work.visibleChecks,
  );
  const results = lastResults(testKind, tickets, setup, handIns);
  const { checked, failed, absent } = results;
  const passed = checked.reduce((sum, tests) => sum + tests.passed, 0n);
  const all = checked.reduce((sum, tests) => sum + tests.all, 0n);
  return {
    signal: `${testKind}_tests_passed`,
    tickets: tickets.length,
    finding: [
      all === 0n
        ? `No ${testKind} tests were run.`
        : `${passed.toString()} of ${counted(all, `${testKind} test`)} passed, run by the checker over ${counted(checked.length, 'ticket')}.`,
      ...(countable(results) > 1 ? ['Each ticket weighs the same.'] : []),
      ...(absent > 0 ? [`Nothing was handed in for ${counted(absent, 'ticket')}.`] : []),
      ...findings(results),
    ].join(' '),
    ...measured(results, checked.map((tests) => shareOf(tests.passed, tests.all)).reduce(add, ZERO)),
    tests: {
      passed: Number(passed),
      of: Number(all),
      unchecked: failed.length,
      shared: checked.some(({ result }) => result.shared),
    },
  };
}

function handedIn<Of extends 'unchecked_handed_in' | 'tickets_handed_in'>(
  signal: Of,
  tickets: readonly string[],
  handIns: HandIns,
): Measure<Of> {
  const last = tickets.flatMap((id) => handIns.get(id)?.at(-1)?.event ?? []);
  return {
    signal,
    share: shareOf(last.length, tickets.length),
    finding: `Handed in: ${last.length} of ${counted(tickets.length, 'ticket')}.`,
    evidence: last,
    quote: (event) => quoteText(event, 'ticketId'),
  };
}

function failuresResolved(setup: WorkSetup, handIns: HandIns): Measure<ProcessSignal> {
  const tickets = ticketsWith(setup, (work) => work.visibleChecks);
  const results = lastResults('visible', tickets, setup, handIns);
  const resolved = results.checked.filter(({ passed, all }) => passed === all).length;
  return {
    signal: 'visible_failures_resolved',
    finding: [
      `The last hand-in passed every visible test: ${resolved} of ${counted(countable(results), 'ticket')}.`,
      ...findings(results),
    ].join(' '),
    ...measured(results, fraction(resolved)),
  };
}
