import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Person } from './person.js';
import { Service, ServiceGone } from './service.js';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

describe('speaking to the service', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(handler: Handler): Promise<string> {
    const started = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => handler(request, response, body));
    });
    servers.push(started);
    await new Promise<void>((done) => started.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
  }
  const json = (response: ServerResponse, status: number, body: object, headers = {}): void => {
    response.writeHead(status, headers).end(JSON.stringify(body));
  };
  const get = { method: 'GET', path: '/x' };
  const hasty = { goneAfterMs: 300, attemptMs: 200 };

  it('sends a request again, just as it was, until it is answered', async () => {
    const seen: string[] = [];
    const url = await serve((request, response, body) => {
      seen.push(`${request.method ?? ''} ${String(request.headers['idempotency-key'])} ${body}`);
      if (seen.length === 1) response.destroy();
      else if (seen.length === 2) json(response, 503, {});
      else if (seen.length === 3) json(response, 409, { code: 'conflict' });
      else json(response, 201, { id: 'a' });
    });
    const request = { method: 'POST', path: '/x', body: { a: 1 }, headers: { 'idempotency-key': 'k' } };
    expect(await new Service(url).request(request)).toMatchObject({ status: 201, body: { id: 'a' } });
    expect(seen).toEqual(Array.from({ length: 4 }, () => 'POST k {"a":1}'));
  });

  it('asks each process in turn, and another one while one is away', async () => {
    const seen: string[] = [];
    const answering = (name: string) =>
      serve((_, response) => {
        seen.push(name);
        json(response, 200, {});
      });
    const [a, b] = [await answering('a'), await answering('b')];
    const service = new Service([a, 'http://127.0.0.1:9', b], { ...hasty, goneAfterMs: 5_000 });
    for (let asked = 0; asked < 4; asked++) {
      expect(await service.request(get)).toMatchObject({ status: 200 });
    }
    expect(seen).toEqual(['a', 'b', 'a', 'b']);
    expect(service.counts).toEqual({ sent: 6, repeated: 2 });
  });

  it('hands on what is an answer, refusals and faults included', async () => {
    for (const [status, code] of [
      [409, 'already_invited'],
      [404, 'not_found'],
      [500, 'internal'],
    ] as const) {
      const url = await serve((_, response) => json(response, status, { code }));
      expect(await new Service(url).request(get)).toMatchObject({ status, body: { code } });
    }
  });

  it('waits as long as a limit says, and does not take that for silence', async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked += 1;
      json(response, asked === 1 ? 429 : 200, {}, { 'retry-after': '1' });
    });
    const began = Date.now();
    expect(await new Service(url, hasty).request(get)).toMatchObject({ status: 200 });
    expect(Date.now() - began).toBeGreaterThanOrEqual(990);
  });

  it.each<[string, Handler]>([
    ['says 503 for ever', (_, response) => json(response, 503, {})],
    ['never answers', () => undefined],
    ['hangs up', (_, response) => response.destroy()],
  ])('gives up on a service that %s', async (_, handler) => {
    const url = await serve(handler);
    await expect(new Service(url, hasty).request(get)).rejects.toThrow(ServiceGone);
  });

  it('asks for a new token once where the old one is no longer taken', async () => {
    let given = 0;
    const url = await serve((request, response) => {
      if (request.url === '/token-for')
        json(response, 200, { idToken: `token-${(given += 1)}`, expiresIn: 3600 });
      else json(response, request.headers.authorization === 'Bearer token-2' ? 200 : 401, { given });
    });
    const service = new Service(url);
    const person = new Person(service, service, 'a@b.example');
    expect(await person.read('/me')).toEqual({ given: 2 });
    expect(await person.read('/me')).toEqual({ given: 2 });
  });

  it('finds out two answers under one key, and a copy without one that does something again', async () => {
    let served = 0;
    const url = await serve((request, response) => {
      if (request.url === '/token-for') json(response, 200, { idToken: 't', expiresIn: 3600 });
      else json(response, 201, { served: (served += 1) });
    });
    const service = new Service(url);
    const twice = new Person(service, service, 'a@b.example', 'same_key');
    await expect(twice.command('POST', '/x', {}, { status: 201 })).rejects.toThrow('has two answers');
    const again = new Person(service, service, 'a@b.example', 'no_key');
    const expected = { status: 201, again: { status: 409, code: 'already_invited' } };
    await expect(again.command('POST', '/x', {}, expected, true)).rejects.toThrow(
      '(sent again) /x answered 201',
    );
  });
});
