import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Person, Reply } from '../support/api.js';
import { openSocket, pathOf } from '../support/interview-socket.js';
import { createOrganisation } from '../support/organisation.js';
import { evaluated } from '../support/shared-report.js';
import { type Failure, openStage, type Stage } from '../support/stage.js';

const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';

/** The routes that each scope opens to a key: every route below an organisation is listed. */
const ROUTES: Readonly<Record<string, readonly string[]>> = {
  'organisation.read': ['GET '],
  'organisation.write': ['PATCH ', 'PUT /logo', 'DELETE /logo'],
  'webhooks.manage': [
    'GET /webhooks',
    'POST /webhooks',
    'GET /webhooks/{webhookId}',
    'DELETE /webhooks/{webhookId}',
    'POST /webhooks/{webhookId}/rotate-secret',
    'POST /webhooks/{webhookId}/test',
    'GET /webhooks/{webhookId}/deliveries',
    'POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  ],
  'candidates.erase': ['POST /applications/{applicationId}/erasure'],
  'audit.read': ['GET /audit'],
  'reads.read': ['GET /evaluations/{evaluationId}/reads'],
  'roles.read': [
    'GET /roles',
    'GET /roles/{roleId}',
    'GET /roles/{roleId}/measures',
    'GET /roles/{roleId}/versions',
    'GET /roles/{roleId}/difference',
    'GET /roles/{roleId}/notice',
    'GET /role-templates',
    'GET /tickets',
    'GET /tickets/{ticketId}',
    'GET /tickets/{ticketId}/file-sets/{fileSetId}',
    'GET /tickets/{ticketId}/file-sets/{fileSetId}/content',
  ],
  'roles.write': [
    'POST /roles',
    'PATCH /roles/{roleId}',
    'POST /role-templates/roles',
    'POST /roles/{roleId}/clone',
    'POST /roles/{roleId}/archive',
    'DELETE /roles/{roleId}/archive',
    'POST /tickets',
    'PATCH /tickets/{ticketId}',
    'POST /tickets/{ticketId}/file-sets',
    'POST /tickets/{ticketId}/file-sets/{fileSetId}/pieces',
    'POST /tickets/{ticketId}/file-sets/{fileSetId}/complete',
  ],
  'applications.read': [
    'GET /imports',
    'GET /imports/{importId}',
    'GET /applications',
    'GET /application-counts',
    'GET /applications/{applicationId}',
    'GET /applications/{applicationId}/mails',
    'GET /applications/{applicationId}/timeline',
  ],
  'candidates.invite': [
    'POST /roles/{roleId}/imports',
    'POST /import-checks',
    'GET /import-template',
    'POST /roles/{roleId}/invitations',
    'POST /roles/{roleId}/invitations/batch',
    'PATCH /applications/{applicationId}',
    'PUT /applications/{applicationId}/accommodations',
    'DELETE /applications/{applicationId}/sign-in-lock',
    'POST /applications/{applicationId}/mails/{mailId}/resend',
    'POST /applications/{applicationId}/remind',
    'POST /applications/{applicationId}/cancel',
  ],
  'outcomes.record': [
    'PUT /trial-sessions/{trialSessionId}/outcome',
    'DELETE /trial-sessions/{trialSessionId}/outcome',
    'POST /evaluations/{evaluationId}/contests/{contestId}/answer',
  ],
  'audio.hear': ['GET /trial-sessions/{trialSessionId}/audio/{turn}'],
  'data.export': ['GET /exports/applications', 'GET /exports/evaluations', 'GET /exports/signal'],
  'work.read': [
    'GET /trial-sessions/{trialSessionId}/hand-ins/{handInId}/file',
    'GET /trial-sessions/{trialSessionId}/hand-ins/{handInId}/difference',
  ],
  'evaluations.read': [
    'GET /trial-sessions/{trialSessionId}/hand-ins',
    'GET /trial-sessions/{trialSessionId}/hand-ins/{handInId}',
    'GET /trial-sessions/{trialSessionId}/hand-ins/{handInId}/checks',
    'GET /evaluations',
    'GET /evaluation-counts',
    'GET /evaluations/{id}',
    'GET /evaluations/{evaluationId}/explanation',
    'GET /evaluations/{evaluationId}/history',
    'GET /evaluations/{evaluationId}/contests',
  ],
  'evaluations.regenerate': ['POST /evaluations/{evaluationId}/regenerations'],
  'reports.share': [
    'GET /evaluations/{evaluationId}/share-links',
    'POST /evaluations/{evaluationId}/share-links',
    'DELETE /evaluations/{evaluationId}/share-links/{shareLinkId}',
  ],
  'signal.read': ['GET /signal', 'GET /signal/history', 'GET /signal/stages'],
};
const FOR_NO_KEY = [
  'GET /members',
  'GET /members/{memberId}',
  'POST /members',
  'PATCH /members/{memberId}',
  'DELETE /members/{memberId}',
  'GET /api-keys',
  'POST /api-keys',
  'GET /api-keys/{apiKeyId}',
  'DELETE /api-keys/{apiKeyId}',
  'GET /saved-views',
  'POST /saved-views',
  'GET /saved-views/{savedViewId}',
  'PATCH /saved-views/{savedViewId}',
  'DELETE /saved-views/{savedViewId}',
];

interface NewKey {
  readonly id: string;
  readonly token: string;
  readonly status: string;
  readonly lastUsedAt: string | null;
}
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>
  >;
}

let stage: Stage;
let owner: Person;
/** Every route below an organisation, without the organisation's own path. */
const routes: string[] = [];
const others: string[] = [];
const documented = new Map<string, unknown>();

const make = async (scopes: readonly string[], by = owner): Promise<NewKey> => {
  const reply = await by.post<NewKey>(stage.at('/api-keys'), { name: 'Tracking', scopes });
  expect(reply.status).toBe(201);
  return reply.body;
};
const send = <B = Failure>(token: string, route: string, org = stage.org): Promise<Reply<B>> => {
  const [method = '', pattern = ''] = route.split(' ');
  const path = `/organisations/${org}${pattern.replace(/\{\w+\}/g, UNKNOWN)}`;
  return stage.api.send<B>(method, path, { token, ...(!/^(GET|DELETE)/.test(method) && { body: {} }) });
};

beforeAll(async () => {
  stage = await openStage();
  owner = stage.owner;
  const { body } = await stage.api.send<Document>('GET', '/openapi.json');
  for (const [path, operations] of Object.entries(body.paths))
    for (const [method, { security }] of Object.entries(operations)) {
      const inside = path.split('/organisations/{orgId}')[1];
      const route = `${method.toUpperCase()} ${inside ?? path}`;
      (inside === undefined ? others : routes).push(route);
      documented.set(route, security);
    }
});
afterAll(() => stage.close());

describe('the scopes of API keys', () => {
  it('are decided for every route', () => {
    expect([...Object.values(ROUTES).flat(), ...FOR_NO_KEY].sort()).toEqual(routes.sort());
  });

  it.each(Object.entries(ROUTES))('%s allows exactly its routes', async (scope, allowed) => {
    const { token } = await make([scope]);
    for (const route of routes) {
      const { status, body } = await send(token, route);
      if (allowed.includes(route)) {
        expect([route, [200, 204, 400, 404].includes(status)]).toEqual([route, true]);
        expect(documented.get(route)).toEqual([{ idToken: [] }, { apiKey: [scope] }]);
      } else expect([route, status, body.code]).toEqual([route, 403, 'forbidden']);
    }
  });

  it('reach nothing outside the organisation’s paths: a key is no token there', async () => {
    const { token } = await make(Object.keys(ROUTES));
    for (const route of others.filter((one) => documented.get(one) === undefined)) {
      const [method = '', path = ''] = route.split(' ');
      const reply = await stage.api.send(method, path.replace(/\{\w+\}/g, UNKNOWN), {
        token,
        ...(method !== 'GET' && { body: {} }),
      });
      expect([route, reply.status, reply.body]).toMatchObject([
        route,
        401,
        { error: 'missing bearer token', code: 'missing_token' },
      ]);
    }
    const socket = await openSocket(stage.service.url, pathOf(UNKNOWN, token));
    expect(socket).toMatchObject({
      status: 401,
      text: expect.stringContaining('missing bearer token') as unknown,
    });
  });

  it('may be any but those that would let a key outlive its revocation, and those that only persons need', async () => {
    for (const scope of [
      'owners.manage',
      'members.manage',
      'members.read',
      'keys.manage',
      'views.save',
      'me',
      '',
    ]) {
      const reply = await owner.post(stage.at('/api-keys'), { name: 'K', scopes: [scope] });
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', details: [{ path: 'scopes[0]', rule: 'oneOf' }] },
      });
    }
  });

  it('hide from a key without work.read what they hide from a reviewer', async () => {
    const { sessionId, evaluation } = await evaluated(stage, await stage.role());
    const { token, id } = await make(['evaluations.read', 'reads.read']);
    const handIns = stage.at(`/trial-sessions/${sessionId}/hand-ins`);
    for (const path of [handIns, evaluation])
      expect((await stage.api.send('GET', path, { token })).status).toBe(200);
    const reads = await stage.api.send<{ items: object[] }>('GET', `${evaluation}/reads`, { token });
    expect(reads.body.items[0]).toMatchObject({ actor: { type: 'api_key', id } });
  });
});

describe('an API key', () => {
  it('is refused in the same words if it is unknown, revoked or of a maker who is gone', async () => {
    const maker = await stage.member('admin', 'maker');
    const [revoked, orphan] = [await make(['roles.read']), await make(['roles.read'], maker)];
    owner.follow(maker);
    await owner.delete(stage.at(`/api-keys/${revoked.id}`));
    const { subject } = (await maker.get<{ subject: string }>('/me')).body;
    await owner.delete(stage.at(`/members/${subject}`));
    const said: unknown[] = [];
    for (const token of [`assay_${'A'.repeat(43)}`, revoked.token, orphan.token]) {
      const { status, body, headers } = await send(token, 'GET /roles');
      said.push([status, body.code, body.error, headers.get('www-authenticate')]);
    }
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(said[0]).toEqual([
      401,
      'invalid_token',
      expect.stringMatching(/^The API key was not accepted/),
      'Bearer error="invalid_token"',
    ]);
    const { body } = await owner.get<{ items: NewKey[] }>(stage.at('/api-keys'));
    const statusOf = (key: NewKey) => body.items.find(({ id }) => id === key.id)?.status;
    expect([statusOf(revoked), statusOf(orphan)]).toEqual(['revoked', 'maker_removed']);
  });

  it('is of one organisation: in any other, and in none, it may do nothing', async () => {
    const other = await createOrganisation(stage.service.dataDir, 'Other', owner.email);
    const { token } = await make(['roles.read']);
    const said = new Set<string>();
    for (const org of [other, UNKNOWN, 'no-id', '%24where', stage.org.toUpperCase()]) {
      const { status, body } = await send(token, 'GET /roles', org);
      expect([org, status]).toEqual([org, 403]);
      said.add(body.error);
    }
    expect(said.size).toBe(1);
  });

  it('is shown once, also in the answer to a repeated request with the same Idempotency-Key', async () => {
    const body = { name: 'Once', scopes: ['signal.read'], expiresInDays: 1 };
    const headers = { 'idempotency-key': 'once' };
    const [first, again] = [
      await owner.post<NewKey>(stage.at('/api-keys'), body, headers),
      await owner.post<NewKey>(stage.at('/api-keys'), body, headers),
    ];
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(again.body).toEqual(first.body);
    const location = first.headers.get('location')!;
    const { token, ...shown } = first.body;
    expect((await owner.get(location)).body).toEqual(shown);
    expect((await owner.get(stage.at('/api-keys'))).text).not.toContain(token);
    expect((await owner.get(stage.at('/audit'))).text).not.toContain(token);
    expect(stage.service.output()).not.toContain(token);
    const other = await owner.post(stage.at('/api-keys'), { ...body, name: 'Twice' }, headers);
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
  });

  it('is recorded as the actor of its commands, and has Idempotency-Keys of its own', async () => {
    const [one, two] = [await make(['roles.write', 'audit.read']), await make(['roles.write'])];
    const body = { name: 'By a key', overallThreshold: 1, dimensions: [] };
    const headers = { 'idempotency-key': 'same' };
    const post = ({ token }: NewKey) =>
      stage.api.send<{ id: string }>('POST', stage.at('/roles'), { token, body, headers });
    const made = [await post(one), await post(one), await post(two)].map((reply) => reply.body.id);
    expect(made[1]).toBe(made[0]);
    expect(made[2]).not.toBe(made[0]);
    await owner.post(stage.at('/roles'), body);
    const { items } = (await owner.get<{ items: { actor: object; subject: object }[] }>(stage.at('/audit')))
      .body;
    expect(items).toContainEqual(
      expect.objectContaining({
        action: 'role.created',
        actor: { type: 'api_key', id: one.id },
        subject: { type: 'role', id: made[0] },
      }),
    );
    expect(items).toContainEqual(
      expect.objectContaining({ action: 'api_key.created', subject: { type: 'api_key', id: one.id } }),
    );
  });

  it('shows when it was last used', async () => {
    const key = await make(['roles.read']);
    const read = async () => (await owner.get<NewKey>(stage.at(`/api-keys/${key.id}`))).body.lastUsedAt;
    expect(await read()).toBeNull();
    const before = Date.now();
    await send(key.token, 'GET /roles');
    let used = await read();
    for (let tries = 0; used === null && tries < 50; tries++) used = await read();
    expect(Date.parse(used ?? '')).toBeGreaterThanOrEqual(before - 1);
  });

  it.each([
    [{}, ['name', 'scopes']],
    [{ name: ' ', scopes: ['roles.read'] }, ['name']],
    [{ name: 'a\u0000b', scopes: ['roles.read'] }, ['name']],
    [{ name: 'a\u202eb', scopes: ['roles.read'] }, ['name']],
    [{ name: 'Of carol@example.org', scopes: ['roles.read'] }, ['name']],
    [{ name: 'x'.repeat(101), scopes: ['roles.read'] }, ['name']],
    [{ name: 'K', scopes: 'roles.read' }, ['scopes']],
    [{ name: 'K', scopes: [] }, ['scopes']],
    [{ name: 'K', scopes: [{}] }, ['scopes']],
    [{ name: 'K', scopes: ['roles.read'], expiresInDays: 0 }, ['expiresInDays']],
    [{ name: 'K', scopes: ['roles.read'], expiresInDays: 366 }, ['expiresInDays']],
    [{ name: 'K', scopes: ['roles.read'], expiresInDays: null }, ['expiresInDays']],
    [{ name: 'K', scopes: ['roles.read'], token: 'mine' }, ['token']],
  ])('is not made of %j', async (body, paths) => {
    const reply = await owner.post<Failure>(stage.at('/api-keys'), body);
    expect([reply.status, reply.body.details?.map(({ path }) => path)]).toEqual([400, paths]);
  });
});

it('a key has the limit of one subject, apart from its maker’s', async () => {
  const limited = await openStage({ RATE_LIMITS: 'on' });
  try {
    const { body } = await limited.owner.post<NewKey>(limited.at('/api-keys'), {
      name: 'K',
      scopes: ['roles.read'],
    });
    const read = (token: string) => limited.api.send('GET', limited.at('/roles'), { token });
    const used = await Promise.all(Array.from({ length: 601 }, () => read(body.token)));
    expect(used.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(used[0]?.headers.get('ratelimit-limit')).toBe('600');
    expect((await read(limited.owner.token)).status).toBe(200);
  } finally {
    await limited.close();
  }
});
