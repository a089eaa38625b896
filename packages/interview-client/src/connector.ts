import type { AudioFrame } from './protocol/audio-frame.js';
import type { ClientMessageOf, ServerMessage } from './protocol/messages.js';
import { CLOSE } from './protocol/codes.js';
import type { Clock, SocketConstructor } from './runtime.js';
import { Line } from './line.js';
import type { ClientState, EndedBy } from './handlers.js';

/** A connection that has held so long is a success: the next one is tried at once. */
const STABLE_MS = 1_000;
/** Where connections come about and break at once, longer pauses would only lengthen the interview. */
const MOST_AFTER_READY = 2;
const CLOSES_WITHIN_MS = 5_000;

export interface Connecting {
  /** `null`: there is nothing to connect to any more. */
  readonly url: () => string | null | Promise<string | null>;
  readonly WebSocket: SocketConstructor;
  readonly clock: Clock;
  readonly random: () => number;
  readonly backOff: BackOff;
  readonly giveUpAfterMs: number;
  readonly hello: () => ClientMessageOf<'client.ready'>;
}

export interface Connected {
  message(message: ServerMessage): void;
  audio(frame: AudioFrame): void;
  state(state: ClientState): void;
}

/** Keeps one connection open, one after the other, until there is a reason to end. */
export class Connector {
  private line: Line | null = null;
  private readyAt: number | null = null;
  private failures = 0;
  private attempts = 0;
  private why = '';
  private completed = false;
  private ended = false;
  private stopWaiting = (): void => undefined;
  private stopGivingUp = (): void => undefined;

  constructor(
    private readonly how: Connecting,
    private readonly connected: Connected,
  ) {}

  /** The connection that has been answered by `session.ready`. */
  get ready(): Line | null {
    return this.readyAt === null ? null : this.line;
  }

  start(): void {
    this.connected.state({ name: 'connecting' });
    this.away();
    void this.connect();
  }

  /** Leaves this connection for another, which is asked for at once. */
  renew(): void {
    this.line?.close();
    this.lost(null, '');
  }

  /** The interview is over: the service closes, and no further connection is sought. */
  complete(): void {
    this.completed = true;
    this.stopGivingUp();
    this.stopGivingUp = this.how.clock.after(CLOSES_WITHIN_MS, () => this.over());
  }

  end(by: EndedBy, sentence: string): void {
    if (this.ended) return;
    this.ended = true;
    this.attempts += 1;
    this.stopWaiting();
    this.stopGivingUp();
    this.line?.close();
    this.line = null;
    this.readyAt = null;
    this.connected.state({ name: 'ended', by, sentence });
  }

  private over(): void {
    this.end('completed', 'The interview is over.');
  }

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
    try {
      url = await this.how.url();
    } catch {
      // What it says may hold a token.
      if (attempt === this.attempts) this.lost(null, 'no address');
      return;
    }
    if (attempt !== this.attempts) return;
    if (url === null) {
      this.end('session_over', 'The session has ended.');
      return;
    }
    const { clock, hello, WebSocket } = this.how;
    try {
      this.line = new Line(new WebSocket(url), clock, hello, {
        message: (message) => this.heard(message),
        audio: (frame) => this.connected.audio(frame),
        lost: (code, why) => this.lost(code, why),
      });
    } catch {
      this.end('refused', 'The address is none that a WebSocket can have.');
    }
  }

  private heard(message: ServerMessage): void {
    const opens = message.type === 'session.ready';
    if (opens) {
      this.readyAt = this.how.clock.now();
      this.stopGivingUp();
    }
    this.connected.message(message);
    if (opens && this.ready !== null) this.connected.state({ name: 'ready' });
  }

  private lost(code: number | null, why: string): void {
    const { clock, backOff, random } = this.how;
    const held = this.readyAt === null ? null : clock.now() - this.readyAt;
    this.line = null;
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
    }
    if (held !== null) this.failures = held >= STABLE_MS ? 0 : Math.min(this.failures, MOST_AFTER_READY);
    if (code === CLOSE.tooManyMessages || code === CLOSE.tooMuchAudio)
      this.failures = Math.max(this.failures, 2);
    const pause = pauseBefore(backOff, this.failures, random());
    this.failures += 1;
    this.stopWaiting();
    this.stopWaiting = clock.after(pause, () => void this.connect());
  }
}

/** What a closing code asks of a client: nothing more, or another connection. */
export const endOf = (code: number): { readonly by: EndedBy; readonly sentence: string } | null => {
  switch (code) {
    case CLOSE.ended:
      return { by: 'session_over', sentence: 'The service has closed the interview.' };
    case CLOSE.sessionOver:
      return { by: 'session_over', sentence: 'The trial session has ended.' };
    case CLOSE.superseded:
      return { by: 'superseded', sentence: 'The interview goes on on another connection.' };
    case CLOSE.badMessage:
    case CLOSE.tooBig:
      return { by: 'refused', sentence: 'The service could not read what this client sent.' };
    case CLOSE.tooMuchAudio:
    case CLOSE.tooManyMessages:
      return { by: 'refused', sentence: 'The service stopped this client, which sent more than it may.' };
    case FORBIDDEN:
    case NOT_FOUND:
      return { by: 'refused', sentence: 'The service refuses this client.' };
    default:
      return null;
  }
};

/** As HTTP's statuses, from whatever stands before the service. */
const FORBIDDEN = 4403;
const NOT_FOUND = 4404;

export interface BackOff {
  /** Before the second try, in milliseconds, give or take a half; the first is made at once. */
  readonly firstMs: number;
  readonly mostMs: number;
}

/** @param failures tries in a row that came to nothing @param random from 0 to 1 */
export const pauseBefore = ({ firstMs, mostMs }: BackOff, failures: number, random: number): number =>
  failures === 0 ? 0 : Math.min(mostMs, firstMs * 2 ** (failures - 1)) * (0.5 + random);
