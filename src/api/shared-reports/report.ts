import type { EvaluationResultDocument } from '../../../projections/evaluation-results.js';
import { Instant, Named, Nullable, pick, type Static, Type } from '../../core/json-schema.js';
import { caveatOf } from '../../scoring/rubric/caveat.js';
import { Caveat, Score } from '../evaluations/record.js';
import { LogoRecord } from '../organisations/organisation.js';

const SharedScore = Named('SharedScore', {
  dimensionName: Type.String(),
  dimensionCategory: Type.String(),
  score: Score,
  caveat: Caveat,
});

/** What a share link shows: scores, without the candidate and the evidence. */
export type SharedReport = Static<typeof SharedReport>;
export const SharedReport = Named('SharedReport', {
  organisationName: Type.String(),
  organisationLogo: Nullable(LogoRecord),
  roleName: Type.String(),
  label: Nullable(Type.String({ description: 'What staff called the link.' })),
  status: Type.Literal('ready'),
  overallScore: Nullable(Score),
  overallThreshold: Score,
  passed: Nullable(Type.Boolean()),
  scores: Type.Array(SharedScore),
  generatedAt: Instant,
  expiresAt: Type.String({ format: 'date-time', description: 'When the link expires.' }),
  timeZone: Type.String({ description: 'The organisation’s, in which the page shows times.' }),
});

/** @param answered a generation that became ready @param shown whose it is, and by which link */
export const sharedReport = (
  answered: Pick<EvaluationResultDocument, 'answeredAt'> & {
    readonly result: NonNullable<EvaluationResultDocument['result']>;
  },
  shown: Pick<
    SharedReport,
    'organisationName' | 'organisationLogo' | 'roleName' | 'label' | 'expiresAt' | 'timeZone'
  >,
): SharedReport => ({
  ...shown,
  status: 'ready',
  overallScore: answered.result.overallScore,
  overallThreshold: answered.result.overallThreshold,
  passed: answered.result.passed,
  scores: answered.result.scores.map((score) =>
    pick(SharedScore, { ...score, caveat: caveatOf(score) || null }),
  ),
  generatedAt: answered.answeredAt,
});
