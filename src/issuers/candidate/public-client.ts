import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';
import { hasLeft } from '../../http/edge-messages.js';

/** What an issuer says for itself. */
export interface IssuerOwn extends Pick<
  Configuration,
  'adapter' | 'jwks' | 'enabledJWA' | 'clientBasedCORS' | 'findAccount' | 'renderError'
> {
  /** The only client. */
  readonly client: {
    readonly client_id: string;
    readonly redirect_uris: string[];
    readonly id_token_signed_response_alg?: 'ES256';
  };
  readonly policy: NonNullable<NonNullable<Configuration['interactions']>['policy']>;
  readonly cookies: { readonly key: string; readonly prefix: string };
  readonly seconds: { readonly idToken: number; readonly grant: number; readonly session: number };
  readonly onError: (error: unknown) => void;
  /** Parameters of an authorization request beside the standard's. */
  readonly extraParams?: readonly string[];
}

/**
 * An OpenID provider below the issuer's path: authorization code with PKCE for one public client, whose ID tokens carry
 * the e-mail address. There are no refresh tokens.
 */
export const providerOf = (
  issuerUrl: string,
  { client, policy, cookies, seconds, onError, extraParams = [], ...own }: IssuerOwn,
): Provider => {
  const { pathname } = new URL(issuerUrl);
  const { key, prefix } = cookies;
  /** Seconds until what hangs on a sign-in ends, at least 1. */
  const left = (signedInAt = Math.floor(Date.now() / 1000)): number =>
    Math.max(1, signedInAt + seconds.session - Math.floor(Date.now() / 1000));
  const provider = new Provider(issuerUrl, {
    ...own,
    extraParams: [...extraParams],
    clients: [
      {
        ...client,
        client_name: 'Assay',
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        grant_types: ['authorization_code'],
        response_types: ['code'],
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
    interactions: { policy, url: (_ctx, { uid }) => `${pathname}/sign-in/${uid}` },
    cookies: {
      keys: [key],
      names: { session: `${prefix}_session`, interaction: `${prefix}_sign_in`, resume: `${prefix}_resume` },
      long: { path: pathname, httpOnly: true, sameSite: 'lax' },
      short: { path: pathname, httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: ({ oidc }) => Math.min(seconds.idToken, left(oidc.entities.AuthorizationCode?.authTime)),
      AuthorizationCode: 60,
      Grant: seconds.grant,
      IdToken: ({ oidc }) => Math.min(seconds.idToken, left(oidc.entities.AuthorizationCode?.authTime)),
      Interaction: 3600,
      // By the time of the sign-in: each request stores the session again, which must not make it longer.
      Session: (_ctx, { loginTs }) => left(loginTs),
    },
    loadExistingGrant: async (ctx) => {
      const { client: known, session } = ctx.oidc;
      if (!known || !session?.accountId) return undefined;
      const grant = new ctx.oidc.provider.Grant({ clientId: known.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  // The handler sets the request's protocol: it never comes from the network.
  provider.proxy = true;
  // Without a listener the library prints the stack of each connection that breaks.
  const broken = provider as unknown as EventEmitter;
  broken.on('error', (error: { readonly expose?: boolean }, { req }: { readonly req: IncomingMessage }) => {
    if (!error.expose && !hasLeft(req) && !req.socket.destroyed) onError(error);
  });
  provider.on('server_error', (_ctx, error) => onError(error));
  return provider;
};
