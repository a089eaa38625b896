import { v7 as uuidV7 } from 'uuid';
import { pause } from '../../projection-engine/backoff.js';
import { reasonOf } from '../../projection-engine/errors.js';
import type { EngineLog } from '../../projection-engine/log.js';
import type { TrialState } from '../../trials/decider.js';
import { isClosed } from '../../trials/trial.js';
import type { AudioStore } from '../../vault/audio.js';
import { PersonErased } from '../../vault/errors.js';
import type { EndReason } from '../events.js';
import type { Interviewer } from '../interviewer/interviewer.js';
import type { AudioFrame } from '../protocol/audio-frame.js';
import { type ClientMessageOf, CLOSE } from '../protocol/messages.js';
import { SpeechFailed, type Speech } from '../speech/speech.js';
import { type Interview, openQuestion, type Question, RESUME_MS } from '../state.js';
import { Asker } from './asker.js';
import { InterviewClock, QuestionClock } from './clocks.js';
import type { Closing } from './closing.js';
import type { InterviewCommands, Party } from './commands.js';
import { Course } from './course.js';
import type { Hosted, InterviewHost } from '../watch/host.js';
import { Inbox } from './inbox.js';
import { Listener } from './listener.js';
import { audioOf } from './listening.js';
import { isAway, persistently } from './patience.js';
import type { Conversation, Line, Visitor } from './port.js';
import { readyMessage } from './ready-message.js';
import { Replies } from './replies.js';
import { Speaker } from './speaker.js';

export interface TalkOptions {
  readonly visitor: Visitor;
  readonly ready: ClientMessageOf<'client.ready'>;
  readonly line: Line;
  readonly commands: InterviewCommands;
  readonly closing: Closing;
  readonly audio: AudioStore;
  readonly interviewer: Interviewer;
  readonly speech: Speech;
  readonly host: Pick<InterviewHost, 'begin'>;
  readonly log: EngineLog;
  readonly recordsAudio: () => Promise<boolean>;
  /** Hears of whatever is appended to the session's stream. */
  readonly watch: (notify: () => void) => () => void;
  /** Resolves once the session's former connections of this process have put away what they brought. */
  readonly settled: () => Promise<unknown>;
  readonly onConnected: () => void;
  /** The connection is gone; `left` ends once that is written down. */
  readonly onGone: (left: Promise<Left>) => void;
}

/** What a connection leaves behind. */
export interface Left {
  /** The connection that is away now, `null` where nothing remains to be looked after. */
  readonly away: string | null;
  /** To be called once nothing of the connection has to be looked after any more. */
  readonly release: () => void;
}

/** What a connection works with once it holds the session's line. */
interface Parts {
  readonly clock: InterviewClock;
  readonly listener: Listener;
  readonly speaker: Speaker | null;
  readonly asker: Asker;
  readonly replies: Replies;
}

const now = (): number => performance.now();

/** Longest that a client which is back waits for its former connection, in milliseconds. */
const SETTLE_MS = 5_000;

/** Whether the session, which goes on, has had no connection since. */
const isNewest = (session: TrialState, connectionId: string): boolean =>
  session !== null && !isClosed(session) && session.interview?.connection.connectionId === connectionId;

/** One connection's conversation, from its `client.ready` to its end. */
export class Talk implements Conversation {
  private readonly connectionId = uuidV7();
  private readonly abort = new AbortController();
  private readonly party: Party;
  private readonly inbox: Inbox;
  private readonly course: Course;
  private readonly unwatch: () => void;
  private hosted: Hosted | null = null;
  private parts: Parts | null = null;
  private limit: NodeJS.Timeout | null = null;
  private finishing: Promise<void> | null = null;
  private gone = false;
  private beginning: Promise<void> = Promise.resolve();
  /** `interview.connected` may have been recorded. */
  private connecting = false;
  private isStale = false;

  constructor(private readonly options: TalkOptions) {
    const { visitor, line, ready, commands, watch } = options;
    this.party = { session: visitor.session, correlationId: visitor.requestId };
    this.inbox = new Inbox(line, (error) => this.fault(error));
    this.course = new Course({
      connectionId: this.connectionId,
      line,
      signal: this.abort.signal,
      read: () => commands.read(visitor.session),
      resumeFromSeq: ready.resumeFromSeq ?? 0,
      onMoved: () => this.goOn(),
      onOver: (completed) => this.over(completed),
    });
    this.unwatch = watch(() => this.lookAgain());
    this.inbox.add(() => (this.beginning = this.begin()));
  }

  message(message: Parameters<Conversation['message']>[0]): void {
    const at = now();
    this.inbox.add(() => this.parts?.replies.to(message, at));
  }

  audio(frame: AudioFrame): void {
    const at = now();
    if (this.inbox.isIdle) this.parts?.listener.hear(frame, at);
    else this.inbox.add(() => this.parts?.listener.hear(frame, at));
  }

  closed(code: number): void {
    if (this.gone) return;
    this.gone = true;
    const waitedMs = this.waitedMs();
    const isOver = this.course.isOver;
    this.stop();
    this.options.onGone(this.leave(code, waitedMs, isOver));
  }

  /** Ends once nothing that the client has sent waits to be recorded, or the connection is gone. */
  async quiet(): Promise<void> {
    const { signal } = this.abort;
    await this.parts?.listener.intake.flush();
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      this.inbox.add(resolve);
    });
  }

  /** Somebody has written: however often before this is looked at, one look is enough. */
  private lookAgain(): void {
    if (this.isStale) return;
    this.isStale = true;
    this.inbox.add(() => {
      this.isStale = false;
      return this.course.refresh();
    });
  }

  private async begin(): Promise<void> {
    const { options, party, connectionId, course } = this;
    const { visitor, ready, line, commands, audio, host } = options;
    const { signal } = this.abort;
    this.hosted = await host.begin(() => line.close(CLOSE.restart));
    // The client may be back before its former connection has put away what it brought.
    await Promise.race([options.settled(), pause(SETTLE_MS, signal)]);
    if (this.isLeft()) return;
    const recorded = await persistently(options.recordsAudio, signal);
    const before = await persistently(() => commands.read(visitor.session), signal);
    // A connection that is gone takes the line from nobody.
    if (this.isLeft()) return;
    this.connecting = true;
    const refusal = await course.record(() =>
      commands.connect(party, {
        connectionId,
        host: this.hosted?.host ?? '',
        recorded,
        deviceId: ready.deviceId ?? null,
        caller: visitor.caller,
      }),
    );
    if (refusal?.code === 'conflict') throw new Error(refusal.message);
    if (refusal) line.close(CLOSE.sessionOver, { code: 'session_over', sentence: refusal.message });
    const { session, interview } = course;
    if (refusal || course.isOver || !session || !interview) return;
    options.onConnected();
    const { lastSeq } = await persistently(() => audio.state(audioOf(visitor.session)), signal);
    if (this.isLeft()) return;
    const wasInterrupted = before?.phase.status === 'interrupted';
    const parts = this.assemble(interview, wasInterrupted, lastSeq);
    this.parts = parts;
    const question = openQuestion(interview);
    const clock = question && (await this.listen(parts, question, true));
    if (this.isLeft()) return;
    line.send(readyMessage(session, interview, options.speech, lastSeq));
    course.begin();
    if (question && clock) this.tell(parts, question, clock);
    parts.listener.resume();
  }

  private assemble(interview: Interview, wasInterrupted: boolean, lastAudioSeq: number): Parts {
    const { options, party, connectionId, course } = this;
    const { line, commands, audio, speech, interviewer, log, visitor } = options;
    const { signal } = this.abort;
    const onFault = (error: unknown): void => this.fault(error);
    const clock = new InterviewClock(interview, wasInterrupted, now, Date.now());
    const { transcriber, synthesiser } = speech;
    const listener: Listener = new Listener({
      audio,
      of: audioOf(visitor.session),
      transcriber,
      line,
      signal,
      now,
      log,
      lastAudioSeq,
      lastTurn: interview.questions.at(-1)?.turn ?? 0,
      record: (turn, text) => replies.recordSpoken(turn, text),
      onTaken: () => this.inbox.add(() => this.audioTaken()),
      onFault,
    });
    const { ordinal } = interview.connection;
    const speaker = synthesiser === 'client' ? null : new Speaker(synthesiser, line, ordinal, now);
    const common = { party, connectionId, course, clock, commands, onFault };
    const replies: Replies = new Replies({
      ...common,
      line,
      listener,
      speaker,
      transcriber: transcriber === 'client' ? null : transcriber.name,
      onEnd: () => this.finish('ended'),
    });
    const asker = new Asker({ ...common, interviewer, signal, onFinished: () => this.finish('finished') });
    return { clock, listener, speaker, asker, replies };
  }

  /** The session has moved: a turn has been opened or closed, or something is to be asked. */
  private goOn(): void {
    const { parts, course } = this;
    if (!parts || this.gone) return;
    const { listener, speaker, asker, clock } = parts;
    if (course.interview?.endsAt)
      this.limit ??= setTimeout(() => void this.finish('time_limit'), clock.remainingMs).unref();
    const question = openQuestion(course.interview);
    const heard = listener.open?.question.turn ?? null;
    if (heard !== null && heard !== question?.turn) {
      listener.end();
      speaker?.stop();
      // Who closed it may have kept it: what could not be transcribed is there to be heard.
      if (!course.interview?.keptTurns.includes(heard)) this.letGo(listener, heard);
    }
    if (!question) {
      if (!this.finishing) asker.ask();
    } else if (heard !== question.turn)
      // A new turn's clock begins with its sending: nothing is awaited before.
      this.listen(parts, question, false).then(
        (opened) => this.tell(parts, question, opened),
        (error: unknown) => this.fault(error),
      );
  }

  private async listen({ listener }: Parts, { turn }: Question, isRestored: boolean): Promise<QuestionClock> {
    const waitedMs = isRestored ? (this.course.interview?.waitedMs ?? 0) : 0;
    const clock = new QuestionClock(turn, waitedMs, now);
    // The candidate may have gone on speaking while the connection was away, for so long at most.
    await listener.begin(clock, isRestored, isRestored ? RESUME_MS + waitedMs : 0);
    return clock;
  }

  /** The question has just been sent, unless the client knows it: what it knows was spoken to it as far as it was. */
  private tell({ speaker, listener }: Parts, question: Question, clock: QuestionClock): void {
    if (listener.open?.question !== clock || !this.course.tellsOf(question.turn)) return;
    clock.sent();
    if (speaker) void this.speak(speaker, question, clock);
  }

  private async speak(speaker: Speaker, { turn, text }: Question, clock: QuestionClock): Promise<void> {
    try {
      await speaker.speak(turn, text, () => clock.sent());
    } catch (error) {
      if (!(error instanceof SpeechFailed)) {
        this.fault(error);
        return;
      }
      this.options.log.warn({ reason: error.message }, 'A question could not be spoken.');
      this.options.line.report('speech_failed', 'The question could not be spoken: read it.');
    }
  }

  /** Ends the interview, and with it the session. */
  private finish(reason: EndReason): Promise<void> {
    const { course, party, options, abort, parts } = this;
    this.finishing ??= (async () => {
      await parts?.listener.shut();
      const closeTurn = () => options.closing.closeOpenTurn(party.session, 'last_chance');
      if (reason !== 'finished') await persistently(closeTurn, abort.signal);
      const refusal = await course.record(() => options.commands.finish(party, reason));
      if (refusal) throw new Error(`The end was refused: ${refusal.code}.`);
    })()
      .catch((error: unknown) => this.fault(error))
      .finally(() => {
        this.finishing = null;
      });
    return this.finishing;
  }

  /** Audio came by another connection: a newer one's, or a former one's at the last moment. */
  private async audioTaken(): Promise<void> {
    await this.course.refresh();
    // Where the audio goes on now, the client hears as it connects again.
    if (!this.course.isOver) throw new Error('Audio of a former connection came in between.');
  }

  /** A closed turn's audio goes; what a failure leaves behind is swept later. */
  private letGo({ intake }: Listener, turn: number): void {
    const { audio, visitor, log } = this.options;
    const discard = () => audio.discard(audioOf(visitor.session), turn);
    intake
      .flush()
      .then(discard)
      .catch((error: unknown) => {
        log.warn({ reason: reasonOf(error) }, 'Transcribed audio could not be discarded yet.');
      });
  }

  /** How long the open turn's question has stood, or had when its answer began. */
  private waitedMs(): number | null {
    const turn = this.parts?.listener.open;
    if (!turn) return null;
    // In the middle of its speech the question has not stood at all yet.
    if (this.parts?.speaker?.isSpeaking) turn.question.sent();
    return turn.answerGapMs ?? turn.question.waitedBy(now());
  }

  private async leave(code: number, waitedMs: number | null, isOver: boolean): Promise<Left> {
    const { connectionId, options, party } = this;
    const release = (): void => this.hosted?.end();
    await this.beginning.catch(() => undefined);
    const { parts } = this;
    if (isOver || !this.connecting) {
      parts?.listener.intake.end();
      return { away: null, release };
    }
    await parts?.listener.intake.flush();
    parts?.listener.intake.end();
    const gone = { connectionId, code, waitedMs, elapsedMs: parts?.clock.elapsedMs ?? null };
    try {
      const disconnect = () => options.commands.disconnect(party, gone);
      const left = await persistently(disconnect, new AbortController().signal);
      const isAway = left.kind === 'refused' || isNewest(left.state, connectionId);
      if (!isAway) return { away: null, release };
    } catch (error) {
      // Whoever looks after the absence records it then.
      options.log.warn({ reason: reasonOf(error) }, 'The end of a connection could not be recorded.');
    }
    return { away: connectionId, release };
  }

  private isLeft(): boolean {
    return this.abort.signal.aborted;
  }

  private over(completed: boolean): void {
    if (completed) this.parts?.replies.sayGoodbye();
    this.stop();
  }

  /** From here on nothing is done for this connection. */
  private stop(): void {
    this.abort.abort();
    this.unwatch();
    this.inbox.clear();
    if (this.limit) clearTimeout(this.limit);
    this.parts?.listener.end();
    this.parts?.speaker?.leave();
  }

  private fault(error: unknown): void {
    if (this.gone || this.course.isOver) return;
    const { log, line } = this.options;
    if (error instanceof PersonErased) {
      line.close(CLOSE.sessionOver, { code: 'session_over', sentence: 'This session is over.' });
      return;
    }
    const fields = { reason: reasonOf(error), requestId: this.party.correlationId };
    if (isAway(error)) log.warn(fields, 'An interview’s connection was closed: a store is away.');
    else log.error(fields, 'An interview’s connection failed.');
    const sentence = 'The service cannot go on with this connection: connect again.';
    line.close(CLOSE.fault, { code: 'internal', sentence });
  }
}
