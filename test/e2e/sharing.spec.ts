import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { STEP_MS } from '../../src/http/answer.js';
import type { Person, Reply } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type Evaluated, evaluated, expiredLink, type NewLink } from '../support/shared-report.js';
import { type Failure, faultOf, openStage, type Stage } from '../support/stage.js';

const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';
const DAY = 86_400_000;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

interface Report {
  readonly organisationName: string;
  readonly roleName: string;
  readonly label: string | null;
  readonly status: string;
  readonly overallScore: number;
  readonly overallThreshold: number;
  readonly passed: boolean;
  readonly scores: readonly object[];
  readonly generatedAt: string;
  readonly expiresAt: string;
}

describe('shared reports', () => {
  let stage: Stage;
  let owner: Person;
  let shared: Evaluated;
  let gone: Evaluated;
  let address = 0;
  /** Tokens that open nothing, by the reason. */
  const closed: Record<string, string> = {};

  const share = async (evaluation: Evaluated, body?: object, headers: Record<string, string> = {}) =>
    owner.post<NewLink>(`${evaluation.evaluation}/share-links`, body, headers);
  const links = async (evaluation: Evaluated): Promise<readonly NewLink[]> =>
    (await owner.get<{ items: NewLink[] }>(`${evaluation.evaluation}/share-links?limit=200`)).body.items;
  /** Reads a report, each time from a new address unless `from` is given. */
  const look = <B = Report>(
    token: string,
    { method = 'GET', from = `192.0.2.${++address}`, ...headers }: Record<string, string> = {},
  ): Promise<Reply<B>> =>
    stage.api.send<B>(method, `/shared/reports/${token}`, {
      headers: { 'x-forwarded-for': from, ...headers },
    });

  beforeAll(async () => {
    stage = await openStage({
      RATE_LIMITS: 'on',
      LOG_LEVEL: 'trace',
      TRUSTED_PROXIES: '127.0.0.1',
      DEVELOPMENT_ISSUER: 'on',
    });
    ({ owner } = stage);
    const role = await stage.role();
    shared = await evaluated(stage, role);
    gone = await evaluated(stage, role);
    const revoked = (await share(gone)).body;
    closed.erased = (await share(gone)).body.token;
    const other = (await share(shared)).body;
    await owner.delete(`${shared.evaluation}/share-links/${other.id}`);
    closed.revoked = other.token;
    closed.expired = await expiredLink(stage, shared);
    closed.unknown = randomBytes(32).toString('base64url');
    closed.malformed = 'x';
    expect((await look(revoked.token)).status).toBe(200);
    const erasure = await owner.post(`${gone.application}/erasure`);
    expect(erasure.status).toBe(202);
  });
  afterAll(() => stage.close());

  describe('a link', () => {
    it('is made for 30 days by default, with its token shown once, and listed without it', async () => {
      const created = await share(shared);
      expect(created.status).toBe(201);
      const { token, url, ...record } = created.body;
      const { body: me } = await owner.get<{ subject: string }>('/me');
      expect(record).toEqual({
        id: expect.any(String),
        createdAt: expect.any(String),
        createdBy: me.subject,
        label: null,
        expiresAt: new Date(Date.parse(record.createdAt) + 30 * DAY).toISOString(),
        revokedAt: null,
        views: 0,
      });
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
      expect(url).toBe(`${stage.service.url}/shared/reports/${token}`);
      expect((await links(shared)).at(-1)).toEqual(record);
    });

    it.each([1, 365])('holds %d days where that is asked for', async (expiresInDays) => {
      const { body } = await share(shared, { expiresInDays });
      expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(expiresInDays * DAY);
    });

    it.each([0, 366, -1, 1.5, '30', null, true, [30], 1e9])('cannot hold %j days', async (expiresInDays) => {
      const reply = await owner.post<Failure>(`${shared.evaluation}/share-links`, { expiresInDays });
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', details: [{ path: 'expiresInDays' }] },
      });
      expect(faultOf(reply)).toBeNull();
    });

    it('can have a name, which the report shows, and which is erased with the candidate', async () => {
      const label = 'Für das Gespräch am Freitag 🎯';
      const { id, token } = (await share(shared, { label })).body;
      expect((await links(shared)).find((one) => one.id === id)).toMatchObject({ label });
      expect((await look(token)).body).toMatchObject({ label });
      expect((await look(token, { accept: BROWSER })).text).toContain(label);
      expect((await share(shared, { label: null })).body).toMatchObject({ label: null });
    });

    it.each(['', ' ', 'a@b.example', '@', 'two\nlines', '\u202eturned', 'x'.repeat(81), 7, ['x']])(
      'cannot be called %j',
      async (label) => {
        const reply = await owner.post<Failure>(`${shared.evaluation}/share-links`, { label });
        expect(reply).toMatchObject({
          status: 400,
          body: { code: 'validation_failed', details: [{ path: 'label' }] },
        });
        expect(faultOf(reply)).toBeNull();
      },
    );

    it('takes no other field', async () => {
      const reply = await share(shared, { token: 'mine' });
      expect(reply).toMatchObject({ status: 400, body: { details: [{ path: 'token' }] } });
    });

    it('sent again under its key is the same, token included, whatever came of it since', async () => {
      const before = (await links(shared)).length;
      const key = { 'idempotency-key': 'share once' };
      const first = await share(shared, { expiresInDays: 7 }, key);
      await look(first.body.token);
      await owner.delete(`${shared.evaluation}/share-links/${first.body.id}`);
      const again = await share(shared, { expiresInDays: 7 }, key);
      expect([again.status, again.text]).toEqual([201, first.text]);
      const reused = await share(shared, { expiresInDays: 8 }, key);
      expect(reused).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
      expect(await links(shared)).toHaveLength(before + 1);
    });

    it('taken back shows nothing from then on, stays listed, and can be taken back again', async () => {
      const { id, token } = (await share(shared)).body;
      const path = `${shared.evaluation}/share-links/${id}`;
      expect((await look(token)).status).toBe(200);
      expect((await owner.delete(path)).status).toBe(204);
      expect((await look(token)).status).toBe(404);
      const [revoked] = (await links(shared)).filter((one) => one.id === id);
      expect(revoked).toMatchObject({ revokedAt: expect.any(String), views: 1 });
      expect((await owner.delete(path)).status).toBe(204);
      expect((await links(shared)).filter((one) => one.id === id)).toEqual([revoked]);
    });

    it('is looked for in its own evaluation and organisation alone', async () => {
      const { id } = (await share(shared)).body;
      const paths = [
        `${shared.evaluation}/share-links/${UNKNOWN}`,
        `${shared.evaluation}/share-links/no-id`,
        stage.at(`/evaluations/${UNKNOWN}/share-links/${id}`),
      ];
      for (const path of paths) {
        const reply = await owner.delete(path);
        expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
      for (const reply of [
        await owner.post(stage.at(`/evaluations/${UNKNOWN}/share-links`)),
        await owner.get(stage.at(`/evaluations/${UNKNOWN}/share-links`)),
      ])
        expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
    });

    it('of an erased candidate is gone for staff', async () => {
      const path = `${gone.evaluation}/share-links`;
      for (const reply of [
        await owner.post(path),
        await owner.get(path),
        await owner.delete(`${path}/${UNKNOWN}`),
      ])
        expect(reply).toMatchObject({ status: 410, body: { code: 'erased' } });
    });
  });

  describe('a report', () => {
    let link: NewLink;
    beforeAll(async () => (link = (await share(shared)).body));

    it('shows the scores and nothing else', async () => {
      const { status, body, headers } = await look(link.token);
      const { body: evaluation } = await owner.get<Report>(shared.evaluation);
      const { body: organisation } = await owner.get<{ name: string }>(stage.at(''));
      expect(status).toBe(200);
      expect(body).toEqual({
        organisationName: organisation.name,
        organisationLogo: null,
        timeZone: 'UTC',
        label: null,
        overallThreshold: evaluation.overallThreshold,
        roleName: 'Backend engineer',
        status: 'ready',
        overallScore: evaluation.overallScore,
        passed: evaluation.passed,
        scores: (evaluation.scores as readonly Record<string, unknown>[]).map((one) => ({
          dimensionName: one.dimensionName,
          dimensionCategory: one.dimensionCategory,
          score: one.score,
          caveat:
            one.dimensionCategory === 'correctness'
              ? expect.stringMatching(/^No check ran over the work: /)
              : null,
        })),
        generatedAt: evaluation.generatedAt,
        expiresAt: link.expiresAt,
      });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('vary')).toBe('Accept, Origin');
    });

    it('is a page for a browser, in which nothing runs or is loaded', async () => {
      const { status, text, headers } = await look(link.token, { accept: BROWSER });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+';/,
      );
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(text).toContain('<h1 dir="auto">Backend engineer</h1>');
      expect(text).toContain('Does it work?');
      const pdf = `href="${stage.service.url}/shared/reports/${link.token}/report.pdf"`;
      expect(text).toContain(pdf);
      for (const kept of [
        shared.email,
        shared.evaluationId,
        shared.applicationId,
        shared.sessionId,
        link.token,
      ])
        expect(text.replace(pdf, '')).not.toContain(kept);
    });

    it('is described as both', async () => {
      const { body } = await stage.api.send<{ paths: Record<string, Record<string, object>> }>(
        'GET',
        '/openapi.json',
      );
      expect(body.paths['/shared/reports/{token}']?.get).toMatchObject({
        responses: {
          200: { content: { 'application/json': {}, 'text/html': { schema: { type: 'string' } } } },
        },
      });
    });

    it('counts each view that shows it, and only those; each is a read of the evaluation', async () => {
      const { id, token } = (await share(shared)).body;
      await Promise.all([look(token), look(token, { accept: BROWSER }), look(token)]);
      const head = await look(token, { method: 'HEAD' });
      expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
        200,
        '',
        'application/json; charset=utf-8',
      ]);
      expect((await look(token, { method: 'POST' })).status).toBe(405);
      const counted = async () => (await links(shared)).find((one) => one.id === id)?.views;
      await eventually(async () => (await counted()) === 3);
      await owner.delete(`${shared.evaluation}/share-links/${id}`);
      await look(token);
      await look(token, { method: 'HEAD' });
      expect(await counted()).toBe(3);
      const { body } = await owner.get<{ items: { actor: object }[] }>(
        `${shared.evaluation}/reads?limit=200`,
      );
      const reads = body.items.filter(({ actor }) => 'id' in actor && actor.id === id);
      expect(reads.map(({ actor }) => actor)).toEqual(Array(3).fill({ type: 'share_link', id }));
    });

    it('is always of the latest ready generation', async () => {
      const before = (await look(link.token)).body.generatedAt;
      await owner.post(`${shared.evaluation}/regenerations`);
      // While the next generation is made, the former report is still shown.
      expect((await look(link.token)).status).toBe(200);
      const { generatedAt } = await eventually(async () => {
        const { body } = await owner.get<Report>(shared.evaluation);
        return body.status === 'ready' && body;
      });
      expect(generatedAt > before).toBe(true);
      expect((await look(link.token)).body.generatedAt).toBe(generatedAt);
    });
  });

  describe('where there is no report', () => {
    const told = ({ status, text, headers }: Reply) => {
      const rest = Object.fromEntries([...headers].filter(([name]) => name !== 'date'));
      return { status, text, rest };
    };
    const same = { 'x-request-id': 'the-same' };

    it('every reason is one answer, a page for browsers', async () => {
      for (const [accept, type] of [
        ['application/json', 'application/json'],
        [BROWSER, 'text/html'],
      ] as const) {
        const replies = await Promise.all(
          Object.values(closed).map((token) => look(token, { ...same, accept })),
        );
        const [first] = replies.map(told);
        expect(first).toMatchObject({
          status: 404,
          rest: { 'content-type': `${type}; charset=utf-8` },
        });
        for (const reply of replies) expect(told(reply)).toEqual(first);
        expect(first?.rest).toMatchObject({
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
          'referrer-policy': 'no-referrer',
        });
      }
    });

    it('what cannot even be a path here reads the same', async () => {
      const one = await look<Failure>(closed.unknown!, same);
      expect(faultOf(one)).toBeNull();
      for (const token of ['%zz', 'x'.repeat(1_100), '%00', '..%2f..', `${closed.unknown!}/`, '']) {
        const reply = await look<Failure>(token, same);
        expect([reply.status, reply.text]).toEqual([404, one.text]);
        for (const name of ['cache-control', 'x-robots-tag', 'referrer-policy', 'content-type'])
          expect(reply.headers.get(name)).toBe(one.headers.get(name));
      }
    });

    it('the answer comes at a fixed time after arrival, so that the time reveals nothing', async () => {
      const took: Record<string, number[]> = {};
      for (let round = 0; round < 7; round++)
        await Promise.all(
          Object.entries(closed).map(async ([why, token]) => {
            const started = performance.now();
            expect((await look(token)).status).toBe(404);
            (took[why] ??= []).push(performance.now() - started);
          }),
        );
      for (const times of Object.values(took)) {
        const [least = 0, , , median = 0] = times.sort((a, b) => a - b);
        // A client's clock may be a millisecond off; a busy machine may be late, but not early.
        expect(least).toBeGreaterThanOrEqual(STEP_MS - 2);
        expect(median).toBeLessThan(3 * STEP_MS);
      }
    });
  });

  it('a caller that guesses is limited in the same way whether a report exists or not', async () => {
    const { token } = (await share(shared)).body;
    for (const [from, tried] of [
      ['198.51.100.1', closed.unknown!],
      ['198.51.100.2', token],
    ] as const) {
      const replies = await Promise.all(Array.from({ length: 60 }, () => look(tried, { from })));
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(0);
      const there = await look<Failure>(token, { from });
      const not = await look<Failure>(closed.revoked!, { from, accept: BROWSER });
      for (const { status, body, headers } of [there, not]) {
        expect([status, body.code]).toEqual([429, 'rate_limited']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect({ ...there.body, requestId: '' }).toEqual({ ...not.body, requestId: '' });
    }
    expect((await look(token)).status).toBe(200);
  });

  describe('as a PDF', () => {
    const asked = [
      ['at its own address', '/report.pdf', {}],
      ['by Accept', '', { accept: 'application/pdf' }],
    ] as const;

    it.each(asked)('%s is a file with a plain name, and counts as a view', async (_, path, headers) => {
      const { id, token } = (await share(shared)).body;
      const head = await look(`${token}${path}`, { method: 'HEAD', ...headers });
      const reply = await look(`${token}${path}`, headers);
      for (const { status, headers: sent } of [head, reply]) {
        expect([status, sent.get('content-type')]).toEqual([200, 'application/pdf']);
        expect(sent.get('content-disposition')).toBe('attachment; filename="assessment-report.pdf"');
        expect(sent.get('cache-control')).toBe('no-store');
      }
      expect(reply.text.startsWith('%PDF-1.7')).toBe(true);
      await eventually(async () => (await links(shared)).find((link) => link.id === id)?.views === 1);
    });

    it('is not to be had by a link that opens nothing, as a page or as JSON', async () => {
      for (const token of Object.values(closed)) {
        const page = await look(`${token}/report.pdf`, { accept: BROWSER });
        expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
        const json = await look<Failure>(`${token}/report.pdf`);
        expect([json.status, json.body.code]).toEqual([404, 'not_found']);
      }
    });

    it('is refused with characters that it has no font for, and not counted', async () => {
      const { id, token } = (await share(shared, { label: 'Freitag 🎯' })).body;
      const json = await look<Failure>(`${token}/report.pdf`);
      expect([json.status, json.body.code]).toEqual([422, 'pdf_script_unsupported']);
      const page = await look(`${token}/report.pdf`, { accept: BROWSER });
      expect(page.status).toBe(422);
      expect(page.text).toContain('Open the report as a page in a browser and print it.');
      expect((await links(shared)).find((link) => link.id === id)?.views).toBe(0);
    });
  });

  it('a caller with a network of addresses can guess no more often than others', async () => {
    const froms = Array.from({ length: 61 }, (_, host) => `2001:db8:1:2::${host.toString(16)}`);
    const replies = await Promise.all(froms.map((from) => look(closed.unknown!, { from })));
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await look(closed.unknown!, { from: '2001:db8:1:3::1' })).status).toBe(404);
  });

  it('no token is in a log, a metric or the referrer for another page', async () => {
    const { token, url } = (await share(shared)).body;
    const encoded = Buffer.from(token).toString('hex').replace(/../g, '%$&');
    const paths = [
      `/shared/reports/${token}`,
      `/shared/reports/${token}/`,
      `/shared/reports/${token}/report.pdf`,
      `/shared/reports/${token}?utm=1`,
      `/shared/reports/${encoded}`,
      `/%73hared/reports/${token}`,
      `/shared%2Freports%2F${token}`,
      `//shared/reports/${token}`,
      `/shared/reports/${token}/%zz`,
      `/Shared/Reports/${token}`,
    ];
    const seen = [];
    for (const path of paths)
      for (const method of ['GET', 'HEAD', 'DELETE'])
        seen.push(
          (await stage.api.send(method, path, { headers: { 'x-forwarded-for': '192.0.2.250' } })).text,
        );
    expect((await stage.api.send('GET', paths[4]!)).status).toBe(200);
    const metrics = await stage.api.send('GET', '/metrics');
    const { pathname } = new URL(url);
    await eventually(async () => stage.service.output().includes('/shared/reports/:token'));
    const tokens = [token, encoded, ...Object.values(closed).filter((one) => one !== 'x')];
    for (const text of [stage.service.output(), metrics.text, ...seen])
      for (const secret of [...tokens, pathname]) expect(text).not.toContain(secret);
  });
});
