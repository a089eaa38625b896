import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, Person } from '../support/api.js';
import { candidateToken, mailsTo } from '../support/candidate-sign-in.js';
import { createOrganisation, definition, invite } from '../support/organisation.js';
import { type Service, startService } from '../support/service.js';
import { type MailServer, openMailServer } from '../support/smtp.js';
import { reassemble, unsecured } from '../support/tokens.js';

const EVERYONE = ['owner', 'admin', 'recruiter', 'reviewer'];
const HIRING = ['owner', 'admin', 'recruiter'];
const ADMINISTRATION = ['owner', 'admin'];

/** The roles that may call each route: every route below an organisation is listed. */
const STAFF_ROUTES: Readonly<Record<string, readonly string[]>> = {
  'GET /organisations/{orgId}': EVERYONE,
  'PATCH /organisations/{orgId}': ADMINISTRATION,
  'PUT /organisations/{orgId}/logo': ADMINISTRATION,
  'DELETE /organisations/{orgId}/logo': ADMINISTRATION,
  'GET /organisations/{orgId}/members': EVERYONE,
  'GET /organisations/{orgId}/members/{memberId}': EVERYONE,
  'POST /organisations/{orgId}/members': ADMINISTRATION,
  'PATCH /organisations/{orgId}/members/{memberId}': ADMINISTRATION,
  'DELETE /organisations/{orgId}/members/{memberId}': ADMINISTRATION,
  'GET /organisations/{orgId}/roles': EVERYONE,
  'GET /organisations/{orgId}/roles/{roleId}': EVERYONE,
  'GET /organisations/{orgId}/roles/{roleId}/measures': EVERYONE,
  'POST /organisations/{orgId}/roles': HIRING,
  'PATCH /organisations/{orgId}/roles/{roleId}': HIRING,
  'GET /organisations/{orgId}/role-templates': EVERYONE,
  'POST /organisations/{orgId}/role-templates/roles': HIRING,
  'GET /organisations/{orgId}/roles/{roleId}/versions': EVERYONE,
  'GET /organisations/{orgId}/roles/{roleId}/difference': EVERYONE,
  'GET /organisations/{orgId}/roles/{roleId}/notice': EVERYONE,
  'POST /organisations/{orgId}/roles/{roleId}/clone': HIRING,
  'POST /organisations/{orgId}/roles/{roleId}/archive': HIRING,
  'DELETE /organisations/{orgId}/roles/{roleId}/archive': HIRING,
  'POST /organisations/{orgId}/roles/{roleId}/invitations': HIRING,
  'POST /organisations/{orgId}/roles/{roleId}/invitations/batch': HIRING,
  'POST /organisations/{orgId}/roles/{roleId}/imports': HIRING,
  'GET /organisations/{orgId}/imports': EVERYONE,
  'GET /organisations/{orgId}/imports/{importId}': EVERYONE,
  'POST /organisations/{orgId}/import-checks': HIRING,
  'GET /organisations/{orgId}/import-template': HIRING,
  'GET /organisations/{orgId}/tickets': EVERYONE,
  'GET /organisations/{orgId}/tickets/{ticketId}': EVERYONE,
  'POST /organisations/{orgId}/tickets': HIRING,
  'PATCH /organisations/{orgId}/tickets/{ticketId}': HIRING,
  'POST /organisations/{orgId}/tickets/{ticketId}/file-sets': HIRING,
  'GET /organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}': EVERYONE,
  'POST /organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}/pieces': HIRING,
  'POST /organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}/complete': HIRING,
  'GET /organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}/content': EVERYONE,
  'GET /organisations/{orgId}/applications': EVERYONE,
  'GET /organisations/{orgId}/application-counts': EVERYONE,
  'GET /organisations/{orgId}/applications/{applicationId}': EVERYONE,
  'GET /organisations/{orgId}/applications/{applicationId}/mails': EVERYONE,
  'GET /organisations/{orgId}/applications/{applicationId}/timeline': EVERYONE,
  'PATCH /organisations/{orgId}/applications/{applicationId}': HIRING,
  'PUT /organisations/{orgId}/applications/{applicationId}/accommodations': HIRING,
  'DELETE /organisations/{orgId}/applications/{applicationId}/sign-in-lock': HIRING,
  'POST /organisations/{orgId}/applications/{applicationId}/mails/{mailId}/resend': HIRING,
  'POST /organisations/{orgId}/applications/{applicationId}/remind': HIRING,
  'POST /organisations/{orgId}/applications/{applicationId}/cancel': HIRING,
  'POST /organisations/{orgId}/applications/{applicationId}/erasure': ADMINISTRATION,
  'PUT /organisations/{orgId}/trial-sessions/{trialSessionId}/outcome': HIRING,
  'DELETE /organisations/{orgId}/trial-sessions/{trialSessionId}/outcome': HIRING,
  'GET /organisations/{orgId}/trial-sessions/{trialSessionId}/audio/{turn}': HIRING,
  'GET /organisations/{orgId}/trial-sessions/{trialSessionId}/hand-ins': EVERYONE,
  'GET /organisations/{orgId}/trial-sessions/{trialSessionId}/hand-ins/{handInId}': EVERYONE,
  'GET /organisations/{orgId}/trial-sessions/{trialSessionId}/hand-ins/{handInId}/file': HIRING,
  'GET /organisations/{orgId}/trial-sessions/{trialSessionId}/hand-ins/{handInId}/difference': HIRING,
  'GET /organisations/{orgId}/trial-sessions/{trialSessionId}/hand-ins/{handInId}/checks': EVERYONE,
  'GET /organisations/{orgId}/evaluations': EVERYONE,
  'GET /organisations/{orgId}/evaluation-counts': EVERYONE,
  'GET /organisations/{orgId}/evaluations/{id}': EVERYONE,
  'GET /organisations/{orgId}/evaluations/{evaluationId}/explanation': EVERYONE,
  'GET /organisations/{orgId}/evaluations/{evaluationId}/reads': ADMINISTRATION,
  'GET /organisations/{orgId}/evaluations/{evaluationId}/history': EVERYONE,
  'GET /organisations/{orgId}/evaluations/{evaluationId}/contests': EVERYONE,
  'POST /organisations/{orgId}/evaluations/{evaluationId}/contests/{contestId}/answer': HIRING,
  'POST /organisations/{orgId}/evaluations/{evaluationId}/regenerations': HIRING,
  'GET /organisations/{orgId}/evaluations/{evaluationId}/share-links': HIRING,
  'POST /organisations/{orgId}/evaluations/{evaluationId}/share-links': HIRING,
  'DELETE /organisations/{orgId}/evaluations/{evaluationId}/share-links/{shareLinkId}': HIRING,
  'GET /organisations/{orgId}/api-keys': ADMINISTRATION,
  'POST /organisations/{orgId}/api-keys': ADMINISTRATION,
  'GET /organisations/{orgId}/api-keys/{apiKeyId}': ADMINISTRATION,
  'DELETE /organisations/{orgId}/api-keys/{apiKeyId}': ADMINISTRATION,
  'GET /organisations/{orgId}/saved-views': EVERYONE,
  'POST /organisations/{orgId}/saved-views': EVERYONE,
  'GET /organisations/{orgId}/saved-views/{savedViewId}': EVERYONE,
  'PATCH /organisations/{orgId}/saved-views/{savedViewId}': EVERYONE,
  'DELETE /organisations/{orgId}/saved-views/{savedViewId}': EVERYONE,
  'GET /organisations/{orgId}/webhooks': ADMINISTRATION,
  'POST /organisations/{orgId}/webhooks': ADMINISTRATION,
  'GET /organisations/{orgId}/webhooks/{webhookId}': ADMINISTRATION,
  'DELETE /organisations/{orgId}/webhooks/{webhookId}': ADMINISTRATION,
  'POST /organisations/{orgId}/webhooks/{webhookId}/rotate-secret': ADMINISTRATION,
  'POST /organisations/{orgId}/webhooks/{webhookId}/test': ADMINISTRATION,
  'GET /organisations/{orgId}/webhooks/{webhookId}/deliveries': ADMINISTRATION,
  'POST /organisations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': ADMINISTRATION,
  'GET /organisations/{orgId}/audit': ADMINISTRATION,
  'GET /organisations/{orgId}/exports/applications': HIRING,
  'GET /organisations/{orgId}/exports/evaluations': HIRING,
  'GET /organisations/{orgId}/exports/signal': HIRING,
  'GET /organisations/{orgId}/signal': EVERYONE,
  'GET /organisations/{orgId}/signal/history': EVERYONE,
  'GET /organisations/{orgId}/signal/stages': EVERYONE,
};

const CANDIDATE_ROUTES = [
  'POST /applications/{applicationId}/accommodation-requests',
  'POST /applications/{applicationId}/erasure-requests',
  'GET /me/evaluations/{evaluationId}',
  'POST /me/evaluations/{evaluationId}/contests',
  'GET /trial-sessions/{trialSessionId}/briefing',
  'GET /trial-sessions/{trialSessionId}/tickets/{ticketId}',
  'GET /trial-sessions/{trialSessionId}/tickets/{ticketId}/starter',
  'GET /trial-sessions/{trialSessionId}/tickets/{ticketId}/starter/files',
  'GET /trial-sessions/{trialSessionId}/tickets/{ticketId}/visible-checks',
  'GET /trial-sessions/{trialSessionId}/receipts',
  'POST /trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins',
  'GET /trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins',
  'GET /trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins/{handInId}',
  'POST /trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins/{handInId}/pieces',
  'POST /trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins/{handInId}/complete',
  'GET /trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins/{handInId}/content',
  'GET /applications/{applicationId}',
  'GET /trial-sessions/{trialSessionId}',
  'POST /trial-sessions/{trialSessionId}/start',
  'POST /trial-sessions/{trialSessionId}/activity',
  'POST /trial-sessions/{trialSessionId}/complete',
  'POST /trial-sessions/{trialSessionId}/withdraw',
  'POST /trial-sessions/{trialSessionId}/feedback',
];

/** Routes about the caller, for any signed-in person. */
const OWN_ROUTES = ['GET /me', 'GET /me/export', 'GET /me/evaluations'];

const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';
const BODIES: Readonly<Record<string, object>> = {
  start: { consent: true },
  'accommodation-requests': { text: 'More time.' },
  activity: { events: [] },
  contests: { about: { kind: 'transcript' }, text: 'Not so.' },
  answer: { text: 'We see.' },
  feedback: { ease: 4 },
  'hand-ins': { name: 'a', bytes: 1, sha256: '0'.repeat(64) },
  'file-sets': { name: 'a', bytes: 1, sha256: 'a'.repeat(64) },
  pieces: { offset: 0, data: '' },
};

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>
  >;
}

describe('who gets in', () => {
  let mails: MailServer;
  let service: Service;
  let api: Api;
  let org: string;
  let foreign: string;
  const people: Record<string, Person> = {};
  const routes: { method: string; path: string }[] = [];

  const call = (route: string, token: string | null, orgId = org) => {
    const [method = '', pattern = ''] = route.split(' ');
    const path = pattern.replace('{orgId}', orgId).replace(/\{\w+\}/g, UNKNOWN);
    const body =
      method === 'GET' || method === 'DELETE' ? undefined : (BODIES[path.split('/').at(-1)!] ?? {});
    return api.send<{ error: string; code: string }>(method, path, { token, ...(body && { body }) });
  };

  beforeAll(async () => {
    mails = await openMailServer();
    service = await startService({ env: { ...mailsTo(mails), RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } });
    api = new Api(service.url);
    org = await createOrganisation(service.dataDir, 'Example', 'owner@example.org');
    foreign = await createOrganisation(service.dataDir, 'Other', 'foreigner@example.org');
    for (const role of EVERYONE) people[role] = await api.as(`${role}@example.org`);
    for (const role of EVERYONE.slice(1))
      await people.owner!.post(`/organisations/${org}/members`, { email: `${role}@example.org`, role });
    for (const role of EVERYONE) {
      people[role]!.follow(people.owner!);
      await people[role]!.get('/me');
    }
    people.foreigner = await api.as('foreigner@example.org');
    await people.foreigner.get('/me');
    const role = await people.owner!.post<{ id: string }>(`/organisations/${org}/roles`, definition());
    await invite(people.owner!, org, role.body.id, 'candidate@example.org');
    people.candidate = await api.as('candidate@example.org');
    people.candidate.follow(people.owner!);
    await people.candidate.get('/me');
    // A token of the issuer for candidates makes no member, even with the address of an owner.
    await invite(people.owner!, org, role.body.id, 'owner@example.org');
    const mailed = await candidateToken(service.url, mails, 'owner@example.org');
    people.mailed = new Person(api, 'owner@example.org', mailed);
    people.mailed.follow(people.owner!);
    const { body } = await api.send<Document>('GET', '/openapi.json');
    for (const [path, operations] of Object.entries(body.paths))
      for (const method of Object.keys(operations)) routes.push({ method: method.toUpperCase(), path });
  });
  afterAll(async () => {
    await service.stop();
    await mails.close();
  });

  it('every route of the service is accounted for', () => {
    const known = [
      ...Object.keys(STAFF_ROUTES),
      ...CANDIDATE_ROUTES,
      ...OWN_ROUTES,
      'GET /.well-known/evidence-keys.json',
      'GET /shared/reports/{token}',
      'GET /shared/reports/{token}/report.pdf',
      'GET /health/live',
      'GET /health/ready',
      'GET /metrics',
      'GET /openapi.json',
      'GET /asyncapi.json',
    ];
    expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(known.sort());
  });

  const guarded = [...Object.keys(STAFF_ROUTES), ...CANDIDATE_ROUTES, ...OWN_ROUTES];

  it.each(guarded)('%s refuses a caller without a valid token', async (route) => {
    const missing = await call(route, null);
    expect(missing).toMatchObject({
      status: 401,
      body: { error: 'missing bearer token', code: 'missing_token' },
    });
    const valid = people.owner!.token;
    const attacks = [
      unsecured(valid),
      reassemble(valid, { payload: { sub: people.admin!.token } }),
      reassemble(valid, { header: { alg: 'HS256', typ: 'JWT' } }),
      reassemble(valid, { payload: { exp: 1 } }),
    ];
    for (const token of attacks) {
      const refused = await call(route, token);
      expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
      expect(refused.body.error).not.toBe('missing bearer token');
    }
  });

  it.each(Object.entries(STAFF_ROUTES))('%s is for %j', async (route, allowed) => {
    for (const role of EVERYONE) {
      const { status } = await call(route, people[role]!.token);
      if (allowed.includes(role)) expect([200, 204, 400, 404]).toContain(status);
      else expect(status).toBe(403);
    }
    const answers = await Promise.all([
      call(route, people.foreigner!.token),
      call(route, people.candidate!.token),
      call(route, people.mailed!.token),
      call(route, people.owner!.token, foreign),
      call(route, people.owner!.token, UNKNOWN),
      call(route, people.owner!.token, 'no-id-at-all'),
      call(route, people.owner!.token, '%24where'),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 'forbidden', error: answers[0].body.error });
    }
  });

  it.each(CANDIDATE_ROUTES)('%s answers staff and strangers as if there were nothing', async (route) => {
    for (const name of ['owner', 'foreigner', 'candidate', 'mailed']) {
      const { status, body } = await call(route, people[name]!.token);
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'not_found' });
    }
  });

  it('the query’s token does nothing on REST', async () => {
    const { status } = await api.send('GET', `/me?token=${people.owner!.token}`);
    expect(status).toBe(401);
  });

  it('one organisation’s records are not found in another', async () => {
    const { body } = await people.owner!.get<{ items: { id: string }[] }>(`/organisations/${org}/roles`);
    const role = body.items[0]!.id;
    expect((await people.owner!.get(`/organisations/${org}/roles/${role}`)).status).toBe(200);
    expect((await people.foreigner!.get(`/organisations/${foreign}/roles/${role}`)).status).toBe(404);
    const patched = await people.foreigner!.patch(`/organisations/${foreign}/roles/${role}`, definition());
    expect(patched.status).toBe(404);
  });

  it('a removed member is out with the next request', async () => {
    const owner = people.owner!;
    const passing = await api.as('passing@example.org');
    await owner.post(`/organisations/${org}/members`, { email: 'passing@example.org', role: 'reviewer' });
    passing.follow(owner);
    const { body } = await passing.get<{ subject: string }>('/me');
    expect((await passing.get(`/organisations/${org}/signal`)).status).toBe(200);
    const removed = await owner.delete(`/organisations/${org}/members/${encodeURIComponent(body.subject)}`);
    expect(removed.status).toBe(204);
    passing.follow(owner);
    expect((await passing.get(`/organisations/${org}/signal`)).status).toBe(403);
  });
});
