import { type AudioFrame, parseAudioFrame, SPEAKER } from './protocol/audio-frame.js';
import type { ClientMessageOf, ServerMessage } from './protocol/messages.js';
import { parseServerMessage } from './protocol/parse.js';
import type { Clock, Data, Socket } from './runtime.js';

/** Time limit for the address of a connection, for its opening, and for the answer to `client.ready`, each. */
export const READY_MS = 15_000;
/** After this time without a message the client sends a ping. */
const QUIET_MS = 20_000;
/** How long the client waits for any message after a ping. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Above this, frames wait in the send queue: the socket's own queue has no bound. */
const CONGESTED_BYTES = 256 * 1024;
/** The closing code by which the client leaves: a normal end. */
const LEAVE_CODE = 1000;
const PING = JSON.stringify({ type: 'ping' });

/** What a connection calls. `lost` is the last call. */
interface ConnectionEvents {
  message(message: ServerMessage): void;
  audio(frame: AudioFrame): void;
  /**
   * The connection has ended, other than by `close`.
   * @param code the closing code; `null`: this side has closed it, after a timeout or a failure
   * @param why in a few words; '': unknown
   */
  lost(code: number | null, why: string): void;
}

/**
 * One connection to the service. It sends `client.ready` as soon as it is open, closes if `session.ready` does not follow
 * in time, and sends a ping after silence.
 */
export class ServiceConnection {
  /** When the last message came, by `clock`. */
  private receivedAt: number;
  /** Cancels the one timer of the connection. */
  private cancelTimer: () => void;

  constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
    hello: () => ClientMessageOf<'client.ready'>,
    private readonly events: ConnectionEvents,
  ) {
    let failure = '';
    this.receivedAt = clock.now();
    this.cancelTimer = clock.after(READY_MS, () => this.fail('no connection in time'));
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.cancelTimer();
      this.cancelTimer = clock.after(READY_MS, () => this.fail('no answer to client.ready'));
      this.send(JSON.stringify(hello()));
    };
    socket.onmessage = ({ data }) => this.receive(data);
    // A browser's event has no message; that of other runtimes has the reason, such as a refused upgrade's status.
    socket.onerror = (event) => {
      failure = 'message' in event && typeof event.message === 'string' ? event.message : '';
    };
    socket.onclose = ({ code }) => {
      this.leave();
      events.lost(code, failure);
    };
  }

  /** Whether the socket's own queue is full: further frames have to wait. */
  get congested(): boolean {
    return this.socket.bufferedAmount > CONGESTED_BYTES;
  }

  /** Sends an encoded frame. A socket that is closing ignores it: the connection will be lost. */
  send(frame: Data): void {
    try {
      this.socket.send(frame);
    } catch {
      this.fail('the socket accepts no frame');
    }
  }

  /** Closes from this side, without `lost`. */
  close(): void {
    this.leave();
    this.socket.close(LEAVE_CODE);
  }

  private receive(data: unknown): void {
    this.receivedAt = this.clock.now();
    if (typeof data === 'string') {
      const parsed = parseServerMessage(data);
      // A newer service can send messages beyond this protocol.
      if (parsed.kind === 'bad') return;
      if (parsed.message.type === 'session.ready') this.watch(QUIET_MS);
      this.events.message(parsed.message);
    } else if (data instanceof ArrayBuffer) {
      const frame = parseAudioFrame(new Uint8Array(data), SPEAKER.interviewer);
      if (typeof frame !== 'string') this.events.audio(frame);
    }
  }

  /** Sends a ping after silence, since a socket does not detect that the other side is unreachable. */
  private watch(ms: number): void {
    this.cancelTimer();
    this.cancelTimer = this.clock.after(ms, () => {
      const quietMs = this.clock.now() - this.receivedAt;
      if (quietMs < QUIET_MS) {
        this.watch(QUIET_MS - quietMs);
        return;
      }
      const askedAt = this.clock.now();
      this.cancelTimer = this.clock.after(ANSWER_TIMEOUT_MS, () => {
        if (this.receivedAt >= askedAt) this.watch(QUIET_MS);
        else this.fail('the service is silent');
      });
      this.send(PING);
    });
  }

  /** Closes the connection, and reports it as lost. */
  private fail(why: string): void {
    this.close();
    this.events.lost(null, why);
  }

  /** Takes no more events of the socket, and stops the timer. */
  private leave(): void {
    this.cancelTimer();
    this.socket.onopen = null;
    this.socket.onmessage = null;
    this.socket.onclose = null;
    // Not null: `ws` throws an error that has no listener, also after the connection was closed here.
    this.socket.onerror = () => undefined;
  }
}
