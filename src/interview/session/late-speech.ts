import {
  type AudioFrame,
  BYTES_PER_MS,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { reasonOf } from '../../engine/errors.js';
import { lateNumber } from '../../vault/late-turns.js';
import { VoiceActivity } from '../speech/voice-activity.js';
import type { AudioIntake } from './audio-intake.js';
import type { ConnectedSession } from './connected-session.js';

/** If this much audio follows a sound and no speech has begun, the sound was a noise; in bytes. */
const NOISE_BYTES = 500 * BYTES_PER_MS;

/**
 * Late speech: what the candidate says after silence has ended an answer and before the next question has been heard.
 * It is recorded as late answers to the turn that silence has closed. Its audio is stored at once, each stretch up to a
 * pause under a number of its own: if a stretch cannot be recorded now, it is recorded at the next connection or at the
 * interview's end.
 */
export class LateSpeech {
  private activity: VoiceActivity;
  /** The number of the stretch that is being heard; `null`: none has begun. */
  private stretch: number | null = null;
  /** Audio since the stretch's last sound, in bytes; `null`: it has no sound yet. */
  private silence: number | null = null;
  private recording: Promise<void> = Promise.resolve();

  /**
   * @param turn the number of the turn that silence has closed
   * @param pauseMs silence after which the stretch is recorded, in milliseconds
   */
  constructor(
    private readonly session: ConnectedSession,
    private readonly intake: AudioIntake,
    readonly turn: number,
    private readonly pauseMs: number,
  ) {
    this.activity = new VoiceActivity(pauseMs);
  }

  /** Whether the candidate is speaking, or a sound may become speech. */
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

  /** Ends the stretch. Resolves once all speech so far is recorded, or is left in the vault. */
  end(): Promise<void> {
    const { context, services } = this.session;
    this.activity = new VoiceActivity(this.pauseMs);
    this.close((stretch) => services.closer.recordLate(context.session, stretch, 'may_wait'));
    return this.recording;
  }

  /** Ends the stretch: the next frame begins another. @param handle called with the stretch once it is durable */
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

/** Log message. The speech is recorded at the next connection, or at the interview's end. */
export const NOT_YET = 'What was said after an answer could not be recorded yet.';
