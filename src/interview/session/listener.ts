import { pause } from '../../core/backoff.js';
import { joined, type JoinedSignal } from '../../core/signals.js';
import type { Language } from '../../languages/languages.js';
import type { AudioOf } from '../../vault/port.js';
import {
  type AudioFrame,
  BYTES_PER_MS,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import { ProviderFailed, type Transcriber } from '../../clients/speech.js';
import { AudioIntake } from './audio-intake.js';
import { now, type QuestionClock } from './clocks.js';
import { LateSpeech, OvertakenSpeech } from './late-speech.js';
import { audioOf, type Heard, SpokenTurn, storedSpeech, transcribed } from './spoken-turn.js';
import { persistently } from './patience.js';
import type { ConnectionScope } from './services.js';

/** A turn may have `RATE` times the time since its question of audio, and `ALLOWANCE_MS` more. */
const RATE = 1.2;
const ALLOWANCE_MS = 10_000;

/** Longest wait until a sound proves to be speech, and how often it is looked at, in milliseconds. */
const STIRRING_MS = 500;
const TELL_MS = 20;

/** After a longer pause the candidate answers the new question, if that has been heard. */
const MAX_LATE_PAUSE_MS = 1_000;

export interface ListenerOptions {
  /** The language that the interview is held in. */
  readonly language: () => Language;
  /** Silence that ends an answer, in milliseconds. */
  readonly pauseMs: () => number;
  /** `seq` of the candidate's last durable audio frame. */
  readonly lastAudioSeq: number;
  /** The last turn that was asked on earlier connections. */
  readonly lastTurn: number;
  /** Records the transcript of a turn. */
  readonly record: (turn: SpokenTurn, text: string) => Promise<void>;
  /** Another connection has stored audio. */
  readonly onTaken: () => void;
}

interface Closing {
  /** The candidate ended the turn, else silence did. */
  said: boolean;
  /** Gives up its transcription. */
  readonly ending: JoinedSignal;
  readonly outcome: Promise<Heard>;
}

/** Takes the candidate's speech: makes it durable, detects where answers begin and end, and has them transcribed. */
export class Listener {
  readonly intake: AudioIntake;
  readonly overtaken: OvertakenSpeech;
  private readonly of: AudioOf;
  private turn: SpokenTurn | null = null;
  private closing: Closing | null = null;
  private lastTurn: number;
  private isShut = false;
  /** After silence has closed a turn, until the next question has been heard. */
  private late: LateSpeech | null = null;
  /** The open turn is being skipped: nothing more is heard in it. */
  private isGivenUp = false;
  /** Audio since the last question, with that of its turn on earlier connections. */
  private heardMs = 0;
  private allowanceMs = ALLOWANCE_MS;
  private askedAt = now();
  private gapReported = false;
  private held = false;

  constructor(
    private readonly scope: ConnectionScope,
    private readonly options: ListenerOptions,
  ) {
    const { audio, context, line, signal, onFault } = scope;
    this.of = audioOf(context.session);
    this.lastTurn = options.lastTurn;
    this.overtaken = new OvertakenSpeech(scope);
    this.intake = new AudioIntake({
      audio,
      of: this.of,
      from: options.lastAudioSeq,
      signal,
      onDurable: (lastAudioSeq) => {
        line.send({ type: 'audio.ack', lastAudioSeq });
        if (!this.held || this.intake.isFull) return;
        this.held = false;
        line.resume();
      },
      onTaken: options.onTaken,
      onFault,
    });
  }

  /** The open turn; `null`: none. */
  get open(): SpokenTurn | null {
    return this.turn;
  }

  /** The last turn that was asked. */
  get asked(): number {
    return this.lastTurn;
  }

  /** Opens a turn. @param isRestored its audio of earlier connections is read again */
  async begin(question: QuestionClock, isRestored: boolean, waitedLongerMs: number): Promise<void> {
    this.lastTurn = question.turn;
    this.isGivenUp = false;
    this.heardMs = 0;
    this.askedAt = now();
    this.allowanceMs = ALLOWANCE_MS + RATE * waitedLongerMs;
    this.turn = new SpokenTurn(question, this.options.pauseMs());
    if (!isRestored) return;
    this.turn = await persistently(() => this.restored(question), this.scope.signal);
    this.allowanceMs += this.turn.durationMs;
    this.heardMs += this.turn.durationMs;
  }

  /** The turn is answered. */
  end(): void {
    if (!this.isOvertaken(this.turn)) this.closing?.ending.end();
    if (this.late && this.late.turn !== this.turn?.question.turn) this.endLate();
    // A transcription that is being aborted does not affect the next turn.
    this.closing = null;
    this.turn = null;
  }

  /** The candidate does not answer the open turn: its transcription is given up, and later audio of it is dropped. */
  giveUp(): void {
    this.isGivenUp = true;
    this.closing?.ending.end();
    this.closing = null;
  }

  /**
   * A text is about to close the open turn.
   * @returns call it once that is recorded: speech that is being transcribed is recorded beside it; `null`: none is
   */
  overtake(): (() => void) | null {
    const { closing, turn, overtaken } = this;
    return closing && turn && overtaken.by(turn.question.turn, closing.outcome);
  }

  /**
   * The interview ends: later audio belongs to no turn. Resolves once earlier audio is durable, and a transcription
   * under way is recorded or given up.
   */
  async shut(): Promise<void> {
    this.isShut = true;
    await this.intake.flush();
    await this.closing?.outcome.catch(() => undefined);
    await this.late?.end();
    await this.overtaken.recorded();
  }

  /** The connection is gone: what was said after an answer is recorded without it. */
  leave(): void {
    this.end();
    this.endLate();
  }

  /** Late speech to a turn was cut off with the last connection: what comes next goes on with it. */
  resumeLate(turn: number): void {
    this.late = this.lateSpeechOf(turn);
    this.turn?.question.shown();
  }

  /** Closes a turn whose end came on an earlier connection. */
  resume(): void {
    if (this.turn?.isOver) this.closeByItself(this.turn);
  }

  /** @param at when the frame arrived, monotonic */
  hear(frame: AudioFrame, at: number): void {
    const { line } = this.scope;
    const place = this.intake.place(frame.seq);
    if (place === 'known') return;
    if (place === 'gap') {
      this.reportGap(frame.seq);
      return;
    }
    this.gapReported = false;
    if (frame.turn > this.lastTurn) {
      line.report('bad_message', `There is no question of turn ${frame.turn}.`);
      return;
    }
    this.heardMs += frame.pcm.byteLength / BYTES_PER_MS;
    if (this.heardMs > this.allowanceMs + RATE * (at - this.askedAt)) {
      line.close(CLOSE.tooMuchAudio, {
        code: 'too_much_audio',
        sentence: 'More audio has come than can have been spoken since the question.',
      });
      return;
    }
    this.take(frame, at);
    if (this.held || !this.intake.isFull) return;
    this.held = true;
    line.pause();
  }

  /**
   * Closes the open turn with its speech.
   * @param said the candidate ends it; else silence does, and further speech revokes that
   */
  close(said: boolean): Promise<Heard> {
    const { turn } = this;
    if (said && this.late && turn && turn.question.turn > this.late.turn) this.endLate();
    if (this.closing) {
      this.closing.said ||= said;
      return this.closing.outcome;
    }
    const { transcriber } = this.scope.speech;
    if (!turn || this.isGivenUp || transcriber === 'client') return Promise.resolve('left');
    const closing: Closing = {
      said,
      ending: joined(this.scope.signal),
      outcome: Promise.resolve().then(() => this.transcribe(turn, transcriber, closing)),
    };
    this.closing = closing;
    const over = (): void => {
      closing.ending.end();
      if (this.closing === closing) this.closing = null;
    };
    closing.outcome.then(over, over);
    return closing.outcome;
  }

  private async restored(question: QuestionClock): Promise<SpokenTurn> {
    const turn = new SpokenTurn(question, this.options.pauseMs());
    for await (const chunk of this.scope.audio.read(this.of, question.turn))
      turn.restore(chunk.pcm, chunk.answerGapMs, chunk.endOfTurn);
    return turn;
  }

  private take(frame: AudioFrame, at: number): void {
    const { turn, closing } = this;
    if (this.isLate(frame, at)) {
      this.late?.hear(frame);
      return;
    }
    // A turn ends once: each further end would cost a write of its own.
    const endsAgain = turn?.endedByFrame === true && frame.pcm.byteLength === 0;
    const isHeard = !this.isShut && !this.isGivenUp && turn?.question.turn === frame.turn;
    if (!turn || !isHeard || closing?.said || endsAgain) {
      this.intake.take(frame, false, null);
      return;
    }
    const wasSpeaking = turn.speaking;
    const gapMs = turn.hear(frame.pcm, at, frame.endOfTurn);
    this.intake.take(frame, true, gapMs);
    if (this.scope.speech.transcriber === 'client') return;
    if (turn.speaking !== wasSpeaking)
      this.scope.line.send({ type: turn.speaking ? 'speech.started' : 'speech.stopped' });
    // The candidate only paused: the turn goes on with its speech so far.
    if (closing && !closing.said && turn.speaking && !wasSpeaking) {
      closing.ending.end();
      this.closing = null;
    } else if (!this.closing && turn.isOver) this.closeByItself(turn);
  }

  /** Whether a frame belongs to the answer before: its voice began before the open question had been heard. */
  private isLate(frame: AudioFrame, at: number): boolean {
    const { late, turn } = this;
    if (!late || this.isShut || frame.turn < late.turn) return false;
    const isHeard = turn !== null && turn.question.turn > late.turn && turn.question.isHeardBy(at);
    const endsNext = frame.endOfTurn && frame.turn > late.turn;
    if (!endsNext && (!isHeard || late.sounds)) return true;
    this.endLate();
    return false;
  }

  private endLate(): void {
    void this.late?.end();
    this.late = null;
  }

  private closeByItself(turn: SpokenTurn): void {
    const { line, onFault } = this.scope;
    this.close(turn.endedByFrame).then((heard) => {
      if (heard === 'failed') line.report('transcription_failed', NOT_TRANSCRIBED);
    }, onFault);
  }

  private async transcribe(turn: SpokenTurn, transcriber: Transcriber, closing: Closing): Promise<Heard> {
    const { audio, line, log, signal: gone } = this.scope;
    const { signal } = closing.ending;
    try {
      await this.intake.flush();
      const { turn: number } = turn.question;
      const text = await persistently(async () => {
        const spoken = await storedSpeech(audio, this.of, number);
        if (signal.aborted) return null;
        return transcribed(transcriber, spoken, signal, this.options.language(), () =>
          line.send({ type: 'transcript.pending', turn: number }),
        );
      }, gone);
      if (text === null) return 'left';
      // What is being said just now may go on with the answer.
      for (let waits = 0; waits < STIRRING_MS / TELL_MS && turn.stirs && !closing.said; waits += 1)
        await pause(TELL_MS, signal);
      if (signal.aborted || (text === '' && this.isOvertaken(turn))) return 'left';
      if (text === '' && !closing.said) {
        turn.listenOn();
        line.send({ type: 'transcript.none', turn: turn.question.turn });
        return 'nothing';
      }
      // Before the answer is recorded: what is said meanwhile comes too late for it.
      this.endLate();
      if (!closing.said && this.turn === turn) this.late = this.lateSpeechOf(number);
      await this.options.record(turn, text);
      if (this.isOvertaken(turn))
        await this.scope.closing.recordLate(this.scope.context.session, number, 'may_wait', text);
      return 'recorded';
    } catch (error) {
      if (signal.aborted) return 'left';
      if (!(error instanceof ProviderFailed)) throw error;
      log.warn({ reason: error.message }, 'A turn could not be transcribed.');
      turn.listenOn();
      return 'failed';
    }
  }

  private isOvertaken(turn: SpokenTurn | null): boolean {
    return turn !== null && this.overtaken.has(turn.question.turn);
  }

  private lateSpeechOf(turn: number): LateSpeech {
    const { scope, options, intake } = this;
    const pauseMs = Math.min(MAX_LATE_PAUSE_MS, options.pauseMs());
    return new LateSpeech({ scope, turn, pauseMs, intake });
  }

  /** Once per gap: frames that are already under way lack the same ones. */
  private reportGap(seq: number): void {
    if (this.gapReported) return;
    this.gapReported = true;
    const { line } = this.scope;
    line.report('audio_gap', `Audio is missing before seq ${seq}: continue with the seq after audio.ack.`);
    line.send({ type: 'audio.ack', lastAudioSeq: this.intake.durable });
  }
}

export const NOT_TRANSCRIBED = 'The answer could not be transcribed. Say it again, or type it.';
