import {
  type Accommodations,
  accommodationsOf,
  NO_ACCOMMODATIONS,
  type OutcomeValues,
} from '../src/domain/application/events.js';
import type { ApplicationRef } from '../src/domain/candidate/events.js';
import { currentProblem, MAIL_TYPES, type MailProblem, problemAfter } from '../src/domain/mail/events.js';
import * as lifecycle from '../src/domain/session/lifecycle.js';
import type { ViewDocument } from '../src/engine/view.js';
import type { Language } from '../src/languages/languages.js';
import { defineView, onEach } from './view.js';

/** An application with its trial session and outcome, by application id. Its address is joined from `candidates`. */
export interface ApplicationDocument extends ViewDocument, ApplicationRef {
  readonly roleVersion: number;
  readonly trial: TrialDocument;
  /** `null`: none was recorded, or it was retracted. */
  readonly outcome: (OutcomeValues & { readonly recordedAt: string; readonly recordedBy: string }) | null;
  /** Number of events of the application's own stream that changed it. */
  readonly outcomeVersion: number;
  /** No command is accepted any more, and personal data is unreadable. */
  readonly erased: boolean;
  readonly language: Language;
  /** The earlier application that this one is a retake of; `null`: it is no retake. */
  readonly retakeOf: string | null;
  readonly accommodations: Accommodations;
  /** When the candidate asked for accommodations last; `null`: never, or the candidate is erased. */
  readonly requestedAt: string | null;
  /** The same until accommodations are granted after it: what staff have not answered yet. `null`: nothing. */
  readonly unansweredAt: string | null;
  /** When the candidate first asked to be erased; `null`: never, or the erasure is done. */
  readonly erasureRequestedAt: string | null;
  /**
   * The mail that has a fault; `null`: none has, or one of the same kind was sent or requested again since, or it no
   * longer applies.
   */
  readonly mailProblem: MailProblem | null;
  /** `null` once the candidate is erased. */
  readonly personal: {
    /** `null`: the invitation has no name. */
    readonly candidateName: string | null;
    /** `null`: the invitation has none. */
    readonly externalId: string | null;
    /** The candidate's words of the last request; `null`: there is none. */
    readonly accommodationRequest: string | null;
    /** The reason of the current outcome; `null`: it has none, or there is no outcome. */
    readonly reason: string | null;
  } | null;
}

/** A trial session as staff read it. */
export interface TrialDocument extends lifecycle.Life {
  readonly id: string;
  readonly applicationId: string;
  /** As it was at the invitation. */
  readonly roleName: string;
  readonly invitedAt: string;
}

/** How far an application is, in the order of its course. */
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

/** The outcome of a completed application in one word: its disposition, else the result of the human round. */
export const OUTCOME_STATUSES = ['none', 'passed', 'failed', 'hired', 'declined'] as const;

export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

const outcomeStatus = ({ trial, erased, outcome }: ApplicationDocument): OutcomeStatus | null => {
  if (erased || trial.status !== 'completed') return null;
  return outcome?.disposition ?? outcome?.humanRound ?? 'none';
};

/** The time if the application is open; else `null`, so that the index leaves the application out. */
const whileOpen = ({ trial, erased }: ApplicationDocument, time: string | null): string | null =>
  erased || lifecycle.isClosed(trial) ? null : time;

/**
 * Maximum number of characters of a name by which lists search and sort: every store compares texts of this length as a
 * whole.
 */
const SEARCHED_CHARACTERS = 60;

/** A role's name as lists search and sort it: regardless of case and of white space around it. */
export const searchedName = (name: string): string =>
  Array.from(name.normalize('NFC').trim().toLowerCase().normalize('NFC'))
    .slice(0, SEARCHED_CHARACTERS)
    .join('');

export const applications = defineView<ApplicationDocument>()({
  name: 'applications',
  version: 10,
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
    language: 'en',
    retakeOf: null,
    accommodations: NO_ACCOMMODATIONS,
    requestedAt: null,
    unansweredAt: null,
    erasureRequestedAt: null,
    mailProblem: null,
    person: null,
    personal: null,
  }),
  every: (document, event) => ({ ...document, person: event.person ?? document.person ?? null }),
  on: {
    'candidate.invited': (document, { data, personal }) => ({
      ...document,
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
      language: data.language,
      retakeOf: data.retakeOf ?? null,
      personal: personal && {
        candidateName: personal.name ?? null,
        externalId: personal.externalId ?? null,
        accommodationRequest: null,
        reason: null,
      },
    }),
    ...onEach(lifecycle.LIFECYCLE_TYPES, (document: ApplicationDocument, event) => {
      const lived = { ...document, trial: lifecycle.evolveLife(document.trial, event) };
      return {
        ...lived,
        mailProblem: currentProblem(document.mailProblem, lifecycle.isClosed(lived.trial)),
        ...(event.type === 'trial.erased' && { erased: true, personal: null, mailProblem: null }),
      };
    }),
    ...onEach(MAIL_TYPES, (document: ApplicationDocument, event) => {
      const mailProblem = currentProblem(
        problemAfter(document.mailProblem, event),
        lifecycle.isClosed(document.trial),
      );
      return document.erased ? document : { ...document, mailProblem };
    }),
    'outcome.recorded'(document, { data, personal, metadata }) {
      const { humanRound, disposition, recordedBy } = data;
      const outcome = { humanRound, disposition, recordedBy, recordedAt: metadata.recordedAt };
      const outcomeVersion = document.outcomeVersion + 1;
      return { ...document, outcome, outcomeVersion, personal: reasoned(document, personal) };
    },
    'outcome.retracted': (document) => ({
      ...document,
      outcome: null,
      outcomeVersion: document.outcomeVersion + 1,
      personal: reasoned(document, { reason: null }),
    }),
    'accommodations.set': (document, { data }) => ({
      ...document,
      accommodations: accommodationsOf(data),
      unansweredAt: null,
      outcomeVersion: document.outcomeVersion + 1,
    }),
    'accommodations.requested': (document, { personal, metadata }) => ({
      ...document,
      requestedAt: metadata.recordedAt,
      unansweredAt: metadata.recordedAt,
      outcomeVersion: document.outcomeVersion + 1,
      personal: personal && { ...unnamed, ...document.personal, accommodationRequest: personal.text },
    }),
    'erasure.requested': (document, { metadata }) => ({
      ...document,
      erasureRequestedAt: document.erasureRequestedAt ?? metadata.recordedAt,
      outcomeVersion: document.outcomeVersion + 1,
    }),
    'application.erased': (document) => ({
      ...document,
      accommodations: NO_ACCOMMODATIONS,
      requestedAt: null,
      unansweredAt: null,
      erasureRequestedAt: null,
      outcomeVersion: document.outcomeVersion + 1,
      erased: true,
      personal: null,
      mailProblem: null,
    }),
  },
  keys: {
    status: ({ trial, erased }) => applicationStatus(trial.status, erased),
    roleName: ({ trial }) => searchedName(trial.roleName),
    invitedAt: ({ trial }) => trial.invitedAt,
    outcomeStatus,
    expiring: (document) => whileOpen(document, document.trial.expiresAt),
    accommodation: (document) => whileOpen(document, document.unansweredAt),
    erasure: ({ erased, erasureRequestedAt }) => (erased ? null : erasureRequestedAt),
  },
  // One index for each combination of filters, so that a page is one range of an index.
  indexes: {
    byOrganisation: ['organisationId', 'invitedAt'],
    byOrganisationRole: ['organisationId', 'roleId', 'invitedAt'],
    byOrganisationStatus: ['organisationId', 'status', 'invitedAt'],
    byOrganisationRoleStatus: ['organisationId', 'roleId', 'status', 'invitedAt'],
    byOrganisationName: ['organisationId', 'roleName', 'invitedAt'],
    byOrganisationRoleName: ['organisationId', 'roleId', 'roleName', 'invitedAt'],
    byOrganisationStatusName: ['organisationId', 'status', 'roleName', 'invitedAt'],
    byOrganisationRoleStatusName: ['organisationId', 'roleId', 'status', 'roleName', 'invitedAt'],
    byOrganisationOutcome: ['organisationId', 'outcomeStatus', 'invitedAt'],
    byOrganisationRoleOutcome: ['organisationId', 'roleId', 'outcomeStatus', 'invitedAt'],
    byOrganisationOutcomeName: ['organisationId', 'outcomeStatus', 'roleName', 'invitedAt'],
    byOrganisationRoleOutcomeName: ['organisationId', 'roleId', 'outcomeStatus', 'roleName', 'invitedAt'],
    byOrganisationExpiring: ['organisationId', 'expiring'],
    byOrganisationRoleExpiring: ['organisationId', 'roleId', 'expiring'],
    byOrganisationAccommodation: ['organisationId', 'accommodation'],
    byOrganisationRoleAccommodation: ['organisationId', 'roleId', 'accommodation'],
    byOrganisationErasure: ['organisationId', 'erasure'],
    byOrganisationRoleErasure: ['organisationId', 'roleId', 'erasure'],
    byCandidate: ['candidateId', 'invitedAt'],
    byCandidateRole: ['candidateId', 'roleId', 'invitedAt'],
    byCandidateStatus: ['candidateId', 'status', 'invitedAt'],
    byCandidateRoleStatus: ['candidateId', 'roleId', 'status', 'invitedAt'],
    byCandidateOutcome: ['candidateId', 'outcomeStatus', 'invitedAt'],
    byCandidateRoleOutcome: ['candidateId', 'roleId', 'outcomeStatus', 'invitedAt'],
    bySession: ['trialSessionId'],
  },
});

/** The personal part with another reason. @param given `null`: it can no longer be read */
const reasoned = (
  { personal }: ApplicationDocument,
  given: { readonly reason: string | null } | null,
): ApplicationDocument['personal'] => given && { ...unnamed, ...personal, reason: given.reason };

const unnamed = { candidateName: null, externalId: null, accommodationRequest: null, reason: null };
