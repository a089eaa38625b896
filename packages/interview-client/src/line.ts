import { type AudioFrame, parseAudioFrame, SPEAKER } from './protocol/audio-frame.js';
import type { ClientMessageOf, ServerMessage } from './protocol/messages.js';
import { parseServerMessage } from './protocol/parse.js';
import type { Clock, Data, Socket } from './runtime.js';

/** Opening, and then the answer to `client.ready`, may take so long each. */
const READY_MS = 15_000;
const QUIET_MS = 20_000;
const ANSWER_MS = 10_000;
/** More than this waits in the outbox rather than in the socket, whose queue nobody bounds. */
const CONGESTED_BYTES = 256 * 1024;
const GOING = 1000;
const PING = JSON.stringify({ type: 'ping' });

/** What a connection tells. After `lost` it says nothing more. */
export interface Listening {
  message(message: ServerMessage): void;
  audio(frame: AudioFrame): void;
  /** @param code the closing code, `null` where this side noticed first @param why in a few words, '' unknown */
  lost(code: number | null, why: string): void;
}

/** One connection: greets, looks whether the other side is still there, and is lost once. */
export class Line {
  private heardAt: number;
  private callOff: () => void;

  constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
    hello: () => ClientMessageOf<'client.ready'>,
    private readonly listening: Listening,
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
    // A browser's event says nothing; other runtimes name the failure, a refused upgrade's status for one.
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

  /** A frame that is encoded already. Nothing happens on a socket that is closing: it will be lost. */
  send(frame: Data): void {
    try {
      this.socket.send(frame);
    } catch {
      this.giveUp('the socket takes nothing');
    }
  }

  /** Ends it from this side; it says nothing more. */
  close(): void {
    this.leave();
    this.socket.close(GOING);
  }

  private heard(data: unknown): void {
    this.heardAt = this.clock.now();
    if (typeof data === 'string') {
      const parsed = parseServerMessage(data);
      // What a newer service says beyond this protocol is not meant for this client.
      if (parsed.kind === 'bad') return;
      if (parsed.message.type === 'session.ready') this.watch(QUIET_MS);
      this.listening.message(parsed.message);
    } else if (data instanceof ArrayBuffer) {
      const frame = parseAudioFrame(new Uint8Array(data), SPEAKER.interviewer);
      if (typeof frame !== 'string') this.listening.audio(frame);
    }
  }

  /** A socket does not notice that the other side is gone, so it is asked. */
  private watch(ms: number): void {
    this.callOff();
    this.callOff = this.clock.after(ms, () => {
      const quietMs = this.clock.now() - this.heardAt;
      if (quietMs < QUIET_MS) {
        this.watch(QUIET_MS - quietMs);
        return;
      }
      const askedAt = this.clock.now();
      this.callOff = this.clock.after(ANSWER_MS, () => {
        if (this.heardAt >= askedAt) this.watch(QUIET_MS);
        else this.giveUp('no sign of the service');
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
    // Not null: `ws` throws an error for which nobody listens, one of a connection that is called off included.
    this.socket.onerror = () => undefined;
  }
}
