import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type CarelessRoute, ORGANISATION, serveAccess } from '../../../test/support/access-server.js';
import {
  signingPair,
  startFakeIssuer,
  type FakeIssuer,
  type SigningPair,
} from '../../../test/support/fake-issuer.js';
import type { LocalServer } from '../../../test/support/issuer-server.js';

let pair: SigningPair;
let issuer: FakeIssuer;
let server: LocalServer;

beforeAll(async () => {
  pair = await signingPair('ES256', 'key');
  issuer = await startFakeIssuer([pair.publicJwk]);
  server = await serveAccess({ issuer: issuer.url });
});

afterAll(async () => {
  await server.stop();
  await issuer.close();
});

/** Sends a request with the subject's token; `null`: without a token. Returns the answer's status and body. */
const send = async (
  method: string,
  path: string,
  subject: string | null,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> => {
  const authorization = subject === null ? {} : { authorization: `Bearer ${await token(subject)}` };
  const response = await fetch(`${server.url}${path}`, { method, headers: { ...authorization, ...headers } });
  return { status: response.status, body: await response.json() };
};

const token = (subject: string): Promise<string> => issuer.token(pair, { sub: subject });

const MISSING = { status: 401, body: { error: 'missing bearer token', code: 'missing_token' } };

describe('a route', () => {
  it('that is public asks nothing, and does not mind a bad token', async () => {
    expect((await send('GET', '/open', null)).status).toBe(200);
    expect((await send('GET', '/open', null, { authorization: 'Bearer a.b.c' })).status).toBe(200);
  });

  it('for whoever is signed in knows its caller', async () => {
    expect(await send('GET', '/me', 'ada')).toMatchObject({ status: 200, body: { subject: 'ada' } });
  });

  it('for staff knows its caller and member', async () => {
    const { status, body } = await send('GET', `/organisations/${ORGANISATION}/roles`, 'reviewer-1');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      member: { memberId: 'member-reviewer-1', subject: 'reviewer-1', role: 'reviewer' },
      caller: { subject: 'reviewer-1' },
    });
  });
});

describe('without a credential', () => {
  it.each(['/me', `/organisations/${ORGANISATION}/roles`])(
    '%s answers with the interface’s text',
    async (path) => {
      expect(await send('GET', path, null)).toEqual(MISSING);
      expect(await send('GET', path, null, { authorization: 'Basic YTpi' })).toEqual(MISSING);
      expect(await send('GET', path, null, { authorization: 'Bearer a.b' })).toEqual(MISSING);
    },
  );

  it('a token in the query, a cookie or a body is none', async () => {
    const good = await token('ada');
    expect(await send('GET', `/me?token=${good}`, null)).toEqual(MISSING);
    expect(await send('GET', `/me?access_token=${good}`, null)).toEqual(MISSING);
    expect(await send('GET', '/me', null, { cookie: `token=${good}` })).toEqual(MISSING);
  });

  it('the scheme’s letters do not matter', async () => {
    const authorization = `bEARER ${await token('ada')}`;
    expect((await send('GET', '/me', null, { authorization })).status).toBe(200);
  });
});

describe('an organisation', () => {
  it('is shut alike to strangers, under unknown ids, under no ids and to weaker roles', async () => {
    const shut = await Promise.all([
      send('GET', `/organisations/${ORGANISATION}/roles`, 'stranger'),
      send('GET', `/organisations/${randomUUID()}/roles`, 'owner-1'),
      send('GET', '/organisations/no-id/roles', 'owner-1'),
      send('GET', '/organisations/__proto__/roles', 'owner-1'),
      send('GET', `/organisations/${ORGANISATION}%20/roles`, 'owner-1'),
      send('GET', `/organisations/${encodeURIComponent(`members-${ORGANISATION}`)}/roles`, 'owner-1'),
      send('POST', `/organisations/${ORGANISATION}/roles`, 'reviewer-1'),
    ]);
    for (const answer of shut) {
      expect(answer).toEqual({
        ...shut[0],
        status: 403,
        body: { error: expect.any(String), code: 'forbidden' },
      });
    }
  });

  it('refuses before anything about the body, whoever may not; and looks at it for whoever may', async () => {
    const path = `/organisations/${ORGANISATION}/roles`;
    expect((await send('POST', path, null)).status).toBe(401);
    expect((await send('POST', path, null, { authorization: 'Bearer a.b.c' })).status).toBe(401);
    expect((await send('POST', path, 'stranger')).status).toBe(403);
    expect((await send('POST', path, 'reviewer-1')).status).toBe(403);
    for (const subject of ['owner-1', 'admin-1', 'recruiter-1']) {
      expect(await send('POST', path, subject)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      });
    }
  });

  it('answers as its store does where that is away', async () => {
    expect((await send('GET', `/organisations/${ORGANISATION}/roles`, 'store-away')).status).toBe(503);
  });

  it('is not looked up under what is no id', async () => {
    expect((await send('GET', '/organisations/no-id/roles', 'store-away')).status).toBe(403);
  });
});

describe('the start', () => {
  const start = (careless: CarelessRoute) => serveAccess({ issuer: issuer.url, careless });

  it('stops at a route that does not declare who may call it', async () => {
    await expect(start('undeclared')).rejects.toThrow(
      'UndeclaredRoutes.forgotten does not declare who may call it',
    );
  });

  it('stops at a route for staff whose path names no organisation', async () => {
    await expect(start('misplaced')).rejects.toThrow(
      'MisplacedRoutes.anywhere is declared @StaffMay but its path has no :orgId',
    );
  });
});
