import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientOptions, WebSocket } from 'ws';
import { RATES } from '../../src/http/rate-limits.js';
import {
  type Answered,
  handshake,
  maskedFrame,
  openSocket,
  pathOf,
  rawUpgrade,
  SESSION,
  TestSocket,
  tokenOf,
} from '../support/interview-socket.js';
import { type Service, startService } from '../support/service.js';

interface ErrorBody {
  readonly error: string;
  readonly code: string;
  readonly requestId: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

const ORIGIN = 'https://app.example.org';
const ENTRY = 'test/fixtures/interview-app.js';
/** Words of libraries, which no answer of ours may hold. */
const NOT_OURS = /Invalid|Missing or|Fastify|FST_|Nest|text\/html/;

let service: Service;
const open: TestSocket[] = [];

/** Each test has a caller of its own, since the requests of a caller are limited per minute. */
let callers = 0;
const candidate = (): string => tokenOf(`candidate-${(callers += 1)}`);

const ask = async (path: string, options: ClientOptions = {}): Promise<TestSocket | Answered> => {
  const outcome = await openSocket(service.url, path, options);
  if (outcome instanceof TestSocket) open.push(outcome);
  return outcome;
};

const connected = async (path = pathOf(SESSION.started, candidate())): Promise<TestSocket> => {
  const outcome = await ask(path);
  if (outcome instanceof TestSocket) return outcome;
  throw new Error(outcome.text);
};

const refused = async (
  path: string,
  status: number,
  code: string,
  options: ClientOptions = {},
): Promise<Answered & { readonly body: ErrorBody }> => {
  const outcome = await ask(path, options);
  if (outcome instanceof TestSocket) throw new Error('The socket was opened.');
  const body = JSON.parse(outcome.text) as ErrorBody;
  expect({ status: outcome.status, code: body.code }).toEqual({ status, code });
  const { headers } = outcome;
  expect(headers['x-request-id']).toBe(body.requestId);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['content-length']).toBe(`${Buffer.byteLength(outcome.text)}`);
  expect(headers.connection).toBe('close');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(outcome.text).not.toMatch(NOT_OURS);
  return { ...outcome, body };
};

const metric = async (line: string): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
};

beforeAll(async () => {
  service = await startService({ entry: ENTRY, env: { ALLOWED_ORIGINS: ORIGIN, LOG_LEVEL: 'trace' } });
});
afterEach(async () => {
  for (const { socket } of open.splice(0)) socket.terminate();
});
afterAll(() => service.stop());

describe('an upgrade', () => {
  it('opens the socket of one’s own session', async () => {
    const client = await connected();
    client.ready();
    await client.frame('speech.started');
    client.send({ type: 'session.end', id: 'one' });
    expect(await client.frame('ack')).toMatchObject({ id: 'one' });
    expect(await metric('interview_sockets')).toBe(1);
    expect(await metric('interview_upgrades_total{status="101"}')).toBeGreaterThan(0);
    client.socket.close(1000);
    expect(await client.closed).toBe(1000);
    while ((await metric('interview_sockets')) > 0) await sleep(10);
    expect(await metric('interview_socket_closes_total{code="1000"}')).toBe(1);
  });

  it('echoes the request’s id and agrees on the protocol, and on nothing else', async () => {
    const plain = await connected();
    expect(plain.socket.extensions).toBe('');
    const path = pathOf(SESSION.started, candidate());
    const text = await rawUpgrade(
      service.port,
      [handshake(path, { 'Sec-WebSocket-Protocol': 'other, interview.v1' })],
      { patienceMs: 300 },
    );
    expect(text).toMatch(/^HTTP\/1\.1 101 /);
    expect(text).toContain('Sec-WebSocket-Protocol: interview.v1');
    const offering = new WebSocket(`${service.url.replace('http', 'ws')}${path}`, ['interview.v1', 'other']);
    await once(offering, 'open');
    expect(offering.protocol).toBe('interview.v1');
    offering.terminate();
    const answer = await refused(pathOf(SESSION.started, null), 401, 'missing_token', {
      headers: { 'X-Request-Id': 'mine-1' },
    });
    expect(answer.body.requestId).toBe('mine-1');
  });

  it.each([
    ['none', null],
    ['an empty one', ''],
    ['one of two parts', 'aaa.bbb'],
    ['one that is encoded', 'aaa%2Ebbb%2Eccc'],
    ['one with a space', 'aaa.b+b.ccc'],
    ['two', `${tokenOf('candidate')}&token=${tokenOf('candidate')}`],
  ])('with a token that is missing or malformed, %s, is 401', async (_, token) => {
    const { body } = await refused(pathOf(SESSION.started, token), 401, 'missing_token');
    expect(body.error).toBe('missing bearer token');
  });

  it('takes no token from the header', async () => {
    const { body } = await refused(pathOf(SESSION.started, null), 401, 'missing_token', {
      headers: { Authorization: `Bearer ${candidate()}` },
    });
    expect(body.error).toBe('missing bearer token');
  });

  it('with a token that is not accepted is 401', async () => {
    const { body } = await refused(pathOf(SESSION.started, tokenOf('refused')), 401, 'invalid_token');
    expect(body.error).not.toBe('missing bearer token');
  });

  it('is 403 for pages of other origins alone', async () => {
    for (const origin of ['https://evil.example.org', 'null', '', `${ORIGIN}.evil.org`])
      await refused(pathOf(SESSION.started, candidate()), 403, 'forbidden', { headers: { Origin: origin } });
    for (const origin of [ORIGIN, service.url])
      expect(await ask(pathOf(SESSION.started, candidate()), { origin })).toBeInstanceOf(TestSocket);
    // The origin is checked before the owner of the session.
    await refused(pathOf(SESSION.unknown, candidate()), 403, 'forbidden', { origin: 'https://evil.org' });
  });

  it('to a foreign session is answered byte for byte as to one that does not exist', async () => {
    const bytes = async (sessionId: string, subject: string): Promise<string> => {
      const text = await rawUpgrade(service.port, [handshake(pathOf(sessionId, tokenOf(subject)))]);
      const [, requestId = ''] = /X-Request-Id: (\S+)/i.exec(text) ?? [];
      expect(requestId).not.toBe('');
      return text.replaceAll(requestId, 'ID').replace(/Date: [^\r]+/i, 'Date');
    };
    const unknown = await bytes(SESSION.unknown, 'candidate-404');
    expect(unknown).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(unknown).toContain('"code":"not_found"');
    expect(await bytes(SESSION.started, 'somebody')).toBe(unknown);
    expect(await bytes(SESSION.ended, 'somebody')).toBe(unknown);
    expect(await bytes(SESSION.invited, 'staff')).toBe(unknown);
    expect(await bytes(SESSION.erased, 'candidate-404')).toBe(unknown);
    expect(await bytes('no-uuid', 'candidate-404')).toBe(unknown);
    expect(await bytes('%2e%2e', 'candidate-404')).toBe(unknown);
  });

  it('is 409 for the owner of a session that cannot be interviewed', async () => {
    await refused(pathOf(SESSION.invited, candidate()), 409, 'not_started');
    await refused(pathOf(SESSION.ended, candidate()), 409, 'session_ended');
  });

  it('is 429 for who opens too many, whatever sessions they name', async () => {
    const token = candidate();
    for (let count = 0; count < RATES.connection; count += 20)
      await Promise.all(
        Array.from({ length: 20 }, () => refused(pathOf(SESSION.unknown, token), 404, 'not_found')),
      );
    for (const sessionId of [SESSION.unknown, SESSION.started]) {
      const { headers } = await refused(pathOf(sessionId, token), 429, 'rate_limited');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers['ratelimit-limit']).toBe(`${RATES.connection}`);
    }
  });

  it('is 503 while the store is unreachable, and past the deadline', async () => {
    const away = await refused(pathOf(SESSION.away, candidate()), 503, 'unavailable');
    expect(away.headers['retry-after']).toBe('1');
    const late = await refused(pathOf(SESSION.started, tokenOf('never')), 503, 'unavailable');
    expect(late.headers['retry-after']).toBe('1');
  });

  it('with wrong headers of the handshake is 400, in our words', async () => {
    const path = pathOf(SESSION.started, candidate());
    for (const [name, value] of [
      ['Sec-WebSocket-Key', 'short'],
      ['Sec-WebSocket-Version', '12'],
      ['Sec-WebSocket-Version', '8'],
      ['Sec-WebSocket-Protocol', 'a,,b'],
      ['Sec-WebSocket-Protocol', 'a,a'],
      // A browser fails, without a reason, if the answer selects none of its protocols.
      ['Sec-WebSocket-Protocol', 'graphql-ws, interview.v2'],
    ] as const) {
      const text = await rawUpgrade(service.port, [handshake(path, { [name]: value })]);
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      expect(text).toContain('"code":"validation_failed"');
      expect(text).toContain(`"path":"${name}"`);
      expect(text).not.toMatch(NOT_OURS);
    }
  });

  it('on another path is answered as any request there', async () => {
    await refusedElsewhere('/nowhere', 404);
    await refusedElsewhere('/interrogation/1/socket/more', 404);
    await refusedElsewhere('/interrogation//socket', 404);
    await refusedElsewhere('/interrogation/%zz/socket', 404);
    await refusedElsewhere('/health/live', 200);
  });

  const refusedElsewhere = async (path: string, status: number): Promise<void> =>
    expect(await ask(path)).toMatchObject({ status });
});

describe('the socket’s path', () => {
  it('says to a plain request that it is a WebSocket', async () => {
    const path = pathOf(SESSION.started, candidate());
    const reply = await fetch(service.url + path);
    expect(reply.status).toBe(400);
    expect((await reply.json()) as ErrorBody).toMatchObject({
      code: 'validation_failed',
      error: 'This is a WebSocket: connect to it with a WebSocket client.',
    });
    for (const wrong of [{ Upgrade: 'h2c' }, { 'Content-Length': '5' }, { 'Transfer-Encoding': 'chunked' }])
      expect(
        await rawUpgrade(service.port, [handshake(path, { ...wrong }), '5\r\nabcde\r\n0\r\n\r\n'], {
          patienceMs: 300,
        }),
      ).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('has no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const reply = await fetch(service.url + pathOf(SESSION.started, candidate()), { method });
      expect(reply.status).toBe(405);
      expect(reply.headers.get('allow')).toMatch(/^GET\b/);
    }
  });
});

describe('on a bare connection', () => {
  const WELCOME = /^HTTP\/1\.1 101 [^]*"type":"speech\.started"/;
  const ready = maskedFrame(1, Buffer.from('{"type":"client.ready","protocol":"interview.v1"}'));

  it('an upgrade may come byte by byte, and frames right behind it', async () => {
    const bytes = handshake(pathOf(SESSION.started, candidate()));
    const pieces = [...bytes.matchAll(/[^]{1,40}/g)].map(([piece]) => piece);
    expect(await rawUpgrade(service.port, [...pieces, ready], { pauseMs: 2, patienceMs: 300 })).toMatch(
      WELCOME,
    );
    const again = handshake(pathOf(SESSION.started, candidate()));
    const at_once = Buffer.concat([Buffer.from(again), ready]);
    expect(await rawUpgrade(service.port, [at_once], { patienceMs: 300 })).toMatch(WELCOME);
  });

  it('a client that keeps sending can read the whole refusal', async () => {
    const text = await rawUpgrade(service.port, [
      handshake(pathOf(SESSION.unknown, candidate())),
      Buffer.alloc(4 * 1024 * 1024, 0x82),
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    expect(text).toContain('"error":"There is no such trial session."');
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('headers that are too large are 413', async () => {
    const text = await rawUpgrade(service.port, [
      handshake(pathOf(SESSION.started, candidate()), { 'X-Filler': 'x'.repeat(20_000) }),
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('an upgrade behind a request that is still being answered stays with HTTP', async () => {
    const first = 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const upgrade = handshake(pathOf(SESSION.started, candidate()));
    const text = await rawUpgrade(service.port, [first + upgrade], { patienceMs: 500 });
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    expect(text.match(/HTTP\/1\.1 (101|400)/g)).toHaveLength(1);
  });

  it('a client may disconnect during the decision', async () => {
    const path = pathOf(SESSION.started, tokenOf('never'));
    await Promise.all(
      Array.from({ length: 20 }, () => rawUpgrade(service.port, [handshake(path)], { patienceMs: 20 })),
    );
    await sleep(600);
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  });
});

describe('bad frames', () => {
  it('of 10 MB close with 1009', async () => {
    const client = await connected();
    client.ready();
    await client.frame('speech.started');
    client.send(Buffer.alloc(10 * 1024 * 1024));
    expect(await client.closed).toBe(1009);
  });

  it('of one byte are reported, and have no effect', async () => {
    const client = await connected();
    client.ready();
    client.send(Buffer.alloc(1));
    expect(await client.frame('error')).toMatchObject({ code: 'bad_message', fatal: false });
    client.send({ type: 'session.end', id: 'x' });
    await client.frame('ack');
  });

  it('count for their caller, also after a reconnection', async () => {
    const path = pathOf(SESSION.started, candidate());
    // An empty frame of audio that ends its turn.
    const frame = Buffer.from('010100010000000100000000', 'hex');
    const codes: number[] = [];
    // If the machine stalls for ten seconds, a new count begins: try again.
    for (let tries = 0; tries < 3 && codes.at(-1) !== 4429; tries += 1) {
      const first = await connected(path);
      first.ready();
      await first.frame('speech.started');
      for (let count = 0; count < 30_000; count += 1) first.send(frame);
      expect(await first.closed).toBe(4429);
      const second = await connected(path);
      second.ready();
      codes.push(await Promise.race([second.closed, second.frame('speech.started').then(() => 0)]));
    }
    expect(codes.at(-1)).toBe(4429);
  });

  it('10,000 at once close with 4429', async () => {
    const client = await connected();
    client.ready();
    await client.frame('speech.started');
    for (let count = 0; count < 10_000; count += 1) client.send({ type: 'ping' });
    expect(await client.closed).toBe(4429);
    expect(client.frames.filter(({ type }) => type === 'pong').length).toBeLessThanOrEqual(100);
    expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'too_many_messages', fatal: true });
  });
});

it('a client that never reads slows no other client and takes little memory', async () => {
  const before = await metric('process_resident_memory_bytes');
  const deaf = await Promise.all(Array.from({ length: 10 }, () => connected()));
  for (const one of deaf) {
    one.socket.pause();
    one.ready('flood');
  }
  await sleep(500);
  const other = await connected();
  other.ready();
  await other.frame('speech.started');
  const started = performance.now();
  for (let count = 0; count < 50; count += 1) {
    other.frames.length = 0;
    other.send({ type: 'session.end', id: `${count}` });
    await other.frame('ack');
  }
  expect((performance.now() - started) / 50).toBeLessThan(250);
  // Each of them could take 64 MB.
  expect((await metric('process_resident_memory_bytes')) - before).toBeLessThan(100 * 1024 * 1024);
  deaf[0]!.socket.resume();
  while (deaf[0]!.audioBytes < 4_000 * 16 * 1024) await sleep(20);
});

it('no line of the log holds a token or an address with one', async () => {
  const token = tokenOf('careless');
  await refused(pathOf(SESSION.started, token), 500, 'internal');
  await sleep(400);
  const output = service.output();
  expect(output).toContain('could not read /socket?token=[redacted]');
  expect(output).toContain('"route":"/interrogation/:id/socket"');
  expect(output).not.toContain('c2lnbmF0dXJl');
  expect(output).not.toContain(SESSION.started);
});

describe('a service of its own', () => {
  it('has so many sockets and no more', async () => {
    const small = await startService({ entry: ENTRY, env: { MAX_SOCKETS: '2' } });
    try {
      const path = () => pathOf(SESSION.started, candidate());
      const [first] = await Promise.all([openSocket(small.url, path()), openSocket(small.url, path())]);
      expect(await openSocket(small.url, path())).toMatchObject({ status: 503 });
      expect(await openSocket(small.url, pathOf(SESSION.started, null))).toMatchObject({ status: 401 });
      (first as TestSocket).socket.terminate();
      let outcome = await openSocket(small.url, path());
      while (!(outcome instanceof TestSocket)) outcome = await openSocket(small.url, path());
    } finally {
      await small.stop();
    }
  });

  it('allows ten sockets of one caller at once, counted separately for each caller', async () => {
    const [mine, others] = [candidate(), candidate()];
    const sockets = await Promise.all(
      Array.from({ length: 10 }, () => connected(pathOf(SESSION.started, mine))),
    );
    const { headers, body } = await refused(pathOf(SESSION.started, mine), 429, 'rate_limited');
    expect([headers['retry-after'], body.error]).toEqual([
      '10',
      expect.stringMatching(/^You have the most interview connections/),
    ]);
    await connected(pathOf(SESSION.started, others));
    sockets[0]!.socket.terminate();
    let outcome = await ask(pathOf(SESSION.started, mine));
    while (!(outcome instanceof TestSocket)) outcome = await ask(pathOf(SESSION.started, mine));
    await refused(pathOf(SESSION.started, mine), 429, 'rate_limited');
  });

  it('limits an address whose upgrades are all refused, and no other address', async () => {
    const strict = await startService({ entry: ENTRY });
    try {
      const path = pathOf(SESSION.started, tokenOf('refused'));
      const statuses: number[] = [];
      for (let round = 0; round < 13; round += 1) {
        const answers = await Promise.all(Array.from({ length: 50 }, () => openSocket(strict.url, path)));
        for (const answer of answers) statuses.push((answer as Answered).status);
      }
      expect(statuses.filter((status) => status === 401)).toHaveLength(600);
      expect(statuses.filter((status) => status === 429)).toHaveLength(50);
      const mine = await openSocket(strict.url, pathOf(SESSION.started, candidate()));
      expect(mine).toBeInstanceOf(TestSocket);
      (mine as TestSocket).socket.terminate();
    } finally {
      await strict.kill();
    }
  });

  it('notifies every client when it stops, and accepts no new one', async () => {
    const ending = await startService({ entry: ENTRY });
    try {
      const client = (await openSocket(ending.url, pathOf(SESSION.started, candidate()))) as TestSocket;
      client.ready();
      await client.frame('speech.started');
      const deaf = (await openSocket(ending.url, pathOf(SESSION.started, candidate()))) as TestSocket;
      deaf.socket.pause();
      const undecided = openSocket(ending.url, pathOf(SESSION.started, tokenOf('candidate-slow')));
      await sleep(100);
      const stopped = ending.stop();
      expect(await client.frame('go_away')).toEqual({ type: 'go_away', deadlineMs: 2_000 });
      const turnedAway = (await undecided) as Answered;
      expect(turnedAway.status).toBe(503);
      expect(turnedAway.text).toContain('The service is stopping.');
      expect(await client.closed).toBe(1001);
      const { code, tookMs } = await stopped;
      expect(code).toBe(0);
      expect(tookMs).toBeLessThan(9_000);
      deaf.socket.resume();
    } finally {
      await ending.kill();
    }
  });
});
