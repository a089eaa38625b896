import type { Invitation } from '../candidate/events.js';
import type { Interview } from './interview-state.js';
import type { RoleDefinition } from '../role/events.js';
import type { PersonId } from '../../core/vault/port.js';
import type { IdentityCheck } from './events.js';
import { EMPTY_IDS, type IdSet } from './id-set.js';

/** Where a session stands. An ended one never comes back. */
export type Phase =
  | { readonly status: 'invited' }
  /** `interrupted`: its interview's socket has been away for long. */
  | { readonly status: 'started' | 'interrupted'; readonly startedAt: string }
  | {
      readonly status: 'completed';
      readonly startedAt: string;
      readonly endedAt: string;
      readonly evaluationId: string;
    }
  | {
      readonly status: 'withdrawn' | 'expired';
      readonly startedAt: string | null;
      readonly endedAt: string;
    };

export type TrialStatus = Phase['status'];

/** A trial session. Until its stream begins it is made from the invitation alone. */
export interface Trial {
  readonly organisationId: string;
  readonly candidateId: PersonId;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  readonly roleVersion: number;
  /** As it stood at the invitation. */
  readonly role: RoleDefinition;
  readonly invitedAt: string;
  readonly expiresAt: string;
  readonly phase: Phase;
  /** 1 at the invitation, one more with each event of the session's life; activity does not count. */
  readonly version: number;
  /** Of the stream's last event; 0 before the first. */
  readonly lastSequenceNumber: number;
  /** What the candidate's activities take up so far, in bytes of the log. */
  readonly evidenceBytes: number;
  /** Ids that the candidate's events were sent under. */
  readonly clientEventIds: IdSet;
  /** `null` until its first connection. */
  readonly interview: Interview | null;
  /**
   * How the last token that was looked at named the candidate; `null` before the start, and after one whose own token
   * named somebody else.
   */
  readonly identity: IdentityCheck | null;
  /** The sequence number of the last `trial.identity_checked`; 0: there is none. */
  readonly identityCheckedAt: number;
  /** Nothing is recorded any more, and nothing personal can be read. */
  readonly erased: boolean;
}

/** The session as its invitation opened it. */
export const invitedTrial = (invitation: Invitation): Trial => ({
  organisationId: invitation.organisationId,
  candidateId: invitation.candidateId as PersonId,
  applicationId: invitation.applicationId,
  trialSessionId: invitation.trialSessionId,
  roleId: invitation.roleId,
  roleVersion: invitation.roleVersion,
  role: invitation.role,
  invitedAt: invitation.invitedAt,
  expiresAt: invitation.expiresAt,
  phase: { status: 'invited' },
  version: 1,
  lastSequenceNumber: 0,
  evidenceBytes: 0,
  clientEventIds: EMPTY_IDS,
  interview: null,
  identity: null,
  identityCheckedAt: 0,
  erased: false,
});

/**
 * Whether the session is over: by an event, or because its time is up and that event is still to come.
 * @param now as this service writes times
 */
export const hasEnded = (trial: Trial, now: string): boolean => isClosed(trial) || isOverdue(trial, now);

/** Ended by an event. */
export const isClosed = ({ phase }: Trial): boolean => phase.status !== 'invited' && !isRunning(phase);

/** Begun and not ended, its interview's socket away or not. */
export const isRunning = (phase: Phase): phase is Extract<Phase, { status: 'started' | 'interrupted' }> =>
  phase.status === 'started' || phase.status === 'interrupted';

/** An interview once begun has its own time, at whose end the session is completed: it never expires. */
export const isOverdue = ({ interview, expiresAt }: Trial, now: string): boolean =>
  (interview?.endsAt ?? null) === null && now >= expiresAt;
