import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import Provider, { type Configuration, type ErrorOut, type KoaContextWithOIDC } from 'oidc-provider';
import { hasLeft } from '../http/edge-messages.js';
import type { Page } from '../http/page.js';

/** What differs from one issuer to another. */
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
  readonly cookies: { readonly key: string; readonly prefix: string };
  readonly seconds: { readonly idToken: number; readonly grant: number; readonly session: number };
  readonly errorPage: (context: KoaContextWithOIDC, out: ErrorOut) => Page;
  readonly onError: (error: unknown) => void;
  /** Parameters of an authorization request beside the standard's. */
  readonly extraParams?: readonly string[];
  /** A second public client, a program without a browser that signs in by a device code (RFC 8628). Default: none. */
  readonly device?: {
    readonly client_id: string;
    readonly client_name: string;
    readonly id_token_signed_response_alg: 'ES256';
    /** Of a code, until it expires. */
    readonly seconds: number;
    readonly pages: NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;
  };
}

const DEVICE_GRANTS = ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'];

/**
 * An OpenID provider below the issuer's path: authorization code with PKCE for one public client, whose ID tokens carry
 * the e-mail address. The client for browsers gets no refresh tokens.
 */
export const providerOf = (
  issuerUrl: string,
  { client, device, policy, cookies, seconds, errorPage, onError, extraParams = [], ...own }: IssuerOptions,
): Provider => {
  const { pathname } = new URL(issuerUrl);
  const { key, prefix } = cookies;
  /** Seconds until what hangs on a sign-in ends, at least 1. */
  const left = (since = Math.floor(Date.now() / 1000)): number =>
    Math.max(1, since + seconds.session - Math.floor(Date.now() / 1000));
  /** When the person of a token that is being given signed in, in seconds since 1970. */
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
    // The API reads ID tokens, so these carry the e-mail themselves.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      ...(device && { deviceFlow: { ...device.pages, enabled: true } }),
    },
    // They end with the sign-in. A program that lost the answer to a request can send the same one again.
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
      AccessToken: (ctx) => Math.min(seconds.idToken, left(signedInAt(ctx))),
      AuthorizationCode: 60,
      ...(device && { DeviceCode: device.seconds }),
      Grant: seconds.grant,
      IdToken: (ctx) => Math.min(seconds.idToken, left(signedInAt(ctx))),
      RefreshToken: (ctx) => left(signedInAt(ctx)),
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
  // The route sets the request's protocol: it never comes from the network.
  provider.proxy = true;
  // Without a listener the library prints the stack of each connection that breaks.
  const broken = provider as unknown as EventEmitter;
  broken.on('error', (error: { readonly expose?: boolean }, { req }: { readonly req: IncomingMessage }) => {
    if (!error.expose && !hasLeft(req) && !req.socket.destroyed) onError(error);
  });
  provider.on('server_error', (_ctx, error) => onError(error));
  return provider;
};
