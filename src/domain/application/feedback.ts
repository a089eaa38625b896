import { accept, type Decider, type Decision, type RefusalCodes, refuse } from '../../core/decider.js';
import type { PersonId } from '../../core/vault/port.js';
import type { ApplicationRef } from '../candidate/events.js';
import type { TrialStatus } from '../session/lifecycle.js';
import type { APPLICATION_CODES } from './decider.js';
import { feedbackEvent, type FeedbackEvent } from './events.js';

/** What is refused here, beside the common codes. */
export const FEEDBACK_CODES = {
  already_given: { kind: 'conflict', meaning: 'Feedback on the trial session was given already.' },
} as const satisfies RefusalCodes;

type FeedbackCode = keyof typeof FEEDBACK_CODES | keyof typeof APPLICATION_CODES;

/** A candidate's feedback. The ratings `ease` and `fairness` are from 1 to 5; `null`: none was given. */
export interface Feedback {
  readonly ease: number | null;
  readonly fairness: number | null;
  /** `null` if none was given, or if it can no longer be read. */
  readonly text: string | null;
}

/** `null` until it is given. */
export type FeedbackState = (Feedback & { readonly givenAt: string }) | null;

/** Folds the stream `feedback-<trialSessionId>`. */
export const feedback: Decider<FeedbackState, FeedbackEvent> = {
  kind: 'feedback',
  initial: null,
  evolve: (_, { data, personal, metadata }) => ({
    ease: data.ease,
    fairness: data.fairness,
    text: personal?.text ?? null,
    givenAt: metadata.recordedAt,
  }),
};

export interface GiveFeedback extends Feedback {
  readonly ids: ApplicationRef;
  /** The session's, read from its stream to the end. */
  readonly status: TrialStatus;
}

/** Records the feedback, once. */
export const giveFeedback = (
  state: FeedbackState,
  { ids, status, ease, fairness, text }: GiveFeedback,
): Decision<FeedbackEvent> => {
  if (status !== 'completed')
    return refuse<FeedbackCode>(
      'trial_not_completed',
      'Feedback can be given once the trial session is completed.',
    );
  if (state !== null)
    return refuse<FeedbackCode>('already_given', 'You have given feedback on this trial session already.');
  const personal = { text };
  return accept(
    feedbackEvent('feedback.given', { ...ids, ease, fairness }, ids.candidateId as PersonId, personal),
  );
};
