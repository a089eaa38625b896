import { reasonOf } from '../../engine/errors.js';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { VoiceActivity } from '../speech/voice-activity.js';
import type { ConnectionScope } from './services.js';
import { audioOfPieces, type TurnAudio } from '../../clients/speech.js';

/** The beginning of a word is kept while it is unknown whether it is one, in bytes. */
const PRE_ROLL_BYTES = 1_000 * BYTES_PER_MS;

export interface LateSpeechOptions {
  readonly scope: Pick<ConnectionScope, 'closing' | 'context' | 'line' | 'log'>;
  /** The turn that silence has closed. */
  readonly turn: number;
  /** Silence after which what was said is recorded, in milliseconds. */
  readonly pauseMs: number;
  /** `seq` of the last durable frame. */
  readonly lastAudioSeq: () => number;
}

/**
 * What the candidate says after silence has ended an answer, until the next question has been heard: it belongs to the
 * turn before, as late answers. It is in memory alone; the end of the connection records what there is.
 */
export class LateSpeech {
  private activity: VoiceActivity;
  private pieces: Uint8Array[] = [];
  private bytes = 0;
  private recording: Promise<void> = Promise.resolve();

  constructor(private readonly options: LateSpeechOptions) {
    this.activity = new VoiceActivity(options.pauseMs);
  }

  get turn(): number {
    return this.options.turn;
  }

  /** The candidate is speaking, or a sound may become speech. */
  get sounds(): boolean {
    return this.activity.speaking || this.activity.stirs;
  }

  hear(pcm: Uint8Array): void {
    const wasSpeaking = this.activity.speaking;
    this.activity.push(pcm);
    // Copied: the frame's buffer is used again.
    this.pieces.push(Uint8Array.from(pcm));
    this.bytes += pcm.byteLength;
    const { speaking, ended } = this.activity;
    if (speaking !== wasSpeaking)
      this.options.scope.line.send({ type: speaking ? 'speech.started' : 'speech.stopped' });
    if (ended) void this.end();
    else if (!this.sounds) this.forget();
  }

  /** Has recorded what was said so far once it resolves. */
  end(): Promise<void> {
    const { heardVoice } = this.activity;
    const audio = audioOfPieces(this.pieces);
    this.activity = new VoiceActivity(this.options.pauseMs);
    this.pieces = [];
    this.bytes = 0;
    if (heardVoice) this.recording = this.recording.then(() => this.record(audio));
    return this.recording;
  }

  private async record(audio: TurnAudio): Promise<void> {
    const { scope, turn, lastAudioSeq } = this.options;
    const { closing, context, log } = scope;
    try {
      await closing.recordLate(context.session, { turn, audio, lastAudioSeq: lastAudioSeq() });
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'What was said after an answer could not be recorded.');
    }
  }

  /** Drops silence. */
  private forget(): void {
    while (this.bytes > PRE_ROLL_BYTES) this.bytes -= this.pieces.shift()?.byteLength ?? this.bytes;
  }
}
