import {
  type AudioFrame,
  BYTES_PER_MS,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { reasonOf } from '../../engine/errors.js';
import { lateNumber } from '../../vault/late-turns.js';
import { VoiceActivity } from '../speech/voice-activity.js';
import type { AudioIntake } from './audio-intake.js';
import type { ConnectedSession } from './connected-session.js';

/** A sound that has not become speech by then was a noise, in bytes of the audio after it. */
const NOISE_BYTES = 500 * BYTES_PER_MS;

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

  /**
   * @param turn the number of the turn that silence has closed
   * @param pauseMs silence after which what was said is recorded, in milliseconds
   */
  constructor(
    private readonly session: ConnectedSession,
    private readonly intake: AudioIntake,
    readonly turn: number,
    private readonly pauseMs: number,
  ) {
    this.activity = new VoiceActivity(pauseMs);
  }

  /** The candidate is speaking, or a sound may become speech. */
  get sounds(): boolean {
    return this.activity.speaking || this.activity.maybeSpeaking;
  }

  hear(frame: AudioFrame): void {
    const { channel, services, audioOf } = this.session;
    this.stretch ??= lateNumber({ turn: this.turn, firstSeq: frame.seq });
    this.intake.take({ ...frame, turn: this.stretch, endOfTurn: false }, true, null);
    const wasSpeaking = this.activity.speaking;
    this.activity.push(frame.pcm);
    const { speaking, ended } = this.activity;
    if (speaking !== wasSpeaking) channel.send({ type: speaking ? 'speech.started' : 'speech.stopped' });
    if (this.sounds) this.silence = 0;
    else if (this.silence !== null) this.silence += frame.pcm.byteLength;
    if (ended) void this.end();
    else if (this.silence !== null && this.silence >= NOISE_BYTES)
      this.close((stretch) => services.audio.discard(audioOf, stretch));
  }

  /** Has recorded what was said so far once it resolves, or left it in the vault. */
  end(): Promise<void> {
    const { context, services } = this.session;
    this.activity = new VoiceActivity(this.pauseMs);
    this.close((stretch) => services.closer.recordLate(context.session, stretch, 'may_wait'));
    return this.recording;
  }

  /** Begins another stretch with the next frame. @param handle what becomes of this one once it is durable */
  private close(handle: (stretch: number) => Promise<void>): void {
    const { stretch, intake, session } = this;
    this.stretch = null;
    this.silence = null;
    if (stretch === null) return;
    this.recording = this.recording
      .then(() => intake.flush())
      .then(() => handle(stretch))
      .catch((error: unknown) => {
        session.services.log.warn({ reason: reasonOf(error) }, NOT_YET);
      });
  }
}

/** Logged; recording is tried again at the next connection, or at the end. */
export const NOT_YET = 'What was said after an answer could not be recorded yet.';
