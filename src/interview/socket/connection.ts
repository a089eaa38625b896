import { WebSocket } from 'ws';
import { parseAudioFrame, SPEAKER } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import {
  CLOSE,
  type CloseCode,
  type ErrorCode,
} from '../../../packages/interview-client/src/protocol/codes.js';
import type {
  ClientMessage,
  ServerMessage,
} from '../../../packages/interview-client/src/protocol/messages.js';
import { parseClientMessage } from '../../../packages/interview-client/src/protocol/parse.js';
import type { Waiting } from '../../http/sending.js';
import type { ConnectionHandler, Interviews, ClientChannel, AdmittedCaller } from '../session/port.js';
import { Backlog, ReadPauses } from './flow.js';
import {
  ALL_FRAMES,
  BadMessageLimit,
  type FrameLimit,
  FrameRate,
  Heartbeat,
  TEXT_FRAMES,
  type Timings,
} from './limits.js';

export interface ConnectionOptions {
  readonly interviews: Pick<Interviews, 'open'>;
  readonly timings: Timings;
  /** Counts the frames of all of the caller's connections. */
  readonly frames: FrameRate;
  /** Counts the bytes that the client has not read. */
  readonly waiting: Waiting;
  /** Called with an internal fault, which closes the connection. */
  readonly failed: (error: unknown) => void;
  /** The last call, made once. */
  readonly closed: (code: number) => void;
}

/** Closing codes for the library's errors about faulty frames. Any other `WS_ERR_` is `PROTOCOL_FAULT`. */
const FRAME_FAULTS: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: CLOSE.tooBig,
  WS_ERR_INVALID_UTF8: 1007,
  // A message in too many fragments.
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 1008,
};
const PROTOCOL_FAULT = 1002;
const AUDIO = { binary: true } as const;

/**
 * One client's socket, from the accepted upgrade to its end: checks frames and passes them to the conversation in
 * order. The conversation begins with `client.ready`, and its last call is `closed`. The socket is closed, with
 * different codes, if a time limit passes, if too many frames come, or if the client leaves too much unread.
 */
export class Connection implements ClientChannel {
  /** The closing code; `null`: the socket is open. */
  private code: number | null = null;
  /** `null` until `client.ready`. */
  private conversation: ConnectionHandler | null = null;
  private readonly texts = new FrameRate(TEXT_FRAMES);
  private readonly badMessages = new BadMessageLimit();
  private readonly heartbeat: Heartbeat;
  private readonly backlog: Backlog;
  private readonly readPauses: ReadPauses;
  private expiry: NodeJS.Timeout;
  private readonly unready: NodeJS.Timeout;
  private unclosed: NodeJS.Timeout | null = null;

  constructor(
    private readonly socket: WebSocket,
    private readonly admitted: AdmittedCaller,
    private readonly options: ConnectionOptions,
  ) {
    const { timings } = options;
    this.heartbeat = new Heartbeat(
      () => {
        if (this.isOpen) socket.ping();
      },
      () => this.readPauses.isPaused,
      () => this.idle(`Nothing has come for ${timings.idleMs / 1000} s.`),
      timings,
    );
    this.readPauses = new ReadPauses(timings.flowMs, {
      pause: () => socket.pause(),
      resume: (heldMs) => this.resumeReading(heldMs),
      notify: (state) => this.send({ type: 'flow', state }),
    });
    this.backlog = new Backlog(
      () => socket.bufferedAmount,
      timings.stalledMs,
      {
        clogged: (isClogged) => this.readPauses.clog(isClogged),
        stuck: () => this.idle('What was sent has not been read.'),
      },
      options.waiting,
    );
    const expiresInMs = Math.max(0, admitted.caller.expiresAt - Date.now());
    this.expiry = setTimeout(() => this.tokenExpired(), Math.min(expiresInMs, MAX_TIMER_MS));
    this.unready = setTimeout(
      () => this.idle(`client.ready has not come within ${timings.readyMs / 1000} s.`),
      timings.readyMs,
    );
    this.listen();
  }

  send(message: ServerMessage): void {
    if (!this.isOpen) return;
    const text = JSON.stringify(message);
    this.socket.send(text);
    this.backlog.grew(Buffer.byteLength(text));
  }

  sendAudio(frame: Uint8Array): void {
    if (!this.isOpen) return;
    this.socket.send(frame, AUDIO);
    this.backlog.grew(frame.byteLength);
  }

  ready(): Promise<void> {
    return this.backlog.ready();
  }

  report(code: ErrorCode, sentence: string, id?: string): void {
    if (code === 'bad_message' && this.badMessages.exceeded(performance.now()))
      this.end(CLOSE.badMessage, code, sentence, id);
    else this.send({ type: 'error', code, error: sentence, fatal: false, id });
  }

  close(code: CloseCode, error?: { readonly code: ErrorCode; readonly sentence: string }): void {
    this.end(code, error?.code ?? null, error?.sentence);
  }

  pause(): () => void {
    if (!this.isOpen) return () => undefined;
    const release = this.readPauses.pause();
    return () => {
      if (this.isOpen) release();
    };
  }

  /** Notifies the client that the connection will be closed within this time. */
  goAway(deadlineMs: number): void {
    this.send({ type: 'go_away', deadlineMs });
  }

  /** Ends it without a closing handshake. */
  terminate(): void {
    this.socket.terminate();
  }

  private get isOpen(): boolean {
    return this.code === null && this.socket.readyState === WebSocket.OPEN;
  }

  private listen(): void {
    this.socket.on('message', (data, isBinary) => {
      const now = performance.now();
      if (!this.takes(now)) return;
      if (isBinary) this.audio(data as Buffer, now);
      else this.text(data as Buffer, now);
    });
    const control = (): void => void this.takes(performance.now());
    this.socket.on('pong', control);
    this.socket.on('ping', control);
    this.socket.on('error', (error: Error & { readonly code?: string }) => {
      if (error.code?.startsWith('WS_ERR_') === true) this.leave(FRAME_FAULTS[error.code] ?? PROTOCOL_FAULT);
    });
    this.socket.on('close', (code) => this.gone(this.code ?? code));
  }

  /** Counts a frame of any kind. @returns whether to handle it: not if it is too many, or after we have closed */
  private takes(now: number): boolean {
    if (!this.isOpen) return false;
    this.heartbeat.received(now);
    if (!this.options.frames.exceeded(now)) return true;
    this.tooMany(ALL_FRAMES, 'frames');
    return false;
  }

  private audio(bytes: Buffer, now: number): void {
    const { conversation } = this;
    if (!conversation) {
      this.notReady(null);
      return;
    }
    const frame = parseAudioFrame(bytes, SPEAKER.candidate);
    if (typeof frame === 'string') {
      this.report('bad_message', frame);
      return;
    }
    try {
      conversation.audio(frame, now);
    } catch (error) {
      this.fail(error);
    }
  }

  private text(bytes: Buffer, now: number): void {
    if (this.texts.exceeded(now)) {
      this.tooMany(TEXT_FRAMES, 'text frames');
      return;
    }
    const parsed = parseClientMessage(bytes.toString());
    if (parsed.kind === 'message') this.guarded(() => this.message(parsed.message, now));
    else if (this.conversation) this.report('bad_message', parsed.problem, parsed.id ?? undefined);
    else this.notReady(parsed.id, parsed.problem);
  }

  private message(message: ClientMessage, now: number): void {
    const { conversation } = this;
    if (message.type === 'client.ready') {
      if (conversation) this.report('bad_message', 'client.ready is sent once on a connection.');
      else {
        clearTimeout(this.unready);
        this.conversation = this.options.interviews.open(this.admitted, message, this);
      }
    } else if (!conversation) this.notReady(('id' in message ? message.id : null) ?? null);
    else if (message.type === 'ping') this.send({ type: 'pong' });
    else conversation.message(message, now);
  }

  private tooMany({ max, inMs }: FrameLimit, what: string): void {
    const sentence = `At most ${max} ${what} in ${inMs / 1_000} s.`;
    this.end(CLOSE.tooManyMessages, 'too_many_messages', sentence);
  }

  private notReady(id: string | null, problem = 'The first message must be client.ready.'): void {
    this.end(CLOSE.badMessage, 'bad_message', problem, id ?? undefined);
  }

  private guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.options.failed(error);
    this.end(CLOSE.fault, 'internal', 'Something went wrong here. Connect again to go on.');
  }

  /** Gives the client `farewellMs` to connect with a new token, then closes. */
  private tokenExpired(): void {
    const { farewellMs } = this.options.timings;
    const over = (): void => this.close(CLOSE.tokenExpired, { code: 'token_expired', sentence: EXPIRED });
    this.expiry = setTimeout(over, farewellMs);
    this.goAway(farewellMs);
  }

  private idle(sentence: string): void {
    this.end(CLOSE.idle, 'idle', sentence);
  }

  private end(code: number, fault: ErrorCode | null, sentence = '', id?: string): void {
    if (!this.isOpen) return;
    if (fault !== null)
      this.socket.send(JSON.stringify({ type: 'error', code: fault, error: sentence, fatal: true, id }));
    this.leave(code);
    this.socket.close(code);
  }

  /**
   * From now on nothing is sent or passed to the conversation. Reading continues for the closing handshake, except if
   * the client sends too many frames: it gets the code, and its connection is cut after `closeMs`.
   */
  private leave(code: number): void {
    this.code ??= code;
    this.stop();
    if (code === CLOSE.tooManyMessages) this.socket.pause();
    else this.socket.resume();
    this.unclosed ??= setTimeout(() => this.socket.terminate(), this.options.timings.closeMs);
  }

  private gone(code: number): void {
    this.code ??= code;
    this.stop();
    if (this.unclosed) clearTimeout(this.unclosed);
    this.guarded(() => this.conversation?.closed(code));
    this.options.closed(code);
    // Nest holds the last socket until the next one comes: its listeners must not hold the interview in memory.
    this.socket.removeAllListeners().on('error', ignore);
  }

  private stop(): void {
    clearTimeout(this.unready);
    this.heartbeat.stop();
    this.readPauses.stop();
    clearTimeout(this.expiry);
    this.backlog.stop();
  }

  private resumeReading(heldMs: number): void {
    const now = performance.now();
    this.heartbeat.received(now);
    this.texts.allowAfterPause(heldMs);
    this.options.frames.allowAfterPause(heldMs);
    this.socket.resume();
  }
}

/** Longest time of Node's timers, 25 days: for a longer one they fire at once. No interview lasts that long. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const ignore = (): void => undefined;

const EXPIRED = 'The ID token has expired. Connect again with a new one.';
