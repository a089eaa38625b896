import type { ClientState, EndedBy } from './handlers.js';
import { type AudioFrame, parseAudioFrame, SPEAKER } from './protocol/audio-frame.js';
import { CLOSE } from './protocol/codes.js';
import type { ClientMessageOf, ServerMessage } from './protocol/messages.js';
import { parseServerMessage } from './protocol/parse.js';
import type { Clock, Data, Socket, SocketConstructor } from './runtime.js';

/** A connection that lasted this long is followed by the next one at once. */
const STABLE_MS = 1_000;
/** Counted failures, at most, after connections that opened and broke at once. */
const MAX_AFTER_READY = 2;
const CLOSES_WITHIN_MS = 5_000;

/** How connections are made. */
interface ConnectorOptions {
  /** `null`: the session has ended. */
  readonly url: () => string | null | Promise<string | null>;
  readonly WebSocket: SocketConstructor;
  readonly clock: Clock;
  readonly random: () => number;
  readonly backOff: BackOff;
  readonly giveUpAfterMs: number;
  readonly hello: () => ClientMessageOf<'client.ready'>;
}

/** What the connector calls, in the order in which it happens. */
export interface ConnectorEvents {
  message(message: ServerMessage): void;
  audio(frame: AudioFrame): void;
  state(state: ClientState): void;
}

/** Keeps a connection open, with a new one after each loss, until there is a reason to end. */
export class Connector {
  private connection: ServiceConnection | null = null;
  private readyAt: number | null = null;
  private failures = 0;
  private attempts = 0;
  private why = '';
  private completed = false;
  private ended = false;
  private stopWaiting = (): void => undefined;
  private stopGivingUp = (): void => undefined;

  constructor(
    private readonly how: ConnectorOptions,
    private readonly connected: ConnectorEvents,
  ) {}

  /** The connection, once `session.ready` has come. */
  get ready(): ServiceConnection | null {
    return this.readyAt === null ? null : this.connection;
  }

  /** Connects for the first time. Called once. */
  start(): void {
    this.connected.state({ name: 'connecting' });
    this.away();
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
    this.stopGivingUp();
    this.stopGivingUp = this.how.clock.after(CLOSES_WITHIN_MS, () => this.over());
  }

  /** Ends the client for good. Further calls change nothing. */
  end(by: EndedBy, sentence: string): void {
    if (this.ended) return;
    this.ended = true;
    this.attempts += 1;
    this.stopWaiting();
    this.stopGivingUp();
    this.connection?.close();
    this.connection = null;
    this.readyAt = null;
    this.connected.state({ name: 'ended', by, sentence });
  }

  private over(): void {
    this.end('completed', 'The interview is over.');
  }

  /** Without a connection for `giveUpAfterMs` the client ends. */
  private away(): void {
    this.stopGivingUp();
    this.stopGivingUp = this.how.clock.after(this.how.giveUpAfterMs, () =>
      this.end(
        'unreachable',
        `No connection for ${Math.round(this.how.giveUpAfterMs / 1000)} s${this.why === '' ? '' : ` (${this.why})`}.`,
      ),
    );
  }

  private async connect(): Promise<void> {
    const attempt = (this.attempts += 1);
    let url: string | null;
    const stopLimit = this.how.clock.after(READY_MS, () => {
      if (attempt !== this.attempts) return;
      // What comes of it later belongs to no attempt.
      this.attempts += 1;
      this.lost(null, 'no address in time');
    });
    try {
      url = await this.how.url();
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
    const { clock, hello, WebSocket } = this.how;
    try {
      this.connection = new ServiceConnection(new WebSocket(url), clock, hello, {
        message: (message) => this.heard(message),
        audio: (frame) => this.connected.audio(frame),
        lost: (code, why) => this.lost(code, why),
      });
    } catch {
      this.end('refused', 'The address is not a valid WebSocket address.');
    }
  }

  /** Handles a message of the connection. */
  private heard(message: ServerMessage): void {
    const opens = message.type === 'session.ready';
    if (opens) {
      this.readyAt = this.how.clock.now();
      this.stopGivingUp();
    }
    this.connected.message(message);
    if (opens && this.ready !== null) this.connected.state({ name: 'ready' });
  }

  /** Decides after a loss: end, or connect again after a pause. */
  private lost(code: number | null, why: string): void {
    const { clock, backOff, random } = this.how;
    const held = this.readyAt === null ? null : clock.now() - this.readyAt;
    this.connection = null;
    this.readyAt = null;
    this.why = why === '' && code !== null ? `closed with ${code}` : why;
    if (this.ended) return;
    if (this.completed) {
      this.over();
      return;
    }
    const end = code === null ? null : endOf(code);
    if (end !== null) {
      this.end(end.by, end.sentence);
      return;
    }
    if (held !== null) {
      this.away();
      this.connected.state({ name: 'reconnecting' });
      this.failures = held >= STABLE_MS ? 0 : Math.min(this.failures, MAX_AFTER_READY);
    }
    if (code === CLOSE.tooManyMessages || code === CLOSE.tooMuchAudio)
      this.failures = Math.max(this.failures, 2);
    const pause = pauseBefore(backOff, this.failures, random());
    this.failures += 1;
    this.stopWaiting();
    this.stopWaiting = clock.after(pause, () => void this.connect());
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

/** Like HTTP's statuses, from a proxy in front of the service. */
const FORBIDDEN = 4403;
const NOT_FOUND = 4404;

/** Waits between tries to connect; each is twice the one before. */
export interface BackOff {
  /** Before the second try, in milliseconds, give or take a half; the first is made at once. */
  readonly firstMs: number;
  readonly mostMs: number;
}

/** @param failures failed tries in a row @param random from 0 to 1 */
export const pauseBefore = ({ firstMs, mostMs }: BackOff, failures: number, random: number): number =>
  failures === 0 ? 0 : Math.min(mostMs, firstMs * 2 ** (failures - 1)) * (0.5 + random);

/** Time limit each for the address, for the opening, and for the answer to `client.ready`. */
const READY_MS = 15_000;
/** After this time without a message the service is asked for an answer. */
const QUIET_MS = 20_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** Above this, frames wait in the send queue: the socket's own queue has no bound. */
const CONGESTED_BYTES = 256 * 1024;
/** The code of a connection that the client closes. */
const GOING = 1000;
const PING = JSON.stringify({ type: 'ping' });

/** Events of a connection; `lost` is the last. */
interface ConnectionEvents {
  message(message: ServerMessage): void;
  audio(frame: AudioFrame): void;
  /** @param code the closing code; `null`: this side noticed first @param why in a few words; '': unknown */
  lost(code: number | null, why: string): void;
}

/** One connection: sends `client.ready`, detects a silent service, and is lost once. */
export class ServiceConnection {
  private heardAt: number;
  private callOff: () => void;

  constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
    hello: () => ClientMessageOf<'client.ready'>,
    private readonly listening: ConnectionEvents,
  ) {
    let failure = '';
    this.heardAt = clock.now();
    this.callOff = clock.after(READY_MS, () => this.giveUp('no connection in time'));
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.callOff();
      this.callOff = clock.after(READY_MS, () => this.giveUp('no answer to client.ready'));
      this.send(JSON.stringify(hello()));
    };
    socket.onmessage = ({ data }) => this.heard(data);
    // A browser's event has no message; other runtimes name the failure, such as a refused upgrade's status.
    socket.onerror = (event) => {
      failure = 'message' in event && typeof event.message === 'string' ? event.message : '';
    };
    socket.onclose = ({ code }) => {
      this.leave();
      listening.lost(code, failure);
    };
  }

  get congested(): boolean {
    return this.socket.bufferedAmount > CONGESTED_BYTES;
  }

  /** Sends an encoded frame. A socket that is closing ignores it: the connection will be lost. */
  send(frame: Data): void {
    try {
      this.socket.send(frame);
    } catch {
      this.giveUp('the socket accepts no frame');
    }
  }

  /** Closes from this side, without `lost`. */
  close(): void {
    this.leave();
    this.socket.close(GOING);
  }

  private heard(data: unknown): void {
    this.heardAt = this.clock.now();
    if (typeof data === 'string') {
      const parsed = parseServerMessage(data);
      // A newer service can send messages beyond this protocol.
      if (parsed.kind === 'bad') return;
      if (parsed.message.type === 'session.ready') this.watch(QUIET_MS);
      this.listening.message(parsed.message);
    } else if (data instanceof ArrayBuffer) {
      const frame = parseAudioFrame(new Uint8Array(data), SPEAKER.interviewer);
      if (typeof frame !== 'string') this.listening.audio(frame);
    }
  }

  /** Pings after silence: a socket does not notice that the other side is gone. */
  private watch(ms: number): void {
    this.callOff();
    this.callOff = this.clock.after(ms, () => {
      const quietMs = this.clock.now() - this.heardAt;
      if (quietMs < QUIET_MS) {
        this.watch(QUIET_MS - quietMs);
        return;
      }
      const askedAt = this.clock.now();
      this.callOff = this.clock.after(ANSWER_TIMEOUT_MS, () => {
        if (this.heardAt >= askedAt) this.watch(QUIET_MS);
        else this.giveUp('the service is silent');
      });
      this.send(PING);
    });
  }

  private giveUp(why: string): void {
    this.close();
    this.listening.lost(null, why);
  }

  private leave(): void {
    this.callOff();
    this.socket.onopen = null;
    this.socket.onmessage = null;
    this.socket.onclose = null;
    // Not null: `ws` throws an error without a listener, also after the connection is given up.
    this.socket.onerror = () => undefined;
  }
}
