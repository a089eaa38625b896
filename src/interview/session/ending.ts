import type { ApplicationRef } from '../../candidates/invitation.js';
import type { EndReason } from '../events.js';

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
   * Closes the open turn with what was said in it, so that nothing acknowledged is missing when its session ends.
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  closeOpenTurn(session: ApplicationRef): Promise<void>;
}
