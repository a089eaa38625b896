import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A notice that a receiver has received. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** A receiver of webhook notices on a free port of this machine. */
export interface Receiver {
  /** `http(s)://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** In the order of arrival. */
  readonly received: readonly Received[];
  /** The number of connections so far. */
  readonly connections: number;
  close(): Promise<void>;
}

type Answer = (response: ServerResponse, request: IncomingMessage, count: number) => void;

/**
 * Opens a receiver of notices on a free port. Close it.
 * @param answer the answer to the n-th notice, from 1; by default 204
 */
export async function openReceiver(
  answer: Answer = (response) => void response.writeHead(204).end(),
  tls: { readonly key: string; readonly cert: string } | null = null,
): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    response.on('error', () => undefined);
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      const headers = request.headers as Received['headers'];
      received.push({ path: request.url ?? '', headers, body });
      answer(response, request, received.length);
    });
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    received,
    get connections() {
      return connections;
    },
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
}

/** Whether a notice is genuine. It is checked only by the Standard Webhooks specification, as a receiver would. */
export const isGenuine = (
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((one) => {
    const [version, value = ''] = one.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
};

/** How many signatures a notice has. */
export const signaturesOf = (headers: Readonly<Record<string, string | undefined>>): number =>
  (headers['webhook-signature'] ?? '').split(' ').length;
