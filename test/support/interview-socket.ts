import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ClientOptions, WebSocket } from 'ws';

/** Ids of the sessions of `test/fixtures/interview-app.ts`. */
export const SESSION = {
  started: '0190b6a0-0000-7000-8000-000000000001',
  invited: '0190b6a0-0000-7000-8000-000000000002',
  ended: '0190b6a0-0000-7000-8000-000000000003',
  unknown: '0190b6a0-0000-7000-8000-000000000004',
  /** The session's person is erased, but the views still have it. */
  erased: '0190b6a0-0000-7000-8000-000000000006',
  /** The store does not answer for this session. */
  away: '0190b6a0-0000-7000-8000-000000000005',
} as const;

/** A token of the right form; the fixture takes its middle part as the subject. */
export const tokenOf = (subject: string): string => `eyJhbGciOiJSUzI1NiJ9.${subject}.c2lnbmF0dXJl`;

/** The path of a session's socket. @param token `null`: without one */
export const pathOf = (sessionId: string, token: string | null): string =>
  `/interrogation/${sessionId}/socket${token === null ? '' : `?token=${token}`}`;

/** The answer that refuses an upgrade. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Requests an upgrade. @returns the open socket, or the answer that refuses it */
export const openSocket = (
  url: string,
  path: string,
  options: ClientOptions = {},
): Promise<TestSocket | Answered> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws') + path, { perMessageDeflate: false, ...options });
    const opened = new TestSocket(socket);
    socket.once('open', () => resolve(opened));
    socket.once('error', reject);
    socket.once('unexpected-response', (_, response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
  });

/** A client of the socket that records everything that it receives. */
export class TestSocket {
  readonly frames: { readonly type: string; readonly [field: string]: unknown }[] = [];
  audioBytes = 0;
  readonly closed: Promise<number>;

  constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.audioBytes += (data as Buffer).byteLength;
      else this.frames.push(JSON.parse((data as Buffer).toString()) as (typeof this.frames)[number]);
      socket.emit('kept');
    });
  }

  send(message: object | string | Buffer): void {
    this.socket.send(
      typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message),
    );
  }

  /** Sends `client.ready`. */
  ready(deviceId?: string): void {
    this.send({ type: 'client.ready', protocol: 'interview.v1', deviceId });
  }

  /** Waits for a frame of this type. @returns the first one, also one received before */
  async frame(type: string): Promise<{ readonly [field: string]: unknown }> {
    for (;;) {
      const found = this.frames.find((one) => one.type === type);
      if (found) return found;
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`closed before ${type}`);
      await Promise.race([once(this.socket, 'kept'), this.closed]);
    }
  }
}

/** Sends parts of bytes with a pause between them. @returns everything that is answered until the connection closes */
export const rawUpgrade = async (
  port: number,
  parts: readonly (string | Buffer)[],
  { pauseMs = 0, patienceMs = 5_000 } = {},
): Promise<string> => {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  let answer = '';
  socket.setEncoding('latin1').on('data', (part: string) => (answer += part));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.setTimeout(patienceMs, () => socket.destroy());
  for (const part of parts) {
    socket.write(part);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await closed;
  return answer;
};

/** The text of a WebSocket handshake. */
export const handshake = (path: string, headers: Readonly<Record<string, string>> = {}): string => {
  const all = {
    Host: 'localhost',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
};

/** A complete, masked WebSocket frame, as clients send it. */
export const maskedFrame = (opcode: number, payload: Buffer): Buffer => {
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | length])
      : Buffer.from([0x80 | opcode, 0xfe, length >> 8, length & 0xff]);
  // A mask of zeros changes nothing.
  return Buffer.concat([head, Buffer.alloc(4), payload]);
};
