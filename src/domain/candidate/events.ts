import {
  type EventIn,
  eventsOf,
  eventType,
  type RecordUpcasters,
  upcastRecord,
} from '../../core/registry.js';
import type { Language } from '../../languages/languages.js';
import { DEFINITION_UPCASTERS, type RoleDefinition } from '../role/events.js';

/** The prefix of every subject of the issuer for candidates. No subject of another issuer or of a member has it. */
export const CANDIDATE_SUBJECT = 'assay-candidate:';

/** Whether a subject belongs to the issuer for candidates. */
export const isCandidateSubject = (subject: string): boolean => subject.startsWith(CANDIDATE_SUBJECT);

/** The ids of an application, which never change: most events and view documents carry them. */
export interface ApplicationRef {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
}

/** The ids alone, of a record that has more. */
export const applicationRefOf = (record: ApplicationRef): ApplicationRef => ({
  organisationId: record.organisationId,
  candidateId: record.candidateId,
  applicationId: record.applicationId,
  trialSessionId: record.trialSessionId,
  roleId: record.roleId,
});

/** What an invitation fixes; the first event of its trial session repeats it. */
export interface InvitationTerms {
  readonly roleVersion: number;
  /** The definition at the time of the invitation: the session is scored by it. */
  readonly role: RoleDefinition;
  readonly invitedAt: string;
  readonly expiresAt: string;
  /** The language of what the candidate reads, and of the interview. */
  readonly language: Language;
}

export interface Invitation extends ApplicationRef, InvitationTerms {}

/** The terms are versioned with their definition. In version 1 the language is left out if it is English. */
export const TERMS_UPCASTERS: RecordUpcasters = DEFINITION_UPCASTERS.map(
  (next) => (terms: Omit<InvitationTerms, 'language'> & Partial<InvitationTerms>) => ({
    ...terms,
    role: next(terms.role),
    language: terms.language ?? 'en',
  }),
);

/** What the organisation calls the candidate, for one invitation: by `name`, by `externalId`, by both or by none. */
export interface Naming {
  readonly name?: string;
  /** The organisation's own id of the person: it may lead to them, so it is sealed and erased with the name. */
  readonly externalId?: string;
}

interface CandidateIds {
  readonly organisationId: string;
  readonly candidateId: string;
}

/** Stored names and latest shapes of a candidate's stream (`candidate-<person>`): the storage contract. */
export const candidateEvents = {
  /** Opens an application and its trial session: both exist by this event. */
  'candidate.invited': eventType<
    Invitation & {
      /**
       * There are earlier invitations of the candidate to the role, and all of them had ended by an event, which is
       * final: a later invitation need not read their sessions.
       */
      readonly earlierEnded?: true;
      /**
       * The candidate's earlier application for the role that this one is a further attempt at; left out if it is none.
       */
      readonly retakeOf?: string;
    },
    { readonly email: string } & Naming
  >(upcastRecord(TERMS_UPCASTERS, (data: Invitation, next) => next(data))),
  /** A verified e-mail address was matched: from now on the subject identifies the candidate. */
  'candidate.bound': eventType<CandidateIds, { readonly subject: string }>(),
  /**
   * All personal data of the candidate is erased: the key is destroyed after this event and before the answer. After it,
   * the only event that each of the candidate's other streams accepts is its own erasure.
   */
  'candidate.erased': eventType<
    CandidateIds & {
      /** A member asked for it, or the organisation's retention period is over. */
      readonly cause: 'staff' | 'retention';
    }
  >(),
};

export type CandidateEvent = EventIn<typeof candidateEvents>;
export const candidateEvent = eventsOf<typeof candidateEvents>();
export type CandidateInvited = EventIn<typeof candidateEvents, 'candidate.invited'>;
export type CandidateErased = EventIn<typeof candidateEvents, 'candidate.erased'>;
