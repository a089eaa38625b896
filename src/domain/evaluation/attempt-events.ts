import type { EventOf } from '../../core/event.js';

/**
 * Stored names and shapes of the stream `attempts-<evaluationId>`: which processes have tried to make a generation. It
 * stands apart from the evaluation's own stream, since it is no part of its evidence.
 */
export interface AttemptIds {
  readonly organisationId: string;
  readonly trialSessionId: string;
  readonly evaluationId: string;
  readonly generation: number;
  /** The process, by an id that is new with each start. */
  readonly process: string;
}
/** Written before a process makes the generation for the first time: however it ends, this is known of it. */
export type AttemptBegun = EventOf<'attempt.begun', AttemptIds>;
/** The process stopped in an orderly way before the generation was made. */
export type AttemptLeft = EventOf<'attempt.left', AttemptIds>;

export type AttemptEvent = AttemptBegun | AttemptLeft;
