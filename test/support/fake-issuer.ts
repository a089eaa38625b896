import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A key pair for signing tokens: the fake provider's, or an attacker's. */
export interface SigningPair {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** Makes a key pair; the public part has `alg` and `kid`, as providers' keys do. */
export const signingPair = async (alg: string, kid: string): Promise<SigningPair> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), alg, kid, use: 'sig' } };
};

/** A fake identity provider over HTTP: discovery document, key set and sign-in. Its fields set its faults. */
export interface FakeIssuer {
  readonly url: string;
  /** The keys of the key set, in this order. */
  keys: readonly JWK[];
  /** `down`: answers 500; `silent`: never answers; `garbage`: answers no JSON. */
  mood: 'well' | 'down' | 'silent' | 'garbage';
  /** The origin of the token endpoint in the discovery document, if it is another one than `url`, as at some providers. */
  tokensAt: string | null;
  /** The `issuer` in the discovery document; by default `url`. */
  calledItself: string | null;
  /** The number of requests for the key set so far. */
  asked: number;
  /** Makes an ID token for every browser that signs in; `null`: sign-ins fail with `login_required`. */
  visitor: (() => Promise<string>) | null;
  /** The number of tokens given to browsers so far. */
  given: number;
  /** Whether it announces and gives refresh tokens; and how many were used so far. */
  refreshes: boolean;
  refreshed: number;
  /** Whether it refuses the scope for refresh tokens, although it announces it. */
  refusesRefresh: boolean;
  /** Whether a frame gets its cookies: browsers withhold them in frames of another site. */
  frames: boolean;
  /** A token of this provider, signed with this pair. `claims` replaces claims; `undefined` removes one. */
  token(
    pair: SigningPair,
    claims?: Record<string, unknown>,
    header?: Record<string, unknown>,
  ): Promise<string>;
  close(): Promise<void>;
}

export const AUDIENCE = 'assay-tests';

const REFRESH_TOKEN = 'refresh-token-of-the-visitor';

/** Starts a fake provider on a free port. Close it. */
export const startFakeIssuer = async (keys: readonly JWK[]): Promise<FakeIssuer> => {
  /** The PKCE challenges of codes that are not exchanged yet, by code. */
  const challenges = new Map<string, string>();
  const authorize = (query: URLSearchParams, isFrame: boolean): string => {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    const asksRefresh = query.get('scope')?.includes('offline_access') === true;
    if (issuer.refusesRefresh && asksRefresh) back.searchParams.set('error', 'invalid_scope');
    else if (issuer.visitor === null || (isFrame && !issuer.frames))
      back.searchParams.set('error', 'login_required');
    else {
      const code = randomUUID();
      challenges.set(code, query.get('code_challenge') ?? '');
      back.searchParams.set('code', code);
    }
    return back.href;
  };
  const exchange = async (form: URLSearchParams): Promise<object> => {
    if (form.get('grant_type') === 'refresh_token') issuer.refreshed += 1;
    const code = form.get('code') ?? '';
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      issuer.visitor !== null &&
      (challenges.get(code) === challenge ||
        (issuer.refreshes && form.get('refresh_token') === REFRESH_TOKEN));
    challenges.delete(code);
    if (!isRight || issuer.visitor === null) return { error: 'invalid_grant' };
    issuer.given += 1;
    return {
      ...{ access_token: 'unused', token_type: 'Bearer', id_token: await issuer.visitor() },
      ...(issuer.refreshes && { refresh_token: REFRESH_TOKEN }),
    };
  };
  const server = createServer((request, response) => {
    if (request.url === '/jwks') issuer.asked += 1;
    if (issuer.mood === 'silent') return;
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (pathname === '/auth') {
      response
        .writeHead(302, { location: authorize(searchParams, request.headers['sec-fetch-dest'] === 'iframe') })
        .end();
      return;
    }
    if (pathname === '/sign-out') {
      issuer.visitor = null;
      response.writeHead(302, { location: searchParams.get('post_logout_redirect_uri') ?? '/' }).end();
      return;
    }
    const answer = async (): Promise<object | null> => {
      if (pathname === '/.well-known/openid-configuration')
        return {
          issuer: issuer.calledItself ?? issuer.url,
          jwks_uri: `${issuer.url}/jwks`,
          authorization_endpoint: `${issuer.url}/auth`,
          token_endpoint: `${issuer.tokensAt ?? issuer.url}/token`,
          end_session_endpoint: `${issuer.url}/sign-out`,
          ...((issuer.refreshes || issuer.refusesRefresh) && {
            scopes_supported: ['openid', 'email', 'offline_access'],
          }),
        };
      if (pathname === '/jwks') return { keys: issuer.keys };
      return pathname === '/token' ? exchange(new URLSearchParams(await text(request))) : null;
    };
    void answer().then((body) => {
      response.statusCode = issuer.mood === 'down' ? 500 : body ? 200 : 404;
      response.setHeader('content-type', 'application/json');
      response.setHeader('access-control-allow-origin', '*');
      response.end(issuer.mood === 'garbage' ? '<html>' : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: FakeIssuer = {
    url,
    keys,
    mood: 'well',
    tokensAt: null,
    calledItself: null,
    asked: 0,
    visitor: null,
    given: 0,
    refreshes: false,
    refreshed: 0,
    refusesRefresh: false,
    frames: true,
    token: (pair, claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const standard = { iss: url, aud: AUDIENCE, sub: 'subject-1', iat: now, exp: now + 600 };
      return new SignJWT({ ...standard, ...claims })
        .setProtectedHeader({ alg: pair.alg, kid: pair.kid, typ: 'JWT', ...header })
        .sign(pair.privateKey);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;
};
