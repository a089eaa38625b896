import { Injectable } from '@nestjs/common';
import {
  type EvaluationResultDocument,
  evaluationResultId,
  evaluationResults,
} from '../../../projections/evaluation-results.js';
import { type Freshness, Reads } from '../../application/reads.js';
import {
  Enumeration,
  Figures,
  Named,
  Nullable,
  Ordinal,
  pick,
  type Static,
  Type,
  Uuid,
} from '../../core/json-schema.js';
import type { DimensionScore, TermEvidence } from '../../domain/evaluation/events.js';
import { EvidenceSource } from '../../domain/session/events.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { LEFT_OUT, LEFT_OUT_REASONS, vouching } from '../../scoring/measures.js';
import { caveatOf } from '../../scoring/rubric/caveat.js';
import { overallOf } from '../../scoring/scores/scores.js';
import { Caveat, FINDING_KIND, Score, ScoredBy } from './record.js';
import type { FoundEvaluation } from './staff-evaluations.js';
import { Unchecked, uncheckedRecord } from './unchecked.js';

const Contribution = Type.Number({ description: 'At most 6 decimal places.' });
const exact = { description: 'What the contributions sum to, at most 6 decimal places.' };

const QuotedEvidence = Named('QuotedEvidence', {
  eventId: Uuid,
  quote: Nullable(
    Type.String({
      description:
        'The text of the event, of a hand-in also a line of it after its place, as in `src/sum.js:3+ return a + b`; `null` if there is nothing to quote, and once it can no longer be read.',
    }),
  ),
});

const TermRecord = Named('DimensionTerm', {
  signal: Type.String(),
  value: Type.Number(),
  weight: Type.Number(),
  contribution: Contribution,
  sources: Type.Array(EvidenceSource, { description: 'Who vouches for what the term rests on.' }),
  vouchedBy: Type.String({ description: 'The same as a sentence.' }),
  evidence: Type.Array(QuotedEvidence),
});

const LeftOutRecord = Named('LeftOutSignal', {
  signal: Type.String(),
  reason: Type.String({ description: 'Why it has no part in the score, as a sentence.' }),
  reasonCode: Enumeration('LeftOutReason', LEFT_OUT_REASONS),
});

type DimensionRecord = Static<typeof DimensionRecord>;
const DimensionRecord = Named('ExplainedDimension', {
  dimensionId: Uuid,
  score: Score,
  exact: Type.Number(exact),
  terms: Type.Array(TermRecord),
  leftOut: Type.Array(LeftOutRecord, {
    description: 'Signals that have no part in the score: the others share the 100 points.',
  }),
  unchecked: Unchecked,
  caveat: Caveat,
});

const OverallRecord = Named('ExplainedOverall', {
  score: Nullable(Score),
  exact: Nullable(Type.Number(exact)),
  terms: Type.Array(
    Named('OverallTerm', {
      dimensionId: Uuid,
      weight: Type.Integer(),
      score: Score,
      contribution: Contribution,
    }),
  ),
});

const FindingInputs = Named('ExplainedFinding', {
  kind: Type.Unsafe<string>(FINDING_KIND),
  ruleVersion: Ordinal,
  inputs: Figures,
  evidenceEventIds: Type.Array(Uuid),
});

/** The origin of each figure of a generation, as the API answers it. */
export type Explanation = Static<typeof Explanation>;
export const Explanation = Named(
  'Explanation',
  {
    evaluationId: Uuid,
    generation: Ordinal,
    ruleSet: Type.String(),
    scoredBy: ScoredBy,
    overall: OverallRecord,
    dimensions: Type.Array(DimensionRecord),
    integrity: Type.Array(FindingInputs),
  },
  {
    description:
      'Each `score` is its `exact` rounded half up; both are `null` if the weights sum to 0. `integrity` has the figures and thresholds that each finding’s rule compared, in the order of the evaluation’s findings.',
  },
);

type Result = NonNullable<EvaluationResultDocument['result']>;
/** The quotes that terms cite, by the id of their event. */
export type Quotes = Readonly<Record<string, readonly string[]>>;

/** Nothing is scored again: the figures are those that were stored with the result. */
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
  dimensions: result.scores.map((score) => explainedDimension(score, evaluationId, personal?.quotes ?? {})),
  integrity: result.integrity.map((finding) =>
    pick(FindingInputs, { ...finding, inputs: finding.inputs ?? {} }),
  ),
});

const explainedDimension = (
  dimension: DimensionScore,
  evaluationId: string,
  quotes: Quotes,
): DimensionRecord => ({
  dimensionId: dimension.dimensionId,
  score: dimension.score,
  exact: dimension.exact,
  terms: dimension.terms.map(({ signal, value, weight, contribution, evidence, tests }) => ({
    signal,
    value,
    weight,
    contribution,
    ...vouching({ signal, ...(tests && { tests }) }),
    evidence: evidence.map(({ eventId, quote }) => ({ eventId, quote: quoted(quotes, eventId, quote) })),
  })),
  leftOut: (dimension.leftOut ?? []).map(({ signal, reason }) => ({
    signal,
    reason: LEFT_OUT[reason],
    reasonCode: reason,
  })),
  unchecked: uncheckedRecord(dimension, evaluationId),
  caveat: caveatOf(dimension) || null,
});

/** The text that a term cites; `null`: nothing, or it can no longer be read. */
export const quoted = (quotes: Quotes, eventId: string, place: TermEvidence['quote']): string | null =>
  place !== null && Object.hasOwn(quotes, eventId) ? (quotes[eventId]?.[place] ?? null) : null;

/** Explanations of evaluations that were found. */
@Injectable()
export class EvaluationExplanations {
  constructor(private readonly reads: Reads) {}

  /**
   * @param generation a former one, `null` for the latest
   * @throws {ApiError} `not_found`: there is none of that number; `evaluation_generating`, `evaluation_not_ready`
   */
  async read(
    { document, position }: FoundEvaluation,
    generation: number | null,
    freshness: Freshness,
  ): Promise<Explanation> {
    const asked = generation ?? document.generation;
    if (asked > document.generation) throw noSuchGeneration();
    if (asked === document.generation && document.status === 'generating')
      throw new ApiError(
        'evaluation_generating',
        'The evaluation is being generated: there is nothing to explain until it is ready.',
      );
    const id = evaluationResultId(document.evaluationId, asked);
    // Composed of two views: the figures may not lag behind the evaluation that refers to them.
    const found = await this.reads.getAt(evaluationResults, id, position, freshness);
    if (!found) throw noSuchGeneration();
    const { result } = found.document;
    if (result === null) throw failed(asked, document.readyGeneration);
    return explanationOf(found.document, result);
  }
}

const noSuchGeneration = (): ApiError => notFound('This evaluation has no such generation.');

const failed = (generation: number, ready: number | null): ApiError => {
  const other = ready === null ? '' : ` Generation ${ready} is the last one that became ready.`;
  return new ApiError(
    'evaluation_not_ready',
    `Generation ${generation} of this evaluation failed: there is nothing to explain.${other}`,
  );
};
