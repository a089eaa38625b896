import type { FastifyPluginAsync } from 'fastify';
import { createHash } from 'node:crypto';
import type { FetchJson } from '../../http/access/discovery.js';
import { throughDevelopmentDoor } from '../../http/development-door.js';
import type { DevelopmentAccess } from '../../process/issuer-mode.js';
import { FormAnswers } from '../form-answers.js';
import { readObject } from '../forms.js';
import { providerOfCurrent, published } from '../keys.js';
import { type Exchange, issuerRoutes } from '../routes.js';
import { type Account, ID_TOKEN_SECONDS, issueIdToken, readTokenRequest, subjectOf } from './account.js';
import { Grants } from './grants.js';
import { KeyFile } from './keys.js';
import { type DevelopmentAnswer, signInAlone, signInForClient } from './sign-in.js';

export interface DevelopmentIssuerOptions {
  /** The issuer's URL in ID tokens: `${PUBLIC_URL}/issuer`. */
  readonly issuerUrl: string;
  /** The folder of the keys: `DATA_DIR`. */
  readonly folder: string;
  /** The audience of ID tokens, and the id of the only client. */
  readonly audience: string;
  /** Who may use it. Default: this machine. */
  readonly access?: DevelopmentAccess;
  /** Called with unexpected errors; answers never contain them. */
  readonly onError?: (error: unknown) => void;
}

/** An OpenID provider at which anyone can sign in as anyone. */
export interface DevelopmentIssuer {
  readonly routes: FastifyPluginAsync;
  /** Answers discovery and keys without the network. */
  readonly fetchJson: FetchJson;
}

/** An OpenID Connect provider that signs in any e-mail address without a password, on the API's own server. */
export const createDevelopmentIssuer = (options: DevelopmentIssuerOptions): DevelopmentIssuer => {
  const { issuerUrl, folder, audience, access = 'local', onError = () => undefined } = options;
  const keyFile = new KeyFile(folder);
  const grants = new Grants();
  const provider = providerOfCurrent(
    () => keyFile.current(),
    async (keys) => {
      const { createProvider } = await import('./provider.js');
      return createProvider({ issuerUrl, audience, keys, grants, onError });
    },
  );

  const formAnswers = async (): Promise<FormAnswers<DevelopmentAnswer>> => {
    const { cookieSecret } = await keyFile.current();
    const key = createHash('sha256').update(`answers to forms ${cookieSecret}`).digest();
    return new FormAnswers(key, issuerUrl.startsWith('https:'));
  };

  const issue = async (account: Account): Promise<string> =>
    issueIdToken(account, await keyFile.current(), { issuerUrl, audience });

  const remember = async (account: Account): Promise<string> => {
    const { subjectSecret } = await keyFile.current();
    const subject = subjectOf(account.email, subjectSecret);
    grants.accounts.set(subject, account);
    return subject;
  };

  const tokenFor = async ({ request, response }: Exchange): Promise<void> => {
    const idToken = await issue(readTokenRequest(await readObject(request)));
    const body = JSON.stringify({ idToken, expiresIn: ID_TOKEN_SECONDS });
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' }).end(body);
  };

  /** Ends the browser's session. Browsers do not send its cookie with requests of other sites. */
  const signOut = async ({ request, response }: Exchange): Promise<void> => {
    const known = await provider();
    const session = await known.Session.get(known.createContext(request, response));
    if (session.accountId !== undefined) await session.destroy();
    response.writeHead(204).end();
  };

  return {
    routes: issuerRoutes({
      issuerUrl,
      guard: (request) => throughDevelopmentDoor(request, { access, publicUrl: issuerUrl }),
      pages: {
        '/': async (exchange) => signInAlone(exchange, issuerUrl, await formAnswers(), issue),
        '/sign-in/:uid': async (exchange) =>
          signInForClient(exchange, await provider(), await formAnswers(), remember),
      },
      calls: { '/token-for': tokenFor, '/sign-out': signOut },
      provider,
      onError,
    }),
    fetchJson: published(issuerUrl, async () => (await keyFile.current()).signing),
  };
};
