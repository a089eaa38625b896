import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { exportJWK, exportSPKI, importJWK, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveAccess } from '../../../test/support/access-server.js';
import {
  AUDIENCE,
  signingPair,
  startFakeIssuer,
  type FakeIssuer,
  type SigningPair,
} from '../../../test/support/fake-issuer.js';
import type { LocalServer } from '../../../test/support/issuer-server.js';
import { reassemble } from '../../../test/support/tokens.js';
import { IdTokens } from './identity.js';
import type { KeyTimes } from './provider-keys.js';

const TIMES = { maxAge: 1500, cooldown: 300, retry: 200, grace: 60_000 };

let rsa: SigningPair;
let stranger: SigningPair;
let ec: SigningPair;
let issuer: FakeIssuer;
let server: LocalServer;
/** Asks the provider at every request and relies on nothing from before. */
let watchful: LocalServer;
const started: LocalServer[] = [];

const serve = async (times: Partial<KeyTimes> = TIMES): Promise<LocalServer> => {
  const served = await serveAccess({ issuer: issuer.url, times });
  started.push(served);
  return served;
};

const me = (token: string, at: LocalServer = server): Promise<Response> =>
  fetch(`${at.url}/me`, { headers: { authorization: `Bearer ${token}` } });

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

beforeAll(async () => {
  [rsa, stranger, ec] = await Promise.all([
    signingPair('RS256', 'rsa-1'),
    signingPair('RS256', 'strange'),
    signingPair('ES256', 'ec-1'),
  ]);
  issuer = await startFakeIssuer([rsa.publicJwk, ec.publicJwk]);
  [server, watchful] = await Promise.all([
    serve({ cooldown: 0 }),
    serve({ maxAge: 0, cooldown: 0, retry: 0, grace: 0 }),
  ]);
});

afterEach(() => {
  issuer.mood = 'well';
  issuer.calledItself = null;
  issuer.keys = [rsa.publicJwk, ec.publicJwk];
});

afterAll(async () => {
  await Promise.all(started.map((served) => served.stop()));
  await issuer.close();
});

describe('an ID token is accepted', () => {
  it.each(['RS256', 'ES256'])('signed with %s', async (alg) => {
    const token = await issuer.token(alg === 'RS256' ? rsa : ec, {
      sub: 'ada',
      email: 'Ada@example.com',
      email_verified: true,
      exp: 4_000_000_000,
    });
    const response = await me(token);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      subject: 'ada',
      email: 'Ada@example.com',
      emailVerified: true,
      expiresAt: 4_000_000_000_000,
    });
  });

  it.each<[string, () => Record<string, unknown>]>([
    ['up to a minute after its end', () => ({ exp: inSeconds(-30) })],
    ['up to a minute before its start', () => ({ nbf: inSeconds(30), iat: inSeconds(30) })],
    ['with ours among its audiences', () => ({ aud: ['another', AUDIENCE], azp: AUDIENCE })],
    ['without a time of issue', () => ({ iat: undefined })],
  ])('%s', async (_, claims) => {
    expect((await me(await issuer.token(rsa, claims()))).status).toBe(200);
  });
});

describe('an ID token is refused', () => {
  const refusedClaims: [string, () => Record<string, unknown>][] = [
    ['expired for more than a minute', () => ({ exp: inSeconds(-61) })],
    ['without an end', () => ({ exp: undefined })],
    ['with a text for its end', () => ({ exp: 'never' })],
    ['not valid for another two minutes', () => ({ nbf: inSeconds(120) })],
    ['with a text for its start', () => ({ nbf: 'now' })],
    ['issued in the future', () => ({ iat: inSeconds(120) })],
    ['of another issuer', () => ({ iss: 'https://issuer.example.com' })],
    ['of an issuer that differs by a slash', () => ({ iss: `${issuer.url}/` })],
    ['of no issuer', () => ({ iss: undefined })],
    ['for another audience', () => ({ aud: 'another' })],
    ['for an audience that begins like ours', () => ({ aud: `${AUDIENCE}-2` })],
    ['for no audience', () => ({ aud: undefined })],
    ['for an empty list of audiences', () => ({ aud: [] })],
    ['for several audiences and given to another', () => ({ aud: [AUDIENCE, 'another'], azp: 'another' })],
    ['for several audiences and given to nobody by name', () => ({ aud: [AUDIENCE, 'another'] })],
    ['without a subject', () => ({ sub: undefined })],
    ['with an empty subject', () => ({ sub: '' })],
    ['with a subject of 256 characters', () => ({ sub: 'x'.repeat(256) })],
    ['with a number for its subject', () => ({ sub: 1 })],
  ];
  const refusedTokens: [string, () => Promise<string>][] = [
    ...refusedClaims.map(([name, claims]): [string, () => Promise<string>] => [
      name,
      () => issuer.token(rsa, claims()),
    ]),
    ['unsecured', async () => new UnsecuredJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'ada' }).encode()],
    ['unsecured, with a key id', async () => tampered({ alg: 'none', kid: rsa.kid }, '')],
    ['unsecured in other letters', async () => tampered({ alg: 'NoNe', kid: rsa.kid }, 'AAAA')],
    ['signed with HS256 and the public key as its secret', () => hmacSigned('pem')],
    ['signed with HS256 and the published key as its secret', () => hmacSigned('jwk')],
    ['signed with RS384 by the right key', () => signedAs('RS384')],
    ['signed with RS512 by the right key', () => signedAs('RS512')],
    ['signed with PS256 by the right key', () => signedAs('PS256')],
    ['signed by a stranger under a known key id', async () => issuer.token({ ...stranger, kid: rsa.kid })],
    ['signed by a stranger under an unknown key id', async () => issuer.token(stranger)],
    ['signed by a stranger under no key id', async () => withoutKid(stranger)],
    ['with a key id that is no text', async () => tampered({ alg: 'RS256', kid: 7 })],
    ['with a key id that names a file', async () => tampered({ alg: 'RS256', kid: '../../../dev/null' })],
    ['without a key id, where there are several keys', () => withoutKid(rsa)],
    ['with its own key in the header (jwk)', () => bringsKey('jwk')],
    ['with an address of its own keys (jku)', () => bringsKey('jku')],
    ['with an address of its certificate (x5u)', () => bringsKey('x5u')],
    ['with its own certificate (x5c)', () => bringsKey('x5c')],
    ['that says ES256 of an RSA key', async () => tampered({ alg: 'ES256', kid: rsa.kid })],
    ['with an ES256 signature of zeros', async () => zeroSigned()],
    ['with another payload under the same signature', async () => swapped()],
    ['with a cut signature', async () => (await issuer.token(rsa)).slice(0, -8)],
    ['without a signature', async () => reassemble(await issuer.token(rsa), { signature: '' })],
    ['with critical extensions', async () => issuer.token(rsa, {}, { crit: ['b64'], b64: true })],
    ['that is an access token', async () => issuer.token(rsa, {}, { typ: 'at+jwt' })],
    ['that is a logout token', async () => issuer.token(rsa, {}, { typ: 'logout+jwt' })],
    [
      'whose header is no JSON',
      async () => `bm90IGpzb24.${(await issuer.token(rsa)).split('.').slice(1).join('.')}`,
    ],
    ['whose header is null', async () => `bnVsbA.${(await issuer.token(rsa)).split('.').slice(1).join('.')}`],
    ['whose parts are noise', async () => 'a.b.c'],
  ];

  it.each(refusedTokens)('%s', async (_, make) => {
    const response = await me(await make());
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    const body = (await response.json()) as { error: string; code: string };
    expect(body.code).toBe('invalid_token');
    expect(body.error).not.toBe('missing bearer token');
    expect(body.error).toMatch(/Sign in again/);
  });

  it('not for its length while a request can have it, as with 200 groups', async () => {
    const groups = Array.from({ length: 200 }, () => 'b2cf4c1e-77a2-4a0e-9a0e-0f5b5d1c8f11');
    const long = await issuer.token(rsa, { groups });
    expect(long.length).toBeGreaterThan(8 * 1024);
    expect((await me(long)).status).toBe(200);
  });

  it('with the words for what to do where it has expired', async () => {
    const response = await me(await issuer.token(rsa, { exp: inSeconds(-3600) }));
    expect(await response.json()).toMatchObject({
      error: 'The ID token has expired. Sign in again and send the new one.',
    });
  });

  it('once its tolerance is over, also if it was accepted at the very moment of its end', async () => {
    const end = inSeconds(0);
    const token = await issuer.token(rsa, { sub: 'ada', iat: end - 60, exp: end });
    const tokens = new IdTokens({ issuer: issuer.url, audience: AUDIENCE }, null);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(end * 1_000);
    try {
      expect(await tokens.verify(token)).toMatchObject({ subject: 'ada' });
      clock.mockReturnValue((end + 61) * 1_000);
      await expect(Promise.resolve().then(() => tokens.verify(token))).rejects.toMatchObject({
        code: 'invalid_token',
      });
    } finally {
      clock.mockRestore();
    }
  });

  it('also right after the true one was accepted', async () => {
    const token = await issuer.token(ec);
    expect((await me(token)).status).toBe(200);
    expect((await me(reassemble(token, { payload: { sub: 'owner' } }))).status).toBe(401);
    expect((await me(token)).status).toBe(200);
  });

  const withoutKid = (pair: SigningPair): Promise<string> => issuer.token(pair, {}, { kid: undefined });

  const tampered = async (header: Record<string, unknown>, signature?: string): Promise<string> =>
    reassemble(await issuer.token(rsa), { header, ...(signature !== undefined && { signature }) });

  const hmacSigned = async (secret: 'pem' | 'jwk'): Promise<string> => {
    const publicKey = (await importJWK(rsa.publicJwk, 'RS256')) as CryptoKey;
    const key = secret === 'pem' ? await exportSPKI(publicKey) : JSON.stringify(rsa.publicJwk);
    const unsigned = (await tampered({ alg: 'HS256', kid: rsa.kid }, '')).slice(0, -1);
    return `${unsigned}.${createHmac('sha256', key).update(unsigned).digest('base64url')}`;
  };

  const signedAs = async (alg: string): Promise<string> => {
    // A key imported for one algorithm signs with no other, so the same numbers are imported twice.
    const privateJwk = await exportJWK(stranger.privateKey);
    const plain = { kid: 'plain', publicJwk: { ...stranger.publicJwk, kid: 'plain', alg: undefined } };
    issuer.keys = [...issuer.keys, plain.publicJwk as unknown as JWK];
    const pairFor = async (name: string): Promise<SigningPair> =>
      ({ ...plain, alg: name, privateKey: await importJWK(privateJwk, name) }) as unknown as SigningPair;
    expect((await me(await issuer.token(await pairFor('RS256')))).status).toBe(200);
    return issuer.token(await pairFor(alg));
  };

  const bringsKey = async (how: 'jwk' | 'jku' | 'x5u' | 'x5c'): Promise<string> => {
    const foreign = await startFakeIssuer([stranger.publicJwk]);
    const brought = {
      jwk: stranger.publicJwk,
      jku: `${foreign.url}/jwks`,
      x5u: `${foreign.url}/certificate`,
      x5c: ['MIIB'],
    };
    const token = await issuer.token(stranger, {}, { [how]: brought[how] });
    await me(token);
    expect(foreign.asked).toBe(0);
    await foreign.close();
    return token;
  };

  const zeroSigned = async (): Promise<string> =>
    reassemble(await issuer.token(ec), { signature: Buffer.alloc(64).toString('base64url') });

  const swapped = async (): Promise<string> =>
    reassemble(await issuer.token(rsa), { payload: { sub: 'owner-1' } });
});

describe('keys', () => {
  it('of the wrong sort in the key set are passed over', async () => {
    const noise = [{ kty: 'oct', k: 'AAAA', kid: 'secret' }, { kty: 'RSA', kid: 'broken' }, null, 7];
    issuer.keys = [...(noise as (typeof rsa.publicJwk)[]), rsa.publicJwk];
    expect((await me(await issuer.token(rsa), watchful)).status).toBe(200);
  });

  it('meant for encryption verify nothing', async () => {
    issuer.keys = [rsa.publicJwk, { ...stranger.publicJwk, use: 'enc' }];
    expect((await me(await issuer.token(stranger))).status).toBe(401);
    issuer.keys = [rsa.publicJwk, stranger.publicJwk];
    expect((await me(await issuer.token(stranger))).status).toBe(200);
  });

  it('may go without an id where there is one', async () => {
    issuer.keys = [rsa.publicJwk];
    const token = await issuer.token(rsa, {}, { kid: undefined });
    expect((await me(token, watchful)).status).toBe(200);
  });

  it('rotate: a new one works at once, a dropped one no longer than its age, cached tokens included', async () => {
    const fresh = await serve();
    const old = await issuer.token(rsa);
    expect((await me(old, fresh)).status).toBe(200);
    const next = await signingPair('ES256', 'ec-2');
    issuer.keys = [next.publicJwk];
    await sleep(TIMES.cooldown);
    expect((await me(await issuer.token(next), fresh)).status).toBe(200);
    await sleep(TIMES.maxAge);
    expect((await me(old, fresh)).status).toBe(401);
    expect((await me(await issuer.token(next), fresh)).status).toBe(200);
  });

  it('are asked for once for many tokens', async () => {
    const fresh = await serve({});
    const before = issuer.asked;
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issuer.token(ec, { sub: `s-${index}` })),
    );
    const answers = await Promise.all(tokens.map((token) => me(token, fresh)));
    expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200));
    expect(issuer.asked - before).toBe(1);
  });
});

describe('a provider that is away', () => {
  const unavailable = async (response: Response): Promise<void> => {
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
  };

  it.each(['down', 'garbage'] as const)('(%s) makes tokens undecided, until it is back', async (mood) => {
    const token = await issuer.token(rsa);
    issuer.mood = mood;
    await unavailable(await me(token, watchful));
    issuer.mood = 'well';
    expect((await me(token, watchful)).status).toBe(200);
  });

  it('or silent holds nobody up for longer than its timeout', async () => {
    issuer.mood = 'silent';
    const before = Date.now();
    await unavailable(await me(await issuer.token(rsa), watchful));
    expect(Date.now() - before).toBeLessThan(8_000);
  });

  it('is not taken for one that calls itself by another name', async () => {
    issuer.calledItself = 'https://issuer.example.com';
    await unavailable(await me(await issuer.token(rsa), watchful));
  });

  it('is bridged by the keys that it showed last', async () => {
    const fresh = await serve();
    expect((await me(await issuer.token(rsa), fresh)).status).toBe(200);
    issuer.mood = 'down';
    await sleep(TIMES.maxAge);
    expect((await me(await issuer.token(rsa, { sub: 'another' }), fresh)).status).toBe(200);
  });

  it('does not keep a token alive that has ended', async () => {
    const token = await issuer.token(rsa, { exp: inSeconds(-57) });
    expect((await me(token)).status).toBe(200);
    await sleep(4_100);
    expect((await me(token)).status).toBe(401);
  });
});
