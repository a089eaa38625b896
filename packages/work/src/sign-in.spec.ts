import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignIn } from './sign-in.js';

const tokenOf = (claims: object): string =>
  `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;

describe('a sign-in at a provider without refresh tokens', () => {
  const { XDG_CONFIG_HOME } = process.env;
  let folder: string;
  let server: Server;
  let url: string;
  /** What the token endpoint answers. */
  let tokens: object;
  let begun: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-work-sign-in-'));
    process.env.XDG_CONFIG_HOME = folder;
    begun = 0;
    server = createServer((request, response) => {
      const answers: Readonly<Record<string, object>> = {
        '/apply/config.json': { issuer: url, deviceClientId: 'program' },
        '/.well-known/openid-configuration': {
          token_endpoint: `${url}/token`,
          device_authorization_endpoint: `${url}/device`,
        },
        '/device': { device_code: 'd', user_code: 'ABCD', verification_uri: `${url}/page`, interval: 1 },
        '/token': tokens,
      };
      if (request.url === '/device') begun += 1;
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(answers[request.url ?? '']));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    if (XDG_CONFIG_HOME === undefined) delete process.env.XDG_CONFIG_HOME;
    else process.env.XDG_CONFIG_HOME = XDG_CONFIG_HOME;
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await rm(folder, { recursive: true });
  });

  const signIn = () =>
    new SignIn(url, { say: () => undefined, agrees: async () => true, canAsk: true }, 0.001);

  it.each([
    ['an hour by the ID token alone', { id_token: tokenOf({ iat: 1_000, exp: 4_600 }) }],
    ['a minute', { id_token: tokenOf({ iat: 1_000, exp: 1_060 }), expires_in: 60 }],
    ['an hour by the answer alone', { id_token: 'opaque', expires_in: 3_600 }],
    ['an unknown time', { id_token: 'opaque' }],
  ])('is asked for once for all requests if its token lives %s', async (_, answer) => {
    tokens = answer;
    for (let requests = 0; requests < 3; requests += 1)
      expect(await signIn().token(false)).toBe(answer.id_token);
    expect(begun).toBe(1);
  });
});
