import type { Waited } from '../../domain/session/events.js';
import { type Interview, MAX_DURATION_MS, RESUME_MS } from '../../domain/session/interview-state.js';

/** Monotonic milliseconds of this process. */
export const now = (): number => performance.now();

/**
 * How much of an interview's time has passed. What former connections knew stands in the stream; what passed since
 * is told by the wall clock of another process, perhaps an hour off, and so believed only as far as it can be true:
 * away for longer than `RESUME_MS`, the session would count as interrupted.
 */
export class InterviewClock {
  private before: number | null = null;
  private since: number;

  /** @param wallNow of this process, milliseconds of the epoch */
  constructor(interview: Interview | null, wasInterrupted: boolean, wallNow: number) {
    this.since = now();
    if ((interview?.endsAt ?? null) === null || !interview) return;
    const away = Math.max(0, wallNow - Date.parse(interview.elapsed.at));
    this.before = interview.elapsed.ms + (wasInterrupted ? away : Math.min(away, RESUME_MS));
  }

  /** The first question is being asked. Again does nothing. */
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
    return Math.max(0, MAX_DURATION_MS - (this.elapsedMs ?? 0));
  }
}

/** Between the sending of speech and its playing, with a slow line and a player that fills its buffer first. */
const PLAYING_BEGINS_MS = 1_000;
/** Of a text's UTF-8: slower than this nobody reads aloud, in any script. */
const SLOWEST_MS_PER_BYTE = 100;

/** The longest that a text's speech can take which was not made here, in milliseconds. */
export const longestSpeechMs = (text: string): number => SLOWEST_MS_PER_BYTE * Buffer.byteLength(text);

/**
 * How long a question stands before its answer begins: from the latest of its sending, the last byte of its speech
 * and the last progress of its playback. Connected stretches alone count, each on one process's monotonic clock.
 */
export class QuestionClock {
  private mark: number;
  private countsOthers = true;
  private sentAt: number | null = null;
  private playedMs = 0;

  /** @param elsewhereMs what it has stood on other connections, as far as that is known by now */
  constructor(
    readonly turn: number,
    private readonly elsewhereMs: () => number,
    /** When it was asked, monotonic; in the past where that was on another connection. */
    private readonly askedAt: number = now(),
  ) {
    this.mark = now();
  }

  /**
   * From here on it stands on this connection. That its text may be told again changes nothing: else whoever connects
   * anew could make a long wait short.
   */
  resume(): void {
    this.mark = now();
  }

  /** A part of its speech has just been sent: what was counted before does not. */
  sent(): void {
    this.sentAt = now();
    this.mark = this.sentAt;
    this.countsOthers = false;
  }

  /**
   * The candidate was still hearing the question at that time: what was counted before does not. Who says so too late
   * for the speech's length, or has heard no more than before, is believed no further: any wait could be hidden else.
   * @param lengthMs of the speech, at most
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

  /** Whole milliseconds that the question has stood by `at`. */
  waitedBy(at: number): number {
    return Math.round(this.elsewhere() + Math.max(0, at - this.mark));
  }

  /** What is to be remembered of this connection. @param gapMs the whole wait, where it has ended */
  stretch(gapMs: number | null): Waited {
    const ms = gapMs === null ? Math.round(Math.max(0, now() - this.mark)) : gapMs - this.elsewhere();
    return { turn: this.turn, ms: Math.max(0, ms), anew: !this.countsOthers };
  }

  private elsewhere(): number {
    return this.countsOthers ? this.elsewhereMs() : 0;
  }
}
