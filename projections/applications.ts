import type { CandidateInvited } from '../src/domain/candidate/events.js';
import type { Stored } from '../src/core/event.js';
import type { ApplicationEvent, OutcomeValues } from '../src/domain/application/events.js';
import type { View, ViewDocument } from '../src/engine/view.js';
import type { LifecycleEvent } from '../src/domain/session/events.js';
import * as lifecycle from '../src/domain/session/lifecycle.js';

/** An application with its trial session and outcome, by application id. Its address is joined from `candidates`. */
export interface ApplicationDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  readonly roleVersion: number;
  readonly trial: TrialDocument;
  readonly outcome: (OutcomeValues & { readonly recordedAt: string; readonly recordedBy: string }) | null;
  /** Events of the outcome so far. */
  readonly outcomeVersion: number;
  /** Nothing can be done with it any more, and nothing personal can be read. */
  readonly erased: boolean;
  /** The standing outcome's. */
  readonly personal: { readonly reason: string | null } | null;
}

/** A trial session as staff read it. */
export interface TrialDocument extends lifecycle.Life {
  readonly id: string;
  readonly applicationId: string;
  /** As it was at the invitation. */
  readonly roleName: string;
  readonly invitedAt: string;
}

/** How far an application is, in the order in which it comes about. */
export const APPLICATION_STATUSES = [
  'invited',
  'in_progress',
  'completed',
  'withdrawn',
  'expired',
  'erased',
] as const;

export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number];

/** How far an application is, by its session and whether its candidate is erased. */
export const applicationStatus = (status: lifecycle.TrialStatus, erased: boolean): ApplicationStatus => {
  if (erased) return 'erased';
  return status === 'started' || status === 'interrupted' ? 'in_progress' : status;
};

/** So much of a name is searched: every store tells texts apart by that many characters, however they are written. */
const SEARCHED_CHARACTERS = 60;

/** A role's name as lists search it and are ordered by it: whatever its case and the space around it. */
export const searchedName = (name: string): string =>
  Array.from(name.normalize('NFC').trim().toLowerCase().normalize('NFC'))
    .slice(0, SEARCHED_CHARACTERS)
    .join('');

const statusOf = ({ trial, erased }: ApplicationDocument): ApplicationStatus =>
  applicationStatus(trial.status, erased);

const nameOf = ({ trial }: ApplicationDocument): string => searchedName(trial.roleName);

export const applications: View<ApplicationDocument, CandidateInvited | LifecycleEvent | ApplicationEvent> = {
  name: 'applications',
  version: 4,
  uses: [lifecycle],
  handles: [
    'candidate.invited',
    ...lifecycle.LIFECYCLE_TYPES,
    'outcome.recorded',
    'outcome.retracted',
    'application.erased',
  ],
  documentId: (event) => event.data.applicationId,
  initial: (applicationId) => ({
    organisationId: '',
    candidateId: '',
    applicationId,
    trialSessionId: '',
    roleId: '',
    roleVersion: 0,
    trial: {
      id: '',
      applicationId,
      status: 'invited',
      roleName: '',
      invitedAt: '',
      startedAt: null,
      endedAt: null,
      expiresAt: '',
      evaluationId: null,
      version: 0,
    },
    outcome: null,
    outcomeVersion: 0,
    erased: false,
    person: null,
    personal: null,
  }),
  evolve(before, event) {
    const document = { ...before, person: event.person ?? before.person ?? null };
    switch (event.type) {
      case 'candidate.invited':
        return { ...document, ...invited(document, event) };
      case 'outcome.recorded': {
        const { humanRound, disposition, recordedBy } = event.data;
        const outcome = { humanRound, disposition, recordedBy, recordedAt: event.metadata.recordedAt };
        return {
          ...document,
          outcome,
          outcomeVersion: document.outcomeVersion + 1,
          personal: event.personal,
        };
      }
      case 'outcome.retracted':
        return { ...document, outcome: null, outcomeVersion: document.outcomeVersion + 1, personal: null };
      case 'application.erased':
        return { ...document, outcomeVersion: document.outcomeVersion + 1, erased: true, personal: null };
      case 'trial.erased':
        return { ...document, trial: lifecycle.livedOn(document.trial, event), erased: true, personal: null };
      default:
        return { ...document, trial: lifecycle.livedOn(document.trial, event) };
    }
  },
  // One for whatever a list is narrowed to, named by it: each page is one stretch of an index.
  indexes: {
    byOrganisation: ({ organisationId, trial }) => [organisationId, trial.invitedAt],
    byOrganisationRole: ({ organisationId, roleId, trial }) => [organisationId, roleId, trial.invitedAt],
    byOrganisationStatus: (one) => [one.organisationId, statusOf(one), one.trial.invitedAt],
    byOrganisationRoleStatus: (one) => [one.organisationId, one.roleId, statusOf(one), one.trial.invitedAt],
    byOrganisationName: (one) => [one.organisationId, nameOf(one), one.trial.invitedAt],
    byOrganisationRoleName: (one) => [one.organisationId, one.roleId, nameOf(one), one.trial.invitedAt],
    byOrganisationStatusName: (one) => [one.organisationId, statusOf(one), nameOf(one), one.trial.invitedAt],
    byOrganisationRoleStatusName: (one) => [
      one.organisationId,
      one.roleId,
      statusOf(one),
      nameOf(one),
      one.trial.invitedAt,
    ],
    byCandidate: ({ candidateId, trial }) => [candidateId, trial.invitedAt],
    byCandidateRole: ({ candidateId, roleId, trial }) => [candidateId, roleId, trial.invitedAt],
    byCandidateStatus: (one) => [one.candidateId, statusOf(one), one.trial.invitedAt],
    byCandidateRoleStatus: (one) => [one.candidateId, one.roleId, statusOf(one), one.trial.invitedAt],
    bySession: ({ trialSessionId }) => [trialSessionId],
  },
};

const invited = (document: ApplicationDocument, { data }: Stored<CandidateInvited>) => ({
  organisationId: data.organisationId,
  candidateId: data.candidateId,
  trialSessionId: data.trialSessionId,
  roleId: data.roleId,
  roleVersion: data.roleVersion,
  trial: {
    ...document.trial,
    id: data.trialSessionId,
    roleName: data.role.name,
    invitedAt: data.invitedAt,
    expiresAt: data.expiresAt,
    version: 1,
  },
});
