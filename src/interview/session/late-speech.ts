import { reasonOf } from '../../engine/errors.js';
import {
  type AudioFrame,
  BYTES_PER_MS,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { lateNumber } from '../../vault/late-turns.js';
import { VoiceActivity } from '../speech/voice-activity.js';
import { audioOf } from './spoken-turn.js';
import type { AudioIntake } from './audio-intake.js';
import type { ConnectionScope } from './services.js';

/** A sound that has not become speech by then was a noise, in bytes of the audio after it. */
const NOISE_BYTES = 500 * BYTES_PER_MS;

export interface LateSpeechOptions {
  readonly scope: Pick<ConnectionScope, 'audio' | 'closing' | 'context' | 'line' | 'log'>;
  /** The turn that silence has closed. */
  readonly turn: number;
  /** Silence after which what was said is recorded, in milliseconds. */
  readonly pauseMs: number;
  readonly intake: Pick<AudioIntake, 'take' | 'flush'>;
}

/**
 * What the candidate says after silence has ended an answer, until the next question has been heard: it belongs to the
 * turn before, as late answers. It is stored as it comes, each stretch up to a pause under a number of its own, so that
 * what cannot be recorded now is recorded at the next connection or at the interview's end.
 */
export class LateSpeech {
  private activity: VoiceActivity;
  /** The number of the stretch that is being heard; `null`: none has begun. */
  private stretch: number | null = null;
  /** How much was heard since its last sound, in bytes; `null`: it has no sound yet. */
  private silence: number | null = null;
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

  hear(frame: AudioFrame): void {
    const { scope, turn, intake } = this.options;
    this.stretch ??= lateNumber({ turn, firstSeq: frame.seq });
    intake.take({ ...frame, turn: this.stretch, endOfTurn: false }, true, null);
    const wasSpeaking = this.activity.speaking;
    this.activity.push(frame.pcm);
    const { speaking, ended } = this.activity;
    if (speaking !== wasSpeaking) scope.line.send({ type: speaking ? 'speech.started' : 'speech.stopped' });
    if (this.sounds) this.silence = 0;
    else if (this.silence !== null) this.silence += frame.pcm.byteLength;
    if (ended) void this.end();
    else if (this.silence !== null && this.silence >= NOISE_BYTES)
      this.close((stretch) => scope.audio.discard(audioOf(scope.context.session), stretch));
  }

  /** Has recorded what was said so far once it resolves, or left it in the vault. */
  end(): Promise<void> {
    const { closing, context } = this.options.scope;
    this.activity = new VoiceActivity(this.options.pauseMs);
    this.close((stretch) => closing.recordLate(context.session, stretch, 'may_wait'));
    return this.recording;
  }

  /** Begins another stretch with the next frame. @param dealt what becomes of this one once it is durable */
  private close(dealt: (stretch: number) => Promise<void>): void {
    const { stretch } = this;
    const { scope, intake } = this.options;
    this.stretch = null;
    this.silence = null;
    if (stretch === null) return;
    this.recording = this.recording
      .then(() => intake.flush())
      .then(() => dealt(stretch))
      .catch((error: unknown) => {
        scope.log.warn({ reason: reasonOf(error) }, NOT_YET);
      });
  }
}

/** For the log: it is tried again at the next connection, or at the end. */
export const NOT_YET = 'What was said after an answer could not be recorded yet.';
