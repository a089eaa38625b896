import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { hasVoice, VoiceActivity } from '../speech/voice-activity.js';
import type { QuestionClock } from './clocks.js';
import type { Language } from '../../languages/languages.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { AudioOf, AudioStore } from '../../vault/port.js';
import type { PersonId } from '../../core/vault/port.js';
import { ProviderFailed, type Transcriber, type TurnAudio } from '../../clients/speech.js';
import { Slices } from '../../core/concurrency.js';
import { VaultUnavailable } from '../../core/errors.js';

/** The outcome of closing a turn; `nothing`: no words in it, `left`: it was answered otherwise or speech went on. */
export type Heard = 'recorded' | 'nothing' | 'failed' | 'left';

/** How far back arrivals are kept, in milliseconds of audio: as long as it takes to distinguish speech from a click. */
const REMEMBERED_MS = 3_000;

/** The open turn's speech as it comes in: when the answer began, and when it is over. */
export class SpokenTurn {
  private activity: VoiceActivity;
  private heardMs = 0;
  private readonly arrivals: { readonly fromMs: number; readonly at: number }[] = [];
  /** Milliseconds from the end of the question to the first voiced frame; `null`: none yet. */
  answerGapMs: number | null = null;
  /** A frame had the end-of-turn flag. */
  endedByFrame = false;

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

/** Tries per transcription of a turn. */
const TRIES = 2;

/** The address of a session's audio. */
export const audioOf = ({ candidateId, trialSessionId }: ApplicationRef): AudioOf => ({
  person: candidateId as PersonId,
  trialSessionId,
});

/** A turn's durable audio, as it was when it was asked for. */
export interface StoredSpeech extends TurnAudio {
  /** `seq` of its first frame; 0: there is none. */
  readonly firstSeq: number;
  /** `seq` of its last frame; 0: there is none. */
  readonly lastSeq: number;
  /** Milliseconds from the end of the question to the first voiced frame; `null`: there is none. */
  readonly answerGapMs: number | null;
}

export const storedSpeech = async (audio: AudioStore, of: AudioOf, turn: number): Promise<StoredSpeech> => {
  let bytes = 0;
  let firstSeq = 0;
  let lastSeq = 0;
  let answerGapMs: number | null = null;
  const slices = new Slices();
  for await (const chunk of audio.read(of, turn)) {
    bytes += chunk.pcm.byteLength;
    firstSeq ||= chunk.firstSeq;
    lastSeq = chunk.lastSeq;
    answerGapMs ??= chunk.answerGapMs;
    await slices.next();
  }
  return { bytes, firstSeq, lastSeq, answerGapMs, pieces: () => again(audio, of, turn, { bytes, lastSeq }) };
};

/** A part of a turn must not be taken for the whole: what was discarded meanwhile ends it by an error. */
async function* again(
  audio: AudioStore,
  of: AudioOf,
  turn: number,
  { bytes, lastSeq }: Pick<StoredSpeech, 'bytes' | 'lastSeq'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = bytes;
  for await (const chunk of audio.read(of, turn)) {
    if (chunk.lastSeq > lastSeq) break;
    left -= chunk.pcm.byteLength;
    yield chunk.pcm;
  }
  if (left !== 0) throw new VaultUnavailable('A turn’s audio has changed while it was read: read it again.');
}

/**
 * The words in a turn's audio. Without a voice in it there are none: a transcriber would invent some.
 * @param onAsked the transcriber is being asked
 * @throws {ProviderFailed} also if the signal aborted
 * @throws what reading the audio throws
 */
export const transcribed = async (
  transcriber: Transcriber,
  audio: TurnAudio,
  signal: AbortSignal,
  language: Language,
  onAsked: () => void = () => undefined,
): Promise<string> => {
  if (!(await hasVoice(audio.pieces()))) return '';
  onAsked();
  for (let tries = 1; ; tries++) {
    try {
      return await transcriber.transcribe(audio, signal, language);
    } catch (error) {
      if (!(error instanceof ProviderFailed) || signal.aborted || tries === TRIES) throw error;
    }
  }
};
