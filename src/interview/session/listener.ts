import {
  type AudioFrame,
  BYTES_PER_MS,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import { DEFINITION_DEFAULTS } from '../../domain/role/events.js';
import { recordAnswer, type RecordAnswer } from '../../domain/session/interview-decider.js';
import { type Question, RESUME_MS } from '../../domain/session/interview-state.js';
import { reasonOf } from '../../engine/errors.js';
import { lateTurn } from '../../vault/late-turns.js';
import { AudioIntake } from './audio-intake.js';
import { type InterviewClock, now, QuestionClock } from './clocks.js';
import type { ConnectedSession } from './connected-session.js';
import { LateSpeech } from './late-speech.js';
import { type ClosingOutcome, SpokenTurn } from './spoken-turn.js';

/** How much audio a turn may have: so many times the time since its question, and the extra in addition. */
const AUDIO_PER_TIME = 1.2;
const MAX_EXTRA_AUDIO_MS = 10_000;

/** After a longer pause, what the candidate says answers the new question, if that was played. */
const MAX_LATE_PAUSE_MS = 1_000;

/** The sentence of an `error` with `transcription_failed`. */
export const NOT_TRANSCRIBED = 'The answer could not be transcribed. Say it again, or type it.';

/** What a connection adds to what it records of a turn. */
type Measured = Pick<RecordAnswer, 'lastAudioSeq' | 'voice' | 'elapsedMs'> & {
  readonly connectionId: string;
};

/**
 * Takes the candidate's speech: makes it durable, detects where answers begin and end, and has them transcribed. Per
 * turn: `begin` (or once `restore`, then `resume`), `hear` for each frame in the order of arrival, `close` by the
 * candidate or by silence, `endTurn` once the session has its answer. `shut` before the interview ends, `leave` with
 * the connection.
 */
export class Listener {
  readonly intake: AudioIntake;
  private turn: SpokenTurn | null = null;
  private isShut = false;
  /** Speech after a turn that silence has closed, until the next question has been heard; `null`: none is expected. */
  private late: LateSpeech | null = null;
  /** Resolves once all speech that a text has overtaken is recorded; see `overtake`. */
  private recording: Promise<void> = Promise.resolve();
  /** Audio since the last question, with that of its turn on earlier connections. */
  private heardMs = 0;
  private allowanceMs = MAX_EXTRA_AUDIO_MS;
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

  /**
   * Opens a turn.
   * @param isRestored it was asked on an earlier connection: its audio is read again
   * @returns its clock
   */
  async begin({ turn }: Question, isRestored: boolean): Promise<QuestionClock> {
    const { session, clock } = this;
    const elsewhereMs = (): number => session.interview?.waitedMs ?? 0;
    const askedMs = session.interview?.askedMs ?? 0;
    const sinceAskedMs = isRestored ? (clock.elapsedMs ?? askedMs) - askedMs : 0;
    const question = new QuestionClock(turn, elsewhereMs, now() - sinceAskedMs);
    // The candidate can have spoken on while the connection was away, for this long at most.
    const absentMs = isRestored ? RESUME_MS * clock.timeFactor + elsewhereMs() : 0;
    this.lastTurn = turn;
    this.heardMs = 0;
    this.askedAt = now();
    this.allowanceMs = MAX_EXTRA_AUDIO_MS + AUDIO_PER_TIME * absentMs;
    this.turn = new SpokenTurn(question, this.pauseMs);
    if (isRestored) {
      this.turn = await session.retryUnavailable(() => this.restored(question));
      this.allowanceMs += this.turn.durationMs;
      this.heardMs += this.turn.durationMs;
    }
    return question;
  }

  /**
   * Opens the turn that was open on earlier connections, and goes on with late speech to the one before.
   * @param stored the session's audio: bytes by turn
   */
  async restore(question: Question, stored: ReadonlyMap<number, number>): Promise<void> {
    const clock = await this.begin(question, true);
    const before = question.turn - 1;
    const isLate = [...stored.keys()].some((number) => lateTurn(number)?.turn === before);
    if (before === 0 || !isLate || stored.has(question.turn)) return;
    // It was cut off with the last connection.
    this.late = this.lateSpeechOf(before);
    clock.shown();
  }

  /** The client has been sent the facts: a turn whose end came on an earlier connection is closed. */
  resume(): void {
    if (this.turn?.isOver) this.closeByItself(this.turn);
  }

  /** The open turn is closed: its audio is discarded, unless it is kept. */
  endTurn(): void {
    const { turn, session } = this;
    this.end();
    // A turn that could not be transcribed keeps its audio.
    if (turn && !session.interview?.keptTurns.includes(turn.number) && !turn.isOvertaken)
      this.discardAudio(turn.number);
  }

  /**
   * A text is about to close the open turn.
   * @returns call it once the text is recorded: speech that is being transcribed becomes a late answer; `null`: there
   *   is no such speech
   */
  overtake(turn: SpokenTurn): (() => void) | null {
    const { transcription } = turn;
    if (!transcription) return null;
    const { closer, log } = this.session.services;
    const { session } = this.session.context;
    turn.isOvertaken = true;
    return () => {
      this.recording = this.recording
        .then(() => transcription.outcome)
        .then((heard) =>
          heard === 'recorded' ? undefined : closer.recordLate(session, turn.number, 'may_wait'),
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

  /** @param at when the frame arrived, in milliseconds of the monotonic clock */
  hear(frame: AudioFrame, at: number): void {
    const { channel } = this.session;
    if (!this.intake.isNext(frame.seq)) return;
    if (frame.turn > this.lastTurn) {
      channel.report('bad_message', `There is no question of turn ${frame.turn}.`);
      return;
    }
    this.heardMs += frame.pcm.byteLength / BYTES_PER_MS;
    if (this.heardMs > this.allowanceMs + AUDIO_PER_TIME * (at - this.askedAt)) {
      channel.close(CLOSE.tooMuchAudio, TOO_MUCH_AUDIO);
      return;
    }
    if (this.isLate(frame, at)) this.late?.hear(frame);
    else this.take(frame, at);
  }

  /**
   * Closes the open turn with its speech.
   * @param byCandidate the candidate ends it; else silence does, and further speech revokes that
   */
  close(byCandidate: boolean): Promise<ClosingOutcome> {
    const { session, turn, intake } = this;
    if (byCandidate && this.late && turn && turn.number > this.late.turn) this.endLate();
    const { transcriber } = session.services.speech;
    if (!turn || turn.isAbandoned || transcriber === 'client') return Promise.resolve('left');
    return turn.close(byCandidate, {
      session,
      transcriber,
      flush: () => intake.flush(),
      record: (text, byCandidate) => this.record(turn, text, transcriber.name, byCandidate),
    });
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

  private end(): void {
    const { turn, late } = this;
    if (turn?.isOvertaken === false) turn.transcription?.end();
    if (late && late.turn !== turn?.number) this.endLate();
    this.turn = null;
  }

  /** The sweep discards what a failure leaves. */
  private discardAudio(turn: number): void {
    const { services, audioOf } = this.session;
    this.intake
      .flush()
      .then(() => services.audio.discard(audioOf, turn))
      .catch((error: unknown) => {
        services.log.warn({ reason: reasonOf(error) }, 'Transcribed audio could not be discarded yet.');
      });
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
    const isHeard = turn?.number === frame.turn && !this.isShut && !turn.isAbandoned;
    // A turn ends once: each further end would cost a write of its own.
    const endsAgain = turn?.endedByFrame === true && frame.pcm.byteLength === 0;
    if (!isHeard || turn.transcription?.byCandidate || endsAgain) {
      intake.take(frame, false, null);
      return;
    }
    const wasSpeaking = turn.speaking;
    intake.take(frame, true, turn.hear(frame.pcm, at, frame.endOfTurn));
    if (session.services.speech.transcriber === 'client') return;
    if (turn.speaking !== wasSpeaking)
      session.channel.send({ type: turn.speaking ? 'speech.started' : 'speech.stopped' });
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
    const { channel, fail } = this.session;
    this.close(turn.endedByFrame).then((heard) => {
      if (heard === 'failed') channel.report('transcription_failed', NOT_TRANSCRIBED);
    }, fail);
  }

  /** Records a turn's transcript, unless the turn is answered already. */
  private async record(
    turn: SpokenTurn,
    text: string,
    transcriber: string,
    byCandidate: boolean,
  ): Promise<void> {
    const { session } = this;
    const { number: at } = turn;
    // Before the answer is recorded: what is said meanwhile comes too late for it.
    this.endLate();
    if (!byCandidate && this.turn === turn) this.late = this.lateSpeechOf(at);
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
      await session.services.closer.recordLate(session.context.session, at, 'may_wait', text);
  }

  private lateSpeechOf(turn: number): LateSpeech {
    return new LateSpeech(this.session, this.intake, turn, Math.min(MAX_LATE_PAUSE_MS, this.pauseMs));
  }
}

const TOO_MUCH_AUDIO = {
  code: 'too_much_audio',
  sentence: 'More audio has come than can have been spoken since the question.',
} as const;
