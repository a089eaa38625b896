import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JWK } from 'jose';
import type Provider from 'oidc-provider';
import { ApiError, notFound } from '../../http/api-error.js';
import { throughDevelopmentDoor } from '../../http/development-door.js';
import type { DevelopmentAccess } from '../../process/issuer-mode.js';
import {
  answerErrors,
  basePathOf,
  mount,
  type MountedRequest,
  only,
  onlyOwnForm,
  readObject,
  sendJson,
} from '../../http/mounted.js';
import { type Account, ID_TOKEN_SECONDS, issueIdToken, readTokenRequest, subjectOf } from './account.js';
import { Grants } from './grants.js';
import { signInAlone, signInForClient } from './sign-in.js';
import { type IssuerKeys, KeyFile, publicPart } from './keys.js';

export interface DevelopmentIssuerOptions {
  /** `${PUBLIC_URL}/issuer`, as ID tokens carry it. */
  readonly issuerUrl: string;
  /** Where the keys are kept: `DATA_DIR`. */
  readonly folder: string;
  /** Of ID tokens, and the id of the one client. */
  readonly audience: string;
  /** Who may use it; this machine unless said. */
  readonly access?: DevelopmentAccess;
  /** Called with unexpected errors; answers never contain them. */
  readonly onError?: (error: unknown) => void;
}

export interface DevelopmentIssuer {
  /** The API's server passes requests for this path, and for all below it. */
  readonly basePath: string;
  handler(request: IncomingMessage, response: ServerResponse): void;
  /** Answers discovery and keys without the network: a server's own `PUBLIC_URL` need not be reachable from within. */
  fetchJson(url: string): Promise<unknown>;
}

/** Paths that the provider answers itself. */
const PROVIDER_PATHS =
  /^\/(?:\.well-known\/openid-configuration|jwks|token|userinfo|auth(?:\/[A-Za-z0-9_-]+)?)$/;
const SIGN_IN_PATH = /^\/sign-in\/[A-Za-z0-9_-]+$/;

/** An OpenID Connect provider that signs in any e-mail address without a password, mounted on the API's own server. */
export const createDevelopmentIssuer = (options: DevelopmentIssuerOptions): DevelopmentIssuer => {
  const { issuerUrl, folder, audience, access = 'local', onError = () => undefined } = options;
  const { pathname: publicPath } = new URL(issuerUrl);
  const basePath = basePathOf(issuerUrl);
  const keyFile = new KeyFile(folder);
  const grants = new Grants();
  let built: { readonly keys: IssuerKeys; readonly provider: Promise<Provider> } | undefined;

  // Loaded when first asked for: the library takes long to load, and most runs need tokens for scripts alone.
  const providerOf = async (): Promise<Provider> => {
    const keys = await keyFile.current();
    if (built?.keys !== keys) {
      const provider = import('./provider.js').then(({ createProvider }) =>
        createProvider({ issuerUrl, audience, keys, grants, onError }),
      );
      built = { keys, provider };
    }
    return built.provider;
  };

  const issue = async (account: Account): Promise<string> =>
    issueIdToken(account, await keyFile.current(), { issuerUrl, audience });

  const answer = async (request: MountedRequest, response: ServerResponse): Promise<void> => {
    throughDevelopmentDoor(request, { access, publicUrl: issuerUrl });
    const path = mount(request, issuerUrl);
    if (path === '/') {
      onlyOwnForm(request);
      await signInAlone(request, response, issuerUrl, issue);
    } else if (path === '/token-for') {
      only(request, ['POST']);
      const idToken = await issue(readTokenRequest(await readObject(request)));
      sendJson(response, 200, { idToken, expiresIn: ID_TOKEN_SECONDS });
    } else if (SIGN_IN_PATH.test(path)) {
      onlyOwnForm(request);
      const { subjectSecret } = await keyFile.current();
      const remember = (account: Account): string => {
        const subject = subjectOf(account.email, subjectSecret);
        grants.accounts.set(subject, account);
        return subject;
      };
      await signInForClient(request, response, await providerOf(), `${publicPath}${path}`, remember);
    } else if (PROVIDER_PATHS.test(path)) {
      await (await providerOf()).callback()(request, response);
    } else {
      throw notFound();
    }
  };

  return {
    basePath,
    handler: (request, response) => {
      answerErrors(request, response, answer(request, response), { onError, failed });
    },
    fetchJson: async (url) => {
      const jwksUri = `${issuerUrl}/jwks`;
      if (url === jwksUri) return publicKeys(await keyFile.current());
      if (url === `${issuerUrl}/.well-known/openid-configuration`)
        return { issuer: issuerUrl, jwks_uri: jwksUri };
      throw new Error(`The development issuer publishes nothing at ${url}.`);
    },
  };
};

const publicKeys = ({ signing }: IssuerKeys): { keys: readonly JWK[] } => ({ keys: signing.map(publicPart) });

const failed = (): ApiError => new ApiError('internal', 'The development issuer failed. See its log.');
