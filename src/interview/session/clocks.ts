import type { Waited } from '../../domain/session/events.js';
import { type Interview, RESUME_MS } from '../../domain/session/interview-state.js';
import { maxDurationMs } from '../../domain/session/time-limit.js';

/** Monotonic milliseconds of this process. */
export const now = (): number => performance.now();

/**
 * How much of an interview's time has passed. The stream has the time up to the last connection; the time since then
 * comes from the wall clock of another process, perhaps an hour off. So it counts for as long at most as a connection
 * may be away: after a longer absence the session would be interrupted.
 */
export class InterviewClock {
  private before: number | null = null;
  private since: number;

  /**
   * @param wasInterrupted whether the session was interrupted since: then the whole absence counts
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

/** Longest time from sending speech to playing it, over a slow line and with a player that fills its buffer first. */
const PLAYING_BEGINS_MS = 1_000;
/** A question counts as heard from this much of its speech on, in milliseconds. */
const HEARD_MS = 1_000;
/** The slowest reading aloud in any script, per byte of UTF-8. */
const SLOWEST_MS_PER_BYTE = 100;

/** Longest speech of a text that the client speaks, in milliseconds. */
export const maxSpeechMs = (text: string): number => SLOWEST_MS_PER_BYTE * Buffer.byteLength(text);

/**
 * How long a question waits for its answer to begin: from the latest of its sending, the last byte of its speech and
 * the last progress of its playback. Only connected time counts, each part on one process's monotonic clock: times are
 * in milliseconds of `now`.
 */
export class QuestionClock {
  private mark: number;
  private countsOthers = true;
  private sentAt: number | null = null;
  private playedMs = 0;
  /** When the candidate could begin to hear it. */
  private heardFrom: number | null = null;
  /** The last time that it was spoken again. */
  private repetition = { from: 0, ms: 0 };

  /** @param elsewhereMs how long it waited on other connections, as known by now */
  constructor(
    readonly turn: number,
    private readonly elsewhereMs: () => number,
    /** When it was asked; earlier than now if on another connection. */
    private readonly askedAt: number = now(),
  ) {
    this.mark = now();
  }

  /**
   * Counts from now on this connection. Sending its text again does not restart the wait: else a reconnection could
   * hide a long one.
   */
  resume(): void {
    this.mark = now();
  }

  /** It can be read only, or its speech is stopped: it counts as heard a moment later. */
  shown(): void {
    this.heardFrom ??= now();
  }

  /** Whether it has been heard, or read, for so long that what the candidate begins to say then can answer it. */
  isHeardBy(at: number): boolean {
    if (this.playedMs >= HEARD_MS) return true;
    return this.heardFrom !== null && at >= this.heardFrom + HEARD_MS + PLAYING_BEGINS_MS / 2;
  }

  /** A part of its speech has just been sent: the wait restarts. */
  sent(): void {
    this.heardFrom ??= now();
    this.sentAt = now();
    this.mark = this.sentAt;
    this.countsOthers = false;
  }

  /**
   * The question is spoken again: that time is no wait. The wait before it stays, else a client could hide it.
   * @returns call it with the milliseconds of each part that was sent
   */
  repeat(): (ms: number) => void {
    const from = now();
    this.mark += this.heardAgain(from);
    const repetition = (this.repetition = { from, ms: 0 });
    return (ms) => (repetition.ms += ms);
  }

  /**
   * The candidate was still hearing the question at that time: the wait restarts. Progress that is too late for the
   * speech's length, or is no progress, does not count: else a client could hide any wait.
   * @param lengthMs the speech's length at most, in milliseconds
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

  /** This connection's part of the wait. @param gapMs the whole wait; `null`: it has not ended */
  stretch(gapMs: number | null): Waited {
    const ms = gapMs === null ? Math.round(this.waitedHere(now())) : gapMs - this.elsewhere();
    return { turn: this.turn, ms: Math.max(0, ms), anew: !this.countsOthers };
  }

  private waitedHere(at: number): number {
    return Math.max(0, at - this.mark - this.heardAgain(at));
  }

  /** How much of the time since the mark the repeated speech took. */
  private heardAgain(at: number): number {
    const { from, ms } = this.repetition;
    return Math.max(0, Math.min(at, from + ms) - Math.max(from, this.mark));
  }

  private elsewhere(): number {
    return this.countsOthers ? this.elsewhereMs() : 0;
  }
}
