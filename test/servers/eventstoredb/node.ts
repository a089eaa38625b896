import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import {
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';
import { openEmbeddedLog } from '../../../src/stores/lmdb/log/log.js';
import { Access, type Credentials } from './access.js';
import { Faults, type FaultSettings } from './faults/faults.js';
import { EventLog } from './log/event-log.js';
import { asRpcError } from './streams/rpc-errors.js';
import { streamsDefinition, streamsService } from './streams/service.js';

const STREAMS = 'event_store.client.streams.streams';
const METHODS: Readonly<Record<string, readonly string[]>> = {
  read: ['position', 'events'],
  append: [],
  delete: [],
  tombstone: [],
  batchappend: ['deadline_duration'],
};

type Answer<Response> = (
  call: ServerUnaryCall<shared.Empty, Response>,
  callback: sendUnaryData<Response>,
) => void;

/** The methods that the server announces; clients do not call others. */
function featuresService(
  access: Access,
  version: string,
): { getSupportedMethods: Answer<features.SupportedMethods> } {
  const supported = new features.SupportedMethods().setEventStoreServerVersion(version);
  for (const [name, list] of Object.entries(METHODS)) {
    const method = new features.SupportedMethod().setServiceName(STREAMS).setMethodName(name);
    supported.addMethods(method.setFeaturesList([...list]));
  }
  return { getSupportedMethods: (_call, callback) => answerAnybody(access, callback, () => supported) };
}

/** A cluster of one node, the leader. */
function gossipService(
  access: Access,
  host: string,
  port: () => number,
): { read: Answer<gossip.ClusterInfo> } {
  const instance = new shared.UUID().setString(randomUUID());
  return {
    read: (_call, callback) => {
      const member = new gossip.MemberInfo()
        .setInstanceId(instance)
        .setTimeStamp(`${BigInt(Date.now()) * 10_000n}`)
        .setState(gossip.MemberInfo.VNodeState.LEADER)
        .setIsAlive(true)
        .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port()));
      const info = new gossip.ClusterInfo().setMembersList([member]);
      answerAnybody(access, callback, () => info);
    },
  };
}

function answerAnybody<Response>(
  access: Access,
  callback: sendUnaryData<Response>,
  answer: () => Response,
): void {
  access.admitAnybody().then(
    () => callback(null, answer()),
    (error: unknown) => callback(asRpcError(error)),
  );
}

const STATISTICS = '$stats-127.0.0.1:2113';

/** The server's own events, which are in $all among those of clients, as on a real server. */
class SystemEvents {
  #appends = 0;
  #written = 0;

  constructor(
    private readonly log: EventLog,
    private readonly every: () => number,
  ) {}

  /** Writes the events of a server's first start, so that no log begins with a client's event. */
  async started(): Promise<void> {
    if (this.every() === 0 || this.log.visible > 0) return;
    await this.log.appendSystemEvent('$$$settings', '$metadata', { $maxCount: 1 });
    await this.log.appendSystemEvent('$settings', '$settings', {});
  }

  /** Called after each append: sometimes writes statistics. */
  appended(): void {
    const every = this.every();
    if (every === 0 || ++this.#appends % every !== 0) return;
    // A failed write ends the server by itself.
    this.write(1).catch(() => undefined);
  }

  async write(count: number): Promise<void> {
    const events = Array.from({ length: count }, () => {
      const ofMetadata = ++this.#written % 3 === 0;
      return ofMetadata
        ? this.log.appendSystemEvent(`$$${STATISTICS}`, '$metadata', { $maxAge: 86_400 })
        : this.log.appendSystemEvent(STATISTICS, '$statsCollected', { appends: this.#appends });
    });
    await Promise.all(events);
  }
}

interface NodeOptions {
  readonly dataDir: string;
  /** 0 for a free port. */
  readonly port: number;
  readonly host: string;
  readonly version: string;
  readonly credentials: Credentials | null;
  readonly tls: { readonly key: Buffer; readonly certificate: Buffer } | null;
  readonly faults: Partial<FaultSettings>;
  /** Called if the log on disk failed: the node must end. */
  readonly failed: (error: unknown) => void;
}

/** One node: the log, the services over it, and its connections. */
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
    // A process that is resumed after SIGSTOP must not take the pause for a slow disk.
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

  /** Resets every connection, as when a server's host fails. */
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
