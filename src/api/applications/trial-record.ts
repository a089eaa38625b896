import {
  component,
  instant,
  integer,
  type JsonSchema,
  nullable,
  objectOf,
  oneOf,
  text,
  uuid,
} from '../../core/json-schema.js';
import { TRIAL_STATUSES, type TrialStatus } from '../../domain/session/lifecycle.js';
import type { Trial } from '../../domain/session/state.js';

/** A trial session as staff see it; candidates see it without `evaluationId`. */
export interface TrialRecord {
  readonly id: string;
  readonly applicationId: string;
  readonly status: TrialStatus;
  /** As it was at the invitation. */
  readonly roleName: string;
  readonly invitedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly expiresAt: string;
  readonly evaluationId: string | null;
  readonly version: number;
}

export type OwnTrialRecord = Omit<TrialRecord, 'evaluationId'>;

/** From the write side: what a command's answer says. */
export const trialRecord = (trial: Trial): TrialRecord => ({
  id: trial.trialSessionId,
  applicationId: trial.applicationId,
  status: trial.status,
  roleName: trial.role.name,
  invitedAt: trial.invitedAt,
  startedAt: trial.startedAt,
  endedAt: trial.endedAt,
  expiresAt: trial.expiresAt,
  evaluationId: trial.evaluationId,
  version: trial.version,
});

/** As the candidate sees it. */
export const ownTrialRecord = (trial: TrialRecord): OwnTrialRecord => ({
  id: trial.id,
  applicationId: trial.applicationId,
  status: trial.status,
  roleName: trial.roleName,
  invitedAt: trial.invitedAt,
  startedAt: trial.startedAt,
  endedAt: trial.endedAt,
  expiresAt: trial.expiresAt,
  version: trial.version,
});

const fields = {
  id: uuid,
  applicationId: uuid,
  status: oneOf(...TRIAL_STATUSES),
  roleName: text,
  invitedAt: instant,
  startedAt: nullable(instant),
  endedAt: nullable(instant),
  expiresAt: instant,
  version: integer,
};

export const trialSchema = (): JsonSchema =>
  component('TrialSession', objectOf({ ...fields, evaluationId: nullable(uuid) }));

export const ownTrialSchema = (): JsonSchema => component('OwnTrialSession', objectOf(fields));
