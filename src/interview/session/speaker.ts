import {
  BYTES_PER_MS,
  encodeAudioFrame,
  SPEAKER,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { paced } from '../speech/pace.js';
import { ProviderFailed, type Synthesiser } from '../../clients/speech.js';
import { now } from './clocks.js';
import type { ConnectedSession } from './connected-session.js';

/**
 * Frame numbers reserved for one connection. The next connection counts from above them, since it is unknown how many
 * frames a lost connection sent.
 */
const FRAMES_PER_CONNECTION = 200_000;

interface Current {
  readonly turn: number;
  readonly abort: AbortController;
}

/** Speaks questions on one connection. */
export class Speaker {
  private seq: number;
  private current: Current | null = null;
  private readonly sent = new Map<number, number>();

  /** @param ordinal the connection's, from 1 */
  constructor(
    private readonly session: ConnectedSession,
    private readonly synthesiser: Synthesiser,
    ordinal: number,
  ) {
    this.seq = (ordinal - 1) * FRAMES_PER_CONNECTION;
  }

  get isSpeaking(): boolean {
    return this.current !== null;
  }

  /** Whether that turn's question is being spoken. */
  speaks(turn: number): boolean {
    return this.current?.turn === turn;
  }

  /** Milliseconds of a turn's speech sent on this connection; `null`: the turn was not spoken here. */
  sentMs(turn: number): number | null {
    return this.sent.get(turn) ?? null;
  }

  /**
   * Speaks a question to its end, or until `stop`. If that fails, the candidate is told to read it.
   * @param onSent called after each frame, with its milliseconds
   * @returns false: it failed
   */
  async speak(turn: number, text: string, onSent: (ms: number) => void): Promise<boolean> {
    const { line, services } = this.session;
    try {
      await this.sendSpeech(turn, text, onSent);
      return true;
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error;
      services.log.warn({ reason: error.message }, 'A question could not be spoken.');
      line.report('speech_failed', 'The question could not be spoken: read it.');
      return false;
    }
  }

  /** Stops speaking at once. @param turn only that turn's question */
  stop(turn?: number): void {
    const { current } = this;
    if (current === null || (turn !== undefined && current.turn !== turn)) return;
    current.abort.abort();
    // At once: the synthesiser can take a while to stop, and the next question begins meanwhile.
    this.done(current);
  }

  /** The connection is gone: stops without `interviewer.done`. */
  leave(): void {
    this.current?.abort.abort();
    this.current = null;
  }

  private async sendSpeech(turn: number, text: string, onSent: (ms: number) => void): Promise<void> {
    const { line, language } = this.session;
    this.stop();
    const current: Current = { turn, abort: new AbortController() };
    this.current = current;
    this.sent.set(turn, 0);
    const { signal } = current.abort;
    const began = now();
    const send = (pcm: Uint8Array, endOfTurn: boolean): void => {
      this.seq += 1;
      const timestampMs = Math.round(now() - began);
      const frame = { speaker: SPEAKER.interviewer, endOfTurn, turn, seq: this.seq, timestampMs, pcm };
      line.sendAudio(encodeAudioFrame(frame));
      const ms = pcm.byteLength / BYTES_PER_MS;
      this.sent.set(turn, (this.sentMs(turn) ?? 0) + ms);
      onSent(ms);
    };
    line.send({ type: 'interviewer.started', turn });
    try {
      let held: Uint8Array | null = null;
      for await (const pcm of paced(this.synthesiser.speak(text, signal, language), signal)) {
        if (signal.aborted) break;
        if (held) send(held, false);
        held = pcm;
        await line.ready();
      }
      if (held && !signal.aborted) send(held, true);
    } finally {
      if (this.current === current) this.done(current);
    }
  }

  private done({ turn }: Current): void {
    this.current = null;
    this.session.line.send({ type: 'interviewer.done', turn });
  }
}
