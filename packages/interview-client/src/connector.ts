import { READY_MS, ServiceConnection } from './connection.js';
import type { ClientState, EndedBy } from './handlers.js';
import type { AudioFrame } from './protocol/audio-frame.js';
import { CLOSE } from './protocol/codes.js';
import type { ClientMessageOf, ServerMessage } from './protocol/messages.js';
import type { Clock, SocketConstructor } from './runtime.js';

/** After a connection that was ready for this long, the next one is made at once. */
const STABLE_MS = 1_000;
/** After a connection that was ready for less, at most this many failures count for the pause before the next one. */
const MAX_AFTER_READY = 2;
/** How long the service may take to close the connection of a completed interview. */
const CLOSES_WITHIN_MS = 5_000;

interface ConnectorOptions {
  /** The address of the next connection; `null`: the session has ended. */
  readonly url: () => string | null | Promise<string | null>;
  readonly WebSocket: SocketConstructor;
  readonly clock: Clock;
  readonly random: () => number;
  readonly backOff: BackOff;
  /** Longest time without a connection, in milliseconds. Then the client ends. */
  readonly giveUpAfterMs: number;
  /** The first message of each connection. */
  readonly hello: () => ClientMessageOf<'client.ready'>;
}

/** What the connector calls, in the order in which it happens. After the state `ended` it calls nothing. */
export interface ConnectorEvents {
  message(message: ServerMessage): void;
  audio(frame: AudioFrame): void;
  state(state: ClientState): void;
}

/**
 * Keeps a connection to the service, with a new one after each loss, until the session or the client ends.
 * `InterviewClient` calls `start` once and first, and `end`; `MessageDispatcher` calls `renew` and `complete`.
 */
export class Connector {
  private connection: ServiceConnection | null = null;
  /** When the connection became ready, by the clock; `null`: it is not. */
  private readyAt: number | null = null;
  /** Failed tries in a row. The next pause grows with them. */
  private failures = 0;
  /** Counts the tries to connect: the outcome of an earlier try is dropped. */
  private attempts = 0;
  /** Why the last connection was lost. */
  private why = '';
  private completed = false;
  private ended = false;
  private cancelNextTry = (): void => undefined;
  private cancelDeadline = (): void => undefined;

  constructor(
    private readonly options: ConnectorOptions,
    private readonly events: ConnectorEvents,
  ) {}

  /** The connection, once `session.ready` has come. */
  get ready(): ServiceConnection | null {
    return this.readyAt === null ? null : this.connection;
  }

  /** Connects for the first time. Called once. */
  start(): void {
    this.events.state({ name: 'connecting' });
    this.startDeadline();
    void this.connect();
  }

  /** Leaves this connection and opens another at once. */
  renew(): void {
    this.connection?.close();
    this.lost(null, '');
  }

  /** The interview is over: the service closes, and no connection follows. */
  complete(): void {
    this.completed = true;
    this.cancelDeadline();
    this.cancelDeadline = this.options.clock.after(CLOSES_WITHIN_MS, () => this.endCompleted());
  }

  /** Ends the client for good. Further calls change nothing. */
  end(by: EndedBy, sentence: string): void {
    if (this.ended) return;
    this.ended = true;
    this.attempts += 1;
    this.cancelNextTry();
    this.cancelDeadline();
    this.connection?.close();
    this.connection = null;
    this.readyAt = null;
    this.events.state({ name: 'ended', by, sentence });
  }

  private endCompleted(): void {
    this.end('completed', 'The interview is over.');
  }

  /** Ends the client after `giveUpAfterMs`, unless a connection is ready before. */
  private startDeadline(): void {
    this.cancelDeadline();
    this.cancelDeadline = this.options.clock.after(this.options.giveUpAfterMs, () =>
      this.end(
        'unreachable',
        `No connection for ${Math.round(this.options.giveUpAfterMs / 1000)} s${this.why === '' ? '' : ` (${this.why})`}.`,
      ),
    );
  }

  private async connect(): Promise<void> {
    const attempt = (this.attempts += 1);
    let url: string | null;
    const stopLimit = this.options.clock.after(READY_MS, () => {
      if (attempt !== this.attempts) return;
      // An address that comes later is dropped.
      this.attempts += 1;
      this.lost(null, 'no address in time');
    });
    try {
      url = await this.options.url();
    } catch {
      // The error is not passed on: it can hold a token.
      if (attempt === this.attempts) this.lost(null, 'no address');
      return;
    } finally {
      stopLimit();
    }
    if (attempt !== this.attempts) return;
    if (url === null) {
      this.end('session_over', 'The session has ended.');
      return;
    }
    const { clock, hello, WebSocket } = this.options;
    try {
      this.connection = new ServiceConnection(new WebSocket(url), clock, hello, {
        message: (message) => this.receive(message),
        audio: (frame) => this.events.audio(frame),
        lost: (code, why) => this.lost(code, why),
      });
    } catch {
      this.end('refused', 'The address is not a valid WebSocket address.');
    }
  }

  private receive(message: ServerMessage): void {
    const opens = message.type === 'session.ready';
    if (opens) {
      this.readyAt = this.options.clock.now();
      this.cancelDeadline();
    }
    this.events.message(message);
    if (opens && this.ready !== null) this.events.state({ name: 'ready' });
  }

  /** Decides after a loss: end, or connect again after a pause. */
  private lost(code: number | null, why: string): void {
    const { clock, backOff, random } = this.options;
    const readyMs = this.readyAt === null ? null : clock.now() - this.readyAt;
    this.connection = null;
    this.readyAt = null;
    this.why = why === '' && code !== null ? `closed with ${code}` : why;
    if (this.ended) return;
    if (this.completed) {
      this.endCompleted();
      return;
    }
    const end = code === null ? null : endOf(code);
    if (end !== null) {
      this.end(end.by, end.sentence);
      return;
    }
    if (readyMs !== null) {
      this.startDeadline();
      this.events.state({ name: 'reconnecting' });
      this.failures = readyMs >= STABLE_MS ? 0 : Math.min(this.failures, MAX_AFTER_READY);
    }
    const pause = pauseBefore(backOff, this.failures, random());
    this.failures += 1;
    this.cancelNextTry();
    this.cancelNextTry = clock.after(pause, () => void this.connect());
  }
}

/** Why a closing code ends the client; `null`: it connects again. */
const endOf = (code: number): { readonly by: EndedBy; readonly sentence: string } | null => {
  switch (code) {
    case CLOSE.ended:
      return { by: 'session_over', sentence: 'The service has closed the interview.' };
    case CLOSE.sessionOver:
      return { by: 'session_over', sentence: 'The trial session has ended.' };
    case CLOSE.superseded:
      return { by: 'superseded', sentence: 'The interview continues on another connection.' };
    case CLOSE.badMessage:
    case CLOSE.tooBig:
      return { by: 'refused', sentence: 'The service could not read what this client sent.' };
    case CLOSE.tooMuchAudio:
    case CLOSE.tooManyMessages:
      return { by: 'refused', sentence: 'The service stopped this client: it sent more than the limit.' };
    case FORBIDDEN:
    case NOT_FOUND:
      return { by: 'refused', sentence: 'The service refuses this client.' };
    default:
      return null;
  }
};

/** Closing codes of a proxy in front of the service, made of HTTP's statuses. */
const FORBIDDEN = 4403;
const NOT_FOUND = 4404;

/**
 * Waits after failed tries in a row, in milliseconds. After the first failure the next try is made at once; each further
 * wait is twice the one before. A random half is added or taken.
 */
export interface BackOff {
  /** After the second failure. */
  readonly firstMs: number;
  /** The longest wait, before the half. */
  readonly mostMs: number;
}

/** The wait before the next try, in milliseconds. @param failures failed tries in a row @param random from 0 to 1 */
export const pauseBefore = ({ firstMs, mostMs }: BackOff, failures: number, random: number): number =>
  failures === 0 ? 0 : Math.min(mostMs, firstMs * 2 ** (failures - 1)) * (0.5 + random);
