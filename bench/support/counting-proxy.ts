import { BSON } from 'mongodb';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Gets the bytes of one connection as they come, and reports the name of each request in them. */
type Parser = (bytes: Buffer) => void;

/** A TCP proxy before a server, which counts the requests to it. */
export interface CountingProxy {
  readonly port: number;
  /** By name, since the proxy was opened. */
  readonly counts: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Hands on whole frames of a stream of bytes. @param sizeOf of the frame that begins these bytes; `null`: not known yet */
const framed = (sizeOf: (bytes: Buffer) => number | null, take: (frame: Buffer) => void): Parser => {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (let size = sizeOf(rest); size !== null && rest.length >= size; size = sizeOf(rest)) {
      take(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  };
};

const OP_MSG = 2013;
const OP_MSG_BODY = 21;

/** MongoDB's wire protocol: the command's name is the first field of the body, which is the first section. */
export const mongodbCommands = (report: (name: string) => void): Parser =>
  framed(
    (bytes) => (bytes.length < 4 ? null : bytes.readInt32LE(0)),
    (message) => {
      if (message.readInt32LE(12) !== OP_MSG) {
        report('hello');
        return;
      }
      const size = message.readInt32LE(OP_MSG_BODY);
      const body = BSON.deserialize(message.subarray(OP_MSG_BODY, OP_MSG_BODY + size));
      const [name = ''] = Object.keys(body);
      report(typeof body[name] === 'string' ? `${name} ${body[name]}` : name);
    },
  );

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
const HTTP2_HEADER = 9;
const HEADERS = 1;
const PING = 6;

/** HTTP/2 without TLS: each call begins with one frame of headers. Their names are compressed. */
export const http2Calls = (report: (name: string) => void): Parser => {
  const frames = framed(
    (bytes) => (bytes.length < HTTP2_HEADER ? null : HTTP2_HEADER + bytes.readUIntBE(0, 3)),
    (frame) => {
      if (frame[3] === HEADERS) report('call');
      if (frame[3] === PING) report('ping');
    },
  );
  let skipped = 0;
  return (bytes) => {
    const skip = Math.min(bytes.length, PREFACE - skipped);
    skipped += skip;
    frames(bytes.subarray(skip));
  };
};

/** @param target the server's port on 127.0.0.1 */
export const openCountingProxy = async (
  target: number,
  parser: (report: (name: string) => void) => Parser,
): Promise<CountingProxy> => {
  const counts = new Map<string, number>();
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true });
    const parse = parser((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
    client.on('data', parse);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => [client, upstream].map((one) => one.destroy()));
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    close: async () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
};
