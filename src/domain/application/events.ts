import { type EventIn, eventsOf, eventType } from '../../core/registry.js';
import type { ApplicationRef } from '../candidate/events.js';

/** Stored names and latest shapes of an application's stream (`application-<id>`): the storage contract. */

export type HumanRound = 'passed' | 'failed';
export type Disposition = 'hired' | 'declined';

/**
 * What the signal counts. An outcome has at least one of the two: `humanRound` or `disposition` is `null` if staff have
 * not decided it.
 */
export interface OutcomeValues {
  readonly humanRound: HumanRound | null;
  readonly disposition: Disposition | null;
}

/** What a candidate is granted, beyond what others have. */
export interface Accommodations {
  /** By how much longer the interview and its pauses may be. */
  readonly timeFactor: number;
  /** The candidate types every answer: none has to be spoken. */
  readonly typedOnly: boolean;
  readonly captions: boolean;
}

/** The accommodations alone, of a record that has more. */
export const accommodationsOf = (record: Accommodations): Accommodations => ({
  timeFactor: record.timeFactor,
  typedOnly: record.typedOnly,
  captions: record.captions,
});

export const NO_ACCOMMODATIONS: Accommodations = { timeFactor: 1, typedOnly: false, captions: false };

export const applicationEvents = {
  /** Carries the values that it replaces (`null`: there were none), so that counts need no look-up. */
  'outcome.recorded': eventType<
    ApplicationRef & OutcomeValues & { readonly former: OutcomeValues | null; readonly recordedBy: string },
    { readonly reason: string | null }
  >(),
  'outcome.retracted': eventType<
    ApplicationRef & { readonly former: OutcomeValues; readonly retractedBy: string }
  >(),
  /** Replaces what was granted as a whole. It is no part of the session's evidence. */
  'accommodations.set': eventType<ApplicationRef & Accommodations & { readonly setBy: string }>(),
  /** The candidate asks in words, which replaces an earlier request. */
  'accommodations.requested': eventType<ApplicationRef, { readonly text: string }>(),
  /** The candidate asks to be erased; staff decide and do it. */
  'erasure.requested': eventType<ApplicationRef>(),
  /** Staff let the candidate request sign-in codes again. The application does not change. */
  'application.sign_in_lock_lifted': eventType<ApplicationRef>(),
  /** The last event of an erased candidate's application: its reason is erased, its outcome still counts. */
  'application.erased': eventType<ApplicationRef>(),
};

export type ApplicationEvent = EventIn<typeof applicationEvents>;
export const applicationEvent = eventsOf<typeof applicationEvents>();
export type ApplicationErased = EventIn<typeof applicationEvents, 'application.erased'>;
export type AccommodationEvent = EventIn<
  typeof applicationEvents,
  'accommodations.set' | 'accommodations.requested'
>;
export type ErasureRequested = EventIn<typeof applicationEvents, 'erasure.requested'>;
export type SignInLockLifted = EventIn<typeof applicationEvents, 'application.sign_in_lock_lifted'>;
export type OutcomeRecorded = EventIn<typeof applicationEvents, 'outcome.recorded'>;
export type OutcomeEvent = OutcomeRecorded | EventIn<typeof applicationEvents, 'outcome.retracted'>;

/**
 * Events of the stream `feedback-<trialSessionId>`. They are apart from the session's own stream, since they are no
 * evidence.
 */
export const feedbackEvents = {
  /** What the candidate says of the assessment. Ratings are from 1 to 5. */
  'feedback.given': eventType<
    ApplicationRef & { readonly ease: number | null; readonly fairness: number | null },
    { readonly text: string | null }
  >(),
};

export type FeedbackEvent = EventIn<typeof feedbackEvents>;
export const feedbackEvent = eventsOf<typeof feedbackEvents>();
