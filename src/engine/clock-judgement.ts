import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/timestamp.js';
import type { ClockRun, Heartbeat } from '../stores/read-store.js';

/**
 * An action that the time alone causes and that cannot be undone. `end`: an expiry, or the end of repeated attempts.
 * `erase`: destroying data, for which the clock must have been steady for longer.
 */
export type Irrevocable = 'end' | 'erase';

/** Both clocks of a process at one moment, in milliseconds. */
export interface Reading {
  /** The wall clock, since 1970. */
  readonly wall: number;
  readonly monotonic: number;
}

/** The readings by which a clock is judged. */
interface ClockEvidence {
  readonly now: Reading;
  /** Both clocks when this process recorded the heartbeat last; `null`: not yet. */
  readonly last: Reading | null;
  /** The last recorded heartbeat, of any process of the service; `null`: there is none. */
  readonly heartbeat: Omit<Heartbeat, 'revision'> | null;
  /** The clock of the store's server; `null`: there is none. */
  readonly serverTime: number | null;
}

/** Which other clock the wall clock differs from, and how far. */
export interface Disagreement {
  readonly with: 'heartbeat' | 'monotonic clock' | 'server';
  /** How far the wall clock is ahead of it, in milliseconds. */
  readonly aheadMs: number;
}

/** What the clock may be used for, and why not for other actions. */
export interface Judgement {
  readonly may: Readonly<Record<Irrevocable, boolean>>;
  /** `null`: the clock agrees with all others. */
  readonly disagreement: Disagreement | null;
  /** The heartbeat to record next. */
  readonly heartbeat: Omit<Heartbeat, 'revision'>;
}

/** Two clocks agree if they differ by no more than this. */
const AGREES_MS = MINUTE_MS;
/**
 * Longest time since a heartbeat that no monotonic clock has measured, in milliseconds, as in a restart of the service.
 * After a longer one, the hour for which a clock has to advance steadily begins again.
 */
export const MAX_GAP_MS = 15 * MINUTE_MS;
/** How far a process's two clocks may drift apart in this time, as the time service corrects one. In milliseconds. */
export const driftMs = (elapsed: number): number => 5 * SECOND_MS + elapsed / 1_000;

/**
 * Judges a wall clock by the last heartbeat.
 *
 * - It is in doubt if it is behind the heartbeat. It is also in doubt if it is ahead by more than a day and the time since
 *   this process's last heartbeat together: the service may have been stopped for that day. It is not in doubt while it
 *   agrees with the server's clock.
 * - A clock in doubt is recorded beside the heartbeat, as `doubted`. Once it has advanced for an hour at the rate of the
 *   monotonic clock, it counts as right and replaces the heartbeat.
 * - It may end things unless it is in doubt for being ahead. It may erase if it is not in doubt and has advanced at that
 *   rate for an hour.
 */
export const judge = ({ now, last, heartbeat: recorded, serverTime }: ClockEvidence): Judgement => {
  const { wall } = now;
  const elapsed = last === null ? 0 : Math.max(0, now.monotonic - last.monotonic);
  const jump = last === null ? 0 : wall - last.wall - elapsed;
  const isSteady = Math.abs(jump) <= driftMs(elapsed);
  const runAfter = (former: ClockRun | null): ClockRun => {
    const gap = former === null ? 0 : wall - former.at;
    if (former === null || !isSteady || gap < -AGREES_MS || gap > elapsed + MAX_GAP_MS)
      return { at: wall, alikeMs: 0 };
    return { at: wall, alikeMs: Math.min(HOUR_MS, former.alikeMs + Math.min(Math.max(0, gap), elapsed)) };
  };

  const serverAheadMs = serverTime === null ? null : wall - serverTime;
  const agreesWithServer = serverAheadMs !== null && Math.abs(serverAheadMs) <= AGREES_MS;
  // Before the first heartbeat, the server's clock is the only one to compare with.
  const known = recorded ?? (serverTime === null ? null : { at: serverTime, alikeMs: 0, doubted: null });
  const ahead = known === null ? 0 : wall - known.at;
  const isAhead = !agreesWithServer && ahead > elapsed + DAY_MS;
  const isBehind = !agreesWithServer && ahead < -AGREES_MS;

  const doubted = known !== null && (isAhead || isBehind) ? runAfter(known.doubted) : null;
  const isTrusted = doubted === null || doubted.alikeMs >= HOUR_MS;
  const heartbeat =
    known === null || isTrusted
      ? { ...(doubted ?? runAfter(recorded)), doubted: null }
      : { at: known.at, alikeMs: known.alikeMs, doubted };

  // Since this process's last heartbeat, another process recorded an earlier time.
  const isAheadOfAnother = last !== null && !agreesWithServer && ahead > elapsed + AGREES_MS;
  const disagreement = ((): Disagreement | null => {
    if (!isSteady) return { with: 'monotonic clock', aheadMs: jump };
    if (!isTrusted || isAheadOfAnother) return { with: 'heartbeat', aheadMs: ahead };
    if (serverAheadMs !== null && !agreesWithServer) return { with: 'server', aheadMs: serverAheadMs };
    return null;
  })();
  const mayEnd = !isAhead || isTrusted;
  return {
    may: { end: mayEnd, erase: isTrusted && heartbeat.alikeMs >= HOUR_MS },
    disagreement,
    heartbeat,
  };
};
