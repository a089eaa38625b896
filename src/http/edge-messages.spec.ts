import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EdgeRequest, EdgeResponse } from './edge-messages.js';

let server: Server | undefined;

afterEach(() => void server?.close());

/** The headers of an answer that `answer` makes while the edge adds `x-frame-options`. */
const headersOf = async (answer: (response: EdgeResponse) => void): Promise<Headers> => {
  const listening = createServer<typeof EdgeRequest, typeof EdgeResponse>(
    { IncomingMessage: EdgeRequest, ServerResponse: EdgeResponse },
    (_, response) => {
      response.edgeHeaders = { 'x-frame-options': 'DENY' };
      answer(response);
    },
  );
  server = listening as Server;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-request-id': 'mine' } });
  return response.headers;
};

describe.each<[string, (response: EdgeResponse) => void, (response: EdgeResponse) => void]>([
  [
    'headers given with the head',
    (response) => void response.writeHead(200, { 'x-own': '1' }).end(),
    (response) => void response.writeHead(200, { 'X-Frame-Options': 'SAMEORIGIN' }).end(),
  ],
  [
    'headers given with the head and a message',
    (response) => void response.writeHead(200, 'Fine', { 'x-own': '1' }).end(),
    (response) => void response.writeHead(200, 'Fine', { 'X-Frame-Options': 'SAMEORIGIN' }).end(),
  ],
  [
    'headers as a list',
    (response) => void response.writeHead(200, ['X-Own', '1']).end(),
    (response) => void response.writeHead(200, ['X-Frame-Options', 'SAMEORIGIN']).end(),
  ],
  [
    'headers set one by one',
    (response) => void response.setHeader('X-Own', '1').end(),
    (response) => void response.setHeader('X-Frame-Options', 'SAMEORIGIN').end(),
  ],
  [
    'some set before, some given with the head',
    (response) => void response.setHeader('X-Own', '1').writeHead(200, {}).end(),
    (response) =>
      void response.setHeader('X-Other', '1').writeHead(200, { 'X-Frame-Options': 'SAMEORIGIN' }).end(),
  ],
])('an answer with %s', (_, plain, overriding) => {
  it('carries the edge’s headers too', async () => {
    const headers = await headersOf(plain);
    expect(headers.get('x-own')).toBe('1');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-request-id')).toBe('mine');
  });

  it('keeps its own where both name one', async () => {
    const headers = await headersOf(overriding);
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('x-request-id')).toBe('mine');
  });
});
