import type { EventOf } from '../../core/event.js';
import type { InterviewEvent } from './interview-events.js';
import type { RoleDefinition } from '../role/events.js';

/**
 * Stored names and latest shapes of a trial session's stream (`trial-<id>`): the storage contract. Every event here
 * is evidence and part of the session's hash chain; nothing else lies in the stream.
 */

export interface TrialIds {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  /** Gapless from 1: the event's revision + 1. */
  readonly sequenceNumber: number;
}

/** How the token at the start named the candidate. */
export type IdentityCheck = 'verified' | 'mismatch' | 'unverified';

/** The session's facts from its invitation. The stream's first event carries them, whichever it is. */
export interface Opening {
  readonly roleVersion: number;
  readonly role: RoleDefinition;
  readonly invitedAt: string;
  readonly expiresAt: string;
}

/** Present on the stream's first event, `null` on later ones. */
interface MayOpen {
  readonly opening: Opening | null;
}

export type TrialStarted = EventOf<
  'trial.started',
  TrialIds & MayOpen & { readonly consent: true; readonly identity: IdentityCheck }
>;
export type TrialExtended = EventOf<
  'trial.extended',
  TrialIds & MayOpen & { readonly expiresAt: string; readonly formerExpiresAt: string }
>;
export type ActivityRecorded = EventOf<
  'trial.activity_recorded',
  TrialIds & { readonly occurredAt: string },
  /** Whatever the candidate chose, a type that nobody knows included: any name could be a word about a person. */
  {
    readonly clientEventId: string;
    readonly eventType: string;
    readonly payload: Readonly<Record<string, unknown>>;
  }
>;
/** An evaluation begins here: it exists by this event and is `generating`. */
export type TrialCompleted = EventOf<
  'trial.completed',
  TrialIds & { readonly evaluationId: string; readonly roleName: string; readonly overallThreshold: number }
>;
export type TrialWithdrawn = EventOf<
  'trial.withdrawn',
  TrialIds & MayOpen & { readonly by: 'candidate' | 'staff' }
>;
export type TrialExpired = EventOf<'trial.expired', TrialIds & MayOpen>;

/**
 * The last event of an erased candidate's session. One that was still open is withdrawn by it, any other stays as it
 * had ended.
 */
export type TrialErased = EventOf<'trial.erased', TrialIds & MayOpen & { readonly withdrawn: boolean }>;

/** A later token names the candidate otherwise than the one before it did. */
export type IdentityChecked = EventOf<
  'trial.identity_checked',
  TrialIds & { readonly identity: IdentityCheck }
>;

/** What a session's life consists of, whatever the candidate does in it. */
export type LifecycleEvent =
  TrialStarted | TrialExtended | TrialCompleted | TrialWithdrawn | TrialExpired | TrialErased;

export type TrialEvent = LifecycleEvent | IdentityChecked | ActivityRecorded | InterviewEvent;
