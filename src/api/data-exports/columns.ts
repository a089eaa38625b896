import type { RoleSignal } from '../../../projections/signal.js';
import type { Cell, Column } from '../../application/csv.js';
import type { ApplicationRecord, OutcomeRecord, TrialRecord } from '../applications/record.js';
import type { EvaluationSummary } from '../evaluations/record.js';

/** @param description for the documents of the export, if the name does not say it */
const column = <Row>(name: string, cell: (row: Row) => Cell, description?: string): Column<Row> => ({
  name,
  cell,
  ...(description !== undefined && { description }),
});

const outcomeColumns = <Row extends { readonly outcome: OutcomeRecord | null }>(): readonly Column<Row>[] => [
  column('humanRound', ({ outcome }) => outcome?.humanRound ?? null),
  column('disposition', ({ outcome }) => outcome?.disposition ?? null),
  column('outcomeReason', ({ outcome }) => outcome?.reason ?? null),
  column('outcomeRecordedAt', ({ outcome }) => outcome?.recordedAt ?? null),
];

const ofTrial = (
  name: string,
  cell: (trial: TrialRecord) => Cell,
  description?: string,
): Column<ApplicationRecord> =>
  column(name, ({ trialSessions: [trial] }: ApplicationRecord) => (trial ? cell(trial) : null), description);

/** A line for each application. */
export const APPLICATION_COLUMNS: readonly Column<ApplicationRecord>[] = [
  column('applicationId', ({ id }) => id),
  column('roleId', ({ roleId }) => roleId),
  column('roleName', ({ roleName }) => roleName, 'as it was at the invitation'),
  column('candidateId', ({ candidateId }) => candidateId),
  column('candidateEmail', ({ candidateEmail }) => candidateEmail),
  column('candidateName', ({ candidateName }) => candidateName),
  column('externalId', ({ externalId }) => externalId),
  column('language', ({ language }) => language),
  column('status', ({ status }) => status),
  column('invitedAt', ({ invitedAt }) => invitedAt),
  ofTrial('trialSessionId', ({ id }) => id),
  ofTrial('startedAt', ({ startedAt }) => startedAt),
  ofTrial('endedAt', ({ endedAt }) => endedAt),
  ofTrial('expiresAt', ({ expiresAt }) => expiresAt),
  ofTrial('evaluationId', ({ evaluationId }) => evaluationId),
  ...outcomeColumns<ApplicationRecord>(),
  column('candidateUrl', ({ candidateUrl }) => candidateUrl, 'where to send the candidate'),
  column('retakeOf', ({ retakeOf }) => retakeOf, 'the earlier application'),
];

/** A line: an evaluation with one of its dimensions. */
interface ScoredDimension extends EvaluationSummary {
  /** `null`: the evaluation has no scores, and only this line. */
  readonly dimension: NonNullable<EvaluationSummary['scores']>[number] | null;
}

/** The lines of an evaluation: one for each dimension that has a score, or one. */
export const linesOf = (summary: EvaluationSummary): readonly ScoredDimension[] => {
  const { scores = [] } = summary;
  return scores.length === 0
    ? [{ ...summary, dimension: null }]
    : scores.map((dimension) => ({ ...summary, dimension }));
};

/** A line for each dimension of each evaluation, not a column: roles, and versions of a role, have different dimensions. */
export const EVALUATION_COLUMNS: readonly Column<ScoredDimension>[] = [
  column('evaluationId', ({ id }) => id),
  column('applicationId', ({ applicationId }) => applicationId),
  column('trialSessionId', ({ trialSessionId }) => trialSessionId),
  column('roleId', ({ roleId }) => roleId),
  column('roleName', ({ roleName }) => roleName),
  column('candidateEmail', ({ candidateEmail }) => candidateEmail),
  column('status', ({ status }) => status),
  column('generatedAt', ({ generatedAt }) => generatedAt),
  column('overallScore', ({ overallScore }) => overallScore),
  column('passed', ({ passed }) => passed, '`true` or `false`, by the overall score'),
  ...outcomeColumns<ScoredDimension>(),
  column('dimensionId', ({ dimension }) => dimension?.dimensionId ?? null),
  column('dimensionName', ({ dimension }) => dimension?.dimensionName ?? null),
  column('dimensionCategory', ({ dimension }) => dimension?.dimensionCategory ?? null),
  column('dimensionWeight', ({ dimension }) => dimension?.weight ?? null),
  column('dimensionThreshold', ({ dimension }) => dimension?.threshold ?? null),
  column('dimensionScore', ({ dimension }) => dimension?.score ?? null),
  column('dimensionPassed', ({ dimension }) => dimension?.passed ?? null),
  column(
    'uncheckedPoints',
    ({ dimension }) => dimension?.unchecked?.points ?? null,
    'how much higher the score would be if what could not be checked had passed',
  ),
  column('candidateName', ({ candidateName }) => candidateName),
];

/** A line for each role, with its counts. */
export const SIGNAL_COLUMNS: readonly Column<RoleSignal>[] = [
  column('roleId', ({ roleId }) => roleId),
  column('roleName', ({ roleName }) => roleName),
  column('trialCompletedCount', ({ trialCompletedCount }) => trialCompletedCount),
  column('outcomeRecordedCount', ({ outcomeRecordedCount }) => outcomeRecordedCount),
  column('awaitingOutcomeCount', ({ awaitingOutcomeCount }) => awaitingOutcomeCount),
  column('humanRoundPassed', ({ humanRound }) => humanRound.passed),
  column('humanRoundFailed', ({ humanRound }) => humanRound.failed),
  column('hired', ({ disposition }) => disposition.hired),
  column('declined', ({ disposition }) => disposition.declined),
];
