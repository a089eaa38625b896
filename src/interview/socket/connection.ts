import { WebSocket } from 'ws';
import { type ServerMessage } from '../../../packages/interview-client/src/protocol/messages.js';
import {
  CLOSE,
  type CloseCode,
  type ErrorCode,
} from '../../../packages/interview-client/src/protocol/codes.js';
import type { Interviews, Line, Visitor } from '../session/port.js';
import { Backlog, Intake } from './flow.js';
import { Heartbeat, type Timings, TokenExpiry } from './timers.js';
import { Faults, type FrameRate, Inbound } from './inbound.js';

export interface ConnectionOptions {
  readonly interviews: Pick<Interviews, 'open'>;
  readonly timings: Timings;
  /** Counts the frames of all of the caller's connections. */
  readonly frames: FrameRate;
  /** A fault of ours, which has closed the connection. */
  readonly failed: (error: unknown) => void;
  /** Called once, last of all. */
  readonly closed: (code: number) => void;
}

/** Faults of frames for which the library closes by itself; no code: the connection broke. */
const FRAME_FAULTS: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: CLOSE.tooBig,
  WS_ERR_INVALID_UTF8: 1007,
  // A message in more pieces than anybody sends.
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 1008,
};
const PROTOCOL_FAULT = 1002;
const AUDIO = { binary: true } as const;

/** One client's socket, from the upgrade to its end. */
export class Connection implements Line {
  /** What we have closed with. */
  private code: number | null = null;
  private readonly inbound: Inbound;
  private readonly faults = new Faults();
  private readonly heartbeat: Heartbeat;
  private readonly backlog: Backlog;
  private readonly intake: Intake;
  private readonly expiry: TokenExpiry;
  private readonly unready: NodeJS.Timeout;
  private unclosed: NodeJS.Timeout | null = null;

  constructor(
    private readonly socket: WebSocket,
    visitor: Visitor,
    private readonly options: ConnectionOptions,
  ) {
    const { timings, interviews } = options;
    this.inbound = new Inbound(
      {
        begin: (ready) => {
          clearTimeout(this.unready);
          return interviews.open(visitor, ready, this);
        },
        send: (message) => this.send(message),
        report: (...problem) => this.report(...problem),
        end: (...reason) => this.end(...reason),
        fail: (error) => this.fail(error),
      },
      options.frames,
    );
    this.heartbeat = new Heartbeat(
      () => this.ping(),
      () => this.intake.isPaused,
      () => this.idle(`Nothing has come for ${timings.idleMs / 1000} s.`),
      timings,
    );
    this.intake = new Intake(timings.flowMs, {
      pause: () => socket.pause(),
      resume: (heldMs) => this.readOn(heldMs),
      say: (state) => this.send({ type: 'flow', state }),
    });
    this.backlog = new Backlog(() => socket.bufferedAmount, timings.stalledMs, {
      clogged: () => this.intake.clog(),
      eased: () => this.intake.unclog(),
      stuck: () => this.idle('What was sent has not been read.'),
    });
    const over = () => this.close(CLOSE.tokenExpired, { code: 'token_expired', sentence: EXPIRED });
    this.expiry = new TokenExpiry(
      visitor.caller.expiresAt,
      timings.farewellMs,
      () => this.goAway(timings.farewellMs),
      over,
    );
    this.unready = setTimeout(
      () => this.idle(`client.ready has not come within ${timings.readyMs / 1000} s.`),
      timings.readyMs,
    );
    this.listen();
  }

  send(message: ServerMessage): void {
    if (this.isOpen) this.write(JSON.stringify(message));
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
    if (code === 'bad_message' && this.faults.exceeded(performance.now()))
      this.end(CLOSE.badMessage, code, sentence, id);
    else this.send({ type: 'error', code, error: sentence, fatal: false, id });
  }

  close(code: CloseCode, error?: { readonly code: ErrorCode; readonly sentence: string }): void {
    this.end(code, error?.code ?? null, error?.sentence);
  }

  pause(): void {
    if (this.isOpen) this.intake.hold();
  }

  resume(): void {
    if (this.isOpen) this.intake.release();
  }

  /** The connection will not last longer than this. */
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
      // Of a client that is being sent away nothing counts any more.
      if (!this.isOpen) return;
      const now = performance.now();
      this.heartbeat.heard(now);
      if (!this.inbound.takes(now)) return;
      if (isBinary) this.inbound.audio(data as Buffer);
      else this.inbound.text(data as Buffer, now);
    });
    const control = (): void => {
      if (!this.isOpen) return;
      const now = performance.now();
      this.heartbeat.heard(now);
      this.inbound.takes(now);
    };
    this.socket.on('pong', control);
    this.socket.on('ping', control);
    this.socket.on('error', (error: Error & { readonly code?: string }) => {
      if (error.code?.startsWith('WS_ERR_') === true) this.leave(FRAME_FAULTS[error.code] ?? PROTOCOL_FAULT);
    });
    this.socket.on('close', (code) => this.gone(this.code ?? code));
  }

  private fail(error: unknown): void {
    this.options.failed(error);
    this.end(CLOSE.fault, 'internal', 'Something went wrong here. Connect again to go on.');
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
   * From here on nothing is sent or handed on; what is left is the closing handshake, which takes reading. Of who sends
   * without end nothing is read any more: it hears the code, and the connection is cut off a moment later.
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
    this.inbound.closed(code);
    this.options.closed(code);
    // The framework keeps the last socket until another one comes: nothing of the interview is to hang on it.
    this.socket.removeAllListeners().on('error', ignore);
  }

  private stop(): void {
    clearTimeout(this.unready);
    this.heartbeat.stop();
    this.intake.stop();
    this.expiry.stop();
    this.backlog.stop();
  }

  private write(text: string): void {
    this.socket.send(text);
    this.backlog.grew(Buffer.byteLength(text));
  }

  private ping(): void {
    if (this.isOpen) this.socket.ping();
  }

  private readOn(heldMs: number): void {
    const now = performance.now();
    this.heartbeat.heard(now);
    this.inbound.heldBack(heldMs);
    this.socket.resume();
  }
}

const ignore = (): void => undefined;

const EXPIRED = 'The ID token has expired. Connect again with a new one.';
