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

/** How much audio a turn may have: the time since its question, times this, plus the extra. */
const AUDIO_PER_TIME = 1.2;
const MAX_EXTRA_AUDIO_MS = 10_000;

/** Longest pause that ends a stretch of late speech. After it, speech answers the new question if that was played. */
const MAX_LATE_PAUSE_MS = 1_000;

/** Sentence of the error `transcription_failed`. */
export const NOT_TRANSCRIBED = 'The answer could not be transcribed. Say it again, or type it.';

/** What a connection adds to what it records of a turn. */
type Measured = Pick<RecordAnswer, 'lastAudioSeq' | 'voice' | 'elapsedMs'> & {
  readonly connectionId: string;
};

/**
 * Takes the candidate's speech: makes it durable, detects where answers begin and end, and has them transcribed. Calls
 * for each turn: `begin` (for a turn of an earlier connection `restore`, then `resume`), `hear` for each frame in the
 * order of arrival, `close` if the candidate ends the turn (silence calls it too), `endTurn` once the session has the
 * answer. Call `shut` before the interview ends, and `leave` when the connection ends.
 */
export class Listener {
  readonly intake: AudioIntake;
  private turn: SpokenTurn | null = null;
  private isShut = false;
  /** Late speech of a turn that silence has closed; `null`: none is expected. */
  private late: LateSpeech | null = null;
  /** Resolves once all overtaken speech is recorded; see `overtake`. */
  private recording: Promise<void> = Promise.resolve();
  /** Resolves once the audio of closed turns is discarded. Audio that is left would be recorded as late speech. */
  private discarding: Promise<void> = Promise.resolve();
  /** Audio since the last question, including its turn's audio on earlier connections. */
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
   * @param isRestored the question was asked on an earlier connection: the turn's audio is read from the vault
   * @returns the question's clock
   */
  async begin({ turn }: Question, isRestored: boolean): Promise<QuestionClock> {
    const { session, clock } = this;
    /** How long the question has waited on other connections. */
    const elsewhereMs = (): number => session.interview?.waitedMs ?? 0;
    const askedMs = session.interview?.askedMs ?? 0;
    const sinceAskedMs = isRestored ? (clock.elapsedMs ?? askedMs) - askedMs : 0;
    const question = new QuestionClock(turn, elsewhereMs, now() - sinceAskedMs);
    // Longest time for which the candidate can have spoken while disconnected.
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
   * Opens the turn that was open on earlier connections, and continues late speech of the turn before.
   * @param stored the session's audio: bytes by turn
   */
  async restore(question: Question, stored: ReadonlyMap<number, number>): Promise<void> {
    const clock = await this.begin(question, true);
    const before = question.turn - 1;
    const isLate = [...stored.keys()].some((number) => lateTurn(number)?.turn === before);
    if (before === 0 || !isLate || stored.has(question.turn)) return;
    // The end of the last connection has cut off the late speech. The client shows the question as text: the late
    // speech may continue until the candidate has had time to read it.
    this.late = this.lateSpeechOf(before);
    clock.shown();
  }

  /** Call it after the client has been sent the facts: closes a turn whose end came on an earlier connection. */
  resume(): void {
    if (this.turn?.isOver) this.closeByItself(this.turn);
  }

  /** Call it once the open turn is closed: discards its audio, unless the audio is kept. */
  endTurn(): void {
    const { turn, session } = this;
    this.end();
    // A turn that could not be transcribed keeps its audio.
    if (turn && !session.interview?.keptTurns.includes(turn.number) && !turn.isOvertaken)
      this.discardAudio(turn.number);
  }

  /**
   * Call it when a text is about to close the open turn.
   * @returns call it once the text is recorded: records speech that is being transcribed as a late answer; `null`: no
   *   speech is being transcribed
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
   * Call it when the interview ends: later audio belongs to no turn. Resolves once earlier audio is durable, and a
   * transcription under way is recorded or has failed.
   */
  async shut(): Promise<void> {
    this.isShut = true;
    await this.intake.flush();
    await this.turn?.transcription?.outcome.catch(() => undefined);
    await this.late?.end();
    await this.recording;
    await this.discarding;
  }

  /** Call it when the connection has ended: late speech is recorded without it. */
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
   * @param byCandidate true: the candidate ends the turn; false: silence does, and further speech keeps the turn open
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

  /** The fields that an answer records of its connection. @param spoken the turn's speech */
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

  /** Discards a turn's audio. If that fails, the sweep does it later. */
  private discardAudio(turn: number): void {
    const { services, audioOf } = this.session;
    this.discarding = this.intake
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
    const isOfOpenTurn = turn?.number === frame.turn && !this.isShut && !turn.isAbandoned;
    // A turn ends once: each further empty end frame would cost a write.
    const endsAgain = turn?.endedByFrame === true && frame.pcm.byteLength === 0;
    if (!isOfOpenTurn || turn.transcription?.byCandidate || endsAgain) {
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
    // The candidate only paused: the turn stays open, with its speech so far.
    else if (turn.speaking && !wasSpeaking) turn.dropTranscription();
  }

  /**
   * Whether a frame is late speech: its voice began before the open question had been heard. The first frame that is not
   * late ends the late speech.
   */
  private isLate(frame: AudioFrame, at: number): boolean {
    const { late, turn } = this;
    if (!late || this.isShut || frame.turn < late.turn) return false;
    const isQuestionHeard = turn !== null && turn.number > late.turn && turn.question.isHeardBy(at);
    // The candidate ends the answer to the open question, so its frame is part of that answer.
    const endsNext = frame.endOfTurn && frame.turn > late.turn;
    const continues = !isQuestionHeard || late.sounds;
    if (continues && !endsNext) return true;
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

  /** Records a turn's transcript as its answer; if a text has overtaken it, as a late answer. */
  private async record(
    turn: SpokenTurn,
    text: string,
    transcriber: string,
    byCandidate: boolean,
  ): Promise<void> {
    const { session } = this;
    const { number: at } = turn;
    // Before the answer is recorded: speech that arrives meanwhile is too late for it.
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
