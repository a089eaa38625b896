import {
  type AudioFrame,
  BYTES_PER_MS,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import { reasonOf } from '../../engine/errors.js';
import { DEFINITION_DEFAULTS } from '../../domain/role/events.js';
import { recordAnswer, type RecordAnswer } from '../../domain/session/interview-decider.js';
import { AudioIntake } from './audio-intake.js';
import { type InterviewClock, now, type QuestionClock } from './clocks.js';
import type { ConnectedSession } from './connected-session.js';
import { LateSpeech } from './late-speech.js';
import { type Heard, SpokenTurn } from './spoken-turn.js';
import { transcribeTurn } from './transcribe-turn.js';

/** A turn may have `RATE` times the time since its question of audio, and `ALLOWANCE_MS` more. */
const RATE = 1.2;
const ALLOWANCE_MS = 10_000;

/** After a longer pause the candidate answers the new question, if that has been heard. */
const MAX_LATE_PAUSE_MS = 1_000;

export const NOT_TRANSCRIBED = 'The answer could not be transcribed. Say it again, or type it.';

/** What a connection adds to what it records of a turn. */
type Measured = Pick<RecordAnswer, 'lastAudioSeq' | 'voice' | 'elapsedMs'> & {
  readonly connectionId: string;
};

/** Takes the candidate's speech: makes it durable, detects where answers begin and end, and has them transcribed. */
export class Listener {
  readonly intake: AudioIntake;
  private turn: SpokenTurn | null = null;
  private isShut = false;
  /** After silence has closed a turn, until the next question has been heard. */
  private late: LateSpeech | null = null;
  /** Of speech that texts have overtaken. */
  private recording: Promise<void> = Promise.resolve();
  /** Audio since the last question, with that of its turn on earlier connections. */
  private heardMs = 0;
  private allowanceMs = ALLOWANCE_MS;
  private askedAt = now();

  /**
   * @param lastTurn the last turn that was asked
   * @param lastAudioSeq `seq` of the candidate's last durable audio frame
   */
  constructor(
    private readonly session: ConnectedSession,
    private readonly clock: InterviewClock,
    private lastTurn: number,
    lastAudioSeq: number,
  ) {
    this.intake = new AudioIntake(session, lastAudioSeq);
  }

  /** The open turn; `null`: none. */
  get open(): SpokenTurn | null {
    return this.turn;
  }

  /** The turn, if it is open. */
  opened(number: number): SpokenTurn | null {
    return this.turn?.number === number ? this.turn : null;
  }

  /** The last turn that was asked. */
  get asked(): number {
    return this.lastTurn;
  }

  /** Opens a turn. @param isRestored its audio of earlier connections is read again */
  async begin(question: QuestionClock, isRestored: boolean, waitedLongerMs: number): Promise<void> {
    this.lastTurn = question.turn;
    this.heardMs = 0;
    this.askedAt = now();
    this.allowanceMs = ALLOWANCE_MS + RATE * waitedLongerMs;
    this.turn = new SpokenTurn(question, this.pauseMs);
    if (!isRestored) return;
    this.turn = await this.session.persistently(() => this.restored(question));
    this.allowanceMs += this.turn.durationMs;
    this.heardMs += this.turn.durationMs;
  }

  /** The turn is answered. */
  end(): void {
    const { turn, late } = this;
    if (turn?.isOvertaken === false) turn.transcription?.end();
    if (late && late.turn !== turn?.number) this.endLate();
    this.turn = null;
  }

  /** The candidate does not answer the open turn: its transcription is given up, and later audio of it is dropped. */
  giveUp(turn: SpokenTurn): void {
    turn.isGivenUp = true;
    turn.dropTranscription();
  }

  /**
   * A text is about to close the open turn.
   * @returns call it once that is recorded: speech that is being transcribed is recorded beside it; `null`: none is
   */
  overtake(turn: SpokenTurn): (() => void) | null {
    const { transcription } = turn;
    if (!transcription) return null;
    const { closing, log } = this.session.services;
    const { session } = this.session.context;
    turn.isOvertaken = true;
    return () => {
      this.recording = this.recording
        .then(() => transcription.outcome)
        .then((heard) =>
          heard === 'recorded' ? undefined : closing.recordLate(session, turn.number, 'may_wait'),
        )
        .catch((error: unknown) => {
          log.warn({ reason: reasonOf(error) }, 'What was said beside a text could not be recorded.');
        });
    };
  }

  /**
   * The interview ends: later audio belongs to no turn. Resolves once earlier audio is durable, and a transcription
   * under way is recorded or given up.
   */
  async shut(): Promise<void> {
    this.isShut = true;
    await this.intake.flush();
    await this.turn?.transcription?.outcome.catch(() => undefined);
    await this.late?.end();
    await this.recording;
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
    const { line } = this.session;
    if (!this.intake.isNext(frame.seq)) return;
    if (frame.turn > this.lastTurn) {
      line.report('bad_message', `There is no question of turn ${frame.turn}.`);
      return;
    }
    this.heardMs += frame.pcm.byteLength / BYTES_PER_MS;
    if (this.heardMs > this.allowanceMs + RATE * (at - this.askedAt)) {
      line.close(CLOSE.tooMuchAudio, TOO_MUCH_AUDIO);
      return;
    }
    if (this.isLate(frame, at)) this.late?.hear(frame);
    else this.take(frame, at);
  }

  /**
   * Closes the open turn with its speech.
   * @param said the candidate ends it; else silence does, and further speech revokes that
   */
  close(said: boolean): Promise<Heard> {
    const { session, turn, intake } = this;
    if (said && this.late && turn && turn.number > this.late.turn) this.endLate();
    const { transcriber } = session.services.speech;
    if (!turn || turn.isGivenUp || transcriber === 'client') return Promise.resolve('left');
    if (turn.transcription) turn.transcription.said ||= said;
    else {
      const record = (text: string, bySaying: boolean) => this.record(turn, text, transcriber.name, bySaying);
      turn.transcription = transcribeTurn(session, { turn, transcriber, said, intake, record });
    }
    return turn.transcription.outcome;
  }

  /** What an answer to a turn records of its connection. @param spoken the turn's speech */
  measured(spoken: SpokenTurn | null): Measured {
    const { session, clock, intake } = this;
    const durationMs = spoken?.durationMs ?? 0;
    return {
      connectionId: session.connectionId,
      lastAudioSeq: intake.durable,
      voice: durationMs > 0 ? { durationMs, kept: session.interview?.keepsOpenTurn ?? false } : null,
      elapsedMs: clock.elapsedMs ?? 0,
    };
  }

  /** Silence that ends an answer, in milliseconds. */
  private get pauseMs(): number {
    return (this.session.state?.role ?? DEFINITION_DEFAULTS).answerPauseMs * this.clock.timeFactor;
  }

  private async restored(question: QuestionClock): Promise<SpokenTurn> {
    const { services, audioOf } = this.session;
    const turn = new SpokenTurn(question, this.pauseMs);
    for await (const chunk of services.audio.read(audioOf, question.turn))
      turn.restore(chunk.pcm, chunk.answerGapMs, chunk.endOfTurn);
    return turn;
  }

  private take(frame: AudioFrame, at: number): void {
    const { turn, session, intake } = this;
    const isHeard = turn?.number === frame.turn && !this.isShut && !turn.isGivenUp;
    // A turn ends once: each further end would cost a write of its own.
    const endsAgain = turn?.endedByFrame === true && frame.pcm.byteLength === 0;
    if (!isHeard || turn.transcription?.said || endsAgain) {
      intake.take(frame, false, null);
      return;
    }
    const wasSpeaking = turn.speaking;
    intake.take(frame, true, turn.hear(frame.pcm, at, frame.endOfTurn));
    if (session.services.speech.transcriber === 'client') return;
    if (turn.speaking !== wasSpeaking)
      session.line.send({ type: turn.speaking ? 'speech.started' : 'speech.stopped' });
    if (!turn.transcription) {
      if (turn.isOver) this.closeByItself(turn);
    }
    // The candidate only paused: the turn goes on with its speech so far.
    else if (turn.speaking && !wasSpeaking) turn.dropTranscription();
  }

  /** Whether a frame belongs to the answer before: its voice began before the open question had been heard. */
  private isLate(frame: AudioFrame, at: number): boolean {
    const { late, turn } = this;
    if (!late || this.isShut || frame.turn < late.turn) return false;
    const isHeard = turn !== null && turn.number > late.turn && turn.question.isHeardBy(at);
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
    const { line, fail } = this.session;
    this.close(turn.endedByFrame).then((heard) => {
      if (heard === 'failed') line.report('transcription_failed', NOT_TRANSCRIBED);
    }, fail);
  }

  /** Records a turn's transcript, unless the turn is answered already. */
  private async record(turn: SpokenTurn, text: string, transcriber: string, said: boolean): Promise<void> {
    const { session } = this;
    const { number: at } = turn;
    // Before the answer is recorded: what is said meanwhile comes too late for it.
    this.endLate();
    if (!said && this.turn === turn) this.late = this.lateSpeechOf(at);
    const answer: RecordAnswer = {
      ...this.measured(turn),
      turn: at,
      text,
      source: 'transcribed',
      messageId: null,
      gapMs: turn.answerGapMs,
      transcriber,
    };
    const refusal = await session.record('candidate', (state) => recordAnswer(state, answer));
    if (refusal) throw new Error(`An answer was refused: ${refusal.code}.`);
    if (turn.isOvertaken)
      await session.services.closing.recordLate(session.context.session, at, 'may_wait', text);
  }

  private lateSpeechOf(turn: number): LateSpeech {
    return new LateSpeech(this.session, this.intake, turn, Math.min(MAX_LATE_PAUSE_MS, this.pauseMs));
  }
}

const TOO_MUCH_AUDIO = {
  code: 'too_much_audio',
  sentence: 'More audio has come than can have been spoken since the question.',
} as const;
