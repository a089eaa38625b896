import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** The part of a server's message that benchmarks read. */
export interface Incoming {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Waiting {
  readonly wanted: (message: Incoming) => boolean;
  readonly resolve: (message: Incoming) => void;
  readonly reject: (error: Error) => void;
}

/** Bytes that may wait in this process until the server takes them. */
const MAX_BUFFERED = 64 * 1024;

/** A bare `ws` client: what is compared differs in the server alone. */
export class Client {
  private waiting: Waiting[] = [];
  private failure: Error | null = null;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) this.take(JSON.parse(data.toString('utf8')) as Incoming);
    });
    socket.on('error', (error) => this.fail(error));
    socket.on('close', (code) => this.fail(new Error(`The server closed with ${code}.`)));
  }

  /** @param url `http://…` */
  static open(url: string): Promise<Client> {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { perMessageDeflate: false });
    const client = new Client(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(client)).once('error', reject);
    });
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Sends a frame as soon as those before it are taken. */
  async sendFrame(frame: Uint8Array): Promise<void> {
    while (this.socket.bufferedAmount > MAX_BUFFERED && !this.failure) await turnOfLoop();
    this.socket.send(frame);
  }

  /** The next message that is wanted. An `error` of the server's, or the end of the connection, is a failure. */
  next(wanted: (message: Incoming) => boolean): Promise<Incoming> {
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiting.push({ wanted, resolve, reject }));
  }

  /** Reads nothing more. */
  stall(): void {
    this.socket.pause();
  }

  close(): void {
    this.socket.terminate();
  }

  private take(message: Incoming): void {
    if (message.type === 'error') {
      this.fail(new Error(`The server refuses: ${JSON.stringify(message)}`));
      return;
    }
    const left: Waiting[] = [];
    for (const waiting of this.waiting)
      if (waiting.wanted(message)) waiting.resolve(message);
      else left.push(waiting);
    this.waiting = left;
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(this.failure);
  }
}
