import { interactionPolicy, type Provider } from 'oidc-provider';
import { urlOf } from '../../core/text.js';
import { isLoopback } from '../../process/issuer-mode.js';
import { oidcProvider } from '../oidc-provider.js';
import { claimsOf, ID_TOKEN_SECONDS } from './account.js';
import type { Grants } from './grants.js';
import type { IssuerKeys } from './keys.js';
import { errorPage } from './pages.js';
import { SIGN_IN_AS } from './sign-in.js';

export interface ProviderOptions {
  readonly issuerUrl: string;
  readonly audience: string;
  readonly keys: IssuerKeys;
  readonly grants: Grants;
  readonly onError: (error: unknown) => void;
}

const DAY_SECONDS = 86_400;
const { Check, Prompt } = interactionPolicy;

/** Asks for the account at every sign-in, even in a session; with `prompt=none`, the session's account is used. */
const askWhoToBe = (): interactionPolicy.DefaultPolicy => {
  const policy = interactionPolicy.base();
  policy.clear();
  policy.add(
    new Prompt(
      { name: 'login', requestable: true },
      ({ oidc }) => ({ login_hint: oidc.params?.login_hint }),
      new Check('identity_not_chosen', 'no identity was chosen', ({ oidc }) => {
        const silent = oidc.prompts.has('none') && oidc.session?.accountId !== undefined;
        return oidc.result?.login || silent ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
      }),
    ),
  );
  return policy;
};

/**
 * The OpenID provider for development: authorization code with PKCE for one public client, whose id is the audience of
 * ID tokens. The client may be at this service's origin or at any port of this machine.
 */
export const createProvider = ({ issuerUrl, audience, keys, grants, onError }: ProviderOptions): Provider => {
  const { origin } = new URL(issuerUrl);
  const mayReturnTo = (uri: string): boolean => {
    const url = urlOf(uri);
    if (url === null) return false;
    const local = url.protocol === 'http:' && isLoopback(url.hostname);
    return (url.origin === origin || local) && url.hash === '' && url.username === '';
  };

  const provider = oidcProvider(issuerUrl, {
    adapter: grants.adapter,
    jwks: { keys: [...keys.signing] },
    client: { client_id: audience, redirect_uris: [`${origin}/docs`] },
    policy: askWhoToBe(),
    extraParams: [SIGN_IN_AS],
    cookies: { key: keys.cookieSecret, prefix: 'issuer' },
    seconds: { idToken: ID_TOKEN_SECONDS, grant: DAY_SECONDS, session: DAY_SECONDS },
    clientBasedCORS: (_ctx, requestOrigin) => mayReturnTo(requestOrigin),
    findAccount: (_ctx, subject) => {
      const account = grants.accounts.get(subject);
      return account && { accountId: subject, claims: () => claimsOf(account, keys.subjectSecret) };
    },
    errorPage: (_ctx, { error_description: description, error }) => errorPage(description ?? error),
    onError,
  });
  // The library compares with a list of addresses, which cannot contain all ports of this machine.
  provider.Client.prototype.redirectUriAllowed = mayReturnTo;
  return provider;
};
