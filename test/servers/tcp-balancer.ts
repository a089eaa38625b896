import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Distributes connections to ports of 127.0.0.1 in turn, as a load balancer does, and skips a port that refuses. */
export class TcpBalancer {
  readonly #open: Set<Socket>[] = [];
  #turn = 0;

  private constructor(
    private readonly server: Server,
    private readonly targets: readonly number[],
  ) {}

  /** @param targets the ports; more can be added to the array later */
  static async open(targets: readonly number[]): Promise<TcpBalancer> {
    const server = createServer({ noDelay: true, pauseOnConnect: true });
    const balancer = new TcpBalancer(server, targets);
    server.on('connection', (client) => balancer.#give(client, targets.length));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return balancer;
  }

  /** `http://127.0.0.1:<port>`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The number of connections that the target has now. */
  connectionsOf(index: number): number {
    return this.#open[index]?.size ?? 0;
  }

  /** Closes every connection and the listener. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const open of this.#open) for (const client of open) client.destroy();
    await closed;
  }

  #give(client: Socket, tries: number): void {
    const index = this.#turn++ % this.targets.length;
    const target = connect({ port: this.targets[index]!, host: '127.0.0.1', noDelay: true });
    const refused = (): void => {
      if (tries > 1) this.#give(client, tries - 1);
      else client.destroy();
    };
    target.once('error', refused);
    target.once('connect', () => {
      target.off('error', refused);
      const open = (this.#open[index] ??= new Set());
      open.add(client);
      for (const [from, to] of [
        [client, target],
        [target, client],
      ] as const) {
        from.on('error', () => to.destroy());
        from.once('close', () => {
          open.delete(client);
          to.destroy();
        });
        from.pipe(to);
      }
    });
  }
}
