import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveAccess } from '../../../test/support/access-server.js';
import {
  AUDIENCE,
  type FakeIssuer,
  type SigningPair,
  signingPair,
  startFakeIssuer,
} from '../../../test/support/fake-issuer.js';
import type { LocalServer } from '../../../test/support/issuer-server.js';

const CAROL = 'assay-candidate:carol';
const VERIFIED = { email: 'carol@example.org', email_verified: true };

type Claims = Record<string, unknown>;

describe('ID tokens of two issuers', () => {
  let keys: SigningPair;
  let candidateKeys: SigningPair;
  let organisation: FakeIssuer;
  let candidates: FakeIssuer;
  let both: LocalServer;
  let organisationAlone: LocalServer;

  beforeAll(async () => {
    // The same key id: which keys are asked follows from the issuer alone.
    [keys, candidateKeys] = await Promise.all([signingPair('RS256', 'one'), signingPair('ES256', 'one')]);
    organisation = await startFakeIssuer([keys.publicJwk]);
    candidates = await startFakeIssuer([candidateKeys.publicJwk]);
    both = await serveAccess({ issuer: organisation.url, candidatesIssuer: candidates.url });
    organisationAlone = await serveAccess({ issuer: organisation.url });
  });
  afterAll(async () => {
    await Promise.all([both, organisationAlone].map((server) => server.stop()));
    await Promise.all([organisation, candidates].map((issuer) => issuer.close()));
  });

  const me = async (token: string, server = both) => {
    const response = await fetch(`${server.url}/me`, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, body: (await response.json()) as Claims };
  };
  const byCandidates = (claims: Claims = {}): Promise<string> =>
    candidates.token(candidateKeys, { ...VERIFIED, aud: 'candidates', sub: CAROL, ...claims });
  const byOrganisation = (claims: Claims = {}): Promise<string> =>
    organisation.token(keys, { ...VERIFIED, sub: 'ada', ...claims });

  it('are told apart, also when they were seen before', async () => {
    const [candidate, member] = [await byCandidates(), await byOrganisation()];
    for (let times = 0; times < 2; times++) {
      expect((await me(candidate)).body).toMatchObject({ subject: CAROL, candidateOnly: true });
      const { body } = await me(member);
      expect(body).toMatchObject({ subject: 'ada', email: VERIFIED.email, emailVerified: true });
      expect(body).not.toHaveProperty('candidateOnly');
    }
    expect((await me(member, organisationAlone)).body).toMatchObject({ subject: 'ada' });
  });

  it.each([false, 'true', 1, undefined])(
    'have no verified address if they say %p',
    async (email_verified) => {
      expect((await me(await byCandidates({ email_verified }))).body).toMatchObject({ emailVerified: false });
    },
  );

  it.each<[string, () => Promise<string>]>([
    ['of candidates for members', () => byCandidates({ aud: AUDIENCE })],
    ['of candidates for both', () => byCandidates({ aud: ['candidates', AUDIENCE] })],
    ['of candidates for nobody', () => byCandidates({ aud: undefined })],
    ['of candidates about a member', () => byCandidates({ sub: 'ada' })],
    ['of candidates in the name of the other issuer', () => byCandidates({ iss: organisation.url })],
    ['of candidates in another name', () => byCandidates({ iss: `${candidates.url}/` })],
    ['of candidates in several names', () => byCandidates({ iss: [candidates.url] })],
    ['of candidates in no name', () => byCandidates({ iss: undefined })],
    ['of candidates, expired', () => byCandidates({ exp: Math.floor(Date.now() / 1000) - 120 })],
    ['of candidates that never expire', () => byCandidates({ exp: undefined })],
    ['of members for candidates', () => byOrganisation({ aud: 'candidates' })],
    ['of members about a candidate', () => byOrganisation({ sub: CAROL })],
    ['of members in the name of the other issuer', () => byOrganisation({ iss: candidates.url })],
    [
      'of members about a candidate, in the name of the other issuer',
      () => byOrganisation({ iss: candidates.url, aud: 'candidates', sub: CAROL }),
    ],
    ['of no form', () => Promise.resolve('a.b.c')],
  ])('%s are refused', async (_, make) => {
    expect(await me(await make())).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
  });

  it('of candidates are refused where candidates sign in as members do', async () => {
    for (const token of [await byCandidates(), await byOrganisation({ sub: CAROL })])
      expect((await me(token, organisationAlone)).status).toBe(401);
  });
});
