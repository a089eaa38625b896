import type { EvaluationResultDocument } from '../../../projections/evaluation-results.js';
import { Instant, Nullable, type Static, Type } from '../../core/json-schema.js';

/** What a share link shows: scores, without the candidate and the evidence. */
export type SharedReport = Static<typeof SharedReport>;
export const SharedReport = Type.Object(
  {
    roleName: Type.String(),
    status: Type.Enum(['ready']),
    overallScore: Nullable(Type.Integer()),
    passed: Nullable(Type.Boolean()),
    scores: Type.Array(
      Type.Object({ dimensionName: Type.String(), dimensionCategory: Type.String(), score: Type.Integer() }),
    ),
    generatedAt: Instant,
    /** When the link expires. */
    expiresAt: Instant,
  },
  { $id: 'SharedReport' },
);

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
