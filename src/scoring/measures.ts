import { Enumeration, Named, Nullable, type Static, Type, Uuid } from '../core/json-schema.js';
import type { LeftOutReason, ScoreTerm, TestCounts } from '../domain/evaluation/events.js';
import type { RoleDefinition } from '../domain/role/events.js';
import { EvidenceSource, type TicketWork } from '../domain/session/events.js';
import type { CheckIsolation } from '../domain/ticket/events.js';
import type { WorkSetup } from './evidence/work.js';
import { MODEL_SIGNAL } from './model/answer.js';
import { type SignalReading, SIGNALS } from './rubric/measure.js';
import { pointsOf } from './rubric/points.js';
import { currentRuleSet } from './rule-sets.js';
import { fromMicros, toMicros } from './scores/arithmetic.js';

/** A signal that can count in a dimension of a role. */
type SignalMeasure = Static<typeof SignalMeasure>;
const SignalMeasure = Named('SignalMeasure', {
  signal: Type.String(),
  counts: Type.String({ description: 'What it counts, as a sentence.' }),
  sources: Type.Array(EvidenceSource, { description: 'Who vouches for what it counts.' }),
  points: Type.Number({ description: 'The most points that it gives, out of 100.' }),
  onlyRaises: Type.Boolean({
    description: 'It counts only if it raises the score: a session that lacks it can reach 100 all the same.',
  }),
});

/** Why staff are warned about a dimension: `warningOf` has the sentences, `refusedBy` that of `checks_refused`. */
const MEASURE_WARNING = Enumeration('MeasureWarning', [
  'unmeasured',
  'no_tickets',
  'no_checks',
  'checks_not_run',
  'checks_refused',
  'self_reported',
]);
type MeasureWarning = Static<typeof MEASURE_WARNING>;

/** The figures of `checks_refused`. */
type RefusedChecks = Static<typeof RefusedChecks>;
const RefusedChecks = Named('RefusedChecks', {
  tickets: Type.Integer({ description: 'How many of the role’s tickets they belong to.' }),
  asked: Type.Array(Type.String(), { description: 'The isolation that they ask for.' }),
  offered: Type.Array(Type.String(), { description: 'What the service’s checker offers.' }),
});

/** What can measure a dimension of a role. */
export type DimensionMeasures = Static<typeof DimensionMeasures>;
export const DimensionMeasures = Named('DimensionMeasures', {
  dimensionId: Uuid,
  dimensionName: Type.String(),
  dimensionCategory: Type.String(),
  signals: Type.Array(SignalMeasure),
  warning: Nullable(Type.String({ description: 'As in the role’s `warnings`.' })),
  warningCode: Nullable(MEASURE_WARNING),
  refusedChecks: Nullable(RefusedChecks),
});

/** What a service measures with. */
export interface ServiceSetup {
  readonly scorer: { readonly kind: 'rubric' | 'openai' };
  readonly checker:
    { readonly kind: 'none' } | { readonly kind: 'command'; readonly isolations: readonly CheckIsolation[] };
}

/**
 * The role's tickets by id, each with the isolation that its checks ask for, if it has checks; `null`: the ticket takes
 * no hand-ins.
 */
export type MeasuredSetup = ReadonlyMap<
  string,
  (TicketWork & { readonly isolation?: CheckIsolation }) | null
>;

/** A model weighs the evidence by its own judgement. */
const MODEL: SignalReading = {
  counts: 'What a model makes of the interview, of messages, of the checks and of the reported work.',
  sources: ['service', 'checker', 'candidate'],
};

/**
 * What a role can measure by its setup and by the rules of new evaluations, in the order of its dimensions. It does not
 * depend on any candidate.
 * @param tickets the role's, in their current versions
 */
export const measuresOf = (
  { dimensions }: Pick<RoleDefinition, 'dimensions'>,
  tickets: MeasuredSetup,
  { scorer, checker }: ServiceSetup,
): DimensionMeasures[] => {
  const hasChecker = checker.kind !== 'none';
  const isUnrun =
    !hasChecker && [...tickets.values()].some((work) => work?.visibleChecks === true || work?.hiddenChecks);
  const refused = checker.kind === 'none' ? null : refusedBy(checker.isolations, tickets);
  return dimensions.map(({ id, name, category }) => {
    const signalsOf = (of: WorkSetup): readonly SignalMeasure[] =>
      scorer.kind === 'openai'
        ? [{ signal: MODEL_SIGNAL, ...MODEL, points: 100, onlyRaises: false }]
        : rubricSignals(category, of, hasChecker);
    const signals = signalsOf(tickets);
    // The other dimensions have no signal of the checker, so refused checks do not concern them.
    const isRefused = refused !== null && signalsOf(refused.tickets).some(isChecked);
    const [warningCode, warning] = isRefused
      ? (['checks_refused', `"${name}" ${refused.sentence}`] as const)
      : warningOf(name, category, signals, isUnrun);
    return {
      dimensionId: id,
      dimensionName: name,
      dimensionCategory: category,
      ...{ signals, warning, warningCode },
      refusedChecks: isRefused ? refused.checks : null,
    };
  });
};

const isChecked = ({ sources }: SignalMeasure): boolean => sources.includes('checker');

/** The tickets whose checks the service's checker does not run; `null`: it runs all. */
const refusedBy = (
  offered: readonly CheckIsolation[],
  tickets: MeasuredSetup,
): {
  readonly tickets: WorkSetup;
  readonly checks: RefusedChecks;
  readonly sentence: string;
} | null => {
  const refused = [...tickets].filter(
    ([, work]) => work?.isolation !== undefined && !offered.includes(work.isolation),
  );
  const [first, ...others] = new Set(refused.flatMap(([, work]) => work?.isolation ?? []));
  if (first === undefined) return null;
  const of = refused.length === 1 ? '1 ticket' : `${refused.length} tickets`;
  const asked = [first, ...others];
  return {
    tickets: new Map(refused),
    checks: { tickets: refused.length, asked, offered: [...offered] },
    sentence: `has checks that cannot run: those of ${of} ask for the isolation ${asked.join(' or ')}, and the service’s checker offers ${offered.join(' and ')}. They end in an error, which earns nothing.`,
  };
};

/** Cache by category and setup, of which there are few. A category that no rule measures can be any text: not cached. */
const cachedSignals = new Map<string, readonly SignalMeasure[]>();

const rubricSignals = (
  category: string,
  tickets: WorkSetup,
  hasChecker: boolean,
): readonly SignalMeasure[] => {
  // The number of tickets with the same setup makes no difference.
  const kinds = new Map([...tickets.values()].map((work) => [JSON.stringify(work), work]));
  const setup = [category, hasChecker, ...[...kinds.keys()].sort()].join();
  const known = cachedSignals.get(setup);
  if (known) return known;
  const points = pointsOf(currentRuleSet.rubric, category, kinds, hasChecker);
  const signals = points.map(({ signal, max, onlyRaises }) => ({
    ...{ signal, ...SIGNALS[signal], onlyRaises },
    points: fromMicros(toMicros(max)),
  }));
  if (signals.length > 0) cachedSignals.set(setup, signals);
  return signals;
};

/** The warning's code and its sentence. @param isUnrun the role has checks, and the service no checker */
const warningOf = (
  name: string,
  category: string,
  signals: readonly SignalMeasure[],
  isUnrun: boolean,
): readonly [MeasureWarning, string] | readonly [null, null] => {
  if (signals.length === 0)
    return ['unmeasured', `Nothing measures "${name}": no rule reads evidence for its category.`];
  const counting = signals.filter(({ onlyRaises }) => !onlyRaises);
  const isFrom = (source: EvidenceSource) => counting.some(({ sources }) => sources.includes(source));
  if (isFrom('checker') || (category !== 'correctness' && isFrom('service'))) return [null, null];
  if (isFrom('candidate'))
    return [
      'self_reported',
      `"${name}" has no checks: its points rest on what the candidate’s own program reports.`,
    ];
  const why = isUnrun
    ? 'has checks that nothing runs: the service has no checker. Its'
    : 'has no checks: its';
  return counting.some(({ signal }) => signal === 'unchecked_handed_in')
    ? [
        isUnrun ? 'checks_not_run' : 'no_checks',
        `"${name}" ${why} points rest on what is handed in, not on whether it works.`,
      ]
    : [
        'no_tickets',
        `"${name}" has no tickets: its points rest on which questions are answered, not on whether the answers are right.`,
      ];
};

/** What a signal reads, of this or any former rule set. */
const READINGS: ReadonlyMap<string, SignalReading> = new Map([
  ...Object.entries(SIGNALS),
  [MODEL_SIGNAL, MODEL] as const,
]);

/** Who vouches for what a term of a score rests on. */
export const vouching = ({
  signal,
  tests,
}: Pick<ScoreTerm, 'signal' | 'tests'>): {
  readonly sources: EvidenceSource[];
  readonly vouchedBy: string;
} => {
  const sources = READINGS.get(signal)?.sources ?? [];
  return { sources, vouchedBy: tests ? testsInWords(signal, tests) : sourcesInWords(sources) };
};

const testsInWords = (signal: string, { passed, of, unchecked, shared }: TestCounts): string => {
  const testKind = signal === 'visible_tests_passed' ? 'visible' : 'hidden';
  return [
    of === 0
      ? `No ${testKind} tests were run${unchecked > 0 ? '' : ': nothing was handed in'}.`
      : `${passed} of ${of} ${testKind} ${of === 1 ? 'test' : 'tests'}, run by the checker.`,
    ...(unchecked > 0
      ? [
          `The checks of ${unchecked} ${unchecked === 1 ? 'ticket' : 'tickets'} gave no result and earn nothing.`,
        ]
      : []),
    ...(shared ? ['The work ran in one process with its tests and could have changed their results.'] : []),
  ].join(' ');
};

const VOUCHING: Readonly<Record<EvidenceSource, string>> = {
  service: 'recorded by the service itself',
  checker: 'run by the checker',
  candidate: 'reported by the candidate’s own page or program, not checked',
};

const sourcesInWords = (sources: readonly EvidenceSource[]): string => {
  if (sources.length === 0) return 'It rests on no evidence.';
  const words = sources.map((source) => VOUCHING[source]).join(', or ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
};

/** Why a signal has no part in a score, as a sentence. */
export const LEFT_OUT: Readonly<Record<LeftOutReason, string>> = {
  no_tickets:
    'The role has no ticket that is marked as finished: all of them are handed in, or there are none.',
  no_hand_ins: 'Nothing is handed in for the role’s tickets.',
  no_checks: 'The role’s tickets have no such checks.',
  checked: 'The role has checks: what is not checked does not count for correctness.',
  tickets_count: 'The role’s tickets measure it.',
  not_higher: 'It counts only if it raises the score, which it does not.',
  not_checked: 'The service had no checker: the points are those of the other signals.',
};

export const LEFT_OUT_REASONS = Object.keys(LEFT_OUT) as readonly LeftOutReason[];
