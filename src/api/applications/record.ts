import {
  APPLICATION_STATUSES,
  applicationStatus,
  type ApplicationStatus,
} from '../../../projections/applications.js';
import {
  component,
  instant,
  type JsonSchema,
  nullable,
  objectOf,
  oneOf,
  text,
  integer,
  uuid,
  listOf,
} from '../../core/json-schema.js';
import type { Outcome } from '../../domain/application/decider.js';
import { TRIAL_STATUSES, type TrialStatus } from '../../domain/session/lifecycle.js';
import type { Trial } from '../../domain/session/state.js';
import type { FoundApplication } from './own-applications.js';

/** An outcome as every path returns it. */
export const outcomeRecord = (outcome: Outcome): Outcome => ({
  humanRound: outcome.humanRound,
  disposition: outcome.disposition,
  reason: outcome.reason,
  recordedAt: outcome.recordedAt,
  recordedBy: outcome.recordedBy,
});

export const outcomeSchema = (): JsonSchema =>
  component(
    'Outcome',
    objectOf({
      humanRound: nullable(oneOf('passed', 'failed')),
      disposition: nullable(oneOf('hired', 'declined')),
      reason: nullable(text),
      recordedAt: instant,
      recordedBy: text,
    }),
  );

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

const trialFields = {
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
  component('TrialSession', objectOf({ ...trialFields, evaluationId: nullable(uuid) }));

export const ownTrialSchema = (): JsonSchema => component('OwnTrialSession', objectOf(trialFields));

/** What an application's record is made from, by a view or by the write side. */
export interface ApplicationParts {
  readonly id: string;
  readonly organisationId: string;
  readonly roleId: string;
  readonly candidateId: string;
  readonly candidateEmail: string | null;
  readonly trial: TrialRecord;
  readonly outcome: Outcome | null;
  /** Events of its outcome so far. */
  readonly outcomeVersion: number;
  /** Nothing personal is shown any more, also where it was read just before. */
  readonly erased: boolean;
}

/** An application as its candidate sees it. */
export interface OwnApplicationRecord {
  readonly id: string;
  readonly organisationId: string;
  readonly roleId: string;
  readonly roleName: string;
  readonly candidateEmail: string | null;
  readonly status: ApplicationStatus;
  readonly invitedAt: string;
  readonly trialSessions: readonly OwnTrialRecord[];
  readonly version: number;
}

/** An application as staff see it. */
export interface ApplicationRecord extends OwnApplicationRecord {
  /** The same in all applications of one candidate, and in what webhooks are sent about them. */
  readonly candidateId: string;
  readonly trialSessions: readonly TrialRecord[];
  readonly outcome: Outcome | null;
  /** Where to send the candidate. */
  readonly candidateUrl: string;
}

export const ownApplicationRecord = (parts: ApplicationParts): OwnApplicationRecord => ({
  id: parts.id,
  organisationId: parts.organisationId,
  roleId: parts.roleId,
  roleName: parts.trial.roleName,
  candidateEmail: parts.erased ? null : parts.candidateEmail,
  status: applicationStatus(parts.trial.status, parts.erased),
  invitedAt: parts.trial.invitedAt,
  trialSessions: [ownTrialRecord(parts.trial)],
  version: parts.trial.version + parts.outcomeVersion,
});

/** @param publicUrl where candidates reach the service */
export const applicationRecord = (parts: ApplicationParts, publicUrl: string): ApplicationRecord => ({
  ...ownApplicationRecord(parts),
  candidateId: parts.candidateId,
  trialSessions: [parts.trial],
  outcome: parts.outcome && outcomeRecord(parts.erased ? { ...parts.outcome, reason: null } : parts.outcome),
  candidateUrl: `${publicUrl}/apply/${parts.id}`,
});

const fields = {
  id: uuid,
  organisationId: uuid,
  roleId: uuid,
  roleName: text,
  candidateEmail: nullable(text),
  status: oneOf(...APPLICATION_STATUSES),
  invitedAt: instant,
  version: integer,
};

export const applicationSchema = (): JsonSchema =>
  component(
    'Application',
    objectOf({
      ...fields,
      candidateId: uuid,
      trialSessions: listOf(trialSchema()),
      outcome: nullable(outcomeSchema()),
      candidateUrl: text,
    }),
  );

export const ownApplicationSchema = (): JsonSchema =>
  component('OwnApplication', objectOf({ ...fields, trialSessions: listOf(ownTrialSchema()) }));

/** What an application's record is made from, by its view. @param candidateEmail joined from the candidates */
export const partsOf = (
  { id, document }: FoundApplication,
  candidateEmail: string | null,
): ApplicationParts => ({
  id,
  organisationId: document.organisationId,
  roleId: document.roleId,
  candidateId: document.candidateId,
  candidateEmail,
  trial: document.trial,
  outcome: document.outcome && { ...document.outcome, reason: document.personal?.reason ?? null },
  outcomeVersion: document.outcomeVersion,
  erased: document.erased,
});
