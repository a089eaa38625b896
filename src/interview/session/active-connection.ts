import { v7 as uuidV7 } from 'uuid';
import type { ClientMessageOf } from '../../../packages/interview-client/src/protocol/messages.js';
import { checkActivities } from '../../domain/session/activity.js';
import type { EndReason, Waited } from '../../domain/session/events.js';
import { ask, cutOff, recordAnswer, skip } from '../../domain/session/interview-decider.js';
import { type Interview, openQuestion, type Question } from '../../domain/session/interview-state.js';
import { MAX_DURATION_MS } from '../../domain/session/time-limit.js';
import { InterviewClock, type QuestionClock } from './clocks.js';
import type { ConnectedSession } from './connected-session.js';
import { Listener, NOT_TRANSCRIBED } from './listener.js';
import type { ConversationMessage } from './port.js';
import { limitsOf } from './ready.js';
import { Speaker } from './speaker.js';

/**
 * The interview on its newest connection: asks questions, handles the client's messages, and ends the interview at its
 * time limit. Order of calls: create it once the connection is recorded; `restore`; after the client has been sent
 * `session.ready` and all facts so far, `resume`; then `proceed` after each change of the session, and `message` for
 * one message at a time. A message that records something is acknowledged once the record is durable.
 */
export class ActiveConnection {
  readonly clock: InterviewClock;
  readonly listener: Listener;
  private readonly speaker: Speaker;
  /** Ends the interview at its time limit. */
  private timeLimit: NodeJS.Timeout | null = null;
  private finishing: Promise<void> | null = null;
  private isAsking = false;

  /**
   * @param interview the state when the connection was recorded
   * @param wasInterrupted whether the session was interrupted while no client was connected
   * @param lastAudioSeq `seq` of the candidate's last durable audio frame
   * @param timeFactor how many times the usual time the candidate has
   */
  constructor(
    private readonly session: ConnectedSession,
    interview: Interview,
    wasInterrupted: boolean,
    lastAudioSeq: number,
    timeFactor: number,
  ) {
    this.clock = new InterviewClock(interview, wasInterrupted, Date.now(), timeFactor);
    const lastTurn = interview.questions.at(-1)?.turn ?? 0;
    this.listener = new Listener(session, this.clock, lastTurn, lastAudioSeq);
    this.speaker = new Speaker(session, interview.connection.ordinal);
  }

  /** Restores the open turn from earlier connections. @param stored the session's audio: bytes by turn */
  async restore(stored: ReadonlyMap<number, number>): Promise<void> {
    const question = openQuestion(this.session.interview);
    if (question) await this.listener.restore(question, stored);
  }

  /** Presents the open turn's question on this connection. */
  resume(): void {
    const question = openQuestion(this.session.interview);
    const open = question && this.listener.opened(question.turn);
    if (open) {
      open.question.resume();
      this.present(question, open.question);
    }
    this.listener.resume();
  }

  /** The session has changed: a turn was opened or closed, or a question is due. */
  proceed(): void {
    const { listener, clock, session } = this;
    const { interview } = session;
    if (interview?.endsAt) this.timeLimit ??= this.timeLimitIn(clock.remainingMs);
    const question = openQuestion(interview);
    const { open } = listener;
    if (open && open.number !== question?.turn) {
      listener.endTurn();
      this.speaker.stop();
    }
    if (!question) this.askNext();
    else if (open?.number !== question.turn)
      // Nothing is awaited before `begin`: a new turn's clock starts when its question is sent.
      listener.begin(question, false).then((opened) => this.present(question, opened), session.fail);
  }

  /** Handles a message of the client. @param at when it arrived, in monotonic milliseconds */
  message(message: ConversationMessage, at: number): void | Promise<void> {
    if (this.session.isOver || this.session.refusesReusedId(message)) return;
    switch (message.type) {
      case 'message.text':
        return this.answer(message, at);
      case 'turn.commit':
        this.commit(message);
        return;
      case 'turn.skip':
        return this.skipTurn(message);
      case 'question.repeat':
        this.repeat(message);
        return;
      case 'activity':
        return this.activity(message);
      case 'playback.progress':
        this.played(message, at);
        return;
      case 'interrupt':
        return this.interrupt(message);
      case 'session.end':
        this.session.acknowledgeAtEnd(message.id);
        return this.finish('ended');
    }
  }

  /** Reads the candidate's accommodations again, which staff may have changed. @returns whether the time has changed */
  async accommodate(): Promise<boolean> {
    const { clock, session } = this;
    const { channel, services, admitted } = session;
    const timeFactor = await session.retryUnavailable(() => services.commands.timeFactor(admitted.session));
    if (timeFactor === clock.timeFactor) return false;
    clock.timeFactor = timeFactor;
    const { state, interview } = session;
    if (session.isLeft()) return true;
    if (state && interview)
      channel.send({ type: 'session.limits', ...limitsOf(state, interview, timeFactor) });
    if (this.timeLimit) {
      clearTimeout(this.timeLimit);
      this.timeLimit = this.timeLimitIn(clock.remainingMs);
    }
    return true;
  }

  /** How long the open question has waited here, until now or until its answer began; `null`: no turn is open. */
  waited(): Waited | null {
    const turn = this.listener.open;
    if (!turn) return null;
    // While the question is being spoken, its wait has not begun.
    if (this.speaker.isSpeaking) turn.question.sent();
    return turn.question.stretch(turn.answerGapMs);
  }

  /** Call it when the connection is gone, or superseded. */
  end(): void {
    if (this.timeLimit) clearTimeout(this.timeLimit);
    this.listener.leave();
    this.speaker.leave();
  }

  private timeLimitIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.endInTime().catch(this.session.fail), ms).unref();
  }

  /** Finishes the interview at its time limit, unless more time was granted a moment ago. */
  private async endInTime(): Promise<void> {
    if ((await this.accommodate()) || this.session.isLeft()) return;
    await this.finish('time_limit');
  }

  /** Ends the interview, and with it the session. */
  private finish(reason: EndReason): Promise<void> {
    const { session, listener } = this;
    const { closer, commands } = session.services;
    this.finishing ??= (async () => {
      await listener.shut();
      await session.retryUnavailable(() => closer.closeOpenTurn(session.context.session, 'last_chance'));
      const refusal = await session.carryOut(() => commands.finish(session.context, reason));
      if (refusal) throw new Error(`The end was refused: ${refusal.code}.`);
    })().catch(session.fail);
    return this.finishing;
  }

  /** Presents the question, unless an earlier connection has: reconnecting never repeats its speech. */
  private present(question: Question, clock: QuestionClock): void {
    if (this.listener.open?.question === clock && this.session.sendsQuestion(question.turn))
      this.speaker.present(question, clock);
  }

  /** Asks the next question, unless one is being asked already or the interview is being finished. */
  private askNext(): void {
    if (this.isAsking || this.finishing) return;
    this.isAsking = true;
    this.askOnce()
      .finally(() => {
        this.isAsking = false;
      })
      .then((isAnswered) => {
        if (isAnswered) this.askNext();
      }, this.session.fail);
  }

  /** @returns whether the question is answered already, so that the next is due */
  private async askOnce(): Promise<boolean> {
    const { session, clock } = this;
    const { state, interview, signal, connectionId } = session;
    if (!state || !interview || session.isLeft()) return false;
    const { trialSessionId, role, language } = state;
    const { questions } = interview;
    const soFar = { trialSessionId, role, language, questions, remainingMs: clock.remainingMs };
    const proposal = await session.services.interviewer.next(soFar, signal);
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

  private answer(message: ClientMessageOf<'message.text'>, at: number): Promise<void> {
    const { listener, session } = this;
    const { turn, text, source = 'typed', id } = message;
    const spoken = listener.opened(turn);
    const recordSpeech = spoken && listener.overtake(spoken);
    return session.answerTo(message, async () => {
      if (spoken) await listener.intake.flush();
      const answer = {
        ...listener.measured(spoken),
        ...{ turn, text, source, messageId: id, transcriber: null },
        gapMs: spoken ? (spoken.answerGapMs ?? spoken.question.waitedBy(at)) : null,
      };
      const refusal = await session.record('candidate', (state) => recordAnswer(state, answer));
      recordSpeech?.();
      return refusal;
    });
  }

  private commit({ turn, id }: ClientMessageOf<'turn.commit'>): void {
    const { listener, session } = this;
    if (!this.wasAsked(turn, id)) return;
    // If the client recognises speech, the text that it sends closes the turn.
    if (!listener.opened(turn) || session.services.speech.transcriber === 'client') {
      session.acknowledge(id);
      return;
    }
    // Not awaited, so that later messages are handled: a transcription can take seconds.
    session.acknowledgeAtEnd(id);
    listener.close(true).then((heard) => {
      if (heard === 'failed') session.refuse(id, 'transcription_failed', NOT_TRANSCRIBED);
      else session.acknowledge(id);
    }, session.fail);
  }

  private skipTurn(message: ClientMessageOf<'turn.skip'>): Promise<void> {
    const { turn, id } = message;
    const { listener, session } = this;
    const spoken = listener.opened(turn);
    spoken?.abandon();
    return session.answerTo(message, async () => {
      if (spoken) await listener.intake.flush();
      const skipped = { ...listener.measured(spoken), turn, messageId: id };
      return session.record('candidate', (state) => skip(state, skipped));
    });
  }

  private repeat({ turn, id }: ClientMessageOf<'question.repeat'>): void {
    if (!this.wasAsked(turn, id)) return;
    const question = openQuestion(this.session.interview);
    const open = this.listener.opened(turn);
    if (open && question?.turn === turn) this.speaker.repeat(question, open.question);
    if (id !== undefined) this.session.acknowledge(id);
  }

  private async activity(message: ClientMessageOf<'activity'>): Promise<void> {
    const { session } = this;
    const { id, events } = message;
    const { commands, limits } = session.services;
    const current = await limits.batchOfActivity(session.admitted.caller.subject);
    if (current?.exceeded === true) {
      const { limit, resetSeconds } = current;
      const sentence = `At most ${limit} batches of activity a minute, by socket and REST together. Send it again in ${resetSeconds} s.`;
      session.refuse(id, 'rate_limited', sentence);
      return;
    }
    const checked = checkActivities(events);
    if (checked.kind === 'invalid') {
      const sentence = checked.problems[0]?.message ?? 'An event is not valid.';
      session.refuse(id, 'validation_failed', sentence);
      return;
    }
    const record = () => commands.activity(session.context, checked.activities);
    await session.answerTo(message, () => session.carryOut(record));
  }

  private played({ turn, playedMs }: ClientMessageOf<'playback.progress'>, at: number): void {
    if (!this.wasAsked(turn)) return;
    const question = openQuestion(this.session.interview);
    const open = this.listener.opened(turn);
    if (question && open?.answerGapMs === null)
      open.question.played(playedMs, at, this.speaker.maxMs(question));
  }

  private interrupt(message: ClientMessageOf<'interrupt'>): Promise<void> {
    const { session, speaker } = this;
    const { id, turn, playedMs } = message;
    speaker.stop(turn);
    this.listener.opened(turn)?.question.shown();
    // If an earlier connection spoke the question, this process has no record of how much it sent.
    const sentMs = Math.round(speaker.sentMs(turn) ?? playedMs);
    const cut = { connectionId: session.connectionId, turn, playedMs, sentMs, messageId: id };
    return session.answerTo(message, () => session.record('candidate', (state) => cutOff(state, cut)));
  }

  /** Refuses a message about a turn that was never asked. */
  private wasAsked(turn: number, id?: string): boolean {
    const asked = turn <= this.listener.asked;
    if (!asked) this.session.channel.report('bad_message', `There is no question of turn ${turn}.`, id);
    return asked;
  }
}
