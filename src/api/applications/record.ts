import {
  APPLICATION_STATUSES,
  applicationStatus,
  type ApplicationStatus,
} from '../../../projections/applications.js';
import {
  component,
  instant,
  integer,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  text,
  uuid,
} from '../../core/json-schema.js';
import type { Outcome } from '../../domain/application/decider.js';
import { outcomeRecord, outcomeSchema } from './outcome-record.js';
import {
  type OwnTrialRecord,
  ownTrialRecord,
  ownTrialSchema,
  type TrialRecord,
  trialSchema,
} from './trial-record.js';

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
