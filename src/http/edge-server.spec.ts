import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { unavailable } from './api-error.js';
import { EdgeServer } from './edge-server.js';
import { refusalOf, type Upgrade } from './upgrade.js';

let server: EdgeServer;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.drain(0);
});

/** Says what it was asked, once it has it whole. */
const echo: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => (body += part.toString()));
  request.on('end', () => response.end(`${request.method ?? ''} ${request.url ?? ''} [${body}]`));
};

const refusal: RequestListener = (request, response) => {
  response.writeHead(503, { 'content-length': 4 }).end(refusalOf(request) ? 'left' : 'kept');
};

const serve = async (
  handler: ((upgrade: Upgrade) => void) | null,
  application: RequestListener | null = echo,
): Promise<number> => {
  server = new EdgeServer({ allowedOrigins: [], secure: false });
  if (handler) server.mountUpgrades({ takes: (target) => target === '/place', handler });
  if (application) server.open(application);
  return (await server.listen('127.0.0.1', 0)).port;
};

const open = (port: number): Socket => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
};

/** All that comes back until it says `end`, or the connection is closed. */
const answer = async (socket: Socket, text: string, end: RegExp): Promise<string> => {
  let got = '';
  const done = new Promise<void>((resolve) => {
    socket.setEncoding('utf8').on('data', (part: string) => {
      got += part;
      if (end.test(got)) resolve();
    });
    socket.once('close', () => resolve());
  });
  socket.write(text);
  await done;
  return got;
};

const request = (line: string, headers: readonly string[], body = ''): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n');
const WEBSOCKET = ['Connection: Upgrade', 'Upgrade: websocket'];
const take = ({ socket, head }: Upgrade): void => void socket.write(`TAKEN ${head.toString()}.`);

describe('the edge', () => {
  it('hands over what asks for WebSocket at its place, with what came behind it', async () => {
    const port = await serve(take);
    expect(await answer(open(port), request('GET /place', WEBSOCKET, 'more'), /\.$/)).toBe('TAKEN more.');
  });

  it('serves a request that offers another protocol as if it had not, its body too', async () => {
    const port = await serve(take);
    const offers = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
    const socket = open(port);
    expect(await answer(socket, request('GET /place', offers), /\[\]/)).toContain('GET /place []');
    const post = request('POST /other', [...offers, 'Content-Length: 5'], 'hello');
    expect(await answer(open(port), post, /\]/)).toContain('POST /other [hello]');
  });

  it.each([
    ['elsewhere', 'GET /other', WEBSOCKET, ''],
    ['by another method', 'POST /place', [...WEBSOCKET, 'Content-Length: 0'], ''],
    ['with a body', 'GET /place', [...WEBSOCKET, 'Content-Length: 2'], 'ab'],
  ])('keeps an upgrade that is asked for %s', async (_, line, headers, body) => {
    const port = await serve(take);
    const got = await answer(open(port), request(line, headers, body), /\[\w*\]/);
    expect(got).toContain(`${line} [${body}]`);
  });

  it('refuses an upgrade that names two hosts', async () => {
    const port = await serve(take);
    const got = await answer(open(port), request('GET /place', ['Host: other', ...WEBSOCKET]), /\}$/);
    expect(got).toMatch(/^HTTP\/1\.1 400 [^]*"path":"Host"/);
  });

  it('keeps every upgrade until it is open, and where there is no place for it', async () => {
    const starting = await serve(take, null);
    const early = await answer(open(starting), request('GET /place', WEBSOCKET), /\}$/);
    expect(early).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1[^]*"code":"unavailable"/i);
    await server.drain(0);
    const placeless = await serve(null);
    expect(await answer(open(placeless), request('GET /place', WEBSOCKET), /\[\]/)).toContain('GET /place');
  });

  it('has the application answer a refusal, with the headers of every answer, and closes', async () => {
    const port = await serve(({ refuse }) => void refuse(unavailable('Not now.')), refusal);
    const socket = open(port);
    const closed = once(socket, 'close');
    const got = await answer(socket, request('GET /place', WEBSOCKET), /left$/);
    expect(got).toMatch(/^HTTP\/1\.1 503 /);
    expect(got).toMatch(/\r\nx-content-type-options: nosniff\r\n/);
    expect(got).toMatch(/\r\nConnection: close\r\n/);
    expect(await answer(open(port), request('GET /place', []), /kept$/)).toMatch(/kept$/);
    await closed;
  });

  it('lives through a connection that breaks while it is handed over', async () => {
    let hand: (upgrade: Upgrade) => void = () => undefined;
    const given = new Promise<Upgrade>((resolve) => (hand = resolve));
    const port = await serve((upgrade) => hand(upgrade));
    open(port).write(request('GET /place', WEBSOCKET));
    const { socket: taken } = await given;
    const closed = new Promise((resolve) => taken.once('close', resolve));
    taken.emit('error', new Error('broken'));
    await closed;
  });

  it('cuts what has left HTTP and does not end by itself', async () => {
    const port = await serve(take);
    const socket = open(port);
    await answer(socket, request('GET /place', WEBSOCKET), /\.$/);
    const closed = once(socket, 'close');
    const started = performance.now();
    await server.drain(100);
    await closed;
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
