import { checkActivities } from '../../domain/session/activity.js';
import type { Refusal } from '../../core/decider.js';
import {
  cutOff,
  idReused,
  recordAnswer,
  type RecordAnswer,
  skip,
} from '../../domain/session/interview-decider.js';
import { type Content, recordedUnder } from '../../domain/session/seen-ids.js';
import type { ClientMessageOf } from '../../../packages/interview-client/src/protocol/messages.js';
import { openQuestion, spokenText } from '../../domain/session/interview-state.js';
import { type InterviewClock, longestSpeechMs } from './clocks.js';
import type { TrackedScope } from './session-tracker.js';
import { type Listener, NOT_TRANSCRIBED } from './listener.js';
import type { ConnectionHandler } from './port.js';
import type { Speaker } from './speaker.js';
import type { SpokenTurn } from './spoken-turn.js';

export interface RepliesOptions {
  readonly clock: InterviewClock;
  readonly listener: Listener;
  /** `null`: the client speaks. */
  readonly speaker: Speaker | null;
  readonly onEnd: () => Promise<void>;
  /** Speak the open question again. */
  readonly onRepeat: () => void;
}

type Message = Parameters<ConnectionHandler['message']>[0];

/** Handles the client's messages; one that records something is acknowledged once that is durable. */
export class Replies {
  /** Ids of messages that ask for the end, to acknowledge when it has come. */
  private readonly farewells = new Set<string>();
  /** A message that is being recorded. */
  private recording: Recording | null = null;

  constructor(
    private readonly scope: TrackedScope,
    private readonly options: RepliesOptions,
  ) {}

  /** @param at when the message arrived, monotonic */
  to(message: Message, at: number): void | Promise<void> {
    if (this.scope.tracker.isOver) return;
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
        return this.options.onEnd();
    }
  }

  /** The session is completed: acknowledges the messages that led to it, or that its stream holds. */
  acknowledgeEnd(): void {
    const { recording } = this;
    if (recording !== null && this.recordedUnder(recording) === 'same') this.farewells.add(recording.id);
    for (const id of this.farewells) this.scope.line.send({ type: 'ack', id });
  }

  /** Records a turn's transcript, unless the turn is answered already. */
  async recordSpoken(turn: SpokenTurn, text: string): Promise<void> {
    const { connectionId, speech } = this.scope;
    const refusal = await this.record({
      connectionId,
      turn: turn.question.turn,
      text,
      source: 'transcribed',
      messageId: null,
      gapMs: turn.answerGapMs,
      lastAudioSeq: this.options.listener.intake.durable,
      voice: this.voiceOf(turn),
      transcriber: speech.transcriber === 'client' ? null : speech.transcriber.name,
      elapsedMs: this.elapsedMs(),
    });
    if (refusal) throw new Error(`An answer was refused: ${refusal.code}.`);
  }

  private async answer(message: ClientMessageOf<'message.text'>, at: number): Promise<void> {
    const { listener } = this.options;
    const { open } = listener;
    const spoken = open?.question.turn === message.turn ? open : null;
    this.recording = message;
    const recordSpeech = spoken && listener.overtake();
    if (spoken) await listener.intake.flush();
    const refusal = await this.record({
      connectionId: this.scope.connectionId,
      turn: message.turn,
      text: message.text,
      source: message.source ?? 'typed',
      messageId: message.id,
      gapMs: spoken ? (spoken.answerGapMs ?? spoken.question.waitedBy(at)) : null,
      lastAudioSeq: listener.intake.durable,
      voice: spoken && this.voiceOf(spoken),
      transcriber: null,
      elapsedMs: this.elapsedMs(),
    });
    recordSpeech?.();
    this.settle(refusal, message.id);
  }

  private record(answer: RecordAnswer): Promise<Refusal | null> {
    const { tracker, commands, context } = this.scope;
    return tracker.record(() =>
      commands.record(context, 'candidate', (state) => recordAnswer(state, answer)),
    );
  }

  private commit({ turn, id }: ClientMessageOf<'turn.commit'>): void {
    const { line, speech, onFault } = this.scope;
    const { listener } = this.options;
    if (turn > listener.asked) {
      line.report('bad_message', `There is no question of turn ${turn}.`, id);
      return;
    }
    // If the client recognises speech, its text closes the turn.
    if (listener.open?.question.turn !== turn || speech.transcriber === 'client') {
      this.ack(id);
      return;
    }
    // Not awaited, so that later messages are handled: a transcription can take seconds.
    this.farewells.add(id);
    listener.close(true).then((heard) => {
      if (!this.scope.tracker.isOver) this.farewells.delete(id);
      if (heard === 'failed') line.report('transcription_failed', NOT_TRANSCRIBED, id);
      else this.ack(id);
    }, onFault);
  }

  private async skip(message: ClientMessageOf<'turn.skip'>): Promise<void> {
    const { turn, id } = message;
    const { tracker, commands, context, connectionId } = this.scope;
    const { listener } = this.options;
    const spoken = listener.open?.question.turn === turn ? listener.open : null;
    this.recording = message;
    if (spoken) {
      listener.giveUp();
      await listener.intake.flush();
    }
    const skipped = {
      connectionId,
      turn,
      messageId: id,
      lastAudioSeq: listener.intake.durable,
      voice: spoken && this.voiceOf(spoken),
      elapsedMs: this.elapsedMs(),
    };
    const record = () => commands.record(context, 'candidate', (state) => skip(state, skipped));
    this.settle(await tracker.record(record), id);
  }

  private repeat({ turn, id }: ClientMessageOf<'question.repeat'>): void {
    const { listener, onRepeat } = this.options;
    if (turn > listener.asked) {
      this.scope.line.report('bad_message', `There is no question of turn ${turn}.`, id);
      return;
    }
    if (listener.open?.question.turn === turn) onRepeat();
    if (id !== undefined) this.ack(id);
  }

  private async activity({ id, events }: ClientMessageOf<'activity'>): Promise<void> {
    const { tracker, commands, context, line, limits, visitor } = this.scope;
    const standing = await limits.batchOfActivity(visitor.caller.subject);
    if (standing?.exceeded === true) {
      const { limit, resetSeconds } = standing;
      const sentence = `At most ${limit} batches of activity a minute, by socket and REST together. Send it again in ${resetSeconds} s.`;
      line.report('rate_limited', sentence, id);
      return;
    }
    const checked = checkActivities(events);
    if (checked.kind === 'invalid') {
      line.report('validation_failed', checked.problems[0]?.message ?? 'An event is not valid.', id);
      return;
    }
    const { activities } = checked;
    this.settle(await tracker.record(() => commands.activity(context, activities)), id);
  }

  private played({ turn, playedMs }: ClientMessageOf<'playback.progress'>, at: number): void {
    const { line, tracker } = this.scope;
    const { listener, speaker } = this.options;
    if (turn > listener.asked) {
      line.report('bad_message', `There is no question of turn ${turn}.`);
      return;
    }
    const { open } = listener;
    if (open?.question.turn !== turn || open.answerGapMs !== null) return;
    const question = openQuestion(tracker.interview);
    const lengthMs = speaker?.sentMs(turn) ?? longestSpeechMs(question ? spokenText(question) : '');
    open.question.played(playedMs, at, lengthMs);
  }

  private async interrupt(message: ClientMessageOf<'interrupt'>): Promise<void> {
    const { id, turn, playedMs } = message;
    const { tracker, commands, context, connectionId } = this.scope;
    const { speaker } = this.options;
    speaker?.stop(turn);
    if (this.options.listener.open?.question.turn === turn) this.options.listener.open.question.shown();
    // How much an earlier connection sent is known to the client only.
    const sentMs = Math.round(speaker?.sentMs(turn) ?? playedMs);
    this.recording = message;
    const cut = { connectionId, turn, playedMs, sentMs, messageId: id };
    const record = () => commands.record(context, 'candidate', (state) => cutOff(state, cut));
    this.settle(await tracker.record(record), id);
  }

  private settle(refusal: Refusal | null, id: string): void {
    this.recording = null;
    if (this.scope.tracker.isOver) return;
    if (refusal === null) this.ack(id);
    else this.scope.line.report(CODES[refusal.code] ?? 'unavailable', refusal.message, id);
  }

  private ack(id: string): void {
    if (!this.scope.tracker.isOver) this.scope.line.send({ type: 'ack', id });
  }

  private recordedUnder(message: Recording): ReturnType<typeof recordedUnder> {
    const { interview } = this.scope.tracker;
    return interview ? recordedUnder(interview.messageIds, message.id, contentOf(message)) : 'nothing';
  }

  private voiceOf({
    durationMs,
  }: SpokenTurn): { readonly durationMs: number; readonly kept: boolean } | null {
    return durationMs > 0 ? { durationMs, kept: this.scope.tracker.interview?.keepsOpenTurn ?? false } : null;
  }

  private elapsedMs(): number {
    return this.options.clock.elapsedMs ?? 0;
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
