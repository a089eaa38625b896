import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { DirectionFaults, OneWayPipe } from './fault-proxy-pipe.js';
import { freePort } from './free-port.js';

/** `up` is towards the server, `down` its answers. */
type Direction = 'up' | 'down' | 'both';

interface Slowness {
  /** Of each connection, in each direction that is meant. */
  readonly bytesPerSecond?: number;
  /** Added to everything, in each direction that is meant. */
  readonly latencyMs?: number;
  readonly direction?: Direction;
}

interface ResetPoint {
  /** `up` unless said. */
  readonly direction?: 'up' | 'down';
  /** Counting begins with the bytes for which this is true; with the next ones unless said. */
  readonly when?: (bytes: Buffer) => boolean;
}

/** Resets at once. Node itself sends an orderly end first, and the other side may see only that. */
const reset = (socket: Socket): void => {
  socket.destroySoon = () => socket.destroy();
  socket.resetAndDestroy();
};

/**
 * A TCP proxy on 127.0.0.1 that does to its connections what networks do, and takes it back, while they are in use.
 * Faults stay until `heal`, for connections that are open and for those that come; `reset` and `end` are done at once
 * to those that are open.
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

  /** Opens a proxy; close it. @param target the server's port on 127.0.0.1; nothing needs to listen there yet */
  static async open(target: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.#port = await freePort();
    await proxy.#listen();
    return proxy;
  }

  /** Where to connect instead of the server. The same for as long as it is open. */
  get port(): number {
    return this.#port;
  }

  /** How many connections are open now. */
  get connections(): number {
    return this.#links.size;
  }

  /** How many there have ever been. */
  get opened(): number {
    return this.#opened;
  }

  /** Cuts every open connection: both sides see ECONNRESET. New ones are served. */
  reset(): void {
    for (const cut of [...this.#links]) cut();
  }

  /** Ends every open connection as a server does that shuts down in peace. New ones are served. */
  end(): void {
    for (const end of [...this.#ends]) end();
  }

  /**
   * Holds everything back, ends and resets too: a side whose peer has gone meanwhile is half open. New connections are
   * accepted and stall as well. What was held is delivered after `heal`.
   */
  stall(direction: Direction = 'both'): void {
    for (const faults of this.#means(direction)) faults.set({ stalled: true });
  }

  slow({ bytesPerSecond = Infinity, latencyMs = 0, direction = 'both' }: Slowness): void {
    for (const faults of this.#means(direction)) faults.set({ bytesPerSecond, latencyMs });
  }

  /**
   * Lets so many more bytes of one connection pass and then resets that connection, once. After 0 bytes `down` the
   * server has done what it was asked, and the client gets no answer.
   * @returns resolves when it has happened
   */
  resetAfter(bytes: number, { direction = 'up', when = () => true }: ResetPoint = {}): Promise<void> {
    const faults = direction === 'up' ? this.#up : this.#down;
    return new Promise((done) => faults.set({ plannedReset: { remaining: bytes, when, done, pipe: null } }));
  }

  /** New connections are refused, as where no server listens. Open ones go on; `reset` ends those. */
  refuse(): void {
    this.#server?.close();
    this.#server = null;
  }

  /** Takes every fault back. What was held is delivered. */
  async heal(): Promise<void> {
    for (const faults of this.#means('both'))
      faults.set({ stalled: false, bytesPerSecond: Infinity, latencyMs: 0, plannedReset: null });
    if (this.#server === null) await this.#listen();
  }

  /** Leaves no connection and no listener. */
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
