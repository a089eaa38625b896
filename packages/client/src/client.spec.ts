import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AssayClient, AssayError, type ClientOptions, isAssayError } from './index.js';

type Answering = (response: ServerResponse, request: IncomingMessage) => void;

const answer =
  (status: number, body?: unknown, headers: Record<string, string> = {}): Answering =>
  (response) => {
    if (body === undefined) response.writeHead(status, headers).end();
    else
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...headers })
        .end(JSON.stringify(body));
  };
const refusal = (status: number, code: string, headers?: Record<string, string>): Answering =>
  answer(status, { error: `It is ${code}.`, code, requestId: 'r-1' }, headers);
const cut: Answering = (response) => void response.destroy();
const silent: Answering = () => undefined;
const silentInTheBody: Answering = (response) =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"half":');
const written =
  (status: number, type: string, text: string): Answering =>
  (response) =>
    void response.writeHead(status, { 'Content-Type': type }).end(text);
const page = (status: number): Answering => written(status, 'text/html', '<h1>Bad gateway</h1>');
const ok = answer(200, { ok: true });

/** Long enough for an answer on a busy machine. */
const HASTY = { timeoutMs: 2_000 };

const ORG = { orgId: 'o-1' };
const ROLE = { orgId: 'o-1', roleId: 'r-1' };
const ROLE_PATH = '/organisations/{orgId}/roles/{roleId}';
const SESSION = { trialSessionId: 's-1' };
const OUTCOME_PATH = '/organisations/{orgId}/trial-sessions/{trialSessionId}/outcome';
const OUTCOME = { params: { ...ORG, ...SESSION }, body: { humanRound: 'passed' } } as const;
const DEFINITION = { name: 'Engineer', overallThreshold: 60, dimensions: [] };

describe('a call', () => {
  let server: Server;
  let url: string;
  /** What is answered, in order; `ok` after them. */
  let answers: Answering[];
  let seen: { line: string; headers: IncomingMessage['headers']; body: string; at: number }[];

  beforeEach(async () => {
    [answers, seen] = [[], []];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { method, url: path, headers } = request;
        seen.push({ line: `${method} ${path}`, headers, body, at: Date.now() });
        (answers.shift() ?? ok)(response, request);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = (options: Partial<ClientOptions> = {}) => new AssayClient({ baseUrl: `${url}/`, ...options });
  const sent = (header: string) => seen.map(({ headers }) => headers[header]);
  const failure = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'none',
      (error: unknown) => error,
    );

  describe('that can be repeated', () => {
    it.each([
      ['is cut', cut],
      ['is not answered', silent],
      ['is not answered to its end', silentInTheBody],
      ['finds a proxy without its service', page(502)],
      ['finds the service away', refusal(503, 'unavailable')],
      ['is one too many', refusal(429, 'rate_limited')],
      ['loses a race', refusal(409, 'conflict')],
    ])('is tried again if it %s, as the same command', async (_, fault) => {
      answers = [fault];
      const call = { params: SESSION, body: { consent: true } } as const;
      expect(await open(HASTY).post('/trial-sessions/{trialSessionId}/start', call)).toEqual({ ok: true });
      const [key] = sent('idempotency-key');
      expect(key).toMatch(/^[0-9a-f-]{36}$/);
      expect(sent('idempotency-key')).toEqual([key, key]);
      expect(seen.map(({ line, body }) => [line, body])).toEqual(
        Array.from({ length: 2 }, () => ['POST /trial-sessions/s-1/start', '{"consent":true}']),
      );
    });

    it('fails with the last failure when its tries are used up, as many as the client or the call says', async () => {
      answers = [cut, refusal(503, 'unavailable'), page(502)];
      expect(await failure(open({ maxRetries: 1 }).get('/me'))).toMatchObject({ status: 503 });
      expect(seen).toHaveLength(2);
      expect(await failure(open().get('/me', { maxRetries: 0 }))).toMatchObject({
        code: 'unknown',
        status: 502,
      });
      expect(seen).toHaveLength(3);
    });

    it('has another key for each call, and the one that it is given', async () => {
      const post = '/trial-sessions/{trialSessionId}/complete';
      const client = open();
      await client.post(post, { params: SESSION });
      await client.post(post, { params: SESSION });
      await client.post(post, { params: SESSION, idempotencyKey: 'mine' });
      const [one, other, given] = sent('idempotency-key');
      expect([one === other, given]).toEqual([false, 'mine']);
    });
  });

  describe('that might be done twice', () => {
    it.each([cut, silent, refusal(503, 'unavailable')])(
      'is not repeated if its outcome is unknown',
      async (fault) => {
        const client = open(HASTY);
        answers = [fault];
        expect(await failure(client.patch(ROLE_PATH, { params: ROLE, body: DEFINITION }))).toBeInstanceOf(
          AssayError,
        );
        answers = [fault];
        // The first one may be why the version is another one by now.
        expect(await failure(client.put(OUTCOME_PATH, { ...OUTCOME, ifMatch: 1 }))).toBeInstanceOf(
          AssayError,
        );
        expect(seen).toHaveLength(2);
        answers = [fault];
        await client.put(OUTCOME_PATH, OUTCOME);
        expect(seen).toHaveLength(4);
      },
    );

    it('is repeated after a refusal that did nothing', async () => {
      answers = [refusal(429, 'rate_limited'), refusal(409, 'conflict')];
      await open().patch(ROLE_PATH, { params: ROLE, body: DEFINITION, ifMatch: 3 });
      expect(sent('if-match')).toEqual(['"3"', '"3"', '"3"']);
    });
  });

  it.each([400, 403, 404, 409, 410, 412, 413])('that is refused with %d is not repeated', async (status) => {
    answers = [refusal(status, 'role_draft')];
    expect(await failure(open().get('/me'))).toMatchObject({ status, code: 'role_draft' });
    expect(seen).toHaveLength(1);
  });

  describe('that is asked to wait', () => {
    it.each([
      ['seconds', { 'Retry-After': '1' }],
      [
        'a date, by the clock of who answers',
        { 'Retry-After': 'Thu, 01 Jan 2026 00:00:01 GMT', Date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
      ],
    ])('waits by %s', async (_, headers) => {
      answers = [refusal(429, 'rate_limited', headers)];
      await open().get('/me');
      const [first, second] = seen.map(({ at }) => at);
      expect(second! - first!).toBeGreaterThanOrEqual(990);
    });

    it('does not come back at the same moment as others who were told the same', async () => {
      answers = Array.from({ length: 8 }, () => refusal(429, 'rate_limited', { 'Retry-After': '1' }));
      const client = open();
      await Promise.all(Array.from({ length: 8 }, () => client.get('/me')));
      const times = seen.slice(8).map(({ at }) => at);
      expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(30);
    });

    it('waits no longer than it may of its own accord, and is tried as often', async () => {
      answers = [cut, cut, cut];
      await open({ maxWaitMs: 1 }).get('/me');
      expect(seen).toHaveLength(4);
    });

    it('fails at once if it is longer than the call may wait', async () => {
      answers = [refusal(503, 'unavailable', { 'Retry-After': '600' })];
      const error = await failure(open().get('/me'));
      expect(error).toMatchObject({ status: 503, retryAfterMs: 600_000 });
      expect(seen).toHaveLength(1);
    });
  });

  describe('that is ended', () => {
    const ending = async (call: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> => {
      const controller = new AbortController();
      const failed = failure(call(controller.signal));
      while (seen.length === 0) await new Promise((done) => setTimeout(done, 5));
      controller.abort(new Error('left'));
      return failed;
    };

    it.each([
      ['its answer', silent],
      ['the rest of its answer', silentInTheBody],
      ['another try', refusal(503, 'unavailable', { 'Retry-After': '30' })],
    ])('rejects with the reason while it waits for %s', async (_, fault) => {
      answers = [fault];
      const client = open({ timeoutMs: 30_000 });
      expect(await ending((signal) => client.get('/me', { signal }))).toEqual(new Error('left'));
      expect(seen).toHaveLength(1);
    });

    it('rejects with the reason if it was ended while a credential was asked for, which failed', async () => {
      const controller = new AbortController();
      const token = async (): Promise<string> => {
        controller.abort(new Error('left'));
        throw new AssayError(503, 'unavailable', 'It is unavailable.', {
          headers: new Headers({ 'Retry-After': '30' }),
        });
      };
      const { signal } = controller;
      expect(await failure(open({ token }).get('/me', { signal }))).toEqual(new Error('left'));
    });

    it('is not sent if it has ended before', async () => {
      const signal = AbortSignal.abort(new Error('left'));
      expect(await failure(open().get('/me', { signal }))).toEqual(new Error('left'));
      expect(seen).toHaveLength(0);
    });
  });

  describe('that fails', () => {
    it('says with which code, and what was wrong', async () => {
      const details = [{ path: 'name', rule: 'blank', message: 'name is blank.' }];
      answers = [answer(400, { error: 'Wrong.', code: 'validation_failed', requestId: 'r-2', details })];
      const error = await failure(open().get('/me'));
      expect(error).toMatchObject({
        message: 'Wrong.',
        code: 'validation_failed',
        requestId: 'r-2',
        details,
      });
      expect(isAssayError(error, 'not_found', 'validation_failed')).toBe(true);
      expect(isAssayError(error, 'not_found')).toBe(false);
      expect(isAssayError(new Error('Wrong.'))).toBe(false);
    });

    it.each([
      ['a page', page(404)],
      ['a page instead of a record', page(200)],
      ['a record cut short', written(200, 'application/json', '{"a":')],
      ['JSON of another kind', answer(403, { message: 'Forbidden by the gateway', error: { code: 1 } })],
      ['no record at all', answer(403, null)],
      ['another address', answer(302, undefined, { Location: 'https://elsewhere.example/' })],
    ])('by %s is no answer of the service', async (_, fault) => {
      answers = [fault];
      const error = await failure(open({ maxRetries: 0 }).get('/me'));
      expect(isAssayError(error, 'unknown')).toBe(true);
      expect(error).toMatchObject({ requestId: null });
      expect(seen).toHaveLength(1);
    });
  });

  describe('of a record', () => {
    it('gives its ETag, by which another answers that it is still the same', async () => {
      answers = [answer(200, { version: 3 }, { ETag: '"3"' }), answer(304, undefined, { ETag: '"3"' })];
      const client = open();
      const { data, etag } = await client.send('get', ROLE_PATH, { params: ROLE });
      expect([data, etag]).toEqual([{ version: 3 }, '"3"']);
      const again = await client.send('get', ROLE_PATH, { params: ROLE, ifNoneMatch: '"3"' });
      expect(again).toMatchObject({ status: 304, data: undefined, etag: '"3"' });
      expect(sent('if-none-match')).toEqual([undefined, '"3"']);
    });

    it('that is removed, of a file and of a text gives nothing, bytes and the text', async () => {
      const client = open();
      answers = [answer(204), written(200, 'application/octet-stream', 'ab')];
      const removed = await client.send('delete', OUTCOME_PATH, { params: OUTCOME.params });
      expect(removed).toMatchObject({ status: 204, data: undefined });
      const file = { params: { ...SESSION, ticketId: 't-1', path: 'a b/ü.md' } };
      const bytes = await client.get(
        '/trial-sessions/{trialSessionId}/tickets/{ticketId}/starter/files',
        file,
      );
      expect(bytes).toEqual(new Uint8Array([97, 98]));
      answers = [written(200, 'text/plain', 'up 1')];
      expect(await client.get('/metrics')).toBe('up 1');
      answers = [written(200, 'text/csv; charset=utf-8', '\uFEFFa')];
      const csv = await client.get('/organisations/{orgId}/exports/signal', { params: { orgId: 'o' } });
      expect(csv).toEqual(new Uint8Array([0xef, 0xbb, 0xbf, 97]));
    });
  });

  describe('at an address', () => {
    it('has its parameters in their places, whatever is in them', async () => {
      const client = open();
      await client.get('/organisations/{orgId}/members/{memberId}', {
        params: { orgId: 'o', memberId: 'a/b?c@d.example' },
      });
      await client.get('/trial-sessions/{trialSessionId}/receipts', {
        params: { ...SESSION, id: ['a&b', '$&'] },
      });
      expect(seen.map(({ line }) => line)).toEqual([
        'GET /organisations/o/members/a%2Fb%3Fc%40d.example',
        'GET /trial-sessions/s-1/receipts?id=a%26b&id=%24%26',
      ]);
    });

    it('has nothing of what a list is searched for: a header has it', async () => {
      const params = { orgId: 'o', roleId: 'r' };
      await open().get('/organisations/{orgId}/applications', { params, searchText: 'jürgen+1@example.org' });
      expect(seen).toMatchObject([
        {
          line: 'GET /organisations/o/applications?roleId=r',
          headers: { 'search-text': 'j%C3%BCrgen%2B1%40example.org' },
        },
      ]);
    });

    it.each(['', '.', '..'])('that %j would make another one is not sent', async (roleId) => {
      await expect(open().get(ROLE_PATH, { params: { orgId: 'o', roleId } })).rejects.toThrow(TypeError);
      expect(seen).toEqual([]);
    });
  });

  describe('with a credential', () => {
    it('asks for it before each try, and once more with the refused one', async () => {
      const asked: (string | null)[] = [];
      const token = (refused: string | null) => {
        asked.push(refused);
        return Promise.resolve(`t-${asked.length}`);
      };
      answers = [
        cut,
        refusal(401, 'invalid_token'),
        ok,
        refusal(401, 'invalid_token'),
        refusal(401, 'invalid_token'),
      ];
      const client = open({ token });
      await client.get('/me');
      expect(asked).toEqual([null, null, 't-2']);
      expect(sent('authorization')).toEqual(['Bearer t-1', 'Bearer t-2', 'Bearer t-3']);
      expect(await failure(client.get('/me'))).toMatchObject({ code: 'invalid_token' });
      expect(seen).toHaveLength(5);
    });

    it('that cannot be renewed, or of nobody, is refused', async () => {
      answers = [refusal(401, 'invalid_token'), refusal(401, 'missing_token')];
      expect(await failure(open({ token: 'fixed' }).get('/me'))).toMatchObject({ code: 'invalid_token' });
      expect(await failure(open({ token: () => null }).get('/me'))).toMatchObject({ code: 'missing_token' });
      expect(sent('authorization')).toEqual(['Bearer fixed', undefined]);
    });
  });

  describe('after commands', () => {
    const withToken = (token: string): Answering => answer(202, {}, { 'Consistency-Token': token });
    const complete = (client: AssayClient) =>
      client.post('/trial-sessions/{trialSessionId}/complete', { params: SESSION });

    it('one by one names the last', async () => {
      const client = open();
      expect(client.consistencyToken).toBeNull();
      answers = [withToken('a'), withToken('b')];
      await complete(client);
      await complete(client);
      await client.get('/me');
      expect(sent('consistency-token')).toEqual([undefined, 'a', 'b']);
    });

    it('at once names all, until a later one has been answered', async () => {
      const client = open();
      const held: ServerResponse[] = [];
      answers = [(response) => void held.push(response), (response) => void held.push(response)];
      const both = [complete(client), complete(client)];
      while (held.length < 2) await new Promise((done) => setTimeout(done, 5));
      withToken('second')(held[1]!, undefined as never);
      await Promise.race(both);
      withToken('first')(held[0]!, undefined as never);
      await Promise.all(both);
      client.readAfter('socket');
      await client.get('/me');
      expect(sent('consistency-token').at(-1)).toBe('second, first, socket');
      answers = [withToken('third')];
      await complete(client);
      expect(client.consistencyToken).toBe('third');
    });

    it('of another client names that one’s, and never more than a read can carry', async () => {
      const [one, other] = [open(), open()];
      answers = [withToken('a')];
      await complete(one);
      other.readAfter(one.consistencyToken ?? '');
      await other.get('/me');
      expect(sent('consistency-token').at(-1)).toBe('a');
      for (let n = 0; n < 40; n++) one.readAfter(`t-${n}`);
      other.readAfter('own');
      other.readAfter(one.consistencyToken ?? '');
      expect(other.consistencyToken?.split(', ')).toEqual(Array.from({ length: 32 }, (_, n) => `t-${n + 8}`));
    });
  });

  describe('for a list', () => {
    const pages = (): Answering[] => [
      answer(200, { items: [{ id: 1 }, { id: 2 }], nextCursor: 'c 2' }),
      answer(200, { items: [], nextCursor: 'c3' }),
      answer(200, { items: [{ id: 3 }], nextCursor: null }),
    ];
    const list = () => open().list('/organisations/{orgId}/roles', { params: { ...ORG, limit: 2 } });

    it('follows each cursor to the end, also past an empty page', async () => {
      answers = [pages()[0]!, cut, ...pages().slice(1)];
      const ids: unknown[] = [];
      for await (const { id } of list()) ids.push(id);
      expect(ids).toEqual([1, 2, 3]);
      expect(seen.map(({ line }) => line)).toEqual([
        'GET /organisations/o-1/roles?limit=2',
        'GET /organisations/o-1/roles?limit=2&cursor=c+2',
        'GET /organisations/o-1/roles?limit=2&cursor=c+2',
        'GET /organisations/o-1/roles?limit=2&cursor=c3',
      ]);
    });

    it('reads no page that is not taken, and fails where one is refused', async () => {
      answers = pages();
      for await (const { id } of list()) {
        expect(id).toBe(1);
        break;
      }
      expect(seen).toHaveLength(1);
      answers = [pages()[0]!, refusal(400, 'validation_failed')];
      const taken: unknown[] = [];
      const all = async () => {
        for await (const item of list()) taken.push(item);
      };
      expect(await failure(all())).toMatchObject({ code: 'validation_failed' });
      expect(taken).toHaveLength(2);
    });
  });
});
