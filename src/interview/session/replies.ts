import { checkActivities } from '../../domain/session/activity.js';
import type { Refusal } from '../../core/decider.js';
import { cutOff, idReused, recordAnswer, skip } from '../../domain/session/interview-decider.js';
import { type Content, recordedUnder } from '../../domain/session/seen-ids.js';
import type { ClientMessageOf } from '../../../packages/interview-client/src/protocol/messages.js';
import { openQuestion, spokenText } from '../../domain/session/interview-state.js';
import type { ActiveConnection } from './active-connection.js';
import { longestSpeechMs } from './clocks.js';
import type { ConnectedSession } from './connected-session.js';
import { NOT_TRANSCRIBED } from './listener.js';
import type { ConnectionHandler } from './port.js';

type Message = Parameters<ConnectionHandler['message']>[0];

/** Handles the client's messages; one that records something is acknowledged once that is durable. */
export class Replies {
  /** Ids of messages that ask for the end, to acknowledge when it has come. */
  private readonly farewells = new Set<string>();
  /** A message that is being recorded. */
  private recording: Recording | null = null;

  constructor(
    private readonly session: ConnectedSession,
    private readonly active: ActiveConnection,
  ) {}

  /** @param at when the message arrived, monotonic */
  to(message: Message, at: number): void | Promise<void> {
    if (this.session.isOver) return;
    if (isRecording(message) && this.recordedUnder(message) === 'other') {
      this.settle(idReused().refusal, message.id);
      return;
    }
    switch (message.type) {
      case 'message.text':
        return this.answer(message, at);
      case 'turn.commit':
        this.commit(message);
        return;
      case 'turn.skip':
        return this.skip(message);
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
        this.farewells.add(message.id);
        return this.active.finish('ended');
    }
  }

  /** The session is completed: acknowledges the messages that led to it, or that its stream holds. */
  acknowledgeEnd(): void {
    const { recording } = this;
    if (recording !== null && this.recordedUnder(recording) === 'same') this.farewells.add(recording.id);
    for (const id of this.farewells) this.session.line.send({ type: 'ack', id });
  }

  private async answer(message: ClientMessageOf<'message.text'>, at: number): Promise<void> {
    const { listener } = this.active;
    const { turn, text, source = 'typed', id } = message;
    const spoken = listener.opened(turn);
    this.recording = message;
    const recordSpeech = spoken && listener.overtake(spoken);
    if (spoken) await listener.intake.flush();
    const answer = {
      ...listener.measured(spoken),
      ...{ turn, text, source, messageId: id, transcriber: null },
      gapMs: spoken ? (spoken.answerGapMs ?? spoken.question.waitedBy(at)) : null,
    };
    const refusal = await this.session.record('candidate', (state) => recordAnswer(state, answer));
    recordSpeech?.();
    this.settle(refusal, id);
  }

  private commit({ turn, id }: ClientMessageOf<'turn.commit'>): void {
    const { line, services, fail } = this.session;
    const { listener } = this.active;
    if (!this.wasAsked(turn, id)) return;
    // If the client recognises speech, its text closes the turn.
    if (!listener.opened(turn) || services.speech.transcriber === 'client') {
      this.ack(id);
      return;
    }
    // Not awaited, so that later messages are handled: a transcription can take seconds.
    this.farewells.add(id);
    listener.close(true).then((heard) => {
      if (!this.session.isOver) this.farewells.delete(id);
      if (heard === 'failed') line.report('transcription_failed', NOT_TRANSCRIBED, id);
      else this.ack(id);
    }, fail);
  }

  private async skip(message: ClientMessageOf<'turn.skip'>): Promise<void> {
    const { turn, id } = message;
    const { listener } = this.active;
    const spoken = listener.opened(turn);
    this.recording = message;
    if (spoken) {
      listener.giveUp(spoken);
      await listener.intake.flush();
    }
    const skipped = { ...listener.measured(spoken), turn, messageId: id };
    this.settle(await this.session.record('candidate', (state) => skip(state, skipped)), id);
  }

  private repeat({ turn, id }: ClientMessageOf<'question.repeat'>): void {
    if (!this.wasAsked(turn, id)) return;
    if (this.active.listener.opened(turn)) this.active.repeat();
    if (id !== undefined) this.ack(id);
  }

  private async activity({ id, events }: ClientMessageOf<'activity'>): Promise<void> {
    const { session } = this;
    const { commands, limits } = session.services;
    const current = await limits.batchOfActivity(session.visitor.caller.subject);
    if (current?.exceeded === true) {
      const { limit, resetSeconds } = current;
      const sentence = `At most ${limit} batches of activity a minute, by socket and REST together. Send it again in ${resetSeconds} s.`;
      session.line.report('rate_limited', sentence, id);
      return;
    }
    const checked = checkActivities(events);
    if (checked.kind === 'invalid') {
      const sentence = checked.problems[0]?.message ?? 'An event is not valid.';
      session.line.report('validation_failed', sentence, id);
      return;
    }
    const record = () => commands.activity(session.context, checked.activities);
    this.settle(await session.carryOut(record), id);
  }

  private played({ turn, playedMs }: ClientMessageOf<'playback.progress'>, at: number): void {
    if (!this.wasAsked(turn)) return;
    const { listener, speaker } = this.active;
    const open = listener.opened(turn);
    if (open?.answerGapMs !== null) return;
    const question = openQuestion(this.session.interview);
    const lengthMs = speaker?.sentMs(turn) ?? longestSpeechMs(question ? spokenText(question) : '');
    open.question.played(playedMs, at, lengthMs);
  }

  private async interrupt(message: ClientMessageOf<'interrupt'>): Promise<void> {
    const { id, turn, playedMs } = message;
    const { connectionId } = this.session;
    const { speaker, listener } = this.active;
    speaker?.stop(turn);
    listener.opened(turn)?.question.shown();
    // How much an earlier connection sent is known to the client only.
    const sentMs = Math.round(speaker?.sentMs(turn) ?? playedMs);
    this.recording = message;
    const cut = { connectionId, turn, playedMs, sentMs, messageId: id };
    this.settle(await this.session.record('candidate', (state) => cutOff(state, cut)), id);
  }

  /** Refuses a message about a turn that was never asked. */
  private wasAsked(turn: number, id?: string): boolean {
    const asked = turn <= this.active.listener.asked;
    if (!asked) this.session.line.report('bad_message', `There is no question of turn ${turn}.`, id);
    return asked;
  }

  private settle(refusal: Refusal | null, id: string): void {
    this.recording = null;
    if (refusal === null) this.ack(id);
    else if (!this.session.isOver)
      this.session.line.report(CODES[refusal.code] ?? 'unavailable', refusal.message, id);
  }

  private ack(id: string): void {
    if (!this.session.isOver) this.session.line.send({ type: 'ack', id });
  }

  private recordedUnder(message: Recording): ReturnType<typeof recordedUnder> {
    const { interview } = this.session;
    return interview ? recordedUnder(interview.messageIds, message.id, contentOf(message)) : 'nothing';
  }
}

type Recording = Extract<Message, { readonly id: string }>;

const isRecording = (message: Message): message is Recording =>
  message.type !== 'playback.progress' && message.type !== 'question.repeat';

const contentOf = (message: Recording): Content =>
  message.type === 'message.text' ? { ...message, source: message.source ?? 'typed' } : message;

const CODES: Readonly<Record<string, 'session_full' | 'bad_message' | 'id_reused' | undefined>> = {
  session_full: 'session_full',
  idempotency_key_reused: 'id_reused',
  // The turn was never asked.
  not_found: 'bad_message',
};
