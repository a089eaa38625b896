import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Person, Reply } from '../support/api.js';
import { projections } from '../support/assay.js';
import { eventuallyHolds } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { openReceiver, type Received, type Receiver, isGenuine, signaturesOf } from '../support/receiver.js';
import { type Candidate, type Failure, faultOf, openStage, type Stage } from '../support/stage.js';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly createdAt: string;
  readonly formerSecretValidUntil: string | null;
  readonly version: number;
  readonly secret?: string;
}

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly status: string;
  readonly attempts: number;
  readonly lastAttemptAt: string | null;
  readonly lastResponseStatus: number | null;
  readonly lastFault: string | null;
  readonly nextAttemptAt: string | null;
}

/** The body of a notice. */
interface Sent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}

/** A notice in the OpenAPI document's `webhooks`. */
interface Described {
  readonly post: {
    readonly parameters: readonly {
      readonly name: string;
      readonly description: string;
      readonly schema: object;
      readonly example: string;
    }[];
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': { readonly schema: { readonly $ref: string }; readonly example: Sent };
      };
    };
  };
}

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

const OF_RESULTS = [
  'evaluation.ready',
  'evaluation.failed',
  'evaluation.contested',
  'outcome.recorded',
  'erasure.requested',
  'candidate.erased',
];
const OF_SESSIONS = [
  'candidate.invited',
  'trial.started',
  'trial.completed',
  'trial.expired',
  'trial.withdrawn',
];
const ALL = [...OF_RESULTS, ...OF_SESSIONS];

const page = readFileSync('docs/webhooks.md', 'utf8');

const ajv = new Ajv({ strictTypes: true, strictRequired: true, strictSchema: false });
formats.default(ajv);

const refused = (reply: Reply<Failure>, status: number, code: string): void => {
  expect(reply).toMatchObject({ status, body: { code } });
  expect(faultOf(reply)).toBeNull();
};

describe('webhooks', () => {
  let stage: Stage;
  let owner: Person;
  let roleId: string;
  let receiver: Receiver;
  let status = 204;

  beforeAll(async () => {
    receiver = await openReceiver((response) => void response.writeHead(status).end());
    stage = await openStage({ WEBHOOK_ALLOW_PRIVATE: 'on', LOG_LEVEL: 'debug' });
    ({ owner } = stage);
    roleId = await stage.role();
  });
  afterAll(async () => {
    await stage.close();
    await receiver.close();
  });

  const at = (path = ''): string => stage.at(`/webhooks${path}`);
  const create = (body: object, headers = {}) => owner.post<Webhook>(at(), body, headers);
  const to = (path: string): readonly Received[] => receiver.received.filter((one) => one.path === path);
  const dataOf = ({ body }: Received) => JSON.parse(body) as Sent;
  const deliveriesOf = async ({ id }: Webhook): Promise<readonly Delivery[]> =>
    (await owner.get<Page<Delivery>>(at(`/${id}/deliveries`))).body.items;
  const settled = async (webhook: Webhook, count: number): Promise<readonly Delivery[]> => {
    for (const until = performance.now() + 60_000; ;) {
      const deliveries = await deliveriesOf(webhook);
      const over = deliveries.filter(({ attempts }) => attempts > 0);
      if (over.length === count || performance.now() > until) return deliveries;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const completed = async (): Promise<Candidate> => {
    const candidate = await stage.started(roleId);
    await candidate.person.post(`${candidate.session}/complete`);
    owner.follow(candidate.person);
    return candidate;
  };

  it('are made, listed, read and deleted', async () => {
    const body = { url: `${receiver.url}/made?key=1`, events: ['outcome.recorded'] };
    const made = await create(body);
    expect(made).toMatchObject({ status: 201, body: { ...body, version: 1 } });
    const { secret, ...record } = made.body;
    expect(secret).toMatch(/^whsec_/);
    expect(made.headers.get('etag')).toBe('"1"');
    const path = made.headers.get('location')!;
    expect(path).toBe(at(`/${record.id}`));
    const read = await owner.get(path);
    expect([read.body, read.headers.get('etag')]).toEqual([record, '"1"']);
    const second = await create({ url: `${receiver.url}/second`, events: ALL });
    const listed = await owner.get<Page<Webhook>>(at('?limit=1'));
    expect(listed.body.items).toEqual([record]);
    const rest = await owner.get<Page<Webhook>>(at(`?limit=5&cursor=${listed.body.nextCursor}`));
    expect(rest.body.items.map(({ id }) => id)).toEqual([second.body.id]);
    refused(await owner.delete<Failure>(path, { 'if-match': '"2"' }), 412, 'version_mismatch');
    expect(await owner.delete(path, { 'if-match': '"1"' })).toMatchObject({ status: 204 });
    for (const gone of [
      await owner.get<Failure>(path),
      await owner.delete<Failure>(path),
      await owner.get<Failure>(`${path}/deliveries`),
    ])
      refused(gone, 404, 'not_found');
    await owner.delete(at(`/${second.body.id}`));
  });

  it('show the secret again only to a caller that repeats the same request', async () => {
    const body = { url: `${receiver.url}/twice`, events: ['outcome.recorded'] };
    const key = { 'idempotency-key': 'hook-1' };
    const first = await create(body, key);
    const again = await create(body, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const other = await create({ ...body, events: ['evaluation.ready'] }, key);
    refused(other as unknown as Reply<Failure>, 409, 'idempotency_key_reused');
    expect(
      (await owner.get<Page<Webhook>>(at())).body.items.filter(({ url }) => url === body.url),
    ).toHaveLength(1);
    await owner.delete(at(`/${first.body.id}`));
  });

  it.each([
    ['nothing', {}, ['url', 'events']],
    ['other types', { url: 1, events: 'all' }, ['url', 'events']],
    ['no events', { url: 'https://hooks.example.com', events: [] }, ['events']],
    ['events that are no text', { url: 'https://hooks.example.com', events: [1] }, ['events']],
    ['an unknown event', { url: 'https://hooks.example.com', events: ['__proto__'] }, ['events[0]']],
    ['another scheme', { url: 'gopher://hooks.example.com', events: ALL }, ['url']],
    ['a password', { url: 'https://a:b@hooks.example.com', events: ALL }, ['url']],
    ['a long URL', { url: `https://hooks.example.com/${'x'.repeat(2_000)}`, events: ALL }, ['url']],
    ['a secret', { url: 'https://hooks.example.com', events: ALL, secret: 'mine' }, ['secret']],
  ])('are refused with %s', async (_, body, paths) => {
    const reply = (await create(body)) as unknown as Reply<Failure>;
    refused(reply, 400, 'validation_failed');
    expect(reply.body.details?.map(({ path }) => path)).toEqual(paths);
  });

  it('are for owners and admins', async () => {
    const email = 'rita@example.org';
    await owner.post(stage.at('/members'), { email, role: 'recruiter' });
    const recruiter = await stage.signIn(email);
    recruiter.follow(owner);
    for (const reply of [
      await recruiter.get<Failure>(at()),
      await recruiter.post<Failure>(at(), { url: receiver.url, events: ALL }),
      await recruiter.delete<Failure>(at('/x')),
      await recruiter.get<Failure>(at('/x/deliveries')),
      await recruiter.post<Failure>(at('/x/deliveries/y/redeliver')),
    ])
      refused(reply, 403, 'forbidden');
  });

  it('hear of an evaluation, its outcome and an erasure, each once, in ids alone', async () => {
    const { body: webhook } = await create({ url: `${receiver.url}/all`, events: OF_RESULTS });
    const candidate = await completed();
    await settled(webhook, 1);
    const { evaluationId } = to('/all').map(dataOf)[0]!.data as { readonly evaluationId: string };
    const contested = { about: { kind: 'transcript' }, text: 'Words of mine.' };
    await candidate.person.post(`/me/evaluations/${evaluationId}/contests`, contested);
    owner.follow(candidate.person);
    await settled(webhook, 2);
    await owner.put(stage.at(`/trial-sessions/${candidate.sessionId}/outcome`), {
      humanRound: 'passed',
      reason: 'A reason of mine.',
    });
    await settled(webhook, 3);
    await candidate.person.post(`/applications/${candidate.applicationId}/erasure-requests`);
    owner.follow(candidate.person);
    await settled(webhook, 4);
    expect((await owner.post(`${candidate.application}/erasure`)).status).toBe(202);
    const deliveries = await settled(webhook, 5);
    expect(deliveries.map(({ type, status: done, attempts }) => [type, done, attempts])).toEqual([
      ['candidate.erased', 'delivered', 1],
      ['erasure.requested', 'delivered', 1],
      ['outcome.recorded', 'delivered', 1],
      ['evaluation.contested', 'delivered', 1],
      ['evaluation.ready', 'delivered', 1],
    ]);
    const [ready, contest, recorded, asked, erased] = to('/all').map(dataOf);
    const { applicationId, sessionId } = candidate;
    const { candidateId } = (await owner.get<{ candidateId: string }>(candidate.application)).body;
    const ids = { organisationId: stage.org, candidateId, applicationId, trialSessionId: sessionId, roleId };
    expect(ready).toMatchObject({ type: 'evaluation.ready', data: ids });
    expect(contest).toMatchObject({ type: 'evaluation.contested', data: { ...ids, evaluationId } });
    expect(recorded).toMatchObject({ type: 'outcome.recorded', data: ids });
    expect(asked).toMatchObject({ type: 'erasure.requested', data: ids });
    expect(erased).toMatchObject({
      type: 'candidate.erased',
      data: { organisationId: stage.org, candidateId, applicationIds: [applicationId] },
    });
    const uuids = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    for (const { data, timestamp } of [ready!, contest!, recorded!, asked!, erased!]) {
      for (const id of Object.values(data).flat()) expect(id).toMatch(uuids);
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    for (const { headers, body } of to('/all')) {
      const id = headers['webhook-id'] ?? '';
      expect([isGenuine(webhook.secret!, headers, body), signaturesOf(headers)]).toEqual([true, 1]);
      expect(headers['content-type']).toBe('application/json');
      expect(deliveries.map((one) => one.id)).toContain(id);
    }
    await owner.delete(at(`/${webhook.id}`));
  });

  it('hear of each step of a session once, whatever is sent again or rebuilt', async () => {
    const { body: webhook } = await create({ url: `${receiver.url}/steps`, events: OF_SESSIONS });
    const path = stage.at(`/roles/${roleId}/invitations`);
    const wanted: [string, string][] = [];
    const twice = async (one: Candidate, step: string, body?: object): Promise<void> => {
      await one.person.post(`${one.session}/${step}`, body);
      await one.person.post(`${one.session}/${step}`, body);
      owner.follow(one.person);
    };
    const key = { 'idempotency-key': 'invited-once' };
    const inAMoment = new Date(Date.now() + 5_000).toISOString();
    const invitation = { candidateEmail: 'expiring@example.org', expiresAt: inAMoment };
    const expiring = await owner.post<{ trialSessions: { id: string }[] }>(path, invitation, key);
    expect((await owner.post(path, invitation, key)).text).toBe(expiring.text);
    const expiringId = expiring.body.trialSessions[0]!.id;
    wanted.push(['candidate.invited', expiringId], ['trial.expired', expiringId]);

    const [finishing, leaving, cancelled, erased] = [
      await stage.candidate(roleId),
      await stage.candidate(roleId),
      await stage.candidate(roleId),
      await stage.candidate(roleId),
    ];
    for (const { sessionId } of [finishing, leaving, cancelled, erased])
      wanted.push(['candidate.invited', sessionId]);
    for (const one of [finishing, leaving, erased]) {
      await twice(one, 'start', { consent: true });
      wanted.push(['trial.started', one.sessionId]);
    }
    await twice(finishing, 'complete');
    wanted.push(['trial.completed', finishing.sessionId]);
    await twice(leaving, 'withdraw');
    await owner.post(`${cancelled.application}/cancel`);
    await owner.post(`${cancelled.application}/cancel`);
    // A completed session can no longer be withdrawn: its erasure adds no such notice.
    for (const one of [erased, finishing]) await owner.post(`${one.application}/erasure`);
    for (const { sessionId } of [leaving, cancelled, erased]) wanted.push(['trial.withdrawn', sessionId]);

    const received = () =>
      to('/steps')
        .map(dataOf)
        .map(({ type, data }) => [type, (data as { trialSessionId: string }).trialSessionId]);
    await settled(webhook, wanted.length);
    expect(received().sort()).toEqual(wanted.sort());

    const rebuilt = await projections({ DATA_DIR: stage.service.dataDir }, 'rebuild', 'notices');
    expect(rebuilt).toMatchObject({ code: 0 });
    const last = await stage.candidate(roleId);
    wanted.push(['candidate.invited', last.sessionId]);
    await settled(webhook, wanted.length);
    expect(received().sort()).toEqual(wanted.sort());
    await owner.delete(at(`/${webhook.id}`));
  });

  it('are tested by hand, whatever they subscribe to', async () => {
    const { body: webhook } = await create({ url: `${receiver.url}/test`, events: ['outcome.recorded'] });
    const path = at(`/${webhook.id}/test`);
    const key = { 'idempotency-key': 'test-1' };
    const asked = await owner.post<Delivery>(path, undefined, key);
    expect(asked).toMatchObject({
      status: 202,
      body: { type: 'webhook.test', status: 'pending', attempts: 0, lastResponseStatus: null },
    });
    expect((await owner.post(path, undefined, key)).text).toBe(asked.text);
    const [done, ...others] = await settled(webhook, 1);
    expect([done, others]).toEqual([
      {
        ...asked.body,
        status: 'delivered',
        attempts: 1,
        lastAttemptAt: expect.any(String),
        lastResponseStatus: 204,
        nextAttemptAt: null,
      },
      [],
    ]);
    const [{ headers, body }] = to('/test') as [Received];
    expect(JSON.parse(body)).toEqual({
      type: 'webhook.test',
      timestamp: asked.body.createdAt,
      data: { organisationId: stage.org, webhookId: webhook.id },
    });
    expect(isGenuine(webhook.secret!, headers, body)).toBe(true);
    expect((await owner.get<Page<object>>(stage.at('/audit?limit=1'))).body.items).toMatchObject([
      { action: 'delivery.test_requested', subject: { type: 'delivery', id: asked.body.id } },
    ]);

    status = 500;
    await owner.post<Delivery>(path);
    const [failed] = await settled(webhook, 2);
    status = 204;
    expect(failed).toMatchObject({
      status: 'failed',
      attempts: 1,
      lastResponseStatus: 500,
      nextAttemptAt: null,
    });
    await owner.delete(at(`/${webhook.id}`));
    for (const wrong of [path, at('/none/test'), at('/a%20b/test')])
      refused(await owner.post<Failure>(wrong), 404, 'not_found');
  });

  it('are signed by the former secret too while it is rotated', async () => {
    const { body: webhook } = await create({ url: `${receiver.url}/rotated`, events: ['outcome.recorded'] });
    expect(webhook.formerSecretValidUntil).toBeNull();
    const secrets = [webhook.secret!];
    const path = at(`/${webhook.id}/rotate-secret`);
    let sent = 0;
    /** The indices of the secrets that verify a notice that is sent now. */
    const verifying = async (): Promise<readonly number[]> => {
      await owner.post(at(`/${webhook.id}/test`));
      await settled(webhook, ++sent);
      const { headers, body } = to('/rotated').at(-1)!;
      const valid = secrets.flatMap((secret, index) => (isGenuine(secret, headers, body) ? [index + 1] : []));
      expect(signaturesOf(headers)).toBe(valid.length);
      return valid;
    };
    expect(await verifying()).toEqual([1]);

    const before = Date.now();
    const key = { 'idempotency-key': 'rotate-1' };
    const rotated = await owner.post<Webhook>(path, undefined, key);
    const { secret, ...record } = rotated.body;
    expect([rotated.status, rotated.headers.get('etag'), rotated.headers.get('cache-control')]).toEqual([
      200,
      '"2"',
      'no-store',
    ]);
    expect((await owner.get(at(`/${webhook.id}`))).body).toEqual(record);
    const validMs = Date.parse(record.formerSecretValidUntil!) - before;
    expect(Math.abs(validMs - 24 * 3_600_000)).toBeLessThan(60_000);
    expect((await owner.post(path, undefined, key)).text).toBe(rotated.text);
    secrets.push(secret!);
    expect(await verifying()).toEqual([1, 2]);

    const later = await owner.post<Webhook>(path, { formerSecretValidHours: 1 }, { 'if-match': '"2"' });
    secrets.push(later.body.secret!);
    expect(await verifying()).toEqual([1, 2, 3]);
    refused(await owner.post<Failure>(path, undefined, { 'if-match': '"2"' }), 412, 'version_mismatch');
    const last = await owner.post<Webhook>(path, { formerSecretValidHours: 0 });
    secrets.push(last.body.secret!);
    expect(await verifying()).toEqual([4]);
    expect(new Set(secrets).size).toBe(4);
    // A repeated request still gets the first answer.
    expect((await owner.post(path, undefined, key)).text).toBe(rotated.text);

    for (const formerSecretValidHours of [-1, 169, 1.5, '1', null])
      refused(await owner.post<Failure>(path, { formerSecretValidHours }), 400, 'validation_failed');
    refused(await owner.post<Failure>(path, { secret: 'mine' }), 400, 'validation_failed');
    await owner.delete(at(`/${webhook.id}`));
    refused(await owner.post<Failure>(path), 404, 'not_found');
  });

  it('are sent what the documentation and the OpenAPI document show', async () => {
    const documented = new Map<string, Sent>();
    for (const [, text] of page.matchAll(/```json\n([^]*?)```/g)) {
      const shown = JSON.parse(text!) as Sent;
      documented.set(shown.type, shown);
    }
    const shapeOf = ({ type, timestamp, data }: Sent) => ({
      type,
      timestamp: typeof timestamp,
      data: Object.entries(data).map(([name, value]) => [name, Array.isArray(value)]),
    });
    const { body: openApi } = await stage.api.send<{
      webhooks: Readonly<Record<string, Described>>;
      components: { schemas: object };
    }>('GET', '/openapi.json');
    const described = new Map(
      Object.entries(openApi.webhooks).map(([type, { post }]) => {
        const { schema, example } = post.requestBody.content['application/json'];
        const matches = ajv.compile({ ...schema, components: openApi.components });
        const headers = post.parameters.map((one) => ({ ...one, matches: ajv.compile(one.schema) }));
        return [type, { matches, headers, example }] as const;
      }),
    );
    const examples = new Map([...described].map(([type, { example }]) => [type, example]));
    expect(documented).toEqual(examples);
    for (const { headers, matches, example } of described.values()) {
      const shown = Object.fromEntries(headers.map((one) => [one.name, one.example]));
      const secrets = headers.flatMap(({ description }) => /whsec_[^`]{8,}/.exec(description) ?? []);
      expect(secrets).toHaveLength(1);
      expect(isGenuine(secrets[0]!, shown, JSON.stringify(example))).toBe(true);
      expect(matches(example)).toBe(true);
      expect(matches({ ...example, type: 'another' })).toBe(false);
      for (const one of headers) expect([one.name, one.matches(one.example)]).toEqual([one.name, true]);
    }
    const sent = new Map(receiver.received.map((one) => [dataOf(one).type, dataOf(one)]));
    expect([...sent.keys(), 'evaluation.failed'].sort()).toEqual([...described.keys()].sort());
    for (const [type, one] of sent) expect(shapeOf(one)).toEqual(shapeOf(examples.get(type)!));
    for (const one of receiver.received) {
      const { matches, headers } = described.get(dataOf(one).type)!;
      expect(matches(dataOf(one))).toBe(true);
      for (const { name, matches: fits } of headers)
        expect([name, fits(one.headers[name])]).toEqual([name, true]);
    }
    const [, shownHeaders = '', shownBody = ''] = /```http\n([^]*?)\n\n([^]*?)\n```/.exec(page) ?? [];
    const ofPage = Object.fromEntries(
      shownHeaders
        .split('\n')
        .slice(1)
        .map((line) => line.split(': ')),
    ) as Record<string, string>;
    const { headers, example } = described.get('evaluation.ready')!;
    const ofDocument = headers.map((one) => [one.name, one.example]);
    expect(ofPage).toEqual({ 'content-type': 'application/json', ...Object.fromEntries(ofDocument) });
    expect(shownBody).toBe(JSON.stringify(example));
  });

  it('are received and verified by the program that the documentation shows', async () => {
    const [, program = ''] = /```js\n([^]*?)```/.exec(page) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'assay-receiver-'));
    writeFileSync(join(folder, 'receiver.mjs'), program);
    const port = await freePort();
    const { body: webhook } = await create({
      url: `http://127.0.0.1:${port}/`,
      events: ['outcome.recorded'],
    });
    const run = (secret: string) => {
      const child = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
        env: { PORT: `${port}`, WEBHOOK_SECRET: secret },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
      const stop = () =>
        new Promise((done) => {
          child.on('exit', done);
          child.kill();
        });
      return { printed: () => printed, stop };
    };
    const test = async (count: number): Promise<Delivery> => {
      await eventuallyHolds(async () => {
        const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST' }).catch(() => null);
        return answer?.status === 401;
      });
      await owner.post(at(`/${webhook.id}/test`));
      return (await settled(webhook, count))[0]!;
    };
    try {
      const genuine = run(webhook.secret!);
      const delivered = await test(1);
      expect(delivered).toMatchObject({ status: 'delivered', lastResponseStatus: 204 });
      await genuine.stop();
      expect(genuine.printed()).toMatch(new RegExp(`^${delivered.id} \\{"type":"webhook.test",.*\\}\n$`));
      const other = run('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
      expect(await test(2)).toMatchObject({ status: 'failed', lastResponseStatus: 401 });
      await other.stop();
      expect(other.printed()).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
    await owner.delete(at(`/${webhook.id}`));
  });

  it('are not notified of earlier events, nor of events that they did not subscribe to', async () => {
    const before = await completed();
    const evaluations = stage.at('/evaluations?status=ready');
    await eventuallyHolds(async () =>
      (await owner.get<Page<{ trialSessionId: string }>>(evaluations)).body.items.some(
        ({ trialSessionId }) => trialSessionId === before.sessionId,
      ),
    );
    const { body: webhook } = await create({ url: `${receiver.url}/late`, events: ['outcome.recorded'] });
    const other = await completed();
    for (const { sessionId } of [before, other])
      await owner.put(stage.at(`/trial-sessions/${sessionId}/outcome`), { disposition: 'hired' });
    const deliveries = await settled(webhook, 2);
    expect(deliveries.map(({ type }) => type)).toEqual(['outcome.recorded', 'outcome.recorded']);
    await owner.delete(at(`/${webhook.id}`));
  });

  it('can be notified again by hand', async () => {
    status = 410;
    const { body: webhook } = await create({ url: `${receiver.url}/again`, events: ['outcome.recorded'] });
    const { sessionId } = await completed();
    await owner.put(stage.at(`/trial-sessions/${sessionId}/outcome`), { humanRound: 'failed' });
    const [failed] = await settled(webhook, 1);
    expect(failed).toMatchObject({
      status: 'failed',
      attempts: 1,
      lastAttemptAt: expect.any(String),
      lastResponseStatus: 410,
      lastFault: null,
      nextAttemptAt: null,
    });
    status = 204;
    const path = at(`/${webhook.id}/deliveries/${failed!.id}/redeliver`);
    const asked = await owner.post<Delivery>(path, undefined, { 'idempotency-key': 'again-1' });
    expect(asked).toMatchObject({
      status: 202,
      body: { ...failed, status: 'pending', nextAttemptAt: expect.any(String) },
    });
    const delivered = async () => (await deliveriesOf(webhook))[0]?.status === 'delivered';
    await eventuallyHolds(delivered);
    const same = await owner.post<Delivery>(path, undefined, { 'idempotency-key': 'again-1' });
    expect([same.status, same.body]).toEqual([202, asked.body]);
    expect((await deliveriesOf(webhook))[0]).toMatchObject({
      status: 'delivered',
      attempts: 2,
      lastResponseStatus: 204,
      nextAttemptAt: null,
    });
    expect(new Set(to('/again').map(({ headers }) => headers['webhook-id']))).toEqual(new Set([failed!.id]));
    for (const wrong of [
      at(`/${webhook.id}/deliveries/none/redeliver`),
      at(`/${webhook.id}/deliveries/a%20b/redeliver`),
      at(`/none/deliveries/${failed!.id}/redeliver`),
    ])
      refused(await owner.post<Failure>(wrong), 404, 'not_found');
    await owner.delete(at(`/${webhook.id}`));
    refused(await owner.post<Failure>(path), 404, 'not_found');
  });

  it('are asked for by commands that the log names, beside the answer to their request', () => {
    const lines = stage.service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    for (const [name, method] of [
      ['CreateWebhook', 'POST'],
      ['DeleteWebhook', 'DELETE'],
    ]) {
      const named = lines.find(({ command }) => command === name);
      const answers = lines.filter(
        ({ correlationId, route }) => correlationId === named?.['correlationId'] && route !== undefined,
      );
      expect(answers).toMatchObject([{ method, route: expect.stringContaining('/webhooks') }]);
    }
  });

  it('leave nothing of secrets and URLs in the log', () => {
    const output = stage.service.output();
    for (const word of ['whsec_', 'key=1', `:${receiver.port}`]) expect(output).not.toContain(word);
  });
});

describe('webhooks of a service that allows no private targets', () => {
  let stage: Stage;
  let model: Receiver;

  beforeAll(async () => {
    model = await openReceiver((response) => void response.writeHead(401).end());
    stage = await openStage({
      SCORER: 'openai',
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'm',
    });
  });
  afterAll(async () => {
    await stage.close();
    await model.close();
  });

  it.each(['http://hooks.example.com/', 'https://127.0.0.1/', 'https://2130706433/', 'https://[::1]/'])(
    'refuse %s',
    async (url) => {
      const reply = await stage.owner.post<Failure>(stage.at('/webhooks'), { url, events: ALL });
      refused(reply, 400, 'validation_failed');
      expect(reply.body.details).toMatchObject([{ path: 'url' }]);
    },
  );

  it('are notified of a failed evaluation, and retried if the host cannot be found', async () => {
    const { owner } = stage;
    const url = 'https://assay-hooks.invalid/';
    const made = await owner.post<Webhook>(stage.at('/webhooks'), { url, events: OF_RESULTS });
    const candidate = await stage.started(await stage.role());
    await candidate.person.post(`${candidate.session}/complete`);
    owner.follow(candidate.person);
    const path = stage.at(`/webhooks/${made.body.id}/deliveries`);
    let items: readonly Delivery[] = [];
    await eventuallyHolds(async () => {
      ({ items } = (await owner.get<Page<Delivery>>(path)).body);
      return typeof items[0]?.lastAttemptAt === 'string';
    });
    expect(items).toMatchObject([{ type: 'evaluation.failed', status: 'pending', lastResponseStatus: null }]);
    const [{ lastAttemptAt, lastFault, nextAttemptAt }] = items as [Delivery];
    // A name server that does not answer in time has the same effect as none.
    expect(['unresolved', 'timeout']).toContain(lastFault);
    expect(Date.parse(nextAttemptAt!) - Date.parse(lastAttemptAt!)).toBeGreaterThanOrEqual(5_000);
  });
});
