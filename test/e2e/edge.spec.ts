import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { Api, type Reply, type Sent } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

interface ErrorBody {
  readonly error: string;
  readonly code: string;
  readonly requestId: string;
  readonly details?: readonly { path: string; rule: string; message: string }[];
}

const TOKEN = 'head.somebody.signature';
const ORIGIN = 'https://app.example.org';
/** Words of frameworks and libraries, which no answer of ours may hold. */
const NOT_OURS =
  /Cannot (GET|POST)|Route |Bad Request|FST_|Fastify|Nest|statusCode|Unexpected token|Not Found|JSON at|at file:|\.js:/;

let service: Service;
let api: Api;

const send = <B = ErrorBody>(method: string, path: string, sent: Sent = {}): Promise<Reply<B>> =>
  api.send<B>(method, path, { token: TOKEN, ...sent });

/** Sends bytes that no HTTP client would send. @returns the whole answer */
const raw = (text: string, patienceMs = 5_000): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(service.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('close', () => resolve(answer)).on('error', reject);
  });

const expectError = (reply: Reply, status: number, code: string): ErrorBody => {
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status });
  const body = reply.body as ErrorBody;
  expect(body.code).toBe(code);
  expect(body.error).toMatch(/^missing bearer token$|[.]$/);
  expect(body.requestId).toBe(reply.headers.get('x-request-id'));
  expect(reply.text).not.toMatch(NOT_OURS);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(body).every((key) => ['error', 'code', 'requestId', 'details'].includes(key))).toBe(
    true,
  );
  return body;
};

beforeAll(async () => {
  service = await startService({
    entry: 'test/fixtures/edge-app.js',
    env: {
      ALLOWED_ORIGINS: ORIGIN,
      PUBLIC_URL: 'https://assay.example.org/api',
      DEVELOPMENT_ISSUER: 'on',
      LOG_LEVEL: 'info',
    },
  });
  api = new Api(service.url);
});
afterAll(() => service.stop());

describe('a path', () => {
  it.each([
    '/nowhere',
    '/things/1/more',
    '/',
    '/things/',
    '//things',
    '/things/%zz',
    `/things/${'x'.repeat(1030)}`,
  ])(
    'that is not there, %s, is 404',
    async (path) => void expectError(await send('GET', path), 404, 'not_found'),
  );

  it.each([
    ['PUT', '/things', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/things', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/things/7', 'DELETE, GET, HEAD, PATCH, OPTIONS'],
    ['POST', '/health/live', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/things', 'GET, HEAD, POST, OPTIONS'],
    ['QUERY', '/things', 'GET, HEAD, POST, OPTIONS'],
  ])('that has no %s, %s, says which it has', async (method, path, allow) => {
    const reply = await send(method, path);
    expectError(reply, 405, 'method_not_allowed');
    expect(reply.headers.get('allow')).toBe(allow);
  });

  it('that has no such method or is not there says so however the body is sent', async () => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'br' };
    for (const method of ['QUERY', 'PUT'])
      expectError(await send(method, '/things', { body: '{', headers }), 405, 'method_not_allowed');
    for (const method of ['QUERY', 'POST'])
      expectError(await send(method, '/nowhere', { body: '{', headers }), 404, 'not_found');
    expectError(await send('QUERY', '/nowhere'), 404, 'not_found');
  });

  it('answers OPTIONS with its methods', async () => {
    const reply = await send('OPTIONS', '/things');
    expect(reply).toMatchObject({ status: 204, text: '' });
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expectError(await send('OPTIONS', '/nowhere'), 404, 'not_found');
  });

  it('answers HEAD as GET, without the body', async () => {
    const reply = await send('HEAD', '/things/7');
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(reply.headers.get('etag')).toBe('"3"');
    expect((await send('HEAD', '/nowhere')).status).toBe(404);
  });
});

describe('a body', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    send('POST', '/things', { body, headers });

  it.each(['{', '{"name":}', "{'name':1}", '{"name":"a"}}', '[1,2', 'name=a', '{"name":"\u0001"}'])(
    'that is no JSON, %s, is malformed',
    async (text) => void expectError(await post(text), 400, 'malformed_json'),
  );

  it('nested 100,000 deep is malformed, at once', async () => {
    const started = performance.now();
    expectError(await post('['.repeat(100_000)), 400, 'malformed_json');
    expectError(await post('{"name":'.repeat(20_000) + '1' + '}'.repeat(20_000)), 400, 'malformed_json');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('that is missing is asked for', async () => {
    const without = await send('POST', '/things');
    expect(expectError(without, 400, 'validation_failed').details).toEqual([
      { path: '', rule: 'required', message: 'A JSON body is needed here.' },
    ]);
    expectError(await post(''), 400, 'validation_failed');
    expectError(await post('null'), 400, 'validation_failed');
    expectError(await post('[]'), 400, 'validation_failed');
    expectError(await post('"text"'), 400, 'validation_failed');
  });

  it('is not needed where nothing is asked for', async () => {
    expect(await send('POST', '/bare')).toMatchObject({ status: 202, body: { body: null } });
    expect(await send('POST', '/bare', { body: '' })).toMatchObject({ status: 202, body: { body: null } });
    expect(await send('POST', '/bare', { body: { a: 1 } })).toMatchObject({ status: 202 });
  });

  it.each([
    [{ name: null }, ['name:string']],
    [{}, ['name:required']],
    [{ name: '  ' }, ['name:notBlank']],
    [{ name: ['a'] }, ['name:string']],
    [{ name: 'a', parts: {} }, ['parts:array']],
    [{ name: 'a', parts: null }, ['parts:array']],
    [{ name: 'a', parts: [] }, ['parts:minItems']],
    [{ name: 'a', parts: [{ name: 'b', weight: '70' }] }, ['parts[0].weight:integer']],
    [{ name: 'a', parts: [{ name: 'b', weight: 1.5 }] }, ['parts[0].weight:integer']],
    [{ name: 'a', parts: [{ name: 'b', weight: 101 }] }, ['parts[0].weight:max']],
    [{ name: 'a', parts: [{ name: 'b', weight: 2 ** 53 }] }, ['parts[0].weight:integer']],
    [{ name: 'a', colour: 'red' }, ['colour:unknown']],
    [{ name: 'a', parts: [{ name: 'b', weight: 1, x: 1 }, 7] }, ['parts[0].x:unknown', 'parts[1]:object']],
  ])('%j names each offending field', async (body, expected) => {
    const { details } = expectError(await post(body), 400, 'validation_failed');
    expect(details?.map(({ path, rule }) => `${path}:${rule}`)).toEqual(expected);
  });

  it('with 1e400 has no whole number, with __proto__ an unknown field', async () => {
    const huge = await post('{"name":"a","parts":[{"name":"b","weight":1e400}]}');
    expect(expectError(huge, 400, 'validation_failed').details?.[0]?.rule).toBe('integer');
    const proto = await post('{"name":"a","__proto__":{"isAdmin":true}}');
    expect(expectError(proto, 400, 'validation_failed').details?.[0]?.path).toBe('__proto__');
  });

  it('keeps the keys of a free payload exactly as they were sent', async () => {
    const text =
      '{"payload":{"$where":"1","a.b":{"__proto__":{"x":1},"constructor":null},"__proto__":[],"":0}}';
    expect((await send('POST', '/free', { body: text })).text).toBe(text);
    expect((await send<{ isAdmin?: boolean }>('POST', '/free', { body: text })).body.isAdmin).toBeUndefined();
  });

  it('larger than 256 KiB is refused, however it is sent', async () => {
    const fits = JSON.stringify({ payload: { text: 'x'.repeat(256 * 1024 - 23) } });
    expect(Buffer.byteLength(fits)).toBe(256 * 1024);
    expect((await send('POST', '/free', { body: fits })).status).toBe(200);
    expectError(await send('POST', '/free', { body: `${fits} ` }), 413, 'too_large');
    for (let round = 0; round < 20; round += 1) {
      expectError(await send('POST', '/free', { body: 'x'.repeat(300 * 1024) }), 413, 'too_large');
    }
    expectError(await send('POST', '/free', { body: 'x'.repeat(5 * 1024 * 1024) }), 413, 'too_large');
    const chunked = await raw(
      `POST /free HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${`4000\r\n${'x'.repeat(0x4000)}\r\n`.repeat(20)}0\r\n\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect(chunked).toContain('"code":"too_large"');
  });

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/xml', {}],
    ['multipart/form-data; boundary=x', {}],
    ['application/json; charset=latin1', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('sent as %s %j is no JSON body', async (type, headers) => {
    expectError(
      await post('{"name":"a"}', { 'content-type': type, ...headers }),
      415,
      'unsupported_media_type',
    );
  });

  it('may say that it is UTF-8', async () => {
    const reply = await post('{"name":"é"}', { 'content-type': 'application/json; charset=UTF-8' });
    expect(reply).toMatchObject({ status: 201, body: { made: { name: 'é' } } });
  });
});

describe('a request that is hardly one', () => {
  it.each([
    ['nonsense\r\n\r\n', 400, 'validation_failed'],
    ['GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400, 'validation_failed'],
    [`GET /health/live HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 413, 'too_large'],
    ['GET /health/live HTTP/1.1\r\n\r\n', 400, 'validation_failed'],
    ['GET /health/live HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400, 'validation_failed'],
    ['GET /health/live HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400, 'validation_failed'],
    ['GET /health/live HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'validation_failed'],
    ['CONNECT /things HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'not_found'],
    [
      'POST /free HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'validation_failed',
    ],
  ])('%j is answered in the one shape', async (text, status, code) => {
    const answer = await raw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as ErrorBody;
    expect(body.code).toBe(code);
    expect(body.error).toMatch(/\.$/);
    expect(answer.toLowerCase()).toContain(`x-request-id: ${body.requestId}`);
  });

  it('and expects what no server does is served all the same', async () => {
    const answer = await raw(
      'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('never keeps the service from the next one', async () => {
    const halves = Array.from({ length: 50 }, () =>
      connect(service.port, '127.0.0.1').on('error', () => undefined),
    );
    halves.forEach((socket) =>
      socket.write('POST /free HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{'),
    );
    expect((await send('GET', '/unchecked')).status).toBe(200);
    halves.forEach((socket) => socket.destroy());
  });
});

describe('headers', () => {
  it('echo a request id that can be echoed, and replace another', async () => {
    const echoed = await send('GET', '/unchecked', { headers: { 'x-request-id': 'Abc.1_2-3' } });
    expect(echoed.headers.get('x-request-id')).toBe('Abc.1_2-3');
    for (const id of ['a b', 'x'.repeat(65), 'ü']) {
      const reply = await send('GET', '/nowhere', { headers: { 'x-request-id': encodeURI(id) } });
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expectError(reply, 404, 'not_found');
    }
  });

  it('keep browsers from doing anything with an answer, errors included', async () => {
    for (const path of ['/unchecked', '/nowhere', '/fault/plain', '/things/%zz', '/openapi.json']) {
      const { headers } = await send('GET', path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('let allowed origins read answers, on every path, without cookies', async () => {
    for (const path of ['/unchecked', '/nowhere', '/fault/plain', '/things/%zz', '/docs']) {
      const { headers } = await send('GET', path, { headers: { origin: ORIGIN } });
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toBe('Origin');
      const exposed = headers.get('access-control-expose-headers')?.split(', ');
      for (const name of [
        'ETag',
        'Location',
        'Consistency-Token',
        'Retry-After',
        'RateLimit-Remaining',
        'X-Request-Id',
      ]) {
        expect(exposed).toContain(name);
      }
    }
    for (const origin of ['https://evil.example', `${ORIGIN}.evil.example`, 'null']) {
      const { headers } = await send('GET', '/unchecked', { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('answer preflights of allowed origins alone', async () => {
    const ask = (origin: string) =>
      send('OPTIONS', '/things/7', {
        token: null,
        headers: {
          origin,
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'if-match',
        },
      });
    const allowed = await ask(ORIGIN);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(allowed.headers.get('access-control-allow-headers')).toMatch(/If-Match.*/);
    expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('an answer', () => {
  it('carries version, location and token', async () => {
    const reply = await send('POST', '/things?x=1', {
      body: { name: 'a' },
      headers: { 'idempotency-key': 'k 1' },
    });
    expect(reply).toMatchObject({
      status: 201,
      body: { made: { name: 'a' }, idempotencyKey: 'k 1', path: '/things?x=1' },
    });
    expect(reply.headers.get('location')).toBe('/things/7');
    expect(reply.headers.get('etag')).toBe('"1"');
    expect(reply.headers.get('consistency-token')).toBe('ct-1');
  });

  it('is 304 where the caller has that version', async () => {
    for (const tag of ['"3"', 'W/"3"', '"1", "3"', '*']) {
      const reply = await send('GET', '/things/7', { headers: { 'if-none-match': tag } });
      expect(reply).toMatchObject({ status: 304, text: '' });
      expect(reply.headers.get('etag')).toBe('"3"');
    }
    expect((await send('GET', '/things/7', { headers: { 'if-none-match': '"2"' } })).status).toBe(200);
  });

  it('to a change names the current version, or is 412', async () => {
    const change = (tag: string) =>
      send('PATCH', '/things/7', { body: { name: 'a' }, headers: { 'if-match': tag } });
    expect((await change('"3"')).headers.get('etag')).toBe('"4"');
    expect((await change('*')).status).toBe(200);
    for (const tag of ['"2"', '3', 'W/"3"', '"3", "4"', 'nonsense']) {
      expectError(await change(tag), 412, 'version_mismatch');
    }
  });

  it('without content is empty', async () => {
    expect(await send('DELETE', '/things/7')).toMatchObject({ status: 204, text: '' });
  });

  it('to a wrong key or list query names it', async () => {
    const key = await send('POST', '/things', {
      body: { name: 'a' },
      headers: { 'idempotency-key': 'x'.repeat(256) },
    });
    expect(expectError(key, 400, 'validation_failed').details?.[0]?.path).toBe('Idempotency-Key');
    for (const [query, path] of [
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      ['limit=abc', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['cursor=', 'cursor'],
      ['limit=1&other=%zz', 'other'],
      ['status=a&Status=b', 'Status'],
      ['__proto__=1', '__proto__'],
    ]) {
      const reply = await send('GET', `/things?${query}`);
      expect(expectError(reply, 400, 'validation_failed').details?.[0]?.path).toBe(path);
    }
    expect(await send('GET', '/things?limit=200&cursor=c&status=%zz')).toMatchObject({
      status: 200,
      body: { items: [{ limit: 200, cursor: 'c' }, '%zz'] },
    });
  });
});

describe('a fault', () => {
  it.each([
    ['plain', 500, 'internal'],
    ['unknown', 500, 'internal'],
    ['store', 503, 'unavailable'],
    ['views', 503, 'unavailable'],
    ['behind', 503, 'unavailable'],
    ['parked', 503, 'view_parked'],
    ['cursor', 400, 'validation_failed'],
    ['refusal', 409, 'already_invited'],
    ['full', 413, 'session_full'],
  ])('%s is %d %s and says nothing of what lies within', async (kind, status, code) => {
    const reply = await send('GET', `/fault/${kind}`);
    expectError(reply, status, code);
    expect(reply.text).not.toMatch(/LMDB|ada@example|secret/);
    expect(reply.headers.has('retry-after')).toBe(status === 503);
  });

  it('is in the log, without what is personal', async () => {
    await send('GET', '/fault/plain', { headers: { 'x-request-id': 'find-me-1' } });
    await new Promise((settle) => setTimeout(settle, 600));
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes('find-me-1'));
    expect(
      lines.some((line) => line.includes('"level":"error"') && line.includes('"route":"/fault/:kind"')),
    ).toBe(true);
    expect(service.output()).not.toMatch(/ada@example\.org|head\.somebody/);
  });

  it('is not logged if a client breaks off its request', async () => {
    const before = service.output().length;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const head = ['POST /things HTTP/1.1', 'Host: x', 'Authorization: Bearer a.owner.c'];
    const body = ['Content-Type: application/json', 'Content-Length: 1000', '', '{"name":'];
    socket.write([...head, ...body].join('\r\n'));
    await new Promise((settle) => setTimeout(settle, 200));
    socket.destroy();
    await new Promise((settle) => setTimeout(settle, 800));
    expect(service.output().slice(before)).not.toMatch(/"level":"(?:error|warn)"/);
  });

  it('logs its stack if it is a fault of ours, and no stack if a part is unreachable', async () => {
    const lineOf = async (kind: string): Promise<string> => {
      const id = `stack-${kind}`;
      await send('GET', `/fault/${kind}`, { headers: { 'x-request-id': id } });
      return eventually(async () => {
        const lines = service.output().split('\n').slice(0, -1);
        return lines.find((line) => line.includes(id) && line.includes('"err"'));
      });
    };
    expect(await lineOf('plain')).toContain('"stack"');
    for (const kind of ['store', 'views', 'behind', 'parked']) {
      const line = await lineOf(kind);
      expect(line).toContain('"message"');
      expect(line).not.toMatch(/"stack"|\bat /);
    }
  });
});

describe('who may not', () => {
  it('is refused in the one shape', async () => {
    const reply = await send('GET', '/things/7', { token: null });
    expect(expectError(reply, 401, 'missing_token').error).toBe('missing bearer token');
    expectError(await send('GET', '/things/7', { token: 'x.refused.y' }), 401, 'invalid_token');
    expectError(await send('GET', '/organisations/x/things'), 403, 'forbidden');
    expectError(await send('POST', '/things', { token: null, body: {} }), 401, 'missing_token');
  });
});

describe('operations', () => {
  it('say that the process runs and is ready', async () => {
    expect(await send('GET', '/health/live', { token: null })).toMatchObject({
      status: 200,
      body: { status: 'live' },
    });
    expect(await send('GET', '/health/ready', { token: null })).toMatchObject({
      status: 200,
      body: { status: 'ready' },
    });
  });

  it('count requests by route pattern, never by path', async () => {
    await send('GET', '/things/some-personal-path');
    const { text, headers } = await send('GET', '/metrics', { token: null });
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/things\/:id",status="200"\} \d+/,
    );
    expect(text).toMatch(/^assay_eventloop_active_seconds_total [\d.]+$/m);
    expect(text).toMatch(/process_resident_memory_bytes/);
    expect(text).not.toContain('some-personal-path');
  });

  it('log one line for each answer, by route pattern, and no query', async () => {
    await send('GET', '/things/secret-id?token=abc&email=ada@example.org', {
      headers: { 'x-request-id': 'log-me' },
    });
    await new Promise((settle) => setTimeout(settle, 600));
    const line = service
      .output()
      .split('\n')
      .find((one) => one.includes('log-me'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      method: 'GET',
      route: '/things/:id',
      status: 400,
      requestId: 'log-me',
    });
    expect(service.output()).not.toMatch(/secret-id|token=abc|ada@example/);
  });
});
