import { v7 as uuidV7 } from 'uuid';
import { reasonOf } from '../../engine/errors.js';
import type { EndReason, Waited } from '../../domain/session/events.js';
import { ask } from '../../domain/session/interview-decider.js';
import { ProviderFailed } from '../../clients/speech.js';
import {
  type Interview,
  openQuestion,
  type Question,
  RESUME_MS,
  spokenText,
} from '../../domain/session/interview-state.js';
import { InterviewClock, now, QuestionClock } from './clocks.js';
import { limitsOf, type TrackedScope } from './session-tracker.js';
import { Listener } from './listener.js';
import { audioOf } from './spoken-turn.js';
import { MAX_DURATION_MS } from '../../domain/session/time-limit.js';
import { persistently } from './patience.js';
import { lateTurn } from '../../vault/late-turns.js';
import { Replies } from './replies.js';
import { Speaker } from './speaker.js';
import { answerPauseMs } from '../../domain/role/events.js';

interface ActiveConnectionOptions {
  /** The interview as the connection found it. */
  readonly interview: Interview;
  readonly wasInterrupted: boolean;
  /** `seq` of the candidate's last durable audio frame. */
  readonly lastAudioSeq: number;
  readonly timeFactor: number;
  /** Another connection has stored audio. */
  readonly onTaken: () => void;
}

/** The interview on its newest connection: turns are opened, asked, spoken, heard, answered and closed. */
export class ActiveConnection {
  readonly clock: InterviewClock;
  readonly listener: Listener;
  /** Handles the client's messages. */
  readonly replies: Replies;
  private readonly speaker: Speaker | null;
  private readonly asker: Asker;
  private limit: NodeJS.Timeout | null = null;
  private finishing: Promise<void> | null = null;

  constructor(
    private readonly scope: TrackedScope,
    private readonly options: ActiveConnectionOptions,
  ) {
    const { line, speech } = scope;
    const { interview, wasInterrupted, lastAudioSeq, timeFactor, onTaken } = options;
    const clock = (this.clock = new InterviewClock(interview, wasInterrupted, Date.now(), timeFactor));
    const listener = (this.listener = new Listener(scope, {
      lastAudioSeq,
      language: () => scope.tracker.language,
      pauseMs: () => answerPauseMs(scope.tracker.session?.role) * clock.timeFactor,
      lastTurn: interview.questions.at(-1)?.turn ?? 0,
      record: (turn, text) => this.replies.recordSpoken(turn, text),
      onTaken,
    }));
    const { synthesiser } = speech;
    const { ordinal } = interview.connection;
    const speaker = (this.speaker =
      synthesiser === 'client' ? null : new Speaker(synthesiser, line, ordinal));
    this.replies = new Replies(scope, {
      clock,
      listener,
      speaker,
      onEnd: () => this.finish('ended'),
      onRepeat: () => this.repeat(),
    });
    this.asker = new Asker(scope, clock, () => this.finish('finished'));
  }

  /**
   * Restores the open turn from earlier connections.
   * @param stored the session's audio
   * @returns call it after `session.ready` and the facts are sent
   */
  async restore(stored: ReadonlyMap<number, number>): Promise<() => void> {
    const question = openQuestion(this.options.interview);
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
    const { listener, speaker, asker, clock } = this;
    const { interview } = this.scope.tracker;
    if (interview?.endsAt) this.limit ??= this.limitIn(clock.remainingMs);
    const question = openQuestion(interview);
    const heard = listener.open?.question.turn ?? null;
    if (heard !== null && heard !== question?.turn) {
      listener.end();
      speaker?.stop();
      // A turn that could not be transcribed keeps its audio.
      if (!interview?.keptTurns.includes(heard) && !listener.overtaken.has(heard)) this.discardAudio(heard);
    }
    if (!question) {
      if (!this.finishing) asker.ask();
    } else if (heard !== question.turn)
      // A new turn's clock starts with its sending, so nothing is awaited before.
      this.listen(question, false).then((opened) => this.tell(question, opened), this.scope.onFault);
  }

  /** Speaks the open question again without what came before it, unless it is being spoken. */
  private repeat(): void {
    const { speaker } = this;
    const question = openQuestion(this.scope.tracker.interview);
    const clock = this.listener.open?.question;
    if (!speaker || !question || clock?.turn !== question.turn || speaker.speaks(question.turn)) return;
    void this.speak(speaker, { ...question, preface: null }, clock.repeat());
  }

  /** Other accommodations may have been granted. @returns whether the time is another */
  async accommodate(): Promise<boolean> {
    const { clock } = this;
    const { commands, context, line, signal, tracker } = this.scope;
    const timeFactor = await persistently(() => commands.timeFactor(context.session), signal);
    if (timeFactor === clock.timeFactor) return false;
    clock.timeFactor = timeFactor;
    const { session, interview } = tracker;
    if (session && interview && !signal.aborted && !tracker.isOver)
      line.send({ type: 'session.limits', ...limitsOf(session, interview, timeFactor) });
    if (this.limit && !signal.aborted) {
      clearTimeout(this.limit);
      this.limit = this.limitIn(clock.remainingMs);
    }
    return true;
  }

  private limitIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.limited().catch(this.scope.onFault), ms).unref();
  }

  /** The time is over, unless more was granted a moment ago. */
  private async limited(): Promise<void> {
    const { signal, tracker } = this.scope;
    if ((await this.accommodate()) || signal.aborted || tracker.isOver) return;
    await this.finish('time_limit');
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

  private async listen({ turn }: Question, isRestored: boolean): Promise<QuestionClock> {
    const elsewhereMs = (): number => this.scope.tracker.interview?.waitedMs ?? 0;
    const askedMs = this.scope.tracker.interview?.askedMs ?? 0;
    const askedAt = now() - (isRestored ? (this.clock.elapsedMs ?? askedMs) - askedMs : 0);
    const clock = new QuestionClock(turn, elsewhereMs, askedAt);
    // The candidate can have spoken on while the connection was away, for this long at most.
    await this.listener.begin(
      clock,
      isRestored,
      isRestored ? RESUME_MS * this.clock.timeFactor + elsewhereMs() : 0,
    );
    return clock;
  }

  /** Speaks the question, unless the client has it already: speech is never repeated. */
  private tell(question: Question, clock: QuestionClock): void {
    if (this.listener.open?.question !== clock || !this.scope.tracker.tellsOf(question.turn)) return;
    if (!this.speaker) clock.shown();
    if (this.speaker) void this.speak(this.speaker, question, () => clock.sent());
  }

  private async speak(speaker: Speaker, question: Question, onSent: (ms: number) => void): Promise<void> {
    const { log, line, onFault } = this.scope;
    try {
      const { language } = this.scope.tracker;
      await speaker.speak(question.turn, spokenText(question), language, onSent);
    } catch (error) {
      if (!(error instanceof ProviderFailed)) {
        onFault(error);
        return;
      }
      log.warn({ reason: error.message }, 'A question could not be spoken.');
      this.listener.open?.question.shown();
      line.report('speech_failed', 'The question could not be spoken: read it.');
    }
  }

  /** Ends the interview, and with it the session. */
  private finish(reason: EndReason): Promise<void> {
    const { tracker, context, closing, commands, signal, onFault } = this.scope;
    this.finishing ??= (async () => {
      await this.listener.shut();
      const closeTurn = () => closing.closeOpenTurn(context.session, 'last_chance');
      await persistently(closeTurn, signal);
      const refusal = await tracker.record(() => commands.finish(context, reason));
      if (refusal) throw new Error(`The end was refused: ${refusal.code}.`);
    })()
      .catch(onFault)
      .finally(() => {
        this.finishing = null;
      });
    return this.finishing;
  }

  /** Discards a closed turn's audio; the sweep discards what a failure leaves. */
  private discardAudio(turn: number): void {
    const { audio, context, log } = this.scope;
    this.listener.intake
      .flush()
      .then(() => audio.discard(audioOf(context.session), turn))
      .catch((error: unknown) => {
        log.warn({ reason: reasonOf(error) }, 'Transcribed audio could not be discarded yet.');
      });
  }
}

/** Asks the next question whenever no turn is open. */
export class Asker {
  private asking = false;

  constructor(
    private readonly scope: TrackedScope,
    private readonly clock: InterviewClock,
    /** There is nothing more to ask. */
    private readonly onFinished: () => Promise<void>,
  ) {}

  /** Asks, unless a question is being asked already; errors go to `onFault`. */
  ask(): void {
    if (this.asking) return;
    this.asking = true;
    this.askOnce()
      .catch((error: unknown) => {
        this.scope.onFault(error);
        return false;
      })
      .then((again) => {
        this.asking = false;
        if (again) this.ask();
      }, this.scope.onFault);
  }

  /** @returns whether the question is answered already, so that the next is due */
  private async askOnce(): Promise<boolean> {
    const { tracker, commands, context, connectionId, interviewer, signal } = this.scope;
    const { clock } = this;
    const { session, interview } = tracker;
    if (!session || !interview || this.isObsolete()) return false;
    const proposal = await interviewer.next(
      {
        trialSessionId: session.trialSessionId,
        role: session.role,
        language: session.language,
        questions: interview.questions,
        remainingMs: clock.remainingMs,
      },
      signal,
    );
    if (this.isObsolete()) return false;
    if (proposal === 'finished') {
      await this.onFinished();
      return false;
    }
    clock.begin();
    const questionId = uuidV7();
    const endsAt = new Date(Date.now() + MAX_DURATION_MS).toISOString();
    const asked = { ...proposal, connectionId, questionId, endsAt, elapsedMs: clock.elapsedMs ?? 0 };
    const refusal = await tracker.record(() =>
      commands.record(context, 'system', (state) => ask(state, asked)),
    );
    if (refusal?.code === 'session_full') {
      await this.onFinished();
      return false;
    }
    if (refusal) throw new Error(`A question was refused: ${refusal.code}.`);
    return !openQuestion(tracker.interview) && !this.isObsolete();
  }

  private isObsolete(): boolean {
    return this.scope.tracker.isOver || this.scope.signal.aborted;
  }
}
