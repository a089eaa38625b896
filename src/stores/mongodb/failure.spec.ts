import { afterEach, describe, expect, it } from '@jest/globals';
import {
  BSON,
  MongoBulkWriteError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoUnexpectedServerResponseError,
} from 'mongodb';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { connectMongo } from './connection.js';
import { describeMongoFailure, isMongoFailure, isUnavailable } from './failure.js';

// For 127.0.0.1, signed by itself, worth nothing.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg94dSKkInuPevx/cq
gxdtHnxZdk+yLkKKZXEY/ECL70GhRANCAAT6klpsWqBVPa5yXUZe879hYarW6Myo
xrdTmX3FkRh2Vhx7GcmL89Z/oF650aoLZ10hTZktjyCQgKPOmvN5nkOA
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUf0lhSDRvmt5mXDSjUbebcl0QLqkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE5MzI1M1oYDzIxMjYxMDI4
MTkzMjUzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT6klpsWqBVPa5yXUZe879hYarW6MyoxrdTmX3FkRh2Vhx7GcmL89Z/
oF650aoLZ10hTZktjyCQgKPOmvN5nkOAo28wbTAdBgNVHQ4EFgQUZoTSML0kx51P
OfqYS6PyNyOD+towHwYDVR0jBBgwFoAUZoTSML0kx51POfqYS6PyNyOD+towDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhANqEzFbTv2fEoOs1WxpRypMM5eOUfvaXUEI3xJrEo2upAiBq
C7ab6P4Q5CWSaaS0mcBifrpfBNnGBfMefkkWH6CIzA==
-----END CERTIFICATE-----`;

const OP_QUERY = 2004;
const TIMEOUT_MS = 900;

type Answer = (command: Record<string, unknown>, port: number) => object;

/** An answer in the protocol: a reply to a client's first command, a message to the later ones. */
function encoded(request: Buffer, body: Uint8Array): Buffer {
  const old = request.readInt32LE(12) === OP_QUERY;
  const head = Buffer.alloc(old ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(request.readInt32LE(4), 8);
  head.writeInt32LE(old ? 1 : 2013, 12);
  if (old) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

/** The command of a request that came in one piece. */
function commandOf(request: Buffer): Record<string, unknown> {
  const start = request.readInt32LE(12) === OP_QUERY ? request.indexOf(0, 20) + 9 : 21;
  return BSON.deserialize(request.subarray(start, start + request.readInt32LE(start)));
}

describe('a MongoDB that is away or refuses', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
  });

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }

  const answering = async (answer: Answer): Promise<number> => {
    const server = createServer((socket) =>
      socket.on('data', (request) => {
        const { port } = server.address() as AddressInfo;
        socket.write(encoded(request, BSON.serialize(answer(commandOf(request), port))));
      }),
    );
    return listen(server);
  };

  const hello = { ok: 1, isWritablePrimary: true, ismaster: true, minWireVersion: 0, maxWireVersion: 21 };
  const withTls = (): Server => createTlsServer({ key: KEY, cert: CERTIFICATE });

  async function failureOf(url: string): Promise<Error> {
    const started = performance.now();
    const failure = await connectMongo(url, { timeoutMs: TIMEOUT_MS }).then(
      () => new Error('It connected.'),
      (error: unknown) => error as Error,
    );
    expect(performance.now() - started).toBeLessThan(3 * TIMEOUT_MS);
    return failure;
  }

  const away: [string, RegExp, () => Promise<string>][] = [
    ['refuses connections', /connection was refused/, async () => 'mongodb://user:s3cret@127.0.0.1:1/db'],
    ['has no known name', /host name is unknown/, async () => 'mongodb://user:s3cret@nowhere.invalid/db'],
    [
      'has no service record',
      /host name is unknown/,
      async () => 'mongodb+srv://user:s3cret@nowhere.invalid/db',
    ],
    [
      'says nothing',
      /did not answer in time/,
      async () => `mongodb://127.0.0.1:${await listen(createServer())}`,
    ],
    [
      'wants TLS',
      /server may want TLS/,
      async () => `mongodb://user:s3cret@127.0.0.1:${await listen(withTls())}`,
    ],
    [
      'closes the connection before TLS stands',
      /broke off before TLS/,
      async () => {
        const server = createServer((socket) => socket.once('data', () => socket.destroy()));
        return `mongodb://127.0.0.1:${await listen(server)}/?tls=true`;
      },
    ],
    [
      'has no primary',
      /no primary now/,
      async () => {
        const secondary: Answer = (_, port) => ({
          ...hello,
          isWritablePrimary: false,
          ismaster: false,
          secondary: true,
          setName: 'rs',
          hosts: [`127.0.0.1:${port}`],
        });
        return `mongodb://127.0.0.1:${await answering(secondary)}/?replicaSet=rs`;
      },
    ],
  ];

  it.each(away)('is away where it %s', async (_, sentence, url) => {
    const failure = await failureOf(await url());
    expect(isUnavailable(failure)).toBe(true);
    expect(describeMongoFailure(failure)).toMatch(sentence);
    expect(describeMongoFailure(failure)).not.toMatch(/s3cret|user/);
  });

  const refusing = (errorCode: number, of: string): Promise<number> =>
    answering((command) => (of in command ? { ok: 0, code: errorCode, errmsg: 'no' } : hello));

  const unusable: [string, RegExp, () => Promise<string>][] = [
    [
      'speaks no TLS',
      /does not speak TLS there/,
      async () => {
        const server = createServer((socket) => socket.on('data', () => socket.end('HTTP/1.1 400\r\n\r\n')));
        return `mongodb://127.0.0.1:${await listen(server)}/?tls=true`;
      },
    ],
    [
      'has a certificate that nobody vouches for',
      /certificate is not trusted.*tlsCAFile/,
      async () => `mongodb://user:s3cret@127.0.0.1:${await listen(withTls())}/?tls=true`,
    ],
    [
      'is too old',
      /needs MongoDB 4.4 or newer/,
      async () => `mongodb://127.0.0.1:${await answering(() => ({ ...hello, maxWireVersion: 6 }))}`,
    ],
    [
      'does not know the user',
      /refused the user name or password/,
      async () => `mongodb://user:s3cret@127.0.0.1:${await refusing(18, 'saslStart')}`,
    ],
    [
      'wants a user and the URL names none',
      /the server wants a user, and the URL names none/,
      async () => `mongodb://127.0.0.1:${await refusing(13, 'listCollections')}`,
    ],
    [
      'lets nobody without readWrite in',
      /may not do this: grant it readWrite/,
      async () => `mongodb://127.0.0.1:${await refusing(13, 'listCollections')}/?authMechanism=MONGODB-X509`,
    ],
  ];

  it.each(unusable)('cannot be used where it %s', async (_, sentence, url) => {
    const failure = await failureOf(await url());
    expect(failure).toMatchObject({ code: 'store_unusable', message: expect.stringMatching(sentence) });
    expect(failure.message).not.toMatch(/s3cret|user:/);
  });

  it('is told from one that broke off in the middle, also where a batch hides the cause', () => {
    const broken = new MongoNetworkError('connection 5 to 127.0.0.1:1 closed');
    const hidden = new MongoBulkWriteError(broken, undefined as never);
    for (const error of [broken, hidden]) {
      expect(describeMongoFailure(error)).toContain('broke off');
      expect([isUnavailable(error), isMongoFailure(error)]).toEqual([true, true]);
    }
    const stepped = new MongoServerError({ message: 'not primary', code: 10107 });
    expect(describeMongoFailure(stepped)).toContain('not the primary');
    expect(isUnavailable(stepped)).toBe(true);
  });

  it('is away where it goes while a command is still being written', async () => {
    const port = await answering(() => ({ ...hello, cursor: { id: 0n, ns: 'db.x', firstBatch: [] } }));
    const connection = await connectMongo(`mongodb://127.0.0.1:${port}/db`, { timeoutMs: 2 * TIMEOUT_MS });
    try {
      for (const socket of sockets) socket.pause();
      const writing = connection.run((db) => db.command({ ping: 1, much: 'x'.repeat(15 * 1024 * 1024) }));
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const socket of sockets) socket.resetAndDestroy();
      const failure = await writing.catch((error: unknown) => error);
      expect([String(failure), isMongoFailure(failure), isUnavailable(failure)]).toEqual([
        expect.stringMatching(/ECONNRESET|EPIPE|closed/),
        true,
        true,
      ]);
      expect(describeMongoFailure(failure)).toContain('broke off');
    } finally {
      await connection.close();
    }
  });

  it('is told from what the driver passes on as the system, a stream or the decoder said it', () => {
    const system = (code: string) => Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });
    const raw = [
      system('EPIPE'),
      system('ECONNRESET'),
      // As one of another realm is: no `Error` of this one.
      { name: 'Error', message: 'write EPIPE', code: 'EPIPE', syscall: 'write' },
      Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
      new DOMException('This operation was aborted', 'AbortError'),
      Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }),
      new BSON.BSONError('bson size must be >= 5'),
      new MongoExpiredSessionError(),
      new MongoUnexpectedServerResponseError('Unable to get response from server'),
    ];
    for (const error of raw) {
      expect([String(error), isUnavailable(error), isMongoFailure(error)]).toEqual([
        String(error),
        true,
        true,
      ]);
      expect(describeMongoFailure(error)).toContain('broke off');
    }
    const late = new MongoOperationTimeoutError('Timed out during socket read (10ms)');
    expect([isUnavailable(late), describeMongoFailure(late)]).toEqual([
      true,
      'MongoDB did not answer in time',
    ]);
  });

  it('is no mistake of ours, and nothing else is one of it', () => {
    const mistake = new TypeError('x is not a function');
    expect([isUnavailable(mistake), isMongoFailure(mistake)]).toEqual([false, false]);
    const quoting = new MongoServerError({ message: 'cannot reach mongodb://user:p@ss@host/db today' });
    expect(describeMongoFailure(quoting)).toBe(
      'MongoDB answered with an error (cannot reach mongodb://host/db today)',
    );
  });
});
