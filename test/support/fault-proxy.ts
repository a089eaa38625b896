import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { DirectionFaults, OneWayPipe } from './fault-proxy-pipe.js';
import { freePort } from './free-port.js';

/** `up`: from the client to the server. `down`: from the server to the client. */
type Direction = 'up' | 'down' | 'both';

interface Slowness {
  /** Limit of each connection in each chosen direction. */
  readonly bytesPerSecond?: number;
  /** Delay of every byte in each chosen direction. */
  readonly latencyMs?: number;
  readonly direction?: Direction;
}

interface ResetPoint {
  /** By default `up`. */
  readonly direction?: 'up' | 'down';
  /** Counting begins at the first bytes for which this is true; by default at the next bytes. */
  readonly when?: (bytes: Buffer) => boolean;
}

/** Resets at once. By default Node sends an orderly end first, and the other side might see only that. */
const reset = (socket: Socket): void => {
  socket.destroySoon = () => socket.destroy();
  socket.resetAndDestroy();
};

/**
 * A TCP proxy on 127.0.0.1 with faults of a network, which a test sets and heals during use. `stall`, `slow` and `refuse`
 * stay until `heal`, for open and for new connections. `reset` and `end` act once, on the open connections.
 */
export class FaultProxy {
  readonly #up = new DirectionFaults();
  readonly #down = new DirectionFaults();
  readonly #links = new Set<() => void>();
  readonly #ends = new Set<() => void>();
  #server: Server | null = null;
  #port = 0;
  #opened = 0;

  private constructor(private readonly target: number) {}

  /** Opens a proxy. Close it. @param target the server's port on 127.0.0.1; the server may start later */
  static async open(target: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.#port = await freePort();
    await proxy.#listen();
    return proxy;
  }

  /** The port to which clients connect instead of the server's. It never changes. */
  get port(): number {
    return this.#port;
  }

  /** How many connections are open now. */
  get connections(): number {
    return this.#links.size;
  }

  /** How many connections were ever opened. */
  get opened(): number {
    return this.#opened;
  }

  /** Resets every open connection: both sides see ECONNRESET. New ones work. */
  reset(): void {
    for (const cut of [...this.#links]) cut();
  }

  /** Ends every open connection in order, as a server does at its shutdown. New ones work. */
  end(): void {
    for (const end of [...this.#ends]) end();
  }

  /**
   * Holds back everything, also ends and resets: if a peer ends meanwhile, the other side stays half open. New
   * connections are accepted and stall, too. `heal` delivers what was held back.
   */
  stall(direction: Direction = 'both'): void {
    for (const faults of this.#means(direction)) faults.set({ stalled: true });
  }

  slow({ bytesPerSecond = Infinity, latencyMs = 0, direction = 'both' }: Slowness): void {
    for (const faults of this.#means(direction)) faults.set({ bytesPerSecond, latencyMs });
  }

  /**
   * Resets one connection once, after so many more of its bytes. With 0 bytes `down`, the server has carried out the
   * request, and the client gets no answer.
   * @returns resolves once the connection is reset
   */
  resetAfter(bytes: number, { direction = 'up', when = () => true }: ResetPoint = {}): Promise<void> {
    const faults = direction === 'up' ? this.#up : this.#down;
    return new Promise((done) => faults.set({ plannedReset: { remaining: bytes, when, done, pipe: null } }));
  }

  /** Refuses new connections, as if no server listened. Open ones still work; `reset` ends them. */
  refuse(): void {
    this.#server?.close();
    this.#server = null;
  }

  /** Removes every fault, and delivers what was held back. */
  async heal(): Promise<void> {
    for (const faults of this.#means('both'))
      faults.set({ stalled: false, bytesPerSecond: Infinity, latencyMs: 0, plannedReset: null });
    if (this.#server === null) await this.#listen();
  }

  /** Closes every connection and the listener. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = server && once(server, 'close');
    server?.close();
    this.reset();
    await closed;
  }

  #means(direction: Direction): readonly DirectionFaults[] {
    if (direction === 'both') return [this.#up, this.#down];
    return [direction === 'up' ? this.#up : this.#down];
  }

  async #listen(): Promise<void> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#link(client));
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
  }

  #link(client: Socket): void {
    const server = connect({ port: this.target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const over = new AbortController();
    const cut = (): void => {
      over.abort();
      reset(client);
      reset(server);
    };
    const end = (): void => {
      over.abort();
      for (const socket of [client, server]) socket.resume().end();
    };
    const forget = (): void => {
      if (!client.destroyed || !server.destroyed) return;
      over.abort();
      this.#links.delete(cut);
      this.#ends.delete(end);
    };
    this.#opened++;
    this.#links.add(cut);
    this.#ends.add(end);
    client.once('close', forget);
    server.once('close', forget);
    new OneWayPipe(client, server, this.#up, over.signal, cut);
    new OneWayPipe(server, client, this.#down, over.signal, cut);
  }
}
