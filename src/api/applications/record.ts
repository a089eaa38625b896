import {
  APPLICATION_STATUSES,
  type applications,
  applicationStatus,
  OUTCOME_STATUSES,
} from '../../../projections/applications.js';
import {
  Enumeration,
  fieldsWithout,
  Instant,
  Named,
  Nullable,
  Ordinal,
  pick,
  type Static,
  Type,
  Uuid,
} from '../../core/json-schema.js';
import { type Accommodations, NO_ACCOMMODATIONS } from '../../domain/application/events.js';
import { MAIL_FAULTS, mailId, type MailProblem } from '../../domain/mail/events.js';
import { TRIAL_STATUSES } from '../../domain/session/lifecycle.js';
import type { Trial } from '../../domain/session/state.js';
import type { Found } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import type { AnswerOptions } from '../../http/answer.js';
import { MAIL_KINDS } from '../../languages/en/shapes.js';
import { type Language, LANGUAGES } from '../../languages/languages.js';

export type FoundApplication = Found<DocumentOf<typeof applications>>;

export const HUMAN_ROUND = Enumeration('HumanRound', ['passed', 'failed']);
export const DISPOSITION = Enumeration('Disposition', ['hired', 'declined']);
export const APPLICATION_STATUS = Enumeration('ApplicationStatus', APPLICATION_STATUSES);
export const OUTCOME_STATUS = Enumeration('OutcomeStatus', OUTCOME_STATUSES, {
  description:
    'How far a completed application’s outcome is known: its disposition, else the human round, else `none`.',
});
export const LANGUAGE = Enumeration('Language', LANGUAGES);
export const MAIL_KIND = Enumeration('MailKind', MAIL_KINDS);
export const MAIL_FAULT = Enumeration('MailFault', MAIL_FAULTS, {
  description:
    'Why the last attempt failed, or why none is made. What the mail server says is not kept: it may repeat the address.',
});
export const TRIAL_STATUS = Enumeration('TrialSessionStatus', TRIAL_STATUSES);

/** An outcome as every path returns it. */
export type OutcomeRecord = Static<typeof OutcomeRecord>;
export const OutcomeRecord = Named('Outcome', {
  humanRound: Nullable(HUMAN_ROUND),
  disposition: Nullable(DISPOSITION),
  reason: Nullable(Type.String({ description: '`null` if none was given, or if it can no longer be read.' })),
  recordedAt: Instant,
  recordedBy: Type.String({ description: 'The subject of the member who recorded it.' }),
});

/** How many times the usual length an interview’s time limit and pauses may have. */
export const MAX_TIME_FACTOR = 3;

export const AccommodationsRecord = Named('Accommodations', {
  timeFactor: Type.Number({
    minimum: 1,
    maximum: MAX_TIME_FACTOR,
    description: 'The interview’s time limit and pauses are so many times as long.',
  }),
  typedOnly: Type.Boolean({ description: 'The candidate types instead of speaking.' }),
  captions: Type.Boolean({ description: 'What is spoken is always shown as text.' }),
});

/** What the candidate has asked for, in their own words. */
export const AccommodationRequestRecord = Named('AccommodationRequest', {
  text: Type.String(),
  requestedAt: Instant,
});

/** The last mail to the candidate that could not be sent. */
export const MailProblemRecord = Named('MailProblem', {
  mailId: Type.String({ description: 'Its `id` in the list of the application’s mails.' }),
  kind: MAIL_KIND,
  fault: MAIL_FAULT,
  nextAttemptAt: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When it is tried next. `null`: it is not tried again.',
    }),
  ),
});

/** A trial session as staff see it. */
export type TrialRecord = Static<typeof TrialRecord>;
export const TrialRecord = Named('TrialSession', {
  id: Uuid,
  applicationId: Uuid,
  status: TRIAL_STATUS,
  roleName: Type.String({ description: 'As it was at the invitation.' }),
  invitedAt: Instant,
  startedAt: Nullable(Instant),
  endedAt: Nullable(Instant),
  expiresAt: Instant,
  evaluationId: Nullable(Uuid),
  version: Ordinal,
});

/** A trial session as its candidate sees it. */
export type OwnTrialRecord = Static<typeof OwnTrialRecord>;
export const OwnTrialRecord = Named('OwnTrialSession', fieldsWithout(TrialRecord, 'evaluationId'));

/** A trial as a command answers it, by the state of its stream. */
export const trialRecord = (trial: Trial): TrialRecord =>
  pick(TrialRecord, { ...trial, id: trial.trialSessionId, roleName: trial.role.name });

/** What an application's record is made from, by a view or by the write side. */
export interface ApplicationParts {
  readonly id: string;
  readonly organisationId: string;
  readonly roleId: string;
  readonly candidateId: string;
  /** `null`: it can no longer be read, or the record is not one that shows it. */
  readonly candidateEmail: string | null;
  /** `null`: the invitation named none, or it can no longer be read. */
  readonly candidateName: string | null;
  /** `null`: the invitation gave none, or it can no longer be read. */
  readonly externalId: string | null;
  readonly language: Language;
  /** The application of the attempt before; `null`: this is the first attempt. */
  readonly retakeOf: string | null;
  readonly accommodations: Accommodations;
  /** `null`: nothing was asked for. A `text` of `null` can no longer be read. */
  readonly accommodationRequest: { readonly text: string | null; readonly requestedAt: string } | null;
  /** `null`: the candidate has not asked to be erased. */
  readonly erasureRequestedAt: string | null;
  readonly trial: TrialRecord;
  /** `null`: none is recorded, or it was retracted. */
  readonly outcome: OutcomeRecord | null;
  /** `null`: there is none; see `currentProblem`. */
  readonly mailProblem: MailProblem | null;
  /** Events of its outcome so far. */
  readonly outcomeVersion: number;
  /** The candidate is erased: nothing personal is shown, even if these parts still have it. */
  readonly erased: boolean;
}

/** An application as its candidate sees it. */
export type OwnApplicationRecord = Static<typeof OwnApplicationRecord>;
export const OwnApplicationRecord = Named('OwnApplication', {
  id: Uuid,
  organisationId: Uuid,
  roleId: Uuid,
  roleName: Type.String(),
  candidateEmail: Nullable(Type.String()),
  candidateName: Nullable(Type.String()),
  language: LANGUAGE,
  status: APPLICATION_STATUS,
  invitedAt: Instant,
  trialSessions: Type.Array(OwnTrialRecord),
  erasureRequestedAt: Nullable(
    Type.String({ format: 'date-time', description: 'When the candidate asked to be erased.' }),
  ),
  version: Ordinal,
});

/** An application as staff see it. */
export type ApplicationRecord = Static<typeof ApplicationRecord>;
export const ApplicationRecord = Named('Application', {
  ...OwnApplicationRecord.properties,
  trialSessions: Type.Array(TrialRecord),
  candidateId: Type.String({
    format: 'uuid',
    description: 'The same in all applications of one candidate, and in what webhooks are sent about them.',
  }),
  externalId: Nullable(
    Type.String({ description: 'The organisation’s own id of the candidate, as the invitation gave it.' }),
  ),
  retakeOf: Nullable(
    Type.String({
      format: 'uuid',
      description: 'The candidate’s earlier application for the role that this one is a further attempt at.',
    }),
  ),
  accommodations: AccommodationsRecord,
  accommodationRequest: Nullable(AccommodationRequestRecord),
  outcome: Nullable(OutcomeRecord),
  mailProblem: Nullable(MailProblemRecord),
  candidateUrl: Type.String({ format: 'uri', description: 'Where to send the candidate.' }),
});

/** An application as its candidate sees it, by its parts. */
export const ownApplicationRecord = (parts: ApplicationParts): OwnApplicationRecord =>
  pick(OwnApplicationRecord, {
    ...parts,
    roleName: parts.trial.roleName,
    candidateEmail: parts.erased ? null : parts.candidateEmail,
    candidateName: parts.erased ? null : parts.candidateName,
    status: applicationStatus(parts.trial.status, parts.erased),
    invitedAt: parts.trial.invitedAt,
    trialSessions: [pick(OwnTrialRecord, parts.trial)],
    erasureRequestedAt: parts.erased ? null : parts.erasureRequestedAt,
    version: parts.trial.version + parts.outcomeVersion,
  });

/** An application as staff see it, by its parts. @param publicUrl where candidates reach the service */
export const applicationRecord = (parts: ApplicationParts, publicUrl: string): ApplicationRecord => ({
  ...ownApplicationRecord(parts),
  candidateId: parts.candidateId,
  externalId: parts.erased ? null : parts.externalId,
  retakeOf: parts.retakeOf,
  accommodations: parts.erased ? NO_ACCOMMODATIONS : parts.accommodations,
  accommodationRequest: parts.erased ? null : readable(parts.accommodationRequest),
  trialSessions: [parts.trial],
  outcome: shownOutcome(parts),
  mailProblem: shownProblem(parts),
  candidateUrl: `${publicUrl}/apply/${parts.id}`,
});

/** An outcome as staff see it, of an erased candidate without its reason; `null`: none is recorded. */
export const shownOutcome = ({
  erased,
  outcome,
}: Pick<ApplicationParts, 'erased' | 'outcome'>): OutcomeRecord | null =>
  outcome && pick(OutcomeRecord, erased ? { ...outcome, reason: null } : outcome);

/** The version of a record, with the state of its mails, which changes without it. */
export const versionOf = ({
  version,
  mailProblem,
}: ApplicationRecord): Pick<AnswerOptions, 'version' | 'beside'> => ({
  version,
  beside: mailProblem === null ? [] : [mailProblem],
});

/** A mail's problem as staff and the candidate's export see it; `null`: there is none, or the candidate is erased. */
export const shownProblem = ({
  erased,
  mailProblem,
}: ApplicationParts): Static<typeof MailProblemRecord> | null =>
  erased || mailProblem === null
    ? null
    : pick(MailProblemRecord, { ...mailProblem, mailId: mailId(mailProblem) });

/** A candidate's request, as it is shown; `null`: there is none, or its text can no longer be read. */
export const readable = (
  request: ApplicationParts['accommodationRequest'],
): Static<typeof AccommodationRequestRecord> | null =>
  request && request.text !== null ? { text: request.text, requestedAt: request.requestedAt } : null;

/**
 * What an application's record is made from, by its view.
 * @param candidateEmail joined from the candidates; `null`: it is not readable, or the caller does not show it
 */
export const partsOf = (
  { id, document }: FoundApplication,
  candidateEmail: string | null,
): ApplicationParts => ({
  id,
  organisationId: document.organisationId,
  roleId: document.roleId,
  candidateId: document.candidateId,
  candidateEmail,
  candidateName: document.personal?.candidateName ?? null,
  externalId: document.personal?.externalId ?? null,
  language: document.language,
  retakeOf: document.retakeOf,
  accommodations: document.accommodations,
  accommodationRequest:
    document.requestedAt === null
      ? null
      : { text: document.personal?.accommodationRequest ?? null, requestedAt: document.requestedAt },
  erasureRequestedAt: document.erasureRequestedAt,
  trial: document.trial,
  outcome: document.outcome && { ...document.outcome, reason: document.personal?.reason ?? null },
  mailProblem: document.mailProblem,
  outcomeVersion: document.outcomeVersion,
  erased: document.erased,
});
