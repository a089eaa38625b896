import type { EventOf } from '../../core/event.js';
import type { RoleDefinition } from '../role/events.js';

/** Stored names and latest shapes of a candidate's stream (`candidate-<person>`): the storage contract. */

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

/** What opening an application fixes for good; a trial session's first event carries it on. */
export interface Invitation extends ApplicationRef {
  readonly roleVersion: number;
  /** The definition as it stood at the invitation: the session is scored by it. */
  readonly role: RoleDefinition;
  readonly invitedAt: string;
  readonly expiresAt: string;
}

/** Opens an application and its trial session: both exist by this event. */
export type CandidateInvited = EventOf<'candidate.invited', Invitation, { readonly email: string }>;

/** A verified e-mail was matched once: from now on the candidate is known by subject. */
export type CandidateBound = EventOf<
  'candidate.bound',
  { readonly organisationId: string; readonly candidateId: string },
  { readonly subject: string }
>;

/**
 * Everything held about the candidate is gone for good: the key is destroyed after this event and before anybody is
 * told. From here on the candidate's streams take nothing more than each its own event of the erasure.
 */
export type CandidateErased = EventOf<
  'candidate.erased',
  {
    readonly organisationId: string;
    readonly candidateId: string;
    /** Somebody of the staff asked for it, or the organisation's time of keeping is over. */
    readonly cause: 'staff' | 'retention';
  }
>;

export type CandidateEvent = CandidateInvited | CandidateBound | CandidateErased;
