import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, type JWTVerifyResult } from 'jose';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveAccess } from '../../../test/support/access-server.js';
import { type LocalServer, serveIssuer } from '../../../test/support/issuer-server.js';
import { authorizationRequest, Browser, exchange } from '../../../test/support/sign-in-client.js';
import { createDevelopmentIssuer } from './development-issuer.js';
import { KeyFile } from './keys.js';

let folder: string;
let server: LocalServer;
let twin: LocalServer;
let issuer: string;
let endpoints: { authorization_endpoint: string; token_endpoint: string; jwks_uri: string; issuer: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-issuer-'));
  server = await serveIssuer(folder);
  twin = await serveIssuer(folder, server.url);
  issuer = `${server.url}/issuer`;
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  endpoints = (await response.json()) as typeof endpoints;
});

afterAll(async () => {
  await Promise.all([server.stop(), twin.stop()]);
  await rm(folder, { recursive: true });
});

const tokenFor = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${issuer}/token-for`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** Verifies as any client would, by the keys at an address; keys are never remembered between calls. */
const verify = (token: string, jwksUri = endpoints.jwks_uri): Promise<JWTVerifyResult> =>
  jwtVerify(token, createRemoteJWKSet(new URL(jwksUri)), { issuer, audience: 'assay' });

const idTokenOf = async (response: Response): Promise<string> => {
  const { idToken } = (await response.json()) as { idToken: string };
  return idToken;
};

describe('discovery', () => {
  it('names the issuer and addresses below it', () => {
    expect(endpoints).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    });
  });

  it('shows public keys alone', async () => {
    const { keys } = (await (await fetch(endpoints.jwks_uri)).json()) as { keys: Record<string, unknown>[] };
    expect(keys.map(({ alg }) => alg)).toEqual(['RS256', 'ES256']);
    for (const key of keys)
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(key).not.toHaveProperty(secret);
  });
});

describe('POST /token-for', () => {
  it('gives an hour’s ID token for anybody', async () => {
    const response = await tokenFor({ email: ' Ada.Lovelace@Example.com ' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = (await response.json()) as { idToken: string; expiresIn: number };
    expect(Object.keys(body)).toEqual(['idToken', 'expiresIn']);
    expect(body.expiresIn).toBe(3600);
    const { payload } = await verify(body.idToken);
    expect(payload).toMatchObject({ email: 'Ada.Lovelace@Example.com', email_verified: true });
    expect(payload.exp! - payload.iat!).toBe(3600);
    // A shorter name would be found in some random subjects.
    expect(payload.sub).not.toMatch(/lovelace/i);
  });

  it('may leave the address unverified', async () => {
    const { payload } = await verify(
      await idTokenOf(await tokenFor({ email: 'ada@example.org', emailVerified: false })),
    );
    expect(payload.email_verified).toBe(false);
  });

  it('gives a person the same subject in every process and after a restart', async () => {
    const subjectAt = async (url: string): Promise<string | undefined> => {
      const response = await fetch(`${url}/issuer/token-for`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'same@example.com' }),
      });
      return (await verify(await idTokenOf(response), `${twin.url}/issuer/jwks`)).payload.sub;
    };
    const restarted = await serveIssuer(folder, server.url);
    const subjects = [await subjectAt(server.url), await subjectAt(twin.url), await subjectAt(restarted.url)];
    await restarted.stop();
    expect(new Set(subjects).size).toBe(1);
  });

  it('gives tokens that verify in the other process', async () => {
    const token = await idTokenOf(await tokenFor({ email: 'ada@example.org' }));
    expect((await verify(token, `${twin.url}/issuer/jwks`)).payload.email).toBe('ada@example.org');
  });

  it.each([
    ['no body', '', 400, 'malformed_json'],
    ['broken JSON', '{"email":', 400, 'malformed_json'],
    ['an array', [], 400, 'validation_failed'],
    ['null', 'null', 400, 'validation_failed'],
    ['deep nesting', '['.repeat(5000), 400, 'malformed_json'],
    ['no e-mail', {}, 400, 'validation_failed'],
    ['an e-mail that is none', { email: 'ada' }, 400, 'validation_failed'],
    ['an e-mail that is no text', { email: ['ada@example.org'] }, 400, 'validation_failed'],
    ['null for the e-mail', { email: null }, 400, 'validation_failed'],
    ['a text for a truth', { email: 'ada@example.org', emailVerified: 'yes' }, 400, 'validation_failed'],
    ['null for a truth', { email: 'ada@example.org', emailVerified: null }, 400, 'validation_failed'],
    ['a body of 17 KiB', { email: 'ada@example.org', more: 'x'.repeat(17 * 1024) }, 413, 'too_large'],
  ])('refuses %s', async (_, body, status, code) => {
    const response = await tokenFor(body, { 'x-request-id': 'my-id' });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toBe('my-id');
    expect(await response.json()).toMatchObject({ error: expect.any(String), code, requestId: 'my-id' });
  });

  it('names each wrong field', async () => {
    const response = await tokenFor({ email: 7, emailVerified: 7 });
    const { details } = (await response.json()) as { details: { path: string }[] };
    expect(details.map(({ path }) => path)).toEqual(['email', 'emailVerified']);
  });

  it('wants JSON, and POST', async () => {
    const form = await tokenFor('email=ada@example.org', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([form.status, ((await form.json()) as { code: string }).code]).toEqual([
      415,
      'unsupported_media_type',
    ]);
    const read = await fetch(`${issuer}/token-for`);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});

describe('what is not there', () => {
  it.each([
    '/nothing',
    '/token-for/more',
    '/sign-in/',
    '/request',
    '/reg',
    '/session/end',
    '//evil.example.com/',
    '/%00',
  ])('%s is answered as everywhere', async (path) => {
    const response = await fetch(`${server.url}/issuer${path}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found', requestId: expect.any(String) });
  });

  it('neither is anything for a web page whose name was pointed at this machine', async () => {
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        httpRequest(`${issuer}/jwks`, { headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    const port = new URL(issuer).port;
    expect(await statusFor(`rebound.example.com:${port}`)).toBe(403);
    expect(await statusFor('127.0.0.1.example.com')).toBe(403);
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      '192.168.1.4',
      'api:3000',
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    }
  });
});

describe('the sign-in page by itself', () => {
  it('is all its own, and lets nothing else in', async () => {
    const response = await fetch(issuer);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(response.status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:/);
    const html = await response.text();
    expect(html).toContain('<label for="email">');
    expect(html).toMatch(/name="emailVerified"[^>]* checked/);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('shows an ID token and a line to try it with', async () => {
    const html = await (await new Browser(server.url).go(issuer, { email: 'ada@example.com' })).text();
    const [token = ''] = /eyJ[A-Za-z0-9_.-]+/.exec(html) ?? [];
    expect((await verify(token)).payload).toMatchObject({ email: 'ada@example.com', email_verified: false });
    expect(html).toContain(`curl -H &#39;Authorization: Bearer ${token}&#39; ${server.url}/me`);
  });

  it('asks again for what is no address, and shows it harmlessly', async () => {
    const response = await new Browser(server.url).go(issuer, {
      email: '"><script>alert(1)</script>',
      emailVerified: 'true',
    });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain('role="alert"');
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  it('takes no form of another site, which could sign somebody in as somebody else', async () => {
    const browser = new Browser(server.url);
    const form = { email: 'ada@example.com' };
    for (const origin of ['https://evil.example', 'null'])
      expect((await browser.go(issuer, form, { origin })).status).toBe(403);
    expect((await browser.go(issuer, form, { origin: server.url })).status).toBe(200);
    expect((await browser.go(issuer)).headers.get('referrer-policy')).toBe('same-origin');
  });

  it('is no answer to a POST, which the browser would send again', async () => {
    const browser = new Browser(server.url);
    for (const [email, status, said] of [
      ['ada', 400, 'role="alert"'],
      ['ada@example.com', 200, 'eyJ'],
    ] as const) {
      const { redirect, shown } = await browser.sendAndReload('/issuer', { email });
      expect(redirect).toEqual([303, '/issuer?sent']);
      for (const page of shown) expect(page).toEqual({ status, html: expect.stringContaining(said) });
    }
    expect(await (await browser.go('/issuer')).text()).toContain('Sign in as anybody');
  });

  it('is not changed or removed', async () => {
    const response = await fetch(issuer, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });
});

describe('a client’s sign-in', () => {
  const CALLBACK = 'http://localhost:5173/callback';

  /** From the authorization request to the page that asks who to be. */
  const begin = async (browser: Browser, url: string): Promise<string> => {
    const response = await browser.go(url);
    expect(response.status).toBe(303);
    const page = response.headers.get('location') ?? '';
    expect(page).toMatch(/^\/issuer\/sign-in\//);
    return page;
  };

  /** Signs in on that page; the address at the client that the browser ends at. */
  const finish = async (browser: Browser, page: string, form?: Record<string, string>): Promise<URL> => {
    const submitted = await browser.go(page, form);
    expect(submitted.status).toBe(303);
    const resumed = await browser.go(submitted.headers.get('location') ?? '');
    expect(resumed.status).toBe(303);
    return new URL(resumed.headers.get('location') ?? '');
  };

  const signIn = async (
    browser: Browser,
    form: Record<string, string>,
    change: Record<string, string> = {},
  ) => {
    const request = authorizationRequest(endpoints.authorization_endpoint, CALLBACK, change);
    const back = await finish(browser, await begin(browser, request.url), form);
    return { request, back, code: back.searchParams.get('code') ?? '' };
  };

  it('by code and PKCE ends with an ID token that carries the e-mail', async () => {
    const { request, back, code } = await signIn(new Browser(server.url), {
      email: 'Ada@Example.com',
      emailVerified: 'true',
    });
    expect(`${back.origin}${back.pathname}`).toBe(CALLBACK);
    expect(back.searchParams.get('state')).toBe('the-state');
    expect(back.searchParams.get('iss')).toBe(issuer);
    const response = await exchange(endpoints.token_endpoint, code, request);
    expect(response.status).toBe(200);
    const { id_token: idToken } = (await response.json()) as { id_token: string };
    expect(decodeProtectedHeader(idToken).alg).toBe('RS256');
    const { payload } = await verify(idToken, `${twin.url}/issuer/jwks`);
    expect(payload).toMatchObject({ email: 'Ada@Example.com', email_verified: true, nonce: 'the-nonce' });
    const scripted = await verify(await idTokenOf(await tokenFor({ email: 'ada@example.com' })));
    expect(payload.sub).toBe(scripted.payload.sub);
  });

  it('asks each time who to be, and takes an unverified address as such', async () => {
    const browser = new Browser(server.url);
    for (const email of ['first@example.com', 'second@example.com']) {
      const { request, code } = await signIn(browser, { email });
      const { id_token: idToken } = (await (
        await exchange(endpoints.token_endpoint, code, request)
      ).json()) as {
        id_token: string;
      };
      expect((await verify(idToken)).payload).toMatchObject({ email, email_verified: false });
    }
  });

  it('goes by the session where the client asks for no page', async () => {
    const browser = new Browser(server.url);
    const silent = authorizationRequest(endpoints.authorization_endpoint, CALLBACK, { prompt: 'none' });
    const refused = new URL((await browser.go(silent.url)).headers.get('location') ?? '');
    expect(refused.searchParams.get('error')).toBe('login_required');
    await signIn(browser, { email: 'ada@example.com' });
    const again = new URL((await browser.go(silent.url)).headers.get('location') ?? '');
    expect(again.searchParams.get('code')).toBeTruthy();
  });

  it('shows who is asking, the hint, and where its form may lead', async () => {
    const browser = new Browser(server.url);
    const { url } = authorizationRequest(endpoints.authorization_endpoint, CALLBACK, {
      login_hint: 'ada@example.com',
    });
    const response = await browser.go(await begin(browser, url));
    expect(response.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://localhost:5173;",
    );
    const html = await response.text();
    expect(html).toContain('Continue to assay');
    expect(html).toContain('value="ada@example.com"');
  });

  it('signs in at once whom the request names, and asks if that is no address', async () => {
    const browser = new Browser(server.url);
    const ask = async (as: string) =>
      begin(
        browser,
        authorizationRequest(endpoints.authorization_endpoint, CALLBACK, { sign_in_as: as }).url,
      );
    for (const email of ['ada@example.com', 'bob@example.com'])
      expect((await finish(browser, await ask(email))).searchParams.get('code')).toBeTruthy();
    expect(await (await browser.go(await ask('ada'))).text()).toContain('Sign in as anybody');
  });

  it('stays on the page while the address is none', async () => {
    const browser = new Browser(server.url);
    const { url } = authorizationRequest(endpoints.authorization_endpoint, CALLBACK);
    const page = await begin(browser, url);
    const { redirect, shown } = await browser.sendAndReload(page, { email: 'ada' });
    expect(redirect).toEqual([303, `${page}?sent`]);
    expect(shown.map(({ status }) => status)).toEqual([400, 400]);
    expect((await finish(browser, page, { email: 'ada@example.com' })).searchParams.get('code')).toBeTruthy();
  });

  it('does not go on in another browser', async () => {
    const { url } = authorizationRequest(endpoints.authorization_endpoint, CALLBACK);
    const page = await begin(new Browser(server.url), url);
    const response = await new Browser(server.url).go(page, { email: 'ada@example.com' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('role="alert"');
  });

  it('gives a code once, and only to whoever began', async () => {
    const { request, code } = await signIn(new Browser(server.url), { email: 'ada@example.com' });
    const thief = { ...request, verifier: 'x'.repeat(43) };
    expect((await exchange(endpoints.token_endpoint, code, thief)).status).toBe(400);
    const other = await signIn(new Browser(server.url), { email: 'ada@example.com' });
    expect((await exchange(endpoints.token_endpoint, other.code, other.request)).status).toBe(200);
    expect((await exchange(endpoints.token_endpoint, other.code, other.request)).status).toBe(400);
  });

  it.each([
    ['https://evil.example.com/callback'],
    ['http://localhost.evil.example.com/callback'],
    ['http://localhost@evil.example.com/'],
    ['javascript:alert(1)'],
    ['http://192.168.1.4/callback'],
  ])('never leads to %s', async (redirectUri) => {
    const { url } = authorizationRequest(endpoints.authorization_endpoint, redirectUri);
    const response = await new Browser(server.url).go(url);
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('leads to this service’s own pages and to any port of this machine', async () => {
    for (const redirectUri of [`${server.url}/docs`, 'http://127.0.0.1:8080/', 'http://[::1]:4200/in']) {
      const browser = new Browser(server.url);
      await begin(browser, authorizationRequest(endpoints.authorization_endpoint, redirectUri).url);
    }
  });

  it.each([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['with a plain challenge', { code_challenge_method: 'plain' }],
    ['for a token right away', { response_type: 'id_token' }],
  ])('is refused %s', async (_, change) => {
    const { url } = authorizationRequest(endpoints.authorization_endpoint, CALLBACK, change);
    const response = await new Browser(server.url).go(url);
    const back = new URL(response.headers.get('location') ?? '');
    expect(back.href).toContain(CALLBACK);
    expect(back.href).toMatch(/error=(invalid_request|unsupported_response_type)/);
  });
});

describe('the API behind it', () => {
  const meStatus = async (api: LocalServer, token: string): Promise<number> =>
    (await fetch(`${api.url}/me`, { headers: { authorization: `Bearer ${token}` } })).status;

  it('takes its tokens, and those of nobody else', async () => {
    const foreignFolder = await mkdtemp(join(tmpdir(), 'assay-issuer-'));
    const [api, foreign] = await Promise.all([
      serveAccess({ issuer, audience: 'assay' }),
      serveIssuer(foreignFolder, server.url),
    ]);
    const forged = await fetch(`${foreign.url}/issuer/token-for`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.org' }),
    });
    expect(await meStatus(api, await idTokenOf(await tokenFor({ email: 'ada@example.org' })))).toBe(200);
    expect(await meStatus(api, await idTokenOf(forged))).toBe(401);
    await Promise.all([api.stop(), foreign.stop()]);
    await rm(foreignFolder, { recursive: true });
  });

  it('gets the same documents without the network', async () => {
    const { fetchJson } = createDevelopmentIssuer({ issuerUrl: issuer, folder, audience: 'assay' });
    const published = (await (await fetch(endpoints.jwks_uri)).json()) as { keys: { kid: string }[] };
    expect(await fetchJson(`${issuer}/.well-known/openid-configuration`)).toEqual({
      issuer: endpoints.issuer,
      jwks_uri: endpoints.jwks_uri,
    });
    const { keys } = (await fetchJson(endpoints.jwks_uri)) as typeof published;
    expect(keys.map(({ kid }) => kid)).toEqual(published.keys.map(({ kid }) => kid));
    await expect(fetchJson(`${issuer}/token`)).rejects.toThrow('publishes nothing');
  });
});

describe('rotation', () => {
  it('is followed by running processes: new keys sign, former ones verify until they are dropped', async () => {
    const before = await idTokenOf(await tokenFor({ email: 'ada@example.org' }));
    const keys = new KeyFile(folder);
    await keys.rotate();
    const after = await idTokenOf(await tokenFor({ email: 'ada@example.org' }));
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    await verify(before);
    await verify(after, `${twin.url}/issuer/jwks`);
    await keys.rotate({ dropFormer: true });
    await expect(verify(before)).rejects.toThrow();
    await verify(await idTokenOf(await tokenFor({ email: 'ada@example.org' })));
  });
});
