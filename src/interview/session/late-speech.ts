import { reasonOf } from '../../engine/errors.js';
import {
  type AudioFrame,
  BYTES_PER_MS,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { lateNumber } from '../../vault/late-turns.js';
import { VoiceActivity } from '../speech/voice-activity.js';
import { audioOf, type Heard } from './spoken-turn.js';
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

/** Speech that was being transcribed as a text closed its turn: it is recorded beside the text. */
export class OvertakenSpeech {
  private readonly turns = new Set<number>();
  private recording: Promise<void> = Promise.resolve();

  constructor(private readonly scope: Pick<ConnectionScope, 'closing' | 'context' | 'log'>) {}

  /** Whether a closed turn's audio is still to be transcribed. */
  has(turn: number): boolean {
    return this.turns.has(turn);
  }

  /** A text is about to close the turn. @param heard of its transcription. @returns call it once that is recorded */
  by(turn: number, heard: Promise<Heard>): () => void {
    const { closing, context, log } = this.scope;
    this.turns.add(turn);
    return () => {
      this.recording = this.recording
        .then(() => heard)
        .then((outcome) =>
          outcome === 'recorded' ? undefined : closing.recordLate(context.session, turn, 'may_wait'),
        )
        .catch((error: unknown) => {
          log.warn({ reason: reasonOf(error) }, 'What was said beside a text could not be recorded.');
        });
    };
  }

  /** Resolves once all of it is recorded, or failed. */
  recorded(): Promise<void> {
    return this.recording;
  }
}

/** For the log: it is tried again at the next connection, or at the end. */
export const NOT_YET = 'What was said after an answer could not be recorded yet.';
