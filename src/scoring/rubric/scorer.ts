import type { ScoredBy } from '../../domain/evaluation/events.js';
import type { Dimension, RoleDefinition } from '../../domain/role/events.js';
import { type EvidenceEvent, hasNonBlank } from '../evidence/evidence.js';
import { handInsIn, setupIn } from '../evidence/work.js';
import {
  add,
  type Fraction,
  fraction,
  fromMicros,
  multiply,
  spread,
  times,
  toMicros,
  ZERO,
} from '../scores/arithmetic.js';
import type { DimensionScoring, Scorer, Scoring, ScoringInput, ScoringTerm } from '../scores/scorer.js';
import { caveatOf } from './caveat.js';
import { measureCorrectness } from './correctness.js';
import {
  type Measure,
  type Points,
  type RubricRules,
  type SetupPoints,
  type Signal,
  ticketsOf,
} from './measure.js';
import { tableOf, type Weighed, type WeighedMeasure, weighBySetup } from './points.js';
import { measureProcess } from './process.js';
import { measureWork } from './work.js';

/** Events cited by one term of one dimension at most. */
export const MAX_CITATIONS = 20;
/** Events cited by all of a role's terms together, so that roles of many dimensions still make one event. */
const MAX_CITATIONS_IN_ALL = 4_000;

const RUBRIC_TEXT_UNREAD =
  "This dimension's own rubric text was not read: these rules count, and read no texts.";

/** The built-in scorer: fixed rules over counted events, the same on every run and machine. */
export class RubricScorer implements Scorer {
  constructor(private readonly rules: RubricRules) {}

  describe(): ScoredBy {
    return {
      scorer: 'rubric',
      version: this.rules.version,
      description:
        'A rule-based rubric: it counts recorded events and weighs the counts by a fixed table. It is not a model, ' +
        'reads no meaning into texts, ignores the wording of dimensions, and its figures are not a verdict on a person.',
    };
  }

  async score({ role, evidence }: ScoringInput): Promise<Scoring> {
    const byCategory = new Map<string, Weighed>();
    const limit = citationLimit(role.dimensions.length, termsOf(this.rules));
    const dimensions = role.dimensions.map((dimension) => {
      const weighed = byCategory.get(dimension.category) ?? this.measure(dimension.category, role, evidence);
      byCategory.set(dimension.category, weighed);
      return scoreDimension(dimension, weighed, limit, this.rules);
    });
    return { kind: 'scored', dimensions };
  }

  /** What a category's score is made of, by the table of the rule set. */
  private measure(category: string, role: RoleDefinition, evidence: readonly EvidenceEvent[]): Weighed {
    const table = tableOf(this.rules, category);
    if (table === null) return { measures: [], leftOut: [], unchecked: null };
    // A newer rule set has its points by what the role's setup can produce.
    if ('base' in table) return this.measureBySetup(table, category, role, evidence);
    const tickets = ticketsOf(role.ticketIds);
    const row = tickets.size > 0 ? table.withTickets : table.withoutTickets;
    return {
      measures:
        category === 'correctness'
          ? weigh(measureCorrectness(evidence, tickets), row)
          : weigh(measureProcess(evidence, tickets, this.rules), row),
      leftOut: [],
      unchecked: null,
    };
  }

  /** By what the role's setup can produce: which of its tickets take work, and which checks those have. */
  private measureBySetup(
    table: SetupPoints,
    category: string,
    role: RoleDefinition,
    evidence: readonly EvidenceEvent[],
  ): Weighed {
    const setup = setupIn(role.ticketIds, evidence);
    // Tickets that take no hand-in are measured by the candidate's own marks, all others by what was handed in.
    const marked = new Set([...setup].flatMap(([id, work]) => (work === null ? [id] : [])));
    const measures = [
      ...measureWork(setup, handInsIn(evidence, setup)),
      ...measureCorrectness(evidence, marked),
      ...measureProcess(evidence, marked, this.rules),
    ];
    return weighBySetup(table, category, setup, measures);
  }
}

/** The measures with their points. One without points for this role is left out. */
const weigh = (measures: readonly Measure<Signal>[], points: Points): readonly WeighedMeasure[] =>
  measures
    .map((measure) => ({ ...measure, weight: fraction(points[measure.signal] ?? 0) }))
    .filter(({ weight }) => weight.numerator > 0n);

/** How many terms a dimension has at most. */
const termsOf = ({ correctness, process }: RubricRules): number => {
  const rows = (table: RubricRules['correctness'] | RubricRules['process']) =>
    'base' in table ? [{ ...table.base, ...table.reported }] : [table.withTickets, table.withoutTickets];
  return Math.max(...[...rows(correctness), ...rows(process)].map((row) => Object.keys(row).length));
};

/** How many events each term may cite. */
const citationLimit = (dimensions: number, terms: number): number =>
  Math.min(MAX_CITATIONS, Math.floor(MAX_CITATIONS_IN_ALL / (terms * Math.max(1, dimensions))));

function scoreDimension(
  dimension: Dimension,
  { measures, leftOut, unchecked }: Weighed,
  limit: number,
  rules: RubricRules,
): DimensionScoring {
  const addends = withinBounds(measures.map(({ share, weight }) => multiply(share, weight)));
  const { parts } = spread(addends);
  const terms = parts.map((part, index): ScoringTerm => {
    const contribution = fromMicros(part);
    const measure = measures[index];
    // The addend of `withinBounds`.
    if (measure === undefined)
      return { signal: 'bound', value: contribution, weight: 1, contribution, evidence: [] };
    return {
      signal: measure.signal,
      value: fromMicros(toMicros(measure.share)),
      weight: pointsIn(measure),
      contribution,
      evidence: cited(measure, limit).map((event) => ({ eventId: event.id, quote: measure.quote(event) })),
      ...(measure.tests && { tests: measure.tests }),
    };
  });
  const unread =
    rules.mentionsRubricText && hasNonBlank(dimension.rubric ?? '', 1) ? ` ${RUBRIC_TEXT_UNREAD}` : '';
  const figures = {
    terms,
    ...('base' in rules.correctness && { leftOut }),
    ...(unchecked && { unchecked }),
  };
  const caveat = caveatOf({ ...figures, dimensionCategory: dimension.category });
  return {
    dimensionId: dimension.id,
    ...figures,
    rationale: (caveat && `${caveat} `) + rationaleOf(dimension, measures, limit) + unread,
  };
}

const pointsIn = ({ weight }: WeighedMeasure): number => fromMicros(toMicros(weight));

/** The addends of a score between 0 and 100: if their sum is outside this range, one more addend corrects it. */
export function withinBounds(addends: readonly Fraction[]): readonly Fraction[] {
  const sum = addends.reduce(add, ZERO);
  if (sum.numerator < 0n) return [...addends, times(sum, -1)];
  const excess = add(sum, fraction(-100));
  return excess.numerator > 0n ? [...addends, times(excess, -1)] : addends;
}

/** The last events of a measure, as many as may be cited. */
const cited = (measure: Measure, limit: number): readonly EvidenceEvent[] =>
  limit === 0 ? [] : measure.evidence.slice(-limit);

function rationaleOf(dimension: Dimension, measures: readonly WeighedMeasure[], limit: number): string {
  if (measures.length === 0)
    return `The rubric knows no signals for the category of this dimension. The score is 0.`;
  const findings = measures.map((measure) => {
    const left = measure.evidence.length - cited(measure, limit).length;
    const citing =
      left === 0
        ? ''
        : ` Of the ${measure.evidence.length} events this rests on, the last ${limit} are cited.`;
    return `${measure.finding} (Signal ${measure.signal}, up to ${pointsIn(measure)} points.)${citing}`;
  });
  const without = measures.every(({ evidence }) => evidence.length === 0)
    ? `The session holds no evidence for this dimension of category ${dimension.category}. The score is 0. `
    : '';
  return without + findings.join(' ');
}
