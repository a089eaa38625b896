import type { FastifyPluginAsync } from 'fastify';
import { applications } from '../../projections/applications.js';
import type { CandidateSignIn } from '../api/candidate-page/candidate-page.js';
import type { ConsoleSettings, DevelopmentPerson } from '../api/console/console.js';
import { CandidateDirectory } from '../application/applications/directory.js';
import type { SignInLocks } from '../application/applications/lift-sign-in-lock.js';
import type { Mailer } from '../clients/mail.js';
import type { Timekeeper } from '../engine/trusted-clock.js';
import { fetchJson as fetchOverHttp } from '../http/access/discovery.js';
import { IdTokens, type IdTokenOptions } from '../http/access/identity.js';
import { signInOrigins } from '../http/access/sign-in-origins.js';
import type { RateLimits } from '../http/rate-limits.js';
import { CLIENT_ID, createCandidateIssuer, redirectUriOf } from '../issuers/candidate/candidate-issuer.js';
import { DEVICE_CLIENT_ID } from '../issuers/candidate/device.js';
import { createDevelopmentIssuer } from '../issuers/development/development-issuer.js';
import { LANGUAGES } from '../languages/languages.js';
import type { Configuration } from '../process/config.js';
import type { Logger } from '../process/log.js';
import type { Stores } from '../process/stores.js';

/** How ID tokens are checked, and where people sign in. */
export interface Identity {
  readonly idTokens: IdTokens;
  /** Whether staff sign in at the development issuer, at which anyone can sign in as anyone. */
  readonly development: boolean;
  /** The routes of the issuers that are part of the service. */
  readonly routes: readonly FastifyPluginAsync[];
  readonly signIn: CandidateSignIn;
  /** Origins that the candidates' page may connect to and frame for a sign-in. */
  readonly signInOrigins: () => Promise<readonly string[]>;
  /** How staff sign in. */
  readonly staff: Pick<ConsoleSettings, 'signIn' | 'signInOrigins'>;
  /** Resets limits of mailed codes; `null`: candidates do not sign in by mailed codes. */
  readonly signInLocks: SignInLocks | null;
  /** Resolves once the work under way of the candidates' issuer has ended. */
  stop(): Promise<void>;
}

interface IdentityParts {
  readonly configuration: Configuration;
  readonly publicUrl: string;
  readonly logger: Logger;
  readonly stores: Stores;
  readonly limits: RateLimits;
  /** `null`: no mails are sent. */
  readonly mailer: Mailer | null;
  /** The page that shows mails; `null`: mails are sent. */
  readonly outboxUrl: string | null;
  readonly timekeeper: Timekeeper;
  /** The accounts that the console offers for a sign-in, in a development service only. */
  readonly people: readonly DevelopmentPerson[];
}

/**
 * Makes the issuers that are part of the service: for development, and for candidates who sign in by mailed codes. If
 * codes are not mailed, candidates sign in at the issuer of the staff.
 */
export const identityOf = (parts: IdentityParts): Identity => {
  const { configuration, publicUrl, logger, people, outboxUrl } = parts;
  const { kind } = configuration.identity;
  const organisation = organisationIssuer(parts);
  const candidates = configuration.candidateSignIn === 'email' ? candidateIssuer(parts) : null;
  const { issuer, audience, fetchJson = fetchOverHttp } = candidates?.tokens ?? organisation.tokens;
  return {
    idTokens: new IdTokens(
      { ...organisation.tokens, log: logger },
      candidates && { ...candidates.tokens, log: logger },
    ),
    development: kind === 'development',
    routes: [organisation, candidates].flatMap((one) => one?.routes ?? []),
    signIn: {
      issuer,
      clientId: audience,
      deviceClientId: candidates ? DEVICE_CLIENT_ID : audience,
      redirectUri: redirectUriOf(publicUrl),
      signIn: configuration.candidateSignIn,
      languages: LANGUAGES,
    },
    signInOrigins: signInOrigins(issuer, fetchJson, logger),
    staff: {
      signIn: {
        issuer: organisation.tokens.issuer,
        clientId: organisation.tokens.audience,
        redirectUri: `${publicUrl}/console/callback`,
        development: kind === 'development',
        people,
        outbox: outboxUrl,
      },
      signInOrigins: signInOrigins(
        organisation.tokens.issuer,
        organisation.tokens.fetchJson ?? fetchOverHttp,
        logger,
      ),
    },
    signInLocks: candidates?.locks ?? null,
    stop: async () => candidates?.stop(),
  };
};

/** How an issuer's tokens are checked, and its routes if it is part of the service. */
interface Issuer {
  readonly tokens: IdTokenOptions;
  readonly routes?: FastifyPluginAsync;
}

/** The issuer at which staff sign in: the configured one, or the development issuer. */
const organisationIssuer = ({ configuration, publicUrl, logger }: IdentityParts): Issuer => {
  const { identity, dataDir } = configuration;
  const { audience } = identity;
  if (identity.kind !== 'development') {
    const trustsEmail = configuration.trustedEmailIssuers.includes(identity.issuer);
    return { tokens: { issuer: identity.issuer, audience, trustsEmail } };
  }
  const issuerUrl = `${publicUrl}/issuer`;
  const development = createDevelopmentIssuer({
    issuerUrl,
    folder: dataDir,
    audience,
    access: configuration.development,
    onError: (err) => logger.error({ err }, 'The development issuer failed.'),
  });
  const { routes, fetchJson } = development;
  return { tokens: { issuer: issuerUrl, audience, fetchJson }, routes };
};

/** The service's own issuer, at which candidates sign in by mailed codes. @throws {Error} no mails are sent */
const candidateIssuer = (parts: IdentityParts) => {
  const { configuration, publicUrl, logger, stores, limits, mailer, timekeeper, outboxUrl } = parts;
  if (!mailer) throw new Error('Candidates cannot sign in by mailed codes without mails.');
  const { vault, hasher, reader } = stores;
  const directory = new CandidateDirectory(vault, hasher);
  const candidates = createCandidateIssuer({
    ...{ publicUrl, vault, mailer, limits, log: logger, timekeeper, outboxUrl },
    codeLimits: {
      per15Minutes: configuration.signInLimits.codesPer15Minutes,
      perDay: configuration.signInLimits.codesPerDay,
    },
    isInvited: async (email) => (await directory.ofEmail(email)).length > 0,
    isInvitation: async (email, applicationId) => {
      const persons: readonly string[] = await directory.ofEmail(email);
      const found = await reader.outline(applications, applicationId, { token: null });
      return found !== null && persons.includes(found.document.candidateId);
    },
  });
  const { issuerUrl: issuer, fetchJson, routes } = candidates;
  return {
    routes,
    tokens: { issuer, audience: CLIENT_ID, otherAudiences: [DEVICE_CLIENT_ID], fetchJson },
    locks: candidates,
    stop: () => candidates.stop(),
  };
};
