import { urlOf } from '../core/text.js';

/** The identity provider of the service, or the line with which the start fails. */
export type IssuerMode =
  | { readonly kind: 'external'; readonly issuer: string; readonly audience: string }
  | { readonly kind: 'development'; readonly audience: string }
  | { readonly kind: 'refused'; readonly variable: string; readonly reason: string };

/** The default of `OIDC_AUDIENCE` for the development issuer: its audience, and its client's id. */
export const DEVELOPMENT_AUDIENCE = 'assay';

/**
 * The variables that the choice depends on: `OIDC_ISSUER`, `OIDC_AUDIENCE`, `DEVELOPMENT_ISSUER`, `NODE_ENV`, `HOST` and
 * `PUBLIC_URL`. Empty and absent both mean unset. The default of `HOST` is 127.0.0.1.
 */
export interface IssuerEnvironment {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_AUDIENCE?: string | undefined;
  readonly DEVELOPMENT_ISSUER?: string | undefined;
  readonly NODE_ENV?: string | undefined;
  readonly HOST?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
  /** Whether `TRUSTED_PROXIES` names any. Default: it does not. */
  readonly behindProxy?: boolean | undefined;
}

/** Whether only this machine can reach a server that listens on this host, or is addressed by it. */
export const isLoopback = (host: string): boolean => {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
};

/**
 * Who may use the development issuer, by which anyone can sign in as anyone, and the outbox, in which anyone can read
 * codes. Both require no credentials. `local`: this machine; `anyone`: all; `null`: both are off.
 */
export type DevelopmentAccess = 'local' | 'anyone' | null;

/** One rule for both. DEVELOPMENT_ISSUER=on opens them to all only if there is no other identity provider. */
export const developmentAccess = (environment: IssuerEnvironment): DevelopmentAccess => {
  if (environment.NODE_ENV === 'production') return null;
  if (environment.DEVELOPMENT_ISSUER === 'on' && !environment.OIDC_ISSUER) return 'anyone';
  return exposureOf(environment) === null ? 'local' : null;
};

/** A warning to log at every start; `null`: none. @param given whether NODE_ENV is set */
export const modeWarning = (environment: IssuerEnvironment, given: boolean): string | null => {
  const { OIDC_ISSUER, PUBLIC_URL } = environment;
  const isPublic = PUBLIC_URL ? !isLoopback(urlOf(PUBLIC_URL)?.hostname ?? '') : false;
  if (given || (!OIDC_ISSUER && !isPublic)) return null;
  return (
    `NODE_ENV is not set, and ${OIDC_ISSUER ? 'OIDC_ISSUER is' : 'PUBLIC_URL is public'}: the service runs as in ` +
    'development, without the checks of production. Set NODE_ENV=production, or NODE_ENV=development if that is meant.'
  );
};

const refused = (variable: string, reason: string): IssuerMode => ({ kind: 'refused', variable, reason });

/**
 * Chooses between an identity provider and the development issuer, by which anyone can sign in as anyone. The
 * development issuer never runs in production or beside a provider, and beyond loopback only if DEVELOPMENT_ISSUER is
 * on.
 */
export const issuerMode = (environment: IssuerEnvironment): IssuerMode => {
  const production = environment.NODE_ENV === 'production';
  const wish = environment.DEVELOPMENT_ISSUER ?? '';
  if (!['', 'on', 'off'].includes(wish)) {
    return refused('DEVELOPMENT_ISSUER', 'DEVELOPMENT_ISSUER must be on or off.');
  }
  if (production && wish === 'on') {
    return refused('DEVELOPMENT_ISSUER', 'DEVELOPMENT_ISSUER=on is refused while NODE_ENV is production.');
  }
  const audience = environment.OIDC_AUDIENCE ?? '';
  if (environment.OIDC_ISSUER) return external(environment.OIDC_ISSUER, audience, production);
  if (production) {
    return refused(
      'OIDC_ISSUER',
      'OIDC_ISSUER must name an OpenID Connect provider while NODE_ENV is production.',
    );
  }
  if (wish === 'off') {
    return refused(
      'OIDC_ISSUER',
      'OIDC_ISSUER must name an OpenID Connect provider while DEVELOPMENT_ISSUER is off.',
    );
  }
  if (developmentAccess(environment) === null) {
    return refused(
      'OIDC_ISSUER',
      `OIDC_ISSUER must name an OpenID Connect provider while ${exposureOf(environment) ?? 'other machines reach it'}; ` +
        'DEVELOPMENT_ISSUER=on lets anybody who reaches the service sign in as anybody.',
    );
  }
  return { kind: 'development', audience: audience || DEVELOPMENT_AUDIENCE };
};

/** How other machines can reach the service, directly or through a proxy; `null`: they cannot. */
export const exposureOf = ({ HOST, PUBLIC_URL, behindProxy }: IssuerEnvironment): string | null => {
  if (!isLoopback(HOST || '127.0.0.1')) return 'HOST is not loopback';
  if (PUBLIC_URL && !isLoopback(urlOf(PUBLIC_URL)?.hostname ?? '')) return 'PUBLIC_URL is not loopback';
  if (behindProxy) return 'TRUSTED_PROXIES is set';
  return null;
};

const external = (issuer: string, audience: string, production: boolean): IssuerMode => {
  const url = urlOf(issuer);
  if (!url || !['https:', 'http:'].includes(url.protocol) || /[?#]/.test(issuer) || url.username !== '') {
    return refused('OIDC_ISSUER', 'OIDC_ISSUER must be the https URL of an OpenID Connect provider.');
  }
  if (url.protocol === 'http:' && production && !isLoopback(url.hostname)) {
    return refused('OIDC_ISSUER', 'OIDC_ISSUER must be an https URL while NODE_ENV is production.');
  }
  if (audience === '') {
    return refused('OIDC_AUDIENCE', 'OIDC_AUDIENCE must be the audience of ID tokens for this service.');
  }
  return { kind: 'external', issuer, audience };
};
