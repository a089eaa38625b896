import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import Provider, { type Configuration, type ErrorOut, type KoaContextWithOIDC } from 'oidc-provider';
import { hasLeft } from '../http/edge-messages.js';
import type { Page } from '../http/page.js';

/** The differences between issuers. */
export interface IssuerOptions extends Pick<
  Configuration,
  'adapter' | 'jwks' | 'enabledJWA' | 'clientBasedCORS' | 'findAccount'
> {
  /** The client for browsers. */
  readonly client: {
    readonly client_id: string;
    readonly redirect_uris: string[];
    readonly id_token_signed_response_alg?: 'ES256';
  };
  readonly policy: NonNullable<NonNullable<Configuration['interactions']>['policy']>;
  /** The key that signs cookies, and what their names begin with. */
  readonly cookies: { readonly key: string; readonly prefix: string };
  /** How long each is valid. Tokens end with the session at the latest. */
  readonly seconds: { readonly idToken: number; readonly grant: number; readonly session: number };
  readonly errorPage: (context: KoaContextWithOIDC, out: ErrorOut) => Page;
  /** Called with errors that are a fault of the service. */
  readonly onError: (error: unknown) => void;
  /** Parameters of an authorization request beside the standard's. Default: none. */
  readonly extraParams?: readonly string[];
  /** A second public client, a program without a browser that signs in by a device code (RFC 8628). Default: none. */
  readonly device?: {
    readonly client_id: string;
    readonly client_name: string;
    readonly id_token_signed_response_alg: 'ES256';
    /** How long a code is valid. */
    readonly seconds: number;
    readonly pages: NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;
  };
}

const DEVICE_GRANTS = ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'];

/**
 * Makes the OpenID provider of an issuer, below the path of its URL. It has public clients only: one for browsers,
 * which signs in by authorization code with PKCE and gets no refresh token; with `device` also one for programs, which
 * gets a refresh token. ID tokens contain the e-mail address. `issuerRoutes` passes it the requests.
 */
export const oidcProvider = (
  issuerUrl: string,
  { client, device, policy, cookies, seconds, errorPage, onError, extraParams = [], ...own }: IssuerOptions,
): Provider => {
  const { pathname } = new URL(issuerUrl);
  const { key, prefix } = cookies;
  /** Seconds until the session of a sign-in ends, at least 1. @param since when it began, in seconds since 1970 */
  const secondsLeft = (since = Math.floor(Date.now() / 1000)): number =>
    Math.max(1, since + seconds.session - Math.floor(Date.now() / 1000));
  /** When the person signed in for whom a token is being issued, in seconds since 1970. */
  const signedInAt = ({ oidc }: KoaContextWithOIDC): number | undefined => {
    const { AuthorizationCode, DeviceCode, RefreshToken } = oidc.entities;
    return (AuthorizationCode ?? DeviceCode ?? RefreshToken)?.authTime;
  };
  const provider = new Provider(issuerUrl, {
    ...own,
    extraParams: [...extraParams],
    renderError: (ctx, out) => {
      const page = errorPage(ctx, out);
      ctx.set(page.headers);
      ctx.body = page.html;
    },
    clients: [
      {
        ...client,
        client_name: 'Assay',
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
      ...(device
        ? [
            {
              client_id: device.client_id,
              client_name: device.client_name,
              id_token_signed_response_alg: device.id_token_signed_response_alg,
              token_endpoint_auth_method: 'none' as const,
              application_type: 'native' as const,
              redirect_uris: [],
              response_types: [],
              grant_types: DEVICE_GRANTS,
            },
          ]
        : []),
    ],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    pkce: { required: () => true },
    scopes: ['openid', 'email'],
    claims: { openid: ['sub', 'email', 'email_verified'] },
    // The API reads ID tokens, so the e-mail must be in the token itself.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      ...(device && { deviceFlow: { ...device.pages, enabled: true } }),
    },
    // Not rotated, so that a program that lost an answer can send the same token again. It ends with the session.
    issueRefreshToken: (_ctx, of) => of.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: false,
    routes: {
      authorization: '/auth',
      token: '/token',
      userinfo: '/userinfo',
      jwks: '/jwks',
      device_authorization: '/device/auth',
      code_verification: '/device',
    },
    interactions: { policy, url: (_ctx, { uid }) => `${pathname}/sign-in/${uid}` },
    cookies: {
      keys: [key],
      names: { session: `${prefix}_session`, interaction: `${prefix}_sign_in`, resume: `${prefix}_resume` },
      long: { path: pathname, httpOnly: true, sameSite: 'lax' },
      short: { path: pathname, httpOnly: true, sameSite: 'lax' },
    },
    ttl: {
      AccessToken: (ctx) => Math.min(seconds.idToken, secondsLeft(signedInAt(ctx))),
      AuthorizationCode: 60,
      ...(device && { DeviceCode: device.seconds }),
      Grant: seconds.grant,
      IdToken: (ctx) => Math.min(seconds.idToken, secondsLeft(signedInAt(ctx))),
      RefreshToken: (ctx) => secondsLeft(signedInAt(ctx)),
      Interaction: 3600,
      // Counted from the sign-in, since each request stores the session again and must not prolong it.
      Session: (_ctx, { loginTs }) => secondsLeft(loginTs),
    },
    // Consent is not asked for, since the clients are the service's own.
    loadExistingGrant: async (ctx) => {
      const { client: known, session } = ctx.oidc;
      if (!known || !session?.accountId) return undefined;
      const grant = new ctx.oidc.provider.Grant({ clientId: known.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  // Makes the library trust `X-Forwarded-Proto`. `issuerRoutes` sets it on each request: it is never the client's.
  provider.proxy = true;
  // Without a listener the library prints a stack trace for each broken connection.
  const emitter = provider as unknown as EventEmitter;
  emitter.on('error', (error: { readonly expose?: boolean }, { req }: { readonly req: IncomingMessage }) => {
    if (!error.expose && !hasLeft(req) && !req.socket.destroyed) onError(error);
  });
  provider.on('server_error', (_ctx, error) => onError(error));
  return provider;
};
