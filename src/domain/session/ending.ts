import type { ApplicationRef } from '../candidate/events.js';
import type { TrialState } from './state.js';
import type { RecordAnswer } from './interview-decider.js';
import type { EndReason } from './events.js';

/** Ends an interview without a connection: by its own process, or by one that finds it abandoned. */
export interface InterviewEnding {
  /**
   * A connection has been away for `RESUME_MS`: its open turn is closed and the session becomes
   * `interrupted`. Nothing happens if the client has come back on another connection, or the session has ended.
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  away(session: ApplicationRef, connectionId: string): Promise<void>;
  /**
   * Closes the open turn and completes the session; one that has ended stays as it is.
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  finish(session: ApplicationRef, reason: EndReason): Promise<void>;
}

/** Injection token of `OpenTurns`. */
export const OPEN_TURNS = Symbol('OpenTurns');

/** The open turn of an interview, for a session that is completed by REST. */
export interface OpenTurns {
  /**
   * The answer so far in the open turn, to be recorded in the append that ends the session, so that no acknowledged
   * speech is missing and no further question is asked in between. `null`: no speech, or no open turn.
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  saidSoFar(session: ApplicationRef): Promise<RecordAnswer | null>;
  /** Discards that turn's audio if it is not kept. @param state as the session was left */
  letGo(session: ApplicationRef, state: TrialState, turn: number): Promise<void>;
}
