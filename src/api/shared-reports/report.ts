import type { EvaluationResultDocument } from '../../../projections/evaluation-results.js';
import { Instant, Named, Nullable, type Static, Type } from '../../core/json-schema.js';
import { Score } from '../evaluations/record.js';

/** What a share link shows: scores, without the candidate and the evidence. */
export type SharedReport = Static<typeof SharedReport>;
export const SharedReport = Named('SharedReport', {
  roleName: Type.String(),
  status: Type.Literal('ready'),
  overallScore: Nullable(Score),
  passed: Nullable(Type.Boolean()),
  scores: Type.Array(
    Named('SharedScore', { dimensionName: Type.String(), dimensionCategory: Type.String(), score: Score }),
  ),
  generatedAt: Instant,
  expiresAt: Type.String({ format: 'date-time', description: 'When the link expires.' }),
});

/** @param answered a generation that became ready */
export const sharedReport = (
  answered: Pick<EvaluationResultDocument, 'answeredAt'> & {
    readonly result: NonNullable<EvaluationResultDocument['result']>;
  },
  roleName: string,
  expiresAt: string,
): SharedReport => ({
  roleName,
  status: 'ready',
  overallScore: answered.result.overallScore,
  passed: answered.result.passed,
  scores: answered.result.scores.map(({ dimensionName, dimensionCategory, score }) => ({
    dimensionName,
    dimensionCategory,
    score,
  })),
  generatedAt: answered.answeredAt,
  expiresAt,
});
