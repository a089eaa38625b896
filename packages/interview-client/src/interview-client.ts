import { type BackOff, Connector, pauseBefore } from './connector.js';
import { type Cut, Cutter } from './cutter.js';
import type { ClientState, EndedBy, InterviewHandlers, Receipt } from './handlers.js';
import { MessageDispatcher } from './message-dispatcher.js';
import { BYTES_PER_MS } from './protocol/audio-frame.js';
import {
  type ClientMessageOf,
  MAX_ACTIVITIES,
  MAX_FRAME_BYTES,
  PROTOCOL,
  type ServerMessageOf,
} from './protocol/messages.js';
import { type Clock, ownWebSocket, type SocketConstructor, systemClock } from './runtime.js';
import { type Draft, SendQueue, Receipts, type Recorded } from './send-queue.js';
import { Sender } from './sender.js';

export interface InterviewClientOptions {
  /**
   * Returns the socket's address with a fresh token; called before each connection. A browser cannot read why an upgrade
   * was refused, so the application looks the session up here and returns `null` if it has ended: then the client ends. A
   * rejection, or no answer within 15 s, counts as a failed try.
   */
  readonly url: () => string | null | Promise<string | null>;
  /**
   * Asks the service which of these ids were recorded: `GET /trial-sessions/{trialSessionId}/receipts?id=…&id=…`. Called
   * with at most 100 ids once the session has ended while messages wait for an answer, since no connection is possible
   * then. A rejection is tried again for a minute. Left out: such messages have a receipt with `ended: true`.
   */
  readonly recorded?: (ids: readonly string[]) => Promise<Recorded>;
  readonly on: InterviewHandlers;
  /** Default: the runtime's own. Node 20 has none: give that of `ws`. */
  readonly WebSocket?: SocketConstructor;
  /** Distinguishes this device from others in the evidence, 1 to 128 characters. Default: none is sent. */
  readonly deviceId?: string;
  /** Waits between tries to connect, and to ask `recorded`. Default: 250 ms, growing to 10 s. */
  readonly backOff?: BackOff;
  /** Longest time without a connection, in milliseconds; default 5 minutes. Then the client ends. */
  readonly giveUpAfterMs?: number;
  /** How much audio can wait for a connection, in milliseconds of it; default 5 minutes. */
  readonly mostAudioMs?: number;
  /** Default: the runtime's clock and timers. */
  readonly clock?: Clock;
  /** From 0 to 1, for the jitter between tries. Default: `Math.random`. */
  readonly random?: () => number;
}

const FIVE_MINUTES_MS = 5 * 60_000;
const BACK_OFF: BackOff = { firstMs: 250, mostMs: 10_000 };
/** Text that can wait, in UTF-16 units. */
const MAX_TEXT = 4 * 1024 * 1024;
/** How long the service is asked what it has recorded. */
const LOOK_UP_MS = 60_000;

/**
 * A candidate's side of an interview. It reconnects after a loss, and everything answered, spoken or done is recorded
 * once and in order. It runs in browsers and in Node. Call `start` once; what is sent before a connection waits for it. A
 * promise of a receipt resolves once the service has answered or the client has ended, and never rejects.
 */
export class InterviewClient {
  private readonly clock: Clock;
  private readonly connector: Connector;
  private readonly queue: SendQueue;
  private readonly sender: Sender;
  private readonly receipts: Receipts;
  private readonly dispatcher: MessageDispatcher;
  private readonly cutter = new Cutter();
  private full = false;
  private current: ClientState = { name: 'connecting' };

  /** @throws {TypeError} neither the runtime nor the options have a WebSocket */
  constructor(private readonly options: InterviewClientOptions) {
    const { url, deviceId, backOff = BACK_OFF, giveUpAfterMs = FIVE_MINUTES_MS } = options;
    const { random = () => Math.random(), mostAudioMs = FIVE_MINUTES_MS } = options;
    const WebSocket = options.WebSocket ?? ownWebSocket();
    if (WebSocket === null)
      throw new TypeError('This runtime has no WebSocket: pass one, such as that of "ws".');
    this.clock = options.clock ?? systemClock;
    this.queue = new SendQueue({ audioBytes: mostAudioMs * BYTES_PER_MS, textLength: MAX_TEXT });
    this.receipts = new Receipts(this.queue);
    const hello = (): ClientMessageOf<'client.ready'> => ({
      type: 'client.ready',
      protocol: PROTOCOL,
      resumeFromSeq: this.dispatcher.lastSeq,
      ...(deviceId !== undefined && { deviceId }),
    });
    this.connector = new Connector(
      { url, WebSocket, clock: this.clock, random, backOff, giveUpAfterMs, hello },
      {
        message: (message) => this.dispatcher.message(message),
        audio: (frame) => this.dispatcher.callHandler(() => this.options.on.speech?.(frame)),
        state: (state) => this.became(state),
      },
    );
    this.sender = new Sender(this.queue, this.clock, () => this.connector.ready);
    this.dispatcher = new MessageDispatcher(options.on, {
      clock: this.clock,
      connector: this.connector,
      receipts: this.receipts,
      sender: this.sender,
    });
  }

  /** As the handler `state` was called with last; `connecting` before `start`. */
  get state(): ClientState {
    return this.current;
  }

  /** `session.ready` of the newest connection, with the limits as they are now; `null` before the first. */
  get session(): ServerMessageOf<'session.ready'> | null {
    return this.dispatcher.session;
  }

  /** Connects, and again after each loss, until the state is `ended`. Call it once. */
  start(): void {
    this.connector.start();
  }

  /** Answers the question of that turn: typed, or recognised by the client itself. */
  answer(text: string, { turn, source = 'typed', id }: AnswerOptions): Promise<Receipt> {
    this.take(this.cutter.finish());
    return this.record({ type: 'message.text', turn, text, source }, id);
  }

  /**
   * More of the candidate's speech: PCM s16le, 16 kHz, mono, of any length.
   * @returns false: too much audio waits, and this piece was rejected as a whole
   */
  audio(pcm: Uint8Array, { turn }: { readonly turn: number }): boolean {
    if (this.current.name === 'ended') return false;
    if (!this.queue.hasRoomFor(this.cutter.heldBytes + pcm.byteLength)) {
      if (!this.full) this.dispatcher.report('audio_full', 'Too much audio waits for a connection.');
      this.full = true;
      return false;
    }
    this.full = false;
    this.take(this.cutter.add(turn, pcm, this.clock.now()));
    this.sender.pump();
    return true;
  }

  /** The spoken answer ends here. Its last frame carries the end too, so that the service need not wait for this. */
  commit(turn: number): Promise<Receipt> {
    this.take(this.cutter.finish(), turn);
    return this.record({ type: 'turn.commit', turn });
  }

  /** The candidate does not answer the question: its turn is closed without an answer. */
  skip(turn: number): Promise<Receipt> {
    this.take(this.cutter.finish());
    return this.record({ type: 'turn.skip', turn });
  }

  /** Has the service speak the open question again, from its beginning. Only the last request waits for a connection. */
  repeat(turn: number): void {
    this.sender.sendLatest({ type: 'question.repeat', turn });
  }

  /** The candidate interrupts the interviewer's speech after `playedMs` of it. */
  interrupt(turn: number, playedMs: number): Promise<Receipt> {
    return this.record({ type: 'interrupt', turn, playedMs });
  }

  /** How much of a turn's speech was played. Only the last value waits for a connection. */
  playbackProgress(turn: number, playedMs: number): void {
    this.sender.sendLatest({ type: 'playback.progress', turn, playedMs });
  }

  /**
   * The candidate's activity, as on the REST path, in as many frames as needed. The receipt is of all frames, or of the
   * first that was not acknowledged: others may have been.
   */
  async activity(events: readonly ActivityEvent[]): Promise<Receipt> {
    const pieces = piecesOf(events);
    if (typeof pieces === 'string')
      return { acknowledged: false, ended: false, code: 'bad_message', sentence: pieces };
    const receipts = await Promise.all(
      pieces.map((piece) => this.record({ type: 'activity', events: piece })),
    );
    return receipts.find(({ acknowledged }) => !acknowledged) ?? { acknowledged: true };
  }

  /** Ends the interview now, and the trial session with it. */
  end(): Promise<Receipt> {
    this.take(this.cutter.finish());
    return this.record({ type: 'session.end' });
  }

  /** Leaves without ending the interview: the state becomes `ended`, for good. Further calls change nothing. */
  close(): void {
    this.connector.end('closed', 'The client was closed.');
    this.receipts.abandon();
  }

  private record(draft: Draft, id?: string): Promise<Receipt> {
    const receipt = this.receipts.record(draft, id);
    this.sender.pump();
    return receipt;
  }

  private take(cuts: readonly Cut[], ended: number | null = null): void {
    cuts.forEach((cut, place) => this.queue.addAudio(cut, cut.turn === ended && place === cuts.length - 1));
  }

  private became(state: ClientState): void {
    this.current = state;
    if (state.name === 'ended') {
      this.sender.stop();
      this.receipts.end(state.sentence);
      void this.askWhatWasRecorded(state.by).finally(() => this.receipts.abandon());
    }
    this.dispatcher.callHandler(() => this.options.on.state?.(state));
  }

  /** After the end: asks the service what it has recorded of the messages without a receipt. */
  private async askWhatWasRecorded(by: EndedBy): Promise<void> {
    const { recorded, backOff = BACK_OFF, random = Math.random } = this.options;
    if (recorded === undefined || (by !== 'completed' && by !== 'session_over')) return;
    const wait = (ms: number): Promise<void> => new Promise((done) => void this.clock.after(ms, done));
    const stopLimit = this.clock.after(LOOK_UP_MS, () => this.receipts.abandon());
    for (let failures = 0; this.receipts.isWaiting; failures += 1) {
      await wait(pauseBefore(backOff, failures, random()));
      try {
        this.receipts.answerBy(await this.found(recorded));
        break;
      } catch {
        // The error is not passed on: it can hold a token.
      }
    }
    stopLimit();
  }

  private async found(ask: (ids: readonly string[]) => Promise<Recorded>): Promise<Recorded> {
    const ids = this.receipts.wanted;
    let found = await ask(ids.slice(0, MAX_ACTIVITIES));
    for (let at = MAX_ACTIVITIES; at < ids.length; at += MAX_ACTIVITIES) {
      const more = await ask(ids.slice(at, at + MAX_ACTIVITIES));
      found = { ...more, ended: found.ended && more.ended, recorded: [...found.recorded, ...more.recorded] };
    }
    return found;
  }
}

export interface AnswerOptions {
  readonly turn: number;
  /** Default: `typed`. */
  readonly source?: 'typed' | 'speech';
  /**
   * Id of the message: 1 to 64 characters, unique in the session. With it an application that was closed before the
   * receipt came can ask the service whether the message was recorded. Default: an id that the client makes.
   */
  readonly id?: string;
}

/** One activity of the candidate, as on the REST path. */
export interface ActivityEvent {
  readonly clientEventId: string;
  readonly eventType: string;
  /** RFC 3339. */
  readonly occurredAt: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Bytes of a message besides its events. */
const SPARE_BYTES = 256;

/** @returns the events in messages that fit a frame each, or a sentence if an event is too large for one */
const piecesOf = (events: readonly ActivityEvent[]): readonly (readonly ActivityEvent[])[] | string => {
  const pieces: ActivityEvent[][] = [];
  let left = 0;
  for (const event of events) {
    const bytes = new TextEncoder().encode(JSON.stringify(event)).length + 1;
    if (bytes > MAX_FRAME_BYTES - SPARE_BYTES) return `${event.clientEventId} is too large for a frame.`;
    const last = pieces.at(-1);
    if (last !== undefined && last.length < MAX_ACTIVITIES && bytes <= left) {
      last.push(event);
      left -= bytes;
    } else {
      pieces.push([event]);
      left = MAX_FRAME_BYTES - SPARE_BYTES - bytes;
    }
  }
  return pieces;
};
