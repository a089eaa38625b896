import { v7 as uuidV7 } from 'uuid';
import { reasonOf } from '../../projection-engine/errors.js';
import type { EngineLog } from '../../projection-engine/log.js';
import type { AudioStore } from '../../vault/audio.js';
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
  readonly recorded: boolean;
}

const now = (): number => performance.now();

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
    this.unwatch = watch(() => {
      if (this.parts) this.inbox.add(() => this.course.refresh());
    });
    this.inbox.add(() => this.begin());
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

  /** Ends once nothing that the client has sent waits to be recorded. */
  async quiet(): Promise<void> {
    await this.parts?.listener.intake.flush();
    await new Promise<void>((resolve) => this.inbox.add(resolve));
  }

  private async begin(): Promise<void> {
    const { options, party, connectionId, course } = this;
    const { visitor, ready, line, commands, audio, host } = options;
    const { signal } = this.abort;
    this.hosted = await host.begin(() => line.close(CLOSE.restart));
    const recorded = await persistently(options.recordsAudio, signal);
    const before = await persistently(() => commands.read(visitor.session), signal);
    const refusal = await course.record(() =>
      commands.connect(party, {
        connectionId,
        host: this.hosted?.host ?? '',
        recorded,
        deviceId: ready.deviceId ?? null,
        caller: visitor.caller,
      }),
    );
    if (refusal) line.close(CLOSE.sessionOver, { code: 'session_over', sentence: refusal.message });
    const { session, interview } = course;
    if (refusal || course.isOver || !session || !interview) return;
    options.onConnected();
    const { lastSeq } = await persistently(() => audio.state(audioOf(visitor.session)), signal);
    if (signal.aborted) return;
    const wasInterrupted = before?.phase.status === 'interrupted';
    const parts = this.assemble(interview, wasInterrupted, lastSeq, recorded);
    this.parts = parts;
    const question = openQuestion(interview);
    if (question) await this.open(parts, question, true);
    line.send(readyMessage(session, interview, options.speech, lastSeq));
    course.begin();
    parts.listener.resume();
  }

  private assemble(
    interview: Interview,
    wasInterrupted: boolean,
    lastAudioSeq: number,
    recorded: boolean,
  ): Parts {
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
      record: (turn, text) => replies.recordSpoken(turn, text),
      onTaken: () => this.inbox.add(() => course.refresh()),
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
      recorded,
      onEnd: () => this.finish('ended'),
    });
    const asker = new Asker({ ...common, interviewer, signal, onFinished: () => this.finish('finished') });
    return { clock, listener, speaker, asker, replies, recorded };
  }

  /** The session has moved: a turn has been opened or closed, or something is to be asked. */
  private goOn(): void {
    const { parts, course } = this;
    if (!parts) return;
    const { listener, speaker, asker, clock, recorded } = parts;
    if (course.interview?.endsAt)
      this.limit ??= setTimeout(() => void this.finish('time_limit'), clock.remainingMs).unref();
    const question = openQuestion(course.interview);
    const heard = listener.open?.question.turn ?? null;
    if (heard !== null && heard !== question?.turn) {
      listener.end();
      speaker?.stop();
      if (!recorded) this.letGo(heard);
    }
    if (!question) {
      if (!this.finishing) asker.ask();
    } else if (heard !== question.turn)
      // A new turn's clock begins with its sending: nothing is awaited before.
      this.open(parts, question, false).catch((error: unknown) => this.fault(error));
  }

  private async open(parts: Parts, question: Question, isRestored: boolean): Promise<void> {
    const { listener, speaker } = parts;
    const { turn } = question;
    const waitedMs = isRestored ? (this.course.interview?.waitedMs ?? 0) : 0;
    const clock = new QuestionClock(turn, waitedMs, now);
    // The candidate may have gone on speaking while the connection was away, for so long at most.
    await listener.begin(clock, isRestored, isRestored ? RESUME_MS + waitedMs : 0);
    // What the client was told of on an earlier connection was spoken there, as far as it was.
    if (speaker && this.course.tellsOf(turn)) void this.speak(speaker, question, clock);
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
      await parts?.listener.intake.flush();
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

  /** A closed turn's audio goes; what a failure leaves behind is swept later. */
  private letGo(turn: number): void {
    const { audio, visitor, log } = this.options;
    audio.discard(audioOf(visitor.session), turn).catch((error: unknown) => {
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
    const { connectionId, party, parts, options, course } = this;
    const release = (): void => this.hosted?.end();
    if (isOver || course.interview?.connection.connectionId !== connectionId) {
      parts?.listener.intake.end();
      return { away: null, release };
    }
    await parts?.listener.intake.flush();
    parts?.listener.intake.end();
    const gone = { connectionId, code, waitedMs, elapsedMs: parts?.clock.elapsedMs ?? null };
    try {
      const disconnect = () => options.commands.disconnect(party, gone);
      await persistently(disconnect, new AbortController().signal);
    } catch (error) {
      // Whoever looks after the absence records it then.
      options.log.warn({ reason: reasonOf(error) }, 'The end of a connection could not be recorded.');
    }
    return { away: connectionId, release };
  }

  private over(completed: boolean): void {
    const { line } = this.options;
    if (completed) for (const id of this.parts?.replies.farewells ?? []) line.send({ type: 'ack', id });
    this.stop();
  }

  /** From here on nothing is done for this connection. */
  private stop(): void {
    this.abort.abort();
    this.unwatch();
    this.inbox.clear();
    if (this.limit) clearTimeout(this.limit);
    this.parts?.listener.end();
    this.parts?.speaker?.stop();
  }

  private fault(error: unknown): void {
    if (this.gone || this.course.isOver) return;
    const { log, line } = this.options;
    const fields = { reason: reasonOf(error), requestId: this.party.correlationId };
    if (isAway(error)) log.warn(fields, 'An interview’s connection was closed: a store is away.');
    else log.error(fields, 'An interview’s connection failed.');
    const sentence = 'The service cannot go on with this connection: connect again.';
    line.close(CLOSE.fault, { code: 'internal', sentence });
  }
}
