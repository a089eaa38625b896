import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { openEmbeddedLog } from '../../../src/stores/lmdb/log/log.js';
import { Access, type Credentials } from './access.js';
import { Faults, type FaultSettings } from './faults/faults.js';
import { EventLog } from './log/event-log.js';
import { featuresService, gossipService } from './node-services.js';
import { streamsDefinition, streamsService } from './streams/service.js';
import { SystemEvents } from './system-events.js';

export interface NodeOptions {
  readonly dataDir: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly host: string;
  readonly version: string;
  readonly credentials: Credentials | null;
  readonly tls: { readonly key: Buffer; readonly certificate: Buffer } | null;
  readonly faults: Partial<FaultSettings>;
  /** The log on disk failed: the node must end. */
  readonly failed: (error: unknown) => void;
}

/** One node: the log, the services over it, and the connections, which it can reset. */
export class Node {
  readonly faults: Faults;
  readonly #connections = new Map<string, Socket>();
  #log!: EventLog;
  #system!: SystemEvents;
  #listener!: NetServer;
  #close: () => Promise<void> = async () => undefined;

  constructor(private readonly options: NodeOptions) {
    this.faults = new Faults(options.faults);
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  async start(): Promise<void> {
    const { dataDir, host, port, failed } = this.options;
    // A stopped process must not find, when it goes on, that the disk was slow.
    const embedded = await openEmbeddedLog(dataDir, { deadlineMs: 2 ** 31 - 1 });
    this.#log = new EventLog(embedded, failed, () => this.faults.settings.commitMs);
    await this.#log.load();
    this.#system = new SystemEvents(this.#log, () => this.faults.settings.systemEventEvery);
    await this.#system.started();
    const server = this.#serve();
    const injector = server.createConnectionInjector(this.#credentials());
    this.#listener = createServer({ noDelay: true }, (socket) => {
      const peer = `${socket.remoteAddress}:${socket.remotePort}`;
      this.#connections.set(peer, socket);
      socket.on('error', () => undefined).on('close', () => this.#connections.delete(peer));
      injector.injectConnection(socket);
    });
    this.#listener.listen(port, host);
    await once(this.#listener, 'listening');
    this.#close = async () => {
      this.#listener.close();
      injector.destroy();
      server.forceShutdown();
      this.resetConnections();
      await embedded.close();
    };
  }

  async stop(): Promise<void> {
    await this.#close();
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Resets every connection, as a server does whose host has failed. */
  resetConnections(): void {
    for (const socket of this.#connections.values()) socket.resetAndDestroy();
  }

  writeSystemEvents(count: number): Promise<void> {
    return this.#system.write(count);
  }

  #serve(): Server {
    const { version, credentials, host } = this.options;
    const access = new Access(this.faults, credentials);
    const server = new Server({
      'grpc.max_concurrent_streams': 100,
      'grpc.max_receive_message_length': 17 * 1024 * 1024,
    });
    const add = (definition: object, implementation: object): void =>
      server.addService(definition as ServiceDefinition, implementation as UntypedServiceImplementation);
    add(ServerFeaturesService, featuresService(access, version));
    add(
      GossipService,
      gossipService(access, host, () => this.port),
    );
    add(
      streamsDefinition,
      streamsService({
        log: this.#log,
        access,
        faults: this.faults,
        reset: (peer) => this.#connections.get(peer)?.resetAndDestroy(),
        appended: () => this.#system.appended(),
      }),
    );
    return server;
  }

  #credentials(): ServerCredentials {
    const { tls } = this.options;
    if (!tls) return ServerCredentials.createInsecure();
    return ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.certificate }]);
  }
}
