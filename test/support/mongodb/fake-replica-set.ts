import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** A command as it came over the wire, and which member it came to. */
export interface SentCommand {
  readonly member: 'primary' | 'secondary';
  readonly name: string;
  readonly command: Document;
}

/** A primary and a secondary that answer every command and keep nothing. */
export interface FakeReplicaSet {
  /** With a database. */
  readonly url: string;
  /** But for greetings, in the order of arrival. */
  readonly commands: readonly SentCommand[];
  close(): Promise<void>;
}

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;
const GREETINGS = new Set(['hello', 'ismaster']);

/** Starts both on free ports of this machine. */
export async function startFakeReplicaSet(): Promise<FakeReplicaSet> {
  const commands: SentCommand[] = [];
  const sockets = new Set<Socket>();
  const hosts: string[] = [];
  const greeting = (member: SentCommand['member'], me: string): Document => ({
    ok: 1,
    helloOk: true,
    isWritablePrimary: member === 'primary',
    ismaster: member === 'primary',
    secondary: member === 'secondary',
    setName: 'fake',
    setVersion: 1,
    hosts,
    primary: hosts[0],
    me,
    minWireVersion: 0,
    maxWireVersion: 25,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    logicalSessionTimeoutMinutes: 30,
    lastWrite: { lastWriteDate: new Date() },
  });
  const listen = async (member: SentCommand['member']): Promise<Server> => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      let read = Buffer.alloc(0);
      socket.on('data', (bytes) => {
        read = Buffer.concat([read, bytes]);
        while (read.length >= 4 && read.length >= read.readInt32LE(0)) {
          const length = read.readInt32LE(0);
          answer(socket, read.subarray(0, length));
          read = read.subarray(length);
        }
      });
    });
    const answer = (socket: Socket, message: Buffer): void => {
      const operation = message.readInt32LE(12);
      const command = operation === OP_QUERY ? queryOf(message) : messageOf(message);
      const name = Object.keys(command)[0] ?? '';
      const greets = GREETINGS.has(name.toLowerCase());
      if (!greets) commands.push({ member, name, command });
      const { port } = server.address() as AddressInfo;
      const body = greets ? greeting(member, `127.0.0.1:${port}`) : answerTo(name, command);
      socket.write(framed(operation, message.readInt32LE(4), Buffer.from(BSON.serialize(body))));
    };
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    hosts.push(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    return server;
  };
  const servers = [await listen('primary'), await listen('secondary')];
  return {
    url: `mongodb://${hosts.join(',')}/fake`,
    commands,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

/** The command of a former operation, by which a client greets. */
const queryOf = (message: Buffer): Document => {
  const collectionEnd = message.indexOf(0, HEADER + 4);
  return BSON.deserialize(documentAt(message, collectionEnd + 1 + 8));
};

/** The command itself: documents that it brings in a section of their own are left out. */
const messageOf = (message: Buffer): Document => {
  for (let at = HEADER + 4; at < message.length;) {
    if (message[at] === 0) return BSON.deserialize(documentAt(message, at + 1));
    at += 1 + message.readInt32LE(at + 1);
  }
  throw new Error('A message without a command.');
};

const documentAt = (message: Buffer, at: number): Buffer =>
  message.subarray(at, at + message.readInt32LE(at));

const answerTo = (name: string, { $db }: Document): Document => {
  switch (name) {
    case 'find':
    case 'aggregate':
    case 'listCollections':
      return { ok: 1, cursor: { id: BSON.Long.ZERO, ns: `${String($db)}.things`, firstBatch: [] } };
    case 'distinct':
      return { ok: 1, values: [] };
    case 'findAndModify':
      return { ok: 1, value: null };
    default:
      return { ok: 1, n: 1, nModified: 1 };
  }
};

const framed = (operation: number, requestId: number, body: Buffer): Buffer => {
  const isQuery = operation === OP_QUERY;
  // A reply's flags, cursor, start and count; a message's flags and kind of section.
  const before = Buffer.alloc(isQuery ? 20 : 5);
  if (isQuery) before.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(HEADER + before.length + body.length, 0);
  header.writeInt32LE(requestId, 8);
  header.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, before, body]);
};
