import type { EvaluationResultDocument } from '../../../projections/evaluation-results.js';
import {
  Enumeration,
  fieldsWithout,
  Instant,
  Named,
  Nullable,
  pick,
  type Static,
  Type,
} from '../../core/json-schema.js';
import type { DimensionScore } from '../../domain/evaluation/events.js';
import { CANDIDATE_RESULTS } from '../../domain/organisation/events.js';
import { quoted, type Quotes } from './explanation.js';
import { Score, ScoreRecord } from './record.js';
import { UncheckedPoints } from './unchecked.js';

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
  ...fieldsWithout(ScoreRecord, 'evidenceEventIds', 'unchecked'),
  uncheckedPoints: Nullable(UncheckedPoints),
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

/** What candidates see of a result, if the organisation releases results. */
export const releasedResult = ({ result, answeredAt }: ReadyGeneration): ReleasedResult => ({
  overallScore: result.overallScore,
  overallThreshold: result.overallThreshold,
  passed: result.passed,
  generatedAt: answeredAt,
});

/** Scores with their reasons, and without the integrity findings, which are for staff. */
export const releasedExplanation = ({ result, personal }: ReadyGeneration): ReleasedExplanation => ({
  dimensions: result.scores.map((score) =>
    pick(ReleasedDimension, {
      ...score,
      rationale: personal?.rationales[score.dimensionId] ?? null,
      uncheckedPoints: score.unchecked?.points ?? null,
      quotes: quotesOf(score, personal?.quotes ?? {}),
    }),
  ),
});

/** The texts that the score's terms cite, each once. */
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
