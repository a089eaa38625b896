import type { ApplicationRef } from '../candidate/events.js';
import type { TrialState } from './state.js';
import type { RecordAnswer } from './interview-decider.js';
import type { EndReason } from './events.js';

/** How an interview goes on where no connection does: what its own process does, or whoever finds it abandoned. */
export interface InterviewEnding {
  /**
   * A connection has been away for `RESUME_MS`: its open turn is closed as it stands and the session becomes
   * `interrupted`. Nothing happens where the client has come back on another connection, or the session has ended.
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  away(session: ApplicationRef, connectionId: string): Promise<void>;
  /**
   * Closes the open turn as it stands and completes the session; one that has ended stays as it is.
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  finish(session: ApplicationRef, reason: EndReason): Promise<void>;
}

/** Injection token of `OpenTurns`. */
export const OPEN_TURNS = Symbol('OpenTurns');

/** For whoever completes a session by other ways than its socket. */
export interface OpenTurns {
  /**
   * What was said in the open turn, to be recorded in the append that ends the session: nothing acknowledged is
   * missing then, and nobody is asked the next question in between. `null`: nothing was said, or no turn is open.
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  saidSoFar(session: ApplicationRef): Promise<RecordAnswer | null>;
  /** Discards that turn's audio, where nobody is to hear it. @param state as the session was left */
  letGo(session: ApplicationRef, state: TrialState, turn: number): Promise<void>;
}
