import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { eventually } from '../support/projection-rig.js';
import { openReceiver, type Received, type Receiver } from '../support/receiver.js';
import { type Candidate, type Failure, faultOf, openStage, type Stage } from '../support/stage.js';
import type { Person, Reply } from '../support/api.js';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly createdAt: string;
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
}

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

const ALL = ['evaluation.ready', 'evaluation.failed', 'outcome.recorded', 'candidate.erased'];

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
  const dataOf = ({ body }: Received) =>
    JSON.parse(body) as { type: string; timestamp: string; data: object };
  const deliveriesOf = async ({ id }: Webhook): Promise<readonly Delivery[]> =>
    (await owner.get<Page<Delivery>>(at(`/${id}/deliveries`))).body.items;
  const settled = async (webhook: Webhook, count: number): Promise<readonly Delivery[]> => {
    for (const until = performance.now() + 20_000; ;) {
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

  it('show the secret again to who sends the same again, and to nobody else', async () => {
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
    const { body: webhook } = await create({ url: `${receiver.url}/all`, events: ALL });
    const candidate = await completed();
    await settled(webhook, 1);
    await owner.put(stage.at(`/trial-sessions/${candidate.sessionId}/outcome`), {
      humanRound: 'passed',
      reason: 'A reason of mine.',
    });
    await settled(webhook, 2);
    expect((await owner.post(`${candidate.application}/erasure`)).status).toBe(202);
    const deliveries = await settled(webhook, 3);
    expect(deliveries.map(({ type, status: done, attempts }) => [type, done, attempts])).toEqual([
      ['candidate.erased', 'delivered', 1],
      ['outcome.recorded', 'delivered', 1],
      ['evaluation.ready', 'delivered', 1],
    ]);
    const [ready, recorded, erased] = to('/all').map(dataOf);
    const { applicationId, sessionId } = candidate;
    const ids = { organisationId: stage.org, applicationId, trialSessionId: sessionId, roleId };
    expect(ready).toMatchObject({ type: 'evaluation.ready', data: ids });
    expect(recorded).toMatchObject({ type: 'outcome.recorded', data: ids });
    expect(erased).toMatchObject({
      type: 'candidate.erased',
      data: { organisationId: stage.org, applicationIds: [applicationId] },
    });
    const uuids = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    for (const { data, timestamp } of [ready!, recorded!, erased!]) {
      for (const id of Object.values(data).flat()) expect(id).toMatch(uuids);
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    for (const { headers, body } of to('/all')) {
      const id = headers['webhook-id'] ?? '';
      const key = Buffer.from((webhook.secret ?? '').replace('whsec_', ''), 'base64');
      const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
      expect(headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
      );
      expect(headers['content-type']).toBe('application/json');
      expect(deliveries.map((one) => one.id)).toContain(id);
    }
    await owner.delete(at(`/${webhook.id}`));
  });

  it('hear nothing of what was before them, nor of what they did not ask for', async () => {
    const before = await completed();
    const evaluations = stage.at('/evaluations?status=ready');
    await eventually(async () =>
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

  it('are told again by hand', async () => {
    status = 410;
    const { body: webhook } = await create({ url: `${receiver.url}/again`, events: ['outcome.recorded'] });
    const { sessionId } = await completed();
    await owner.put(stage.at(`/trial-sessions/${sessionId}/outcome`), { humanRound: 'failed' });
    const [failed] = await settled(webhook, 1);
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, lastAttemptAt: expect.any(String) });
    status = 204;
    const path = at(`/${webhook.id}/deliveries/${failed!.id}/redeliver`);
    const asked = await owner.post<Delivery>(path, undefined, { 'idempotency-key': 'again-1' });
    expect(asked).toMatchObject({ status: 202, body: { ...failed, status: 'pending' } });
    const delivered = async () => (await deliveriesOf(webhook))[0]?.status === 'delivered';
    await eventually(delivered);
    const same = await owner.post<Delivery>(path, undefined, { 'idempotency-key': 'again-1' });
    expect([same.status, same.body]).toEqual([202, asked.body]);
    expect((await deliveriesOf(webhook))[0]).toMatchObject({ status: 'delivered', attempts: 2 });
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

  it('hear of an evaluation that failed, and try again where nobody is to be found', async () => {
    const { owner } = stage;
    const url = 'https://assay-hooks.invalid/';
    const made = await owner.post<Webhook>(stage.at('/webhooks'), { url, events: ALL });
    const candidate = await stage.started(await stage.role());
    await candidate.person.post(`${candidate.session}/complete`);
    owner.follow(candidate.person);
    const path = stage.at(`/webhooks/${made.body.id}/deliveries`);
    let items: readonly Delivery[] = [];
    await eventually(async () => {
      ({ items } = (await owner.get<Page<Delivery>>(path)).body);
      return typeof items[0]?.lastAttemptAt === 'string';
    });
    expect(items).toMatchObject([{ type: 'evaluation.failed', status: 'pending' }]);
  });
});
