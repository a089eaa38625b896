import type { EvaluationResultDocument } from '../../../projections/evaluation-results.js';
import type {
  DimensionScore,
  IntegrityFinding,
  ScoredBy,
  TermEvidence,
} from '../../domain/evaluation/events.js';
import { overallOf, type OverallTerm } from '../../scoring/scores/scores.js';
import {
  component,
  integer,
  type JsonSchema,
  listOf,
  nullable,
  number,
  objectOf,
  text,
  uuid,
} from '../../core/json-schema.js';

/** How each figure of a generation came about, as the interface has it. */
export interface Explanation {
  readonly evaluationId: string;
  readonly generation: number;
  readonly ruleSet: string;
  readonly scoredBy: ScoredBy;
  readonly overall: {
    /** `exact` rounded half up, like it `null` if the weights sum to 0. */
    readonly score: number | null;
    /** What the contributions sum to, at most 6 decimal places. */
    readonly exact: number | null;
    readonly terms: readonly OverallTerm[];
  };
  readonly dimensions: readonly ExplainedDimension[];
  /** In the order of the evaluation's findings. */
  readonly integrity: readonly ExplainedFinding[];
}

export interface ExplainedDimension {
  readonly dimensionId: string;
  /** `exact` rounded half up. */
  readonly score: number;
  /** What the contributions sum to, at most 6 decimal places. */
  readonly exact: number;
  readonly terms: readonly ExplainedTerm[];
}

export interface ExplainedTerm {
  readonly signal: string;
  readonly value: number;
  readonly weight: number;
  /** At most 6 decimal places. */
  readonly contribution: number;
  readonly evidence: readonly {
    readonly eventId: string;
    /** What the event says of it; `null` where there is nothing to quote, and once it can no longer be read. */
    readonly quote: string | null;
  }[];
}

export interface ExplainedFinding {
  readonly kind: string;
  readonly ruleVersion: number;
  /** The figures and thresholds that the rule compared. */
  readonly inputs: Readonly<Record<string, number | string>>;
  readonly evidenceEventIds: readonly string[];
}

type Result = NonNullable<EvaluationResultDocument['result']>;
type Quotes = Readonly<Record<string, readonly string[]>>;

/** Nothing is scored anew: the figures are those that were stored with the result. */
export const explanationOf = (
  {
    evaluationId,
    generation,
    personal,
  }: Pick<EvaluationResultDocument, 'evaluationId' | 'generation' | 'personal'>,
  result: Result,
): Explanation => ({
  evaluationId,
  generation,
  ruleSet: result.ruleSet,
  scoredBy: result.scoredBy,
  overall: {
    score: result.overallScore,
    exact: result.overallExact,
    terms: overallOf(result.scores, result.overallThreshold).terms,
  },
  dimensions: result.scores.map((score) => explainedDimension(score, personal?.quotes ?? {})),
  integrity: result.integrity.map(explainedFinding),
});

const explainedDimension = (
  { dimensionId, score, exact, terms }: DimensionScore,
  quotes: Quotes,
): ExplainedDimension => ({
  dimensionId,
  score,
  exact,
  terms: terms.map(({ signal, value, weight, contribution, evidence }) => ({
    signal,
    value,
    weight,
    contribution,
    evidence: evidence.map(({ eventId, quote }) => ({ eventId, quote: quoted(quotes, eventId, quote) })),
  })),
});

const quoted = (quotes: Quotes, eventId: string, place: TermEvidence['quote']): string | null =>
  place !== null && Object.hasOwn(quotes, eventId) ? (quotes[eventId]?.[place] ?? null) : null;

const explainedFinding = ({
  kind,
  ruleVersion,
  inputs = {},
  evidenceEventIds,
}: IntegrityFinding): ExplainedFinding => ({ kind, ruleVersion, inputs, evidenceEventIds });

const overallTerm = objectOf({ dimensionId: uuid, weight: integer, score: integer, contribution: number });

const term = objectOf({
  signal: text,
  value: number,
  weight: number,
  contribution: number,
  evidence: listOf(objectOf({ eventId: uuid, quote: nullable(text) })),
});

const finding = objectOf({
  kind: text,
  ruleVersion: integer,
  inputs: { type: 'object', additionalProperties: { type: ['number', 'string'] } },
  evidenceEventIds: listOf(uuid),
});

export const explanationSchema = (): JsonSchema =>
  component(
    'Explanation',
    objectOf({
      evaluationId: uuid,
      generation: integer,
      ruleSet: text,
      scoredBy: objectOf({ scorer: text, version: integer, description: text }),
      overall: objectOf({ score: nullable(integer), exact: nullable(number), terms: listOf(overallTerm) }),
      dimensions: listOf(objectOf({ dimensionId: uuid, score: integer, exact: number, terms: listOf(term) })),
      integrity: listOf(finding),
    }),
  );
