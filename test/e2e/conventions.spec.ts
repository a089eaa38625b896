import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Position } from '../../src/core/event-store.js';
import type { Person, Reply } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { openSocket, pathOf, type TestSocket } from '../support/interview-socket.js';
import { definition, work } from '../support/organisation.js';
import { type Failure, faultOf, openStage, type Stage } from '../support/stage.js';

const ORIGIN = 'https://app.example.org';
const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';

interface Page {
  readonly items: readonly { readonly id: string; readonly name: string }[];
  readonly nextCursor: string | null;
}
describe('conventions', () => {
  let stage: Stage;
  let owner: Person;
  let role: string;

  beforeAll(async () => {
    stage = await openStage({ RATE_LIMITS: 'on', ALLOWED_ORIGINS: ORIGIN, LOG_LEVEL: 'info' });
    ({ owner } = stage);
    role = await stage.role();
  });
  afterAll(() => stage.close());

  const as = (
    person: Person,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ) => stage.api.send(method, path, { token: person.token, headers, ...(body !== undefined && { body }) });

  describe('X-Request-Id', () => {
    it.each(['a', 'trace-1.2_3', 'x'.repeat(64)])('%s is echoed, in the error body too', async (id) => {
      const headers = { 'x-request-id': id };
      expect((await as(owner, 'GET', '/me', headers)).headers.get('x-request-id')).toBe(id);
      const missing = await as(owner, 'GET', '/nowhere', headers);
      expect(missing.headers.get('x-request-id')).toBe(id);
      expect(missing.body).toMatchObject({ requestId: id });
    });

    it.each(['', 'x'.repeat(65), 'a b', 'a/b', '{"a":1}'])('%j is replaced', async (id) => {
      const replies = [await as(owner, 'GET', '/me', { 'x-request-id': id }), await as(owner, 'GET', '/me')];
      for (const { headers } of replies) expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('of a caller is in the log line beside our own id, and in no event, by REST or by the socket', async () => {
      const headers = { 'x-request-id': 'ann.smith-was-here' };
      await as(owner, 'POST', stage.at('/roles'), headers, definition('Named'));
      const { person, session, sessionId } = await stage.candidate(role);
      await as(person, 'POST', `${session}/start`, headers, { consent: true });
      const path = pathOf(sessionId, person.token);
      const socket = (await openSocket(stage.service.url, path, { headers })) as TestSocket;
      socket.ready();
      await eventually(async () => socket.frames.some(({ type }) => type === 'question'));
      socket.socket.close();
      const stored: string[] = [];
      for await (const { type, data, metadata } of (await stage.log()).readAll({})) {
        const text = Buffer.from(metadata).toString();
        expect(`${type} ${Buffer.from(data).toString()} ${text}`).not.toContain('ann.smith');
        stored.push((JSON.parse(text) as { $correlationId: string }).$correlationId);
      }
      const lines = await eventually(async () => {
        const own = stage.service
          .output()
          .split('\n')
          .filter((line) => line.includes('ann.smith'));
        return own.some((line) => line.includes('socket closed')) && own;
      });
      const ids = lines.map((line) => (JSON.parse(line) as { correlationId: string }).correlationId);
      // The creation, the start and the interview.
      expect(new Set(ids.filter((id) => stored.includes(id))).size).toBe(3);
    });
  });

  describe('Consistency-Token', () => {
    it('every accepted command answers one, and a read that sends it sees the command', async () => {
      for (let round = 0; round < 10; round++) {
        const created = await as(owner, 'POST', stage.at('/roles'), {}, definition(`Round ${round}`));
        const token = created.headers.get('consistency-token')!;
        const { id } = created.body as { id: string };
        const seen = { 'consistency-token': token };
        const [one, list, signal] = await Promise.all([
          as(owner, 'GET', stage.at(`/roles/${id}`), seen),
          as(owner, 'GET', stage.at('/roles?limit=200'), seen),
          as(owner, 'GET', stage.at('/signal'), seen),
        ]);
        expect(one.text).toBe(created.text);
        expect(list.text).toContain(id);
        expect(signal.text).toContain(id);
      }
    });

    it('also those that change nothing, and those without a body', async () => {
      const candidate = await stage.started(role);
      const again = await candidate.person.post(`${candidate.session}/start`, { consent: true });
      expect(again.headers.get('consistency-token')).not.toBeNull();
      await candidate.person.post(`${candidate.session}/complete`);
      owner.follow(candidate.person);
      const outcome = stage.at(`/trial-sessions/${candidate.sessionId}/outcome`);
      const put = await owner.put(outcome, { humanRound: 'failed' });
      expect(put.headers.get('consistency-token')).not.toBeNull();
      const deleted = await owner.delete(outcome);
      expect(deleted).toMatchObject({ status: 204, text: '' });
      expect(deleted.headers.get('consistency-token')).not.toBeNull();
      expect((await owner.get(candidate.application)).body).toMatchObject({ outcome: null });
    });

    it('several are waited for, in whichever order', async () => {
      for (let round = 0; round < 5; round++) {
        const made = await Promise.all(
          [1, 2, 3, 4].map((n) => as(owner, 'POST', stage.at('/roles'), {}, definition(`At once ${n}`))),
        );
        const tokens = made.map(({ headers }) => headers.get('consistency-token')!);
        const seen = { 'consistency-token': tokens.join(', ') };
        const list = await as(owner, 'GET', stage.at('/roles?limit=200'), seen);
        for (const { body } of made) expect(list.text).toContain((body as { id: string }).id);
      }
    });

    it.each(['', 'nonsense', 'null', '{"position":1}', 'AAAA', '../..', 'x'.repeat(80)])(
      '%j is ignored',
      async (token) => {
        // If the service waited for the token, it would answer 503.
        expect((await as(owner, 'GET', stage.at('/signal'), { 'consistency-token': token })).status).toBe(
          200,
        );
      },
    );

    it('cannot be forged: a made-up token for a far position is ignored, and so is a changed one', async () => {
      const { logId } = await stage.log();
      const later = (await stage.head()).replace(/^0/, '1');
      const made = (await stage.tokens()).encode(await stage.head());
      const contents = [later, JSON.stringify([logId, later])];
      const checksums = contents.map((content) =>
        createHash('sha256').update(`consistency-token ${content}`).digest('hex'),
      );
      const forged = contents.flatMap((content, index) =>
        [8, 32].map((length) =>
          Buffer.from(`${checksums[index]?.slice(0, length)}${content}`).toString('base64url'),
        ),
      );
      const moved = Buffer.from(Buffer.from(made, 'base64url').toString().slice(0, 32) + later).toString(
        'base64url',
      );
      // If the service waited for one of them, it would answer 503.
      for (const token of [...forged, moved]) {
        const reply = await as(owner, 'GET', stage.at('/signal'), { 'consistency-token': token });
        expect(reply.status).toBe(200);
      }
    });

    it('beyond the end of the log is never dropped in silence: it is answered 503, try again', async () => {
      const tokens = await stage.tokens();
      const later = (await stage.head()).replace(/^0/, '1') as Position;
      const paths = ['/signal', '/roles', '/applications', '', '/members/nobody'];
      const replies = paths.map(async (path) => {
        const headers = { 'consistency-token': tokens.encode(later) };
        const reply = await as(owner, 'GET', stage.at(path), headers);
        expect([path, reply.status]).toEqual([path, 503]);
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      });
      await Promise.all(replies);
    });
  });

  describe('lists', () => {
    it('of 120 are walked by 7, each once, while new ones come', async () => {
      const former = (await owner.get<Page>(stage.at('/roles?limit=200'))).body.items.length;
      for (let batch = 0; batch < 12; batch++)
        await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            owner.post(stage.at('/roles'), definition(`Walked ${batch}-${index}`)),
          ),
        );
      const expected = (await owner.get<Page>(stage.at('/roles?limit=200'))).body.items.map(({ id }) => id);
      expect(expected).toHaveLength(former + 120);
      const walked: string[] = [];
      let added = 0;
      for (let cursor: string | null = ''; cursor !== null;) {
        const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const { status, body }: Reply<Page> = await owner.get<Page>(stage.at(`/roles?limit=7${query}`));
        expect(status).toBe(200);
        walked.push(...body.items.map(({ id }) => id));
        if (body.nextCursor !== null) expect(body.items).toHaveLength(7);
        ({ nextCursor: cursor } = body);
        if (added < 5) await owner.post(stage.at('/roles'), definition(`Added ${++added}`));
      }
      // In order of creation, so that what is added meanwhile comes last.
      expect(walked.slice(0, expected.length)).toEqual(expected);
      expect(new Set(walked).size).toBe(walked.length);
      expect(walked).toHaveLength(expected.length + 5);
    });

    it('hold 50 by default, and end with null', async () => {
      const usual = await owner.get<Page>(stage.at('/roles'));
      expect(usual.body.items).toHaveLength(50);
      expect(usual.body.nextCursor).toEqual(expect.any(String));
      const members = await owner.get<Page>(stage.at('/members'));
      expect(Object.keys(members.body)).toEqual(['items', 'nextCursor']);
      expect(members.body.nextCursor).toBeNull();
      const exactly = await owner.get<Page>(stage.at('/members?limit=1'));
      expect(exactly.body).toMatchObject({ items: [{}], nextCursor: null });
    });

    it.each(['roles', 'members', 'applications', 'evaluations'])(
      '%s refuse what is no limit or cursor',
      async (name) => {
        for (const limit of ['0', '201', '-1', '1.5', 'ten', '', '1e2', '%20', '0x10']) {
          const reply = await owner.get<Failure>(stage.at(`/${name}?limit=${limit}`));
          expect(reply).toMatchObject({
            status: 400,
            body: { code: 'validation_failed', details: [{ path: 'limit' }] },
          });
          expect(faultOf(reply)).toBeNull();
        }
        const twice = await owner.get<Failure>(stage.at(`/${name}?limit=1&limit=2`));
        expect(twice).toMatchObject({ status: 400, body: { details: [{ path: 'limit' }] } });
        const { body } = await owner.get<Page>(stage.at('/roles?limit=1'));
        const wrong = [
          'x',
          '',
          'null',
          '%00',
          'e30',
          'x'.repeat(5_000),
          ...(name === 'roles' ? [] : [body.nextCursor!]),
        ];
        for (const cursor of wrong) {
          const reply = await owner.get<Failure>(stage.at(`/${name}?cursor=${cursor}`));
          expect(reply).toMatchObject({
            status: 400,
            body: { code: 'validation_failed', details: [{ path: 'cursor' }] },
          });
          expect(faultOf(reply)).toBeNull();
        }
      },
    );

    it('of evaluations are narrowed by role and status', async () => {
      const roles = [await stage.role('First'), await stage.role('Second')];
      const ids: string[][] = [[], []];
      for (const [index, roleId] of roles.entries())
        for (let round = 0; round < 2; round++) {
          const candidate = await stage.started(roleId);
          await candidate.person.post(`${candidate.session}/complete`);
          owner.follow(candidate.person);
          const { body } = await owner.get<{ trialSessions: { evaluationId: string }[] }>(
            candidate.application,
          );
          ids[index]!.push(body.trialSessions[0]!.evaluationId);
        }
      const list = async (query: string) => {
        const { body } = await owner.get<{ items: { id: string }[] }>(
          stage.at(`/evaluations?limit=200&${query}`),
        );
        return body.items.map(({ id }) => id);
      };
      expect(await list(`roleId=${roles[0]!}`)).toEqual(ids[0]);
      expect(await list(`roleId=${roles[1]!}`)).toEqual(ids[1]);
      await eventually(async () => (await list('status=generating')).length === 0);
      expect(await list(`roleId=${roles[1]!}&status=ready`)).toEqual(ids[1]);
      expect(await list(`roleId=${roles[1]!}&status=failed`)).toEqual([]);
      expect(await list('status=ready')).toEqual(expect.arrayContaining(ids.flat()));
      expect(await list(`roleId=${UNKNOWN}`)).toEqual([]);
      const first = await owner.get<Page>(stage.at(`/evaluations?roleId=${roles[0]!}&limit=1`));
      const cursor = encodeURIComponent(first.body.nextCursor!);
      const second = await owner.get<Page>(
        stage.at(`/evaluations?roleId=${roles[0]!}&limit=1&cursor=${cursor}`),
      );
      expect([...first.body.items, ...second.body.items].map(({ id }) => id)).toEqual(ids[0]);
      const unknown = await owner.get<Failure>(stage.at('/evaluations?status=done'));
      expect(unknown).toMatchObject({ status: 400, body: { details: [{ path: 'status', rule: 'oneOf' }] } });
      const twice = await owner.get<Failure>(stage.at('/evaluations?roleId=a&roleId=b'));
      expect(twice).toMatchObject({ status: 400, body: { details: [{ path: 'roleId' }] } });
    });
  });

  describe('versions', () => {
    it('a read is 304 for a caller that has that version, by any form of If-None-Match', async () => {
      const candidate = await stage.started(role);
      const paths: [Person, string][] = [
        [owner, stage.at()],
        [owner, stage.at(`/roles/${role}`)],
        [owner, candidate.application],
        [candidate.person, candidate.session],
        [candidate.person, `/applications/${candidate.applicationId}`],
      ];
      for (const [person, path] of paths) {
        // With the token of what happened before: the reads below must find no newer version.
        const tag = (await person.get(path)).headers.get('etag')!;
        expect(tag).toMatch(/^"[1-9]\d*"$/);
        for (const same of [tag, `W/${tag}`, `"0", ${tag}`, '*'])
          for (const method of ['GET', 'HEAD']) {
            const reply = await as(person, method, path, { 'if-none-match': same });
            expect(reply).toMatchObject({ status: 304, text: '' });
            expect(reply.headers.get('etag')).toBe(tag);
          }
        expect((await as(person, 'GET', path, { 'if-none-match': '"999"' })).status).toBe(200);
      }
    });

    it('a change names the version that must be current; a tag that can match none is 412', async () => {
      const { body } = await owner.post<{ id: string }>(stage.at('/roles'), definition());
      const path = stage.at(`/roles/${body.id}`);
      const patch = (name: string, ifMatch: string) =>
        as(owner, 'PATCH', path, { 'if-match': ifMatch }, definition(name));
      for (const stale of ['"2"', 'W/"1"', '1', '"01"', '"1", "2"', '"abc"', '"1e0"', `"${2 ** 53}"`]) {
        const reply = await patch('Stale', stale);
        expect(reply).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
        expect(faultOf(reply as Reply<Failure>)).toBeNull();
      }
      expect(await patch('By version', '"1"')).toMatchObject({ status: 200, body: { version: 2 } });
      expect(await patch('By any', '*')).toMatchObject({ status: 200, body: { version: 3 } });
      expect(await patch('By any', '"3"')).toMatchObject({ status: 200, body: { version: 3 } });
    });

    it('is honoured on every record that carries one', async () => {
      const candidate = await stage.candidate(role);
      const wrong = { 'if-match': '"77"' };
      const calls: [Person, string, string, unknown?][] = [
        [owner, 'PATCH', stage.at(), { recordAudio: true }],
        [owner, 'PATCH', candidate.application, { expiresAt: '2036-01-01T00:00:00Z' }],
        [owner, 'POST', `${candidate.application}/cancel`],
        [candidate.person, 'POST', `${candidate.session}/start`, { consent: true }],
        [candidate.person, 'POST', `${candidate.session}/withdraw`],
        [candidate.person, 'POST', `${candidate.session}/complete`],
        [owner, 'PUT', stage.at(`/trial-sessions/${candidate.sessionId}/outcome`), { humanRound: 'passed' }],
      ];
      for (const [person, method, path, body] of calls)
        expect(await as(person, method, path, wrong, body)).toMatchObject({
          status: 412,
          body: { code: 'version_mismatch' },
        });
      const right = { 'if-match': '"1"' };
      const started = await as(candidate.person, 'POST', `${candidate.session}/start`, right, {
        consent: true,
      });
      expect(started).toMatchObject({ status: 200, body: { version: 2 } });
    });
  });

  describe('methods', () => {
    it.each([
      ['PUT', '/me', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/organisations/x/roles', 'GET, HEAD, POST, OPTIONS'],
      ['PUT', '/organisations/x/roles/y', 'GET, HEAD, PATCH, OPTIONS'],
      ['GET', '/organisations/x/trial-sessions/y/outcome', 'DELETE, PUT, OPTIONS'],
      ['GET', '/trial-sessions/x/start', 'POST, OPTIONS'],
      ['POST', '/organisations/x/signal', 'GET, HEAD, OPTIONS'],
      ['PATCH', '/health/live', 'GET, HEAD, OPTIONS'],
    ])('%s %s is not allowed', async (method, path, allow) => {
      for (const person of [owner, null]) {
        const reply = await stage.api.send<Failure>(method, path, { token: person?.token ?? null });
        expect(reply).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
        expect(reply.headers.get('allow')).toBe(allow);
        expect(faultOf(reply)).toBeNull();
      }
      const options = await stage.api.send('OPTIONS', path);
      expect(options).toMatchObject({ status: 204, text: '' });
      expect(options.headers.get('allow')).toBe(allow);
    });

    it.each([
      '/nowhere',
      '/me/',
      '/Me',
      '/organisations',
      '/organisations//roles',
      '/trial-sessions/x/begin',
      '/%',
      '/%zz',
    ])('%s is no path', async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const reply = await stage.api.send<Failure>(method, path, { token: owner.token });
        expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
        expect(faultOf(reply)).toBeNull();
      }
    });

    it('HEAD is GET without its body', async () => {
      for (const path of [
        '/me',
        stage.at(),
        stage.at(`/roles/${role}`),
        stage.at('/signal'),
        stage.at('/roles'),
      ]) {
        const [get, head] = [await as(owner, 'GET', path), await as(owner, 'HEAD', path)];
        expect(head).toMatchObject({ status: 200, text: '' });
        for (const name of ['content-type', 'content-length', 'etag'])
          expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
      expect(await stage.api.send('HEAD', '/me')).toMatchObject({ status: 401, text: '' });
    });
  });

  describe('browsers', () => {
    it('of allowed origins may read every answer, without cookies', async () => {
      const calls: [string, string, string | null][] = [
        ['GET', '/me', owner.token],
        ['GET', '/me', null],
        ['GET', '/nowhere', null],
        ['POST', stage.at('/roles'), owner.token],
        ['PUT', '/me', null],
        ['GET', '/health/live', null],
        ['GET', '/openapi.json', null],
      ];
      for (const [method, path, token] of calls) {
        const ours = await stage.api.send(method, path, { token, headers: { origin: ORIGIN } });
        expect(ours.headers.get('access-control-allow-origin')).toBe(ORIGIN);
        expect(ours.headers.get('access-control-allow-credentials')).toBeNull();
        expect(ours.headers.get('vary')).toContain('Origin');
        const exposed = ours.headers.get('access-control-expose-headers')!.split(', ');
        for (const name of ['ETag', 'Location', 'Consistency-Token', 'Retry-After', 'X-Request-Id'])
          expect(exposed).toContain(name);
        for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
          expect(exposed).toContain(name);
        for (const origin of [
          'https://evil.example.org',
          'null',
          `${ORIGIN}.evil.org`,
          'http://app.example.org',
        ]) {
          const theirs = await stage.api.send(method, path, { token, headers: { origin } });
          expect(theirs.headers.get('access-control-allow-origin')).toBeNull();
        }
      }
    });

    it('may ask first for every method and header that the interface has', async () => {
      const preflight = await stage.api.send('OPTIONS', stage.at(`/roles/${role}`), {
        headers: {
          origin: ORIGIN,
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'authorization,content-type,if-match',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      const methods = preflight.headers.get('access-control-allow-methods')!.split(', ');
      expect(methods).toEqual(expect.arrayContaining(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']));
      const headers = preflight.headers.get('access-control-allow-headers')!.toLowerCase().split(', ');
      expect(headers).toEqual(
        expect.arrayContaining([
          'authorization',
          'content-type',
          'consistency-token',
          'idempotency-key',
          'if-match',
          'if-none-match',
          'search-text',
          'x-request-id',
        ]),
      );
    });
  });

  describe('limits', () => {
    const statuses = (replies: readonly Reply[]) =>
      replies.reduce<Record<number, number>>(
        (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
        {},
      );
    const limited = (reply: Reply, limit: number): void => {
      expect(reply).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(faultOf(reply as Reply<Failure>)).toBeNull();
      const seconds = Number(reply.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(reply.headers.get('ratelimit-limit')).toBe(`${limit}`);
      expect(reply.headers.get('ratelimit-remaining')).toBe('0');
      expect(Number(reply.headers.get('ratelimit-reset'))).toBe(seconds);
    };

    it('a candidate sends activity 120 times a minute, and nothing of the rest is recorded', async () => {
      const candidate = await stage.started(role);
      const first = await candidate.person.post(`${candidate.session}/activity`, work());
      expect(first.headers.get('ratelimit-limit')).toBe('120');
      expect(first.headers.get('ratelimit-remaining')).toBe('119');
      const replies = await Promise.all(
        Array.from({ length: 125 }, (_, index) =>
          candidate.person.post(`${candidate.session}/activity`, work(`${index}-`)),
        ),
      );
      expect(statuses(replies)).toEqual({ 202: 119, 429: 6 });
      limited(
        replies.find(({ status }) => status === 429)!,
        120,
      );
      // Neither other requests of the same person nor other persons are limited.
      const read = await candidate.person.get(candidate.session);
      expect(read.status).toBe(200);
      expect(read.headers.get('ratelimit-limit')).toBe('600');
      expect((await candidate.person.post(`${candidate.session}/complete`)).status).toBe(200);
      const other = await stage.started(role);
      expect((await other.person.post(`${other.session}/activity`, work())).status).toBe(202);
    });

    it('a person has 600 requests a minute, whatever they are for', async () => {
      const somebody = await stage.api.as('somebody@example.org');
      const first = await somebody.get('/me');
      expect(first.headers.get('ratelimit-limit')).toBe('600');
      const left = Number(first.headers.get('ratelimit-remaining'));
      expect(left).toBe(599);
      const replies: Reply[] = [];
      while (replies.length < left)
        replies.push(
          ...(await Promise.all(
            Array.from({ length: Math.min(50, left - replies.length) }, () => somebody.get('/me')),
          )),
        );
      expect(statuses(replies)).toEqual({ 200: left });
      limited(await somebody.get('/me'), 600);
      limited(await somebody.get(`/trial-sessions/${UNKNOWN}`), 600);
      expect((await stage.api.send('GET', '/health/live')).status).toBe(200);
    });
  });
});
