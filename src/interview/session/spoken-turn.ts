import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { VoiceActivity } from '../speech/voice-activity.js';
import type { QuestionClock } from './clocks.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { AudioOf, AudioStore } from '../../vault/port.js';
import type { PersonId } from '../../core/vault/port.js';
import { ProviderFailed, type Transcriber } from '../../clients/speech.js';

/** Arrivals are remembered so far back, in milliseconds of audio: as long as it takes to tell speech from a click. */
const REMEMBERED_MS = 3_000;

/** The open turn's speech as it comes in: when the answer began, and when it is over. */
export class SpokenTurn {
  private activity = new VoiceActivity();
  private heardMs = 0;
  private readonly arrivals: { readonly fromMs: number; readonly at: number }[] = [];
  /** Milliseconds from the end of the question to the first voiced frame, `null` until there is one. */
  answerGapMs: number | null = null;
  /** A frame said so itself. */
  endedByFrame = false;

  constructor(readonly question: QuestionClock) {}

  /** What an earlier connection brought. */
  restore(pcm: Uint8Array, answerGapMs: number | null, endOfTurn: boolean): void {
    this.activity.push(pcm);
    this.heardMs += pcm.byteLength / BYTES_PER_MS;
    this.answerGapMs ??= answerGapMs;
    this.endedByFrame ||= endOfTurn;
  }

  /**
   * @param at when it arrived, monotonic
   * @returns the gap before the answer, where that begins to show with this frame
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

  get speaking(): boolean {
    return this.activity.speaking;
  }

  /** Silence has followed on speech, or a frame said that it is over. */
  get isOver(): boolean {
    return this.endedByFrame || this.activity.ended;
  }

  /** All of the turn's audio, in milliseconds. */
  get durationMs(): number {
    return Math.round(this.heardMs);
  }

  /** What was heard held no words: it goes on listening. */
  listenOn(): void {
    this.activity = new VoiceActivity();
    this.arrivals.length = 0;
    this.endedByFrame = false;
  }

  /** Until it shows when the answer began. */
  private remember(at: number): void {
    const fromMs = this.activity.durationMs;
    this.arrivals.push({ fromMs, at });
    while (this.arrivals.length > 1 && (this.arrivals[1]?.fromMs ?? fromMs) < fromMs - REMEMBERED_MS)
      this.arrivals.shift();
  }
}

/** Tries to transcribe a turn before it is given up for now. */
const TRIES = 2;

/** Where a session's audio lies. */
export const audioOf = ({ candidateId, trialSessionId }: ApplicationRef): AudioOf => ({
  person: candidateId as PersonId,
  trialSessionId,
});

/** All of a turn's durable audio. */
export const pcmOf = async (audio: AudioStore, of: AudioOf, turn: number): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  for await (const { pcm } of audio.read(of, turn)) pieces.push(pcm);
  return Buffer.concat(pieces);
};

/** @throws {ProviderFailed} also where the signal ended */
export const transcribed = async (
  transcriber: Transcriber,
  pcm: Uint8Array,
  signal: AbortSignal,
): Promise<string> => {
  if (pcm.byteLength === 0) return '';
  for (let tries = 1; ; tries++) {
    try {
      return await transcriber.transcribe(pcm, signal);
    } catch (error) {
      if (!(error instanceof ProviderFailed) || signal.aborted || tries === TRIES) throw error;
    }
  }
};
