import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { VoiceActivity } from '../speech/voice-activity.js';
import type { QuestionClock } from './clocks.js';

/** The outcome of closing a turn; `nothing`: no words in it, `left`: it was answered otherwise or speech went on. */
export type Heard = 'recorded' | 'nothing' | 'failed' | 'left';

/** A transcription that is to close its turn. */
export interface Transcription {
  /** The candidate ended the turn, else silence did. */
  said: boolean;
  readonly outcome: Promise<Heard>;
  /** Gives it up. */
  end(): void;
}

/** How far back arrivals are kept, in milliseconds of audio: as long as it takes to distinguish speech from a click. */
const REMEMBERED_MS = 3_000;

/** A turn's speech as it comes in: when the answer began, when it is over, and what becomes of it. */
export class SpokenTurn {
  private activity: VoiceActivity;
  private heardMs = 0;
  private readonly arrivals: { readonly fromMs: number; readonly at: number }[] = [];
  /** Milliseconds from the end of the question to the first voiced frame; `null`: none yet. */
  answerGapMs: number | null = null;
  /** A frame had the end-of-turn flag. */
  endedByFrame = false;
  /** `null`: none is under way. */
  transcription: Transcription | null = null;
  /** The turn is being skipped: nothing more is heard in it. */
  isGivenUp = false;
  /** A text closes the turn while its speech is transcribed: that is recorded beside it. */
  isOvertaken = false;

  constructor(
    readonly question: QuestionClock,
    /** Silence that ends the answer, in milliseconds. */
    private readonly pauseMs: number,
  ) {
    this.activity = new VoiceActivity(pauseMs);
  }

  /** Adds audio of an earlier connection. */
  restore(pcm: Uint8Array, answerGapMs: number | null, endOfTurn: boolean): void {
    this.activity.push(pcm);
    this.heardMs += pcm.byteLength / BYTES_PER_MS;
    this.answerGapMs ??= answerGapMs;
    this.endedByFrame ||= endOfTurn;
  }

  /**
   * @param at when it arrived, monotonic
   * @returns the gap before the answer, if this frame reveals it
   */
  hear(pcm: Uint8Array, at: number, endOfTurn: boolean): number | null {
    if (this.answerGapMs === null) this.remember(at);
    this.activity.push(pcm);
    this.heardMs += pcm.byteLength / BYTES_PER_MS;
    this.endedByFrame ||= endOfTurn;
    const first = this.activity.firstVoicedAtMs;
    if (this.answerGapMs !== null || first === null) return null;
    const arrival = this.arrivals.findLast(({ fromMs: from }) => from <= first) ?? this.arrivals[0];
    this.answerGapMs = this.question.waitedBy(arrival?.at ?? at);
    this.arrivals.length = 0;
    return this.answerGapMs;
  }

  /** The turn's number. */
  get number(): number {
    return this.question.turn;
  }

  get speaking(): boolean {
    return this.activity.speaking;
  }

  /** A voice sounds again that may go on with the answer. */
  get stirs(): boolean {
    return this.activity.stirs;
  }

  /** Silence has followed speech, or a frame had the end-of-turn flag. */
  get isOver(): boolean {
    return this.endedByFrame || this.activity.ended;
  }

  /** Length of the turn's audio, in milliseconds. */
  get durationMs(): number {
    return Math.round(this.heardMs);
  }

  /** Ends a transcription that is under way. */
  dropTranscription(): void {
    this.transcription?.end();
    this.transcription = null;
  }

  /** Goes on after audio without words. */
  listenOn(): void {
    this.activity = new VoiceActivity(this.pauseMs);
    this.arrivals.length = 0;
    this.endedByFrame = false;
  }

  /** Keeps an arrival until the answer's start is known. */
  private remember(at: number): void {
    const fromMs = this.activity.durationMs;
    this.arrivals.push({ fromMs, at });
    while (this.arrivals.length > 1 && (this.arrivals[1]?.fromMs ?? fromMs) < fromMs - REMEMBERED_MS)
      this.arrivals.shift();
  }
}
