import { v7 as uuidV7 } from 'uuid';
import { reasonOf } from '../../engine/errors.js';
import { lateTurn } from '../../vault/late-turns.js';
import type { EndReason, Waited } from '../../domain/session/events.js';
import { ask } from '../../domain/session/interview-decider.js';
import {
  type Interview,
  openQuestion,
  type Question,
  RESUME_MS,
  spokenText,
} from '../../domain/session/interview-state.js';
import { MAX_DURATION_MS } from '../../domain/session/time-limit.js';
import { InterviewClock, now, QuestionClock } from './clocks.js';
import type { ConnectedSession } from './connected-session.js';
import { Listener } from './listener.js';
import { limitsOf } from './ready.js';
import { Speaker } from './speaker.js';

interface ActiveConnectionOptions {
  /** The interview as the connection found it. */
  readonly interview: Interview;
  readonly wasInterrupted: boolean;
  /** `seq` of the candidate's last durable audio frame. */
  readonly lastAudioSeq: number;
  readonly timeFactor: number;
}

/** The interview on its newest connection: turns are opened, asked, spoken, heard, answered and closed. */
export class ActiveConnection {
  readonly clock: InterviewClock;
  readonly listener: Listener;
  /** `null`: the client speaks. */
  readonly speaker: Speaker | null;
  private limit: NodeJS.Timeout | null = null;
  private finishing: Promise<void> | null = null;
  private isAsking = false;

  constructor(
    private readonly session: ConnectedSession,
    { interview, wasInterrupted, lastAudioSeq, timeFactor }: ActiveConnectionOptions,
  ) {
    const { synthesiser } = session.services.speech;
    this.clock = new InterviewClock(interview, wasInterrupted, Date.now(), timeFactor);
    const lastTurn = interview.questions.at(-1)?.turn ?? 0;
    this.listener = new Listener(session, this.clock, lastTurn, lastAudioSeq);
    const { ordinal } = interview.connection;
    this.speaker = synthesiser === 'client' ? null : new Speaker(session, synthesiser, ordinal);
  }

  /**
   * Restores the open turn from earlier connections.
   * @param interview as the connection found it
   * @param stored the session's audio
   * @returns call it after `session.ready` and the facts are sent
   */
  async restore(interview: Interview, stored: ReadonlyMap<number, number>): Promise<() => void> {
    const question = openQuestion(interview);
    const clock = question && (await this.listen(question, true));
    const before = question && question.turn - 1;
    const isLate = [...stored.keys()].some((number) => lateTurn(number)?.turn === before);
    if (question && before && isLate && !stored.has(question.turn)) this.listener.resumeLate(before);
    return () => {
      clock?.resume();
      if (question && clock) this.tell(question, clock);
      this.listener.resume();
    };
  }

  /** The session has changed: a turn was opened or closed, or a question is due. */
  proceed(): void {
    const { listener, clock, session } = this;
    const { interview } = session;
    if (interview?.endsAt) this.limit ??= this.limitIn(clock.remainingMs);
    const question = openQuestion(interview);
    const { open } = listener;
    if (open && open.number !== question?.turn) {
      listener.end();
      this.speaker?.stop();
      // A turn that could not be transcribed keeps its audio.
      if (!interview?.keptTurns.includes(open.number) && !open.isOvertaken) this.discardAudio(open.number);
    }
    if (!question) this.ask();
    else if (open?.number !== question.turn)
      // A new turn's clock starts with its sending, so nothing is awaited before.
      this.listen(question, false).then((opened) => this.tell(question, opened), session.fail);
  }

  /** Speaks the open question again without what came before it, unless it is being spoken. */
  repeat(): void {
    const { speaker } = this;
    const question = openQuestion(this.session.interview);
    const open = question && this.listener.opened(question.turn);
    if (!speaker || !open || speaker.speaks(question.turn)) return;
    this.speak(speaker, { ...question, preface: null }, open.question.repeat());
  }

  /** Other accommodations may have been granted. @returns whether the time is another */
  async accommodate(): Promise<boolean> {
    const { clock, session } = this;
    const { line, services, visitor } = session;
    const timeFactor = await session.persistently(() => services.commands.timeFactor(visitor.session));
    if (timeFactor === clock.timeFactor) return false;
    clock.timeFactor = timeFactor;
    const { state, interview } = session;
    if (session.isLeft()) return true;
    if (state && interview) line.send({ type: 'session.limits', ...limitsOf(state, interview, timeFactor) });
    if (this.limit) {
      clearTimeout(this.limit);
      this.limit = this.limitIn(clock.remainingMs);
    }
    return true;
  }

  /** Ends the interview, and with it the session. */
  finish(reason: EndReason): Promise<void> {
    const { session, listener } = this;
    const { closing, commands } = session.services;
    this.finishing ??= (async () => {
      await listener.shut();
      await session.persistently(() => closing.closeOpenTurn(session.context.session, 'last_chance'));
      const refusal = await session.carryOut(() => commands.finish(session.context, reason));
      if (refusal) throw new Error(`The end was refused: ${refusal.code}.`);
    })()
      .catch(session.fail)
      .finally(() => {
        this.finishing = null;
      });
    return this.finishing;
  }

  /** How long the open question has waited here, until now or its answer's start; `null`: no turn is open. */
  waited(): Waited | null {
    const turn = this.listener.open;
    if (!turn) return null;
    // During its speech the question's wait has not begun.
    if (this.speaker?.isSpeaking) turn.question.sent();
    return turn.question.stretch(turn.answerGapMs);
  }

  /** The connection is gone, or superseded. */
  end(): void {
    if (this.limit) clearTimeout(this.limit);
    this.listener.leave();
    this.speaker?.leave();
  }

  private limitIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.limited().catch(this.session.fail), ms).unref();
  }

  /** The time is over, unless more was granted a moment ago. */
  private async limited(): Promise<void> {
    if ((await this.accommodate()) || this.session.isLeft()) return;
    await this.finish('time_limit');
  }

  private async listen({ turn }: Question, isRestored: boolean): Promise<QuestionClock> {
    const { session } = this;
    const elsewhereMs = (): number => session.interview?.waitedMs ?? 0;
    const askedMs = session.interview?.askedMs ?? 0;
    const askedAt = now() - (isRestored ? (this.clock.elapsedMs ?? askedMs) - askedMs : 0);
    const clock = new QuestionClock(turn, elsewhereMs, askedAt);
    // The candidate can have spoken on while the connection was away, for this long at most.
    const awayMs = isRestored ? RESUME_MS * this.clock.timeFactor + elsewhereMs() : 0;
    await this.listener.begin(clock, isRestored, awayMs);
    return clock;
  }

  /** Speaks the question, unless the client has it already: speech is never repeated. */
  private tell(question: Question, clock: QuestionClock): void {
    if (this.listener.open?.question !== clock || !this.session.tellsOf(question.turn)) return;
    if (this.speaker) this.speak(this.speaker, question, () => clock.sent());
    else clock.shown();
  }

  private speak(speaker: Speaker, question: Question, onSent: (ms: number) => void): void {
    speaker.speak(question.turn, spokenText(question), onSent).then((spoken) => {
      if (!spoken) this.listener.open?.question.shown();
    }, this.session.fail);
  }

  /** Discards a closed turn's audio; the sweep discards what a failure leaves. */
  private discardAudio(turn: number): void {
    const { services, audioOf } = this.session;
    this.listener.intake
      .flush()
      .then(() => services.audio.discard(audioOf, turn))
      .catch((error: unknown) => {
        services.log.warn({ reason: reasonOf(error) }, 'Transcribed audio could not be discarded yet.');
      });
  }

  /** Asks the next question, unless one is being asked already or the interview is being finished. */
  private ask(): void {
    if (this.isAsking || this.finishing) return;
    this.isAsking = true;
    this.askOnce().then(
      (again) => {
        this.isAsking = false;
        if (again) this.ask();
      },
      (error: unknown) => {
        this.isAsking = false;
        this.session.fail(error);
      },
    );
  }

  /** @returns whether the question is answered already, so that the next is due */
  private async askOnce(): Promise<boolean> {
    const { session, clock } = this;
    const { state, interview, signal, connectionId } = session;
    if (!state || !interview || session.isLeft()) return false;
    const proposal = await session.services.interviewer.next(
      {
        trialSessionId: state.trialSessionId,
        role: state.role,
        language: state.language,
        questions: interview.questions,
        remainingMs: clock.remainingMs,
      },
      signal,
    );
    if (session.isLeft()) return false;
    if (proposal === 'finished') {
      await this.finish('finished');
      return false;
    }
    clock.begin();
    const questionId = uuidV7();
    const endsAt = new Date(Date.now() + MAX_DURATION_MS).toISOString();
    const asked = { ...proposal, connectionId, questionId, endsAt, elapsedMs: clock.elapsedMs ?? 0 };
    const refusal = await session.record('system', (latest) => ask(latest, asked));
    if (refusal?.code === 'session_full') {
      await this.finish('finished');
      return false;
    }
    if (refusal) throw new Error(`A question was refused: ${refusal.code}.`);
    return !openQuestion(session.interview) && !session.isLeft();
  }
}
