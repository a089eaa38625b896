import {
  BYTES_PER_MS,
  encodeAudioFrame,
  SPEAKER,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { ProviderFailed, type Synthesiser } from '../../clients/speech.js';
import { type Question, spokenText } from '../../domain/session/interview-state.js';
import { paced } from '../speech/pace.js';
import { maxSpeechMs, now, type QuestionClock } from './clocks.js';
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

/**
 * Presents questions on one connection after the client has been sent their text: either the service speaks them, one
 * at a time, or the client does. A question that begins stops the one before.
 */
export class Speaker {
  private readonly synthesiser: Synthesiser | 'client';
  private seq: number;
  private current: Current | null = null;
  /** Milliseconds of speech sent on this connection, by turn. */
  private readonly sent = new Map<number, number>();

  /** @param ordinal the number of the connection among the session's, from 1 */
  constructor(
    private readonly session: ConnectedSession,
    ordinal: number,
  ) {
    this.synthesiser = session.services.speech.synthesiser;
    this.seq = (ordinal - 1) * FRAMES_PER_CONNECTION;
  }

  get isSpeaking(): boolean {
    return this.current !== null;
  }

  /** Milliseconds of a turn's speech sent on this connection; `null`: the turn was not spoken here. */
  sentMs(turn: number): number | null {
    return this.sent.get(turn) ?? null;
  }

  /** Longest that the speech of the question can be, in milliseconds. */
  maxMs(question: Question): number {
    return this.sentMs(question.turn) ?? maxSpeechMs(spokenText(question));
  }

  /** Presents a question that the client has just been sent. @param clock the question's clock */
  present(question: Question, clock: QuestionClock): void {
    if (this.synthesiser === 'client') clock.shown();
    else void this.speak(this.synthesiser, question, clock, () => clock.sent());
  }

  /** Speaks the question again without its preface, unless it is being spoken. */
  repeat(question: Question, clock: QuestionClock): void {
    if (this.synthesiser === 'client' || this.current?.turn === question.turn) return;
    void this.speak(this.synthesiser, { ...question, preface: null }, clock, clock.repeat());
  }

  /** Stops speaking at once. @param turn only that turn's question */
  stop(turn?: number): void {
    const { current } = this;
    if (current === null || (turn !== undefined && current.turn !== turn)) return;
    current.abort.abort();
    // Not awaited: the synthesiser can take a while to stop, and the next question begins meanwhile.
    this.done(current);
  }

  /** Call it when the connection has ended: stops without `interviewer.done`. */
  leave(): void {
    this.current?.abort.abort();
    this.current = null;
  }

  /**
   * Speaks a question to its end, or until `stop`. If that fails, the error asks the candidate to read it.
   * @param onSent called after each frame, with its milliseconds
   */
  private async speak(
    synthesiser: Synthesiser,
    question: Question,
    clock: QuestionClock,
    onSent: (ms: number) => void,
  ): Promise<void> {
    const { channel, services, fail } = this.session;
    try {
      await this.sendSpeech(synthesiser, question, onSent);
    } catch (error) {
      if (!(error instanceof ProviderFailed)) {
        fail(error);
        return;
      }
      services.log.warn({ reason: error.message }, 'A question could not be spoken.');
      channel.report('speech_failed', 'The question could not be spoken: read it.');
      clock.shown();
    }
  }

  private async sendSpeech(
    synthesiser: Synthesiser,
    question: Question,
    onSent: (ms: number) => void,
  ): Promise<void> {
    const { channel, language } = this.session;
    const { turn } = question;
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
      channel.sendAudio(encodeAudioFrame(frame));
      const ms = pcm.byteLength / BYTES_PER_MS;
      this.sent.set(turn, (this.sentMs(turn) ?? 0) + ms);
      onSent(ms);
    };
    channel.send({ type: 'interviewer.started', turn });
    try {
      const speech = synthesiser.speak(spokenText(question), signal, language);
      for await (const { pcm, isLast } of paced(speech, signal)) {
        await channel.ready();
        if (signal.aborted) break;
        send(pcm, isLast);
      }
    } finally {
      if (this.current === current) this.done(current);
    }
  }

  private done({ turn }: Current): void {
    this.current = null;
    this.session.channel.send({ type: 'interviewer.done', turn });
  }
}
