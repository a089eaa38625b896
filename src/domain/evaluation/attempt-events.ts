import { type EventIn, eventType, eventsOf } from '../../core/registry.js';

interface Attempt {
  readonly organisationId: string;
  readonly trialSessionId: string;
  /** The evaluation's generation; 0 for checks that run while the session is open. */
  readonly generation: number;
  /** The process, by an id that is new with each start. */
  readonly process: string;
}

/** An attempt to make a generation of an evaluation. */
export interface GenerationAttempt extends Attempt {
  readonly evaluationId: string;
}

/** An attempt to run checks over a hand-in. */
export interface CheckAttempt extends Attempt {
  readonly handInId: string;
}

export type AttemptIds = GenerationAttempt | CheckAttempt;

/**
 * Events of the streams `attempts-<evaluationId>` and `attempts-<handInId>`: which processes have tried to make a
 * generation, or to run checks. They are no evidence, so they have streams of their own.
 */
export const attemptEvents = {
  /** Written before a process first makes the attempt, so that it is recorded even if the process crashes. */
  'attempt.begun': eventType<AttemptIds>(),
  /** The process was shut down, without a crash, before the attempt was done. */
  'attempt.left': eventType<AttemptIds>(),
};

export type AttemptEvent = EventIn<typeof attemptEvents>;
export const attemptEvent = eventsOf<typeof attemptEvents>();
