import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

/** A key pair of the fake provider, or of an attacker. */
export interface SigningPair {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** A new key pair; the public part declares `alg` and `kid` as providers do. */
export const signingPair = async (alg: string, kid: string): Promise<SigningPair> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), alg, kid, use: 'sig' } };
};

/** A provider's discovery document and key set over HTTP, with knobs for what may go wrong with it. */
export interface FakeIssuer {
  readonly url: string;
  /** Shown in the key set, in this order. */
  keys: readonly JWK[];
  /** `down`: answers 500; `silent`: never answers; `garbage`: answers no JSON. */
  mood: 'well' | 'down' | 'silent' | 'garbage';
  /** What the discovery document calls itself; the URL unless set. */
  calledItself: string | null;
  /** Requests for the key set so far. */
  asked: number;
  /** A token as this provider would give it, signed with that pair; `claims` replace, `undefined` removes. */
  token(
    pair: SigningPair,
    claims?: Record<string, unknown>,
    header?: Record<string, unknown>,
  ): Promise<string>;
  close(): Promise<void>;
}

export const AUDIENCE = 'assay-tests';

/** Starts a fake provider on a free port. */
export const startFakeIssuer = async (keys: readonly JWK[]): Promise<FakeIssuer> => {
  const server = createServer((request, response) => {
    if (request.url === '/jwks') issuer.asked += 1;
    if (issuer.mood === 'silent') return;
    const body =
      request.url === '/.well-known/openid-configuration'
        ? { issuer: issuer.calledItself ?? issuer.url, jwks_uri: `${issuer.url}/jwks` }
        : request.url === '/jwks'
          ? { keys: issuer.keys }
          : null;
    response.statusCode = issuer.mood === 'down' ? 500 : body ? 200 : 404;
    response.setHeader('content-type', 'application/json');
    response.end(issuer.mood === 'garbage' ? '<html>' : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: FakeIssuer = {
    url,
    keys,
    mood: 'well',
    calledItself: null,
    asked: 0,
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
