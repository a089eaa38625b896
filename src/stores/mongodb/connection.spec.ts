import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BSON, type Document } from 'mongodb';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { connectMongo } from './connection.js';

/** A command as it came over the wire, and which member it came to. */
interface SentCommand {
  readonly member: 'primary' | 'secondary';
  readonly name: string;
  readonly command: Document;
}

/** A primary and a secondary that answer every command and keep nothing. */
interface FakeReplicaSet {
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
async function startFakeReplicaSet(): Promise<FakeReplicaSet> {
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

interface Thing {
  readonly _id: string;
  readonly n: number;
}

const WRITES = ['insert', 'update', 'delete', 'findAndModify'];
const READS = ['find', 'aggregate', 'distinct'];

describe('A connection to a replica set', () => {
  let servers: FakeReplicaSet;
  beforeEach(async () => {
    servers = await startFakeReplicaSet();
  });
  afterEach(() => servers.close());

  /** Writes and reads in every way that there is. @returns the commands that did */
  const used = async (options = '') => {
    const connection = await connectMongo(servers.url + options);
    try {
      await connection.run(async (db) => {
        const things = db.collection<Thing>('things');
        await things.insertOne({ _id: 'a', n: 1 });
        await things.bulkWrite([{ insertOne: { document: { _id: 'b', n: 1 } } }], { ordered: false });
        await things.updateOne({ _id: 'a' }, { $set: { n: 2 } });
        await things.replaceOne({ _id: 'a' }, { n: 3 });
        await things.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } });
        await things.deleteOne({ _id: 'a' });
        await things.findOne({ _id: 'a' });
        await things.find({}).toArray();
        await things.aggregate([{ $match: { n: 1 } }]).toArray();
        await things.distinct('n');
      });
    } finally {
      await connection.close();
    }
    return servers.commands.filter(({ name }) => WRITES.includes(name) || READS.includes(name));
  };

  describe.each([
    ['as it is named', ''],
    [
      'whose URL asks for less',
      '?replicaSet=fake&w=1&journal=false&readConcernLevel=local&readPreference=secondaryPreferred',
    ],
  ])('%s', (_, options) => {
    it('has a write acknowledged once a majority has it in its journal', async () => {
      const writes = (await used(options)).filter(({ name }) => WRITES.includes(name));
      expect(new Set(writes.map(({ name }) => name))).toEqual(new Set(WRITES));
      for (const { command } of writes)
        expect(command).toMatchObject({ writeConcern: { w: 'majority', j: true } });
    });

    it('reads at the primary what a majority has', async () => {
      const reads = (await used(options)).filter(({ name }) => READS.includes(name));
      expect(new Set(reads.map(({ name }) => name))).toEqual(new Set(READS));
      for (const { command, member } of reads) {
        expect(command).toMatchObject({ readConcern: { level: 'majority' } });
        expect([member, command.$readPreference ?? { mode: 'primary' }]).toEqual([
          'primary',
          { mode: 'primary' },
        ]);
      }
    });
  });
});
