import type { EvaluationResultDocument } from '../../../projections/evaluation-results.js';
import { Enumeration, Instant, Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import type { DimensionScore } from '../../domain/evaluation/events.js';
import { CANDIDATE_RESULTS } from '../../domain/organisation/events.js';
import { quoted, type Quotes } from './explanation.js';
import { Score } from './record.js';

/** What candidates are shown of their evaluations. */
export const RELEASED = Enumeration('CandidateResults', CANDIDATE_RESULTS);

/** The figures of a generation as its candidate sees them. */
export type ReleasedResult = Static<typeof ReleasedResult>;
export const ReleasedResult = Named('ReleasedResult', {
  overallScore: Nullable(Score),
  overallThreshold: Type.Integer(),
  passed: Nullable(Type.Boolean()),
  generatedAt: Instant,
});

const ReleasedDimension = Named('ReleasedDimension', {
  dimensionId: Uuid,
  dimensionName: Type.String(),
  dimensionCategory: Type.String(),
  weight: Type.Integer(),
  threshold: Nullable(Type.Integer()),
  score: Score,
  passed: Nullable(Type.Boolean()),
  rationale: Nullable(Type.String()),
  quotes: Type.Array(
    Named('ReleasedQuote', {
      eventId: Type.String({ format: 'uuid', description: 'The event of the evidence that it is from.' }),
      quote: Type.String(),
    }),
  ),
});

export type ReleasedExplanation = Static<typeof ReleasedExplanation>;
export const ReleasedExplanation = Named('ReleasedExplanation', {
  dimensions: Type.Array(ReleasedDimension),
});

/** A generation that became ready. */
export interface ReadyGeneration {
  readonly answeredAt: string;
  readonly result: NonNullable<EvaluationResultDocument['result']>;
  readonly personal: EvaluationResultDocument['personal'];
}

export const releasedResult = ({ result, answeredAt }: ReadyGeneration): ReleasedResult => ({
  overallScore: result.overallScore,
  overallThreshold: result.overallThreshold,
  passed: result.passed,
  generatedAt: answeredAt,
});

/** Scores with their reasons, and without the integrity findings, which are for staff. */
export const releasedExplanation = ({ result, personal }: ReadyGeneration): ReleasedExplanation => ({
  dimensions: result.scores.map((score) => ({
    dimensionId: score.dimensionId,
    dimensionName: score.dimensionName,
    dimensionCategory: score.dimensionCategory,
    weight: score.weight,
    threshold: score.threshold,
    score: score.score,
    passed: score.passed,
    rationale: personal?.rationales[score.dimensionId] ?? null,
    quotes: quotesOf(score, personal?.quotes ?? {}),
  })),
});

/** What the score's terms cite, each once. */
const quotesOf = (
  { terms }: DimensionScore,
  quotes: Quotes,
): ReleasedExplanation['dimensions'][number]['quotes'] => {
  const cited = terms.flatMap(({ evidence }) =>
    evidence.flatMap(({ eventId, quote: place }) => {
      const quote = quoted(quotes, eventId, place);
      return quote === null ? [] : [{ eventId, quote }];
    }),
  );
  return [...new Map(cited.map((one) => [JSON.stringify(one), one])).values()];
};
