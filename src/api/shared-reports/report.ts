import type { EvaluationResultDocument } from '../../../projections/evaluation-results.js';
import {
  component,
  flag,
  instant,
  integer,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  text,
} from '../../core/json-schema.js';

/** What a share link shows: scores, and nothing that says whose they are or what they rest on. */
export interface SharedReport {
  readonly roleName: string;
  readonly status: 'ready';
  readonly overallScore: number | null;
  readonly passed: boolean | null;
  readonly scores: readonly SharedScore[];
  readonly generatedAt: string;
  /** Until when the link holds. */
  readonly expiresAt: string;
}

export interface SharedScore {
  readonly dimensionName: string;
  readonly dimensionCategory: string;
  readonly score: number;
}

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

export const sharedReportSchema = (): JsonSchema =>
  component(
    'SharedReport',
    objectOf({
      roleName: text,
      status: oneOf('ready'),
      overallScore: nullable(integer),
      passed: nullable(flag),
      scores: listOf(objectOf({ dimensionName: text, dimensionCategory: text, score: integer })),
      generatedAt: instant,
      expiresAt: instant,
    }),
  );
