import type { Waited } from '../../domain/session/events.js';
import { type Interview, RESUME_MS } from '../../domain/session/interview-state.js';
import { maxDurationMs } from '../../domain/session/time-limit.js';

/** Monotonic milliseconds of this process. */
export const now = (): number => performance.now();

/**
 * How much of an interview's time has passed. The stream has the time up to the last connection. The time since then is
 * the difference of two processes' wall clocks, which may be an hour apart. So it counts as `RESUME_MS` (times the
 * factor) at most: a session whose client is disconnected for longer is interrupted.
 */
export class InterviewClock {
  private before: number | null = null;
  private since: number;

  /**
   * @param wasInterrupted whether the session has been interrupted since: then the whole absence counts
   * @param wallNow the wall clock of this process, in milliseconds since 1970
   * @param timeFactor how many times the usual length the time limit and absences have
   */
  constructor(
    interview: Interview | null,
    wasInterrupted: boolean,
    wallNow: number,
    public timeFactor = 1,
  ) {
    this.since = now();
    if ((interview?.endsAt ?? null) === null || !interview) return;
    const absentMs = Math.max(0, wallNow - Date.parse(interview.elapsed.at));
    this.before =
      interview.elapsed.ms + (wasInterrupted ? absentMs : Math.min(absentMs, RESUME_MS * timeFactor));
  }

  /** Starts with the first question; further calls have no effect. */
  begin(): void {
    if (this.before !== null) return;
    this.before = 0;
    this.since = now();
  }

  /** Milliseconds since the first question, `null` before it. */
  get elapsedMs(): number | null {
    return this.before === null ? null : Math.round(this.before + now() - this.since);
  }

  get remainingMs(): number {
    return Math.max(0, maxDurationMs(this.timeFactor) - (this.elapsedMs ?? 0));
  }
}

/** Longest time from sending speech to playing it: over a slow line, with a player that fills its buffer first. */
const PLAYING_BEGINS_MS = 1_000;
/** A question counts as heard once this much of its speech has been played, in milliseconds. */
const HEARD_MS = 1_000;
/** The slowest reading aloud in any script, per byte of UTF-8. */
const SLOWEST_MS_PER_BYTE = 100;

/** Longest speech of a text that the client speaks, in milliseconds. */
export const maxSpeechMs = (text: string): number => SLOWEST_MS_PER_BYTE * Buffer.byteLength(text);

/**
 * How long a question waits for its answer to begin. The wait starts at the latest of these: the question is sent, the
 * last byte of its speech is sent, its playback progresses. Only connected time counts. Times are in milliseconds of
 * `now`, so each part of the wait is measured on one process's monotonic clock.
 */
export class QuestionClock {
  private mark: number;
  private countsOthers = true;
  private sentAt: number | null = null;
  private playedMs = 0;
  /** Earliest time at which the candidate may hear or read it; `null`: not yet. */
  private heardFrom: number | null = null;
  /** The latest repetition of its speech: when it began and how long it lasts. */
  private repetition = { from: 0, ms: 0 };

  /** @param elsewhereMs returns how long it has waited on other connections */
  constructor(
    readonly turn: number,
    private readonly elsewhereMs: () => number,
    /** When it was asked; earlier than now if on another connection. */
    private readonly askedAt: number = now(),
  ) {
    this.mark = now();
  }

  /**
   * Continues the wait on this connection. Sending the text again does not restart the wait: else a client could hide a
   * long wait by reconnecting.
   */
  resume(): void {
    this.mark = now();
  }

  /** The question can only be read, or its speech is stopped: it counts as heard a moment later. */
  shown(): void {
    this.heardFrom ??= now();
  }

  /** Whether the candidate has heard or read enough of it by `at` to begin an answer to it. */
  isHeardBy(at: number): boolean {
    if (this.playedMs >= HEARD_MS) return true;
    return this.heardFrom !== null && at >= this.heardFrom + HEARD_MS + PLAYING_BEGINS_MS / 2;
  }

  /** A part of the question's speech has just been sent: the wait restarts. */
  sent(): void {
    this.heardFrom ??= now();
    this.sentAt = now();
    this.mark = this.sentAt;
    this.countsOthers = false;
  }

  /**
   * The question is spoken again. The repeated speech does not count as waiting; the wait before it does, else a client
   * could hide it.
   * @returns call it for each part that was sent, with the part's milliseconds
   */
  repeat(): (ms: number) => void {
    const from = now();
    this.mark += this.heardAgain(from);
    const repetition = (this.repetition = { from, ms: 0 });
    return (ms) => (repetition.ms += ms);
  }

  /**
   * Playback has progressed, so the candidate was still listening at `at`: the wait restarts. Two reports are ignored,
   * since a client could hide any wait by them: one without progress, and one later than the speech can last.
   * @param lengthMs longest that the speech can be, in milliseconds
   */
  played(playedMs: number, at: number, lengthMs: number): void {
    const played = Math.min(playedMs, lengthMs);
    if (played <= this.playedMs) return;
    this.playedMs = played;
    const heardAt = Math.min(at, (this.sentAt ?? this.askedAt) + lengthMs + PLAYING_BEGINS_MS);
    if (heardAt <= this.mark) return;
    this.mark = heardAt;
    this.countsOthers = false;
  }

  /** How long the question has waited at `at`, in whole milliseconds. */
  waitedBy(at: number): number {
    return Math.round(this.elsewhere() + this.waitedHere(at));
  }

  /** This connection's part of the wait. @param gapMs the whole wait; `null`: the answer has not begun */
  stretch(gapMs: number | null): Waited {
    const ms = gapMs === null ? Math.round(this.waitedHere(now())) : gapMs - this.elsewhere();
    return { turn: this.turn, ms: Math.max(0, ms), anew: !this.countsOthers };
  }

  private waitedHere(at: number): number {
    return Math.max(0, at - this.mark - this.heardAgain(at));
  }

  /** How long repeated speech has played since the mark, in milliseconds. */
  private heardAgain(at: number): number {
    const { from, ms } = this.repetition;
    return Math.max(0, Math.min(at, from + ms) - Math.max(from, this.mark));
  }

  private elsewhere(): number {
    return this.countsOthers ? this.elsewhereMs() : 0;
  }
}
