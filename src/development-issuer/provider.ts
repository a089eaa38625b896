import Provider, { interactionPolicy, type Configuration } from 'oidc-provider';
import { claimsOf, ID_TOKEN_SECONDS } from './account.js';
import { isLoopback } from '../process/issuer-mode.js';
import type { IssuerKeys } from './keys.js';
import type { Grants } from './grants.js';
import { errorPage } from './pages.js';
import { urlOf } from '../core/text.js';

export interface ProviderOptions {
  readonly issuerUrl: string;
  readonly audience: string;
  readonly keys: IssuerKeys;
  readonly grants: Grants;
  readonly onError: (error: unknown) => void;
}

const DAY_SECONDS = 86_400;
const { Check, Prompt } = interactionPolicy;

/** Every sign-in asks who to be: that is what this issuer is for. `prompt=none` goes by the session. */
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
 * The OpenID provider itself: authorization code with PKCE for one public client, named by the audience (an ID token's
 * audience is its client), that may come from this service's own origin or from any port of this machine.
 */
export const createProvider = ({ issuerUrl, audience, keys, grants, onError }: ProviderOptions): Provider => {
  const { origin, pathname } = new URL(issuerUrl);
  const mayReturnTo = (uri: string): boolean => {
    const url = urlOf(uri);
    if (url === null) return false;
    const local = url.protocol === 'http:' && isLoopback(url.hostname);
    return (url.origin === origin || local) && url.hash === '' && url.username === '';
  };

  const configuration: Configuration = {
    adapter: grants.adapter,
    jwks: { keys: [...keys.signing] },
    clients: [
      {
        client_id: audience,
        client_name: 'Assay',
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: [`${origin}/docs`],
      },
    ],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    pkce: { required: () => true },
    scopes: ['openid', 'email'],
    claims: { openid: ['sub', 'email', 'email_verified'] },
    // The API reads ID tokens, so these carry the e-mail themselves.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
    },
    routes: { authorization: '/auth', token: '/token', userinfo: '/userinfo', jwks: '/jwks' },
    interactions: {
      policy: askWhoToBe(),
      url: (_ctx, interaction) => `${pathname}/sign-in/${interaction.uid}`,
    },
    cookies: {
      keys: [keys.cookieSecret],
      names: { session: 'issuer_session', interaction: 'issuer_sign_in', resume: 'issuer_resume' },
      long: { path: pathname, httpOnly: true, sameSite: 'lax' },
      short: { path: pathname, httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: ID_TOKEN_SECONDS,
      AuthorizationCode: 60,
      Grant: DAY_SECONDS,
      IdToken: ID_TOKEN_SECONDS,
      Interaction: 3600,
      Session: DAY_SECONDS,
    },
    clientBasedCORS: (_ctx, requestOrigin) => mayReturnTo(requestOrigin),
    findAccount: (_ctx, subject) => {
      const account = grants.accounts.get(subject);
      return account && { accountId: subject, claims: () => claimsOf(account, keys.subjectSecret) };
    },
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new ctx.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    renderError: (ctx, { error_description: description, error }) => {
      const page = errorPage(description ?? error);
      ctx.set(page.headers);
      ctx.body = page.html;
    },
  };

  const provider = new Provider(issuerUrl, configuration);
  // The handler sets the request's protocol: it never comes from the network.
  provider.proxy = true;
  provider.Client.prototype.redirectUriAllowed = mayReturnTo;
  provider.on('server_error', (_ctx, error) => onError(error));
  return provider;
};
