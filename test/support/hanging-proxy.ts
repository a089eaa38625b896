import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { freePort } from './free-port.js';

export interface HangingProxy {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** How many requests it has left without an answer. */
  hung(): number;
  close(): Promise<void>;
}

/**
 * What a page's scripts ask for in a browser: a reader sees by the browser itself that a page or a form gets no answer,
 * and loads it again.
 */
const isByScript = ({ headers }: IncomingMessage): boolean =>
  /Chrome/.test(headers['user-agent'] ?? '') &&
  (headers.upgrade !== undefined || headers['sec-fetch-dest'] === 'empty');

/**
 * A reverse proxy that takes one in so many of a page's requests, sockets too, and never answers it.
 * @param target the server's port on 127.0.0.1; nothing needs to listen there yet
 */
export const openHangingProxy = async (target: number, oneIn: number): Promise<HangingProxy> => {
  const port = await freePort();
  let seen = 0;
  let hung = 0;
  const hangs = (request: IncomingMessage): boolean => {
    if (!isByScript(request)) return false;
    seen += 1;
    if (seen % oneIn !== 0) return false;
    hung += 1;
    return true;
  };
  const server = createServer((request, response) => {
    if (hangs(request)) return;
    const { method, url, headers } = request;
    const passed = httpRequest({ host: '127.0.0.1', port: target, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      pipeline(answer, response, () => undefined);
    });
    passed.on('error', () => response.destroy());
    pipeline(request, passed, () => undefined);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (hangs(request)) return;
    const passed = connect(target, '127.0.0.1', () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
      passed.write(`${lines.join('\r\n')}\r\n\r\n`);
      passed.write(head);
      pipeline(socket, passed, socket, () => undefined);
    });
    passed.on('error', () => socket.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    hung: () => hung,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
