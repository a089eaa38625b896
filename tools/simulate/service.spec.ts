import { afterEach, describe, expect, it } from '@jest/globals';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Issuer, Person, type Resends } from './person.js';
import { RetryingClient, type RetryLimits, Service, ServiceGone } from './service.js';

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
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  const hasty = { goneAfterMs: 300, attemptMs: 200 };
  const read = (url: string, retryLimits?: RetryLimits) =>
    new RetryingClient(new Service(url, retryLimits)).get('/me');

  it('sends a request again, just as it was, until it is answered', async () => {
    const seen: string[] = [];
    const url = await serve((request, response, body) => {
      seen.push(`${request.method ?? ''} ${String(request.headers['idempotency-key'])} ${body}`);
      if (seen.length % 4 === 1) response.destroy();
      else if (seen.length % 4 === 2) json(response, 503, { code: 'unavailable' });
      else if (seen.length % 4 === 3) json(response, 409, { error: 'Race', code: 'conflict' });
      else json(response, 201, { id: 'a' });
    });
    const client = new RetryingClient(new Service(url));
    const params = { orgId: 'o', roleId: 'r' };
    const body = { name: 'Role', overallThreshold: 60, dimensions: [] };
    const call = { params, body, idempotencyKey: 'k' };
    expect((await client.post('/organisations/{orgId}/roles', call)).id).toBe('a');
    expect((await client.patch('/organisations/{orgId}/roles/{roleId}', call)).id).toBe('a');
    const sent = (method: string) => Array.from({ length: 4 }, () => `${method} k ${JSON.stringify(body)}`);
    expect(seen).toEqual([...sent('POST'), ...sent('PATCH')]);
    await client.post('/organisations/{orgId}/roles', { params, body });
    expect(new Set(seen.slice(8)).size).toBe(1);
    expect(client.service.counts).toEqual({ sent: 12, repeated: 9 });
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
    for (let asked = 0; asked < 4; asked++) await new RetryingClient(service).get('/me');
    expect(seen).toEqual(['a', 'b', 'a', 'b']);
    expect(service.counts).toEqual({ sent: 6, repeated: 2 });
  });

  it('names what is refused, and what is no answer of the interface', async () => {
    for (const [status, body, sentence] of [
      [409, { error: 'They are.', code: 'already_invited' }, '409 already_invited: They are.'],
      [500, { error: 'Broken.', code: 'internal' }, '500 internal: Broken.'],
      [404, [], '404 unknown: This is not an answer of the service (404).'],
      [202, {}, '202.'],
    ] as const) {
      const url = await serve((_, response) => json(response, status, body));
      await expect(read(url)).rejects.toThrow(`GET /me answered ${sentence}`);
    }
  });

  it('reads nothing from an answer that the answer lacks', async () => {
    const url = await serve((_, response) => json(response, 200, { memberships: [{ role: 'owner' }] }));
    const me = await read(url);
    expect(me.memberships.map(({ role }) => role)).toEqual(['owner']);
    expect(JSON.stringify(me)).toBe('{"memberships":[{"role":"owner"}]}');
    expect(() => me.memberships[0]?.organisationId).toThrow('The answer to GET /me lacks "organisationId".');
    expect(() => me.email).toThrow('The answer to GET /me lacks "email".');
  });

  it('waits as long as a limit says, and does not take that for silence', async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked += 1;
      json(response, asked === 1 ? 429 : 200, {}, { 'retry-after': '1' });
    });
    const began = Date.now();
    await read(url, hasty);
    expect(Date.now() - began).toBeGreaterThanOrEqual(990);
  });

  it.each<[string, Handler]>([
    ['says 503 for ever', (_, response) => json(response, 503, {})],
    ['never answers', () => undefined],
    ['hangs up', (_, response) => response.destroy()],
  ])('gives up on a service that %s', async (_, handler) => {
    await expect(read(await serve(handler), hasty)).rejects.toThrow(ServiceGone);
  });

  const serveIssuer = (handler: Handler) => {
    let given = 0;
    return serve((request, response, body) => {
      if (request.url !== '/token-for') {
        handler(request, response, body);
        return;
      }
      json(response, 200, { idToken: `token-${(given += 1)}`, expiresIn: 3600 });
    });
  };
  const person = (url: string, ...resends: [Resends?]) =>
    new Person(new Service(url), new Issuer(new Service(url)), 'a@b.example', ...resends);

  it('asks for a new token once where the old one is no longer taken', async () => {
    let refused = 0;
    const url = await serveIssuer((request, response) => {
      const isTaken = request.headers.authorization === 'Bearer token-2';
      json(response, isTaken ? 200 : 401, { email: `${(refused += isTaken ? 0 : 1)}` });
    });
    const somebody = person(url);
    expect((await somebody.get('/me')).email).toBe('1');
    expect((await somebody.get('/me')).email).toBe('1');
  });

  it('finds out two answers under one key, and a copy under another that does something again', async () => {
    let served = 0;
    const url = await serveIssuer((_, response) => json(response, 201, { served: (served += 1) }));
    const send = (resends: Resends, again?: '409 already_invited') =>
      person(url, resends).command(
        ...(['post', '/organisations/{orgId}/roles/{roleId}/invitations', 201] as const),
        { params: { orgId: 'o', roleId: 'r' }, body: { candidateEmail: 'c@d.example' } },
        again,
      );
    await expect(send('same_key')).rejects.toThrow('has two answers');
    await expect(send('other_key', '409 already_invited')).rejects.toThrow(
      'Sent again, POST /organisations/o/roles/r/invitations answered 201, not 409 already_invited.',
    );
    await send('other_key');
    expect(served).toBe(6);
  });

  it('gives every copy under one key the same answer', async () => {
    const keys: unknown[] = [];
    const url = await serveIssuer((request, response) => {
      keys.push(request.headers['idempotency-key']);
      json(response, 200, { id: 's', names: ['a', { b: 1 }] });
    });
    const path = '/trial-sessions/{trialSessionId}/withdraw';
    await person(url, 'same_key').command('post', path, 200, { params: { trialSessionId: 's' } });
    await person(url, 'other_key').command('post', path, 200, { params: { trialSessionId: 's' } });
    expect([keys.length, keys[0] === keys[1], new Set(keys).size]).toEqual([4, true, 3]);
  });
});
