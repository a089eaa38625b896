import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { applications } from '../../projections/applications.js';
import { AccessModule } from '../http/access/access.guard.js';
import { fetchJson as fetchOverHttp } from '../http/access/discovery.js';
import { signInOrigins } from '../http/access/sign-in-origins.js';
import { ID_TOKENS, type IdTokenOptions } from '../http/access/identity.js';
import { IdTokensOfBoth } from '../http/access/two-issuers.js';
import { openApplication } from '../api/application.js';
import { readPageFiles } from '../api/candidate-page/files.js';
import type { SignInLocks } from '../application/applications/lift-sign-in-lock.js';
import type { ErasureNotices } from '../application/applications/erase-candidate.js';
import type { EdgeServer } from '../http/edge-server.js';
import type { RateLimits } from '../http/rate-limits.js';
import type { Mailer, Mails } from '../clients/mail.js';
import type { MailQuota } from '../clients/mail-quota.js';
import { LANGUAGES } from '../languages/languages.js';
import type { LiveInterviews } from '../interview/session/interviews.js';
import { InterviewSocketModule } from '../interview/socket/interview-socket.module.js';
import { SocketAdapter } from '../interview/socket/socket.adapter.js';
import type { Configuration } from '../process/config.js';
import { pageFolder } from '../process/installation.js';
import type { Timekeeper } from '../engine/trusted-clock.js';
import type { Logger } from '../process/log.js';
import type { Stores } from '../process/stores.js';
import { AppModule } from './app.module.js';
import { DomainModule } from './domain.module.js';
import type { Status } from './status.js';
import { CandidateDirectory } from '../application/applications/directory.js';
import type { CandidateSignIn } from '../api/candidate-page/candidate-page.js';
import { CLIENT_ID, createCandidateIssuer, redirectUriOf } from '../issuers/candidate/candidate-issuer.js';
import { createDevelopmentIssuer } from '../issuers/development/development-issuer.js';

interface Service extends Status {
  readonly configuration: Configuration;
  readonly publicUrl: string;
  readonly server: EdgeServer;
  readonly logger: Logger;
  readonly stores: Stores;
  readonly limits: RateLimits;
  readonly interviews: LiveInterviews;
  readonly identity: Identity;
  readonly mails: Mails;
  readonly quota: MailQuota;
  readonly erasures: ErasureNotices;
}

/** Opens the server to the API and the interview's socket. */
export const openService = (service: Service): Promise<NestFastifyApplication> => {
  const { configuration, publicUrl, server, logger, stores, limits, interviews, identity } = service;
  const { metrics, health, mails, quota, erasures } = service;
  const { allowedOrigins, historyEvents, trustedProxies, webhookAllowPrivate } = configuration;
  const { idTokens, development, signIn } = identity;
  const targets = { allowPrivate: webhookAllowPrivate };
  const domain = DomainModule.forRoot(
    stores,
    interviews,
    () => publicUrl,
    historyEvents,
    targets,
    configuration,
    mails,
    { access: configuration.development, publicUrl },
    quota,
    erasures,
    identity.signInLocks,
  );
  const imports = [domain];
  const access = AccessModule.forRoot({ imports, providers: [{ provide: ID_TOKENS, useValue: idTokens }] });
  const edge = { server, limits, metrics, logger };
  const sockets = InterviewSocketModule.forRoot({ ...edge, imports, idTokens, allowedOrigins, publicUrl });
  const module = AppModule.forRoot({
    ...{ modules: [access, domain, sockets], limits, publicUrl, health },
    publicMetrics: configuration.healthPort === null ? metrics : null,
    docs: { tokenFor: development ? '/issuer/token-for' : null },
    candidatePage: { ...readPageFiles(pageFolder()), signIn, signInOrigins: identity.signInOrigins },
  });
  return openApplication({ ...edge, trustedProxies, module, sockets: SocketAdapter });
};

/** Who checks ID tokens, and where people sign in. */
export interface Identity {
  readonly idTokens: IdTokensOfBoth;
  readonly development: boolean;
  readonly signIn: CandidateSignIn;
  /** See `CandidatePageSettings`. */
  readonly signInOrigins: () => Promise<readonly string[]>;
  /** `null`: candidates do not sign in by mailed codes. */
  readonly signInLocks: SignInLocks | null;
  /** Ends what the sign-in of candidates still has under way. */
  stop(): Promise<void>;
}

interface IdentityParts {
  readonly configuration: Configuration;
  readonly publicUrl: string;
  readonly server: EdgeServer;
  readonly logger: Logger;
  readonly stores: Stores;
  readonly limits: RateLimits;
  /** `null`: no mails are sent. */
  readonly mailer: Mailer | null;
  readonly timekeeper: Timekeeper;
}

/** Mounts the issuers that are part of the service on its server: for development, and for candidates. */
export const identityOf = (parts: IdentityParts): Identity => {
  const { configuration, publicUrl } = parts;
  const { kind } = configuration.identity;
  const organisation = organisationIssuer(parts);
  const candidates = configuration.candidateSignIn === 'email' ? candidateIssuer(parts) : null;
  const { issuer, audience, fetchJson = fetchOverHttp } = candidates?.tokens ?? organisation;
  return {
    idTokens: new IdTokensOfBoth(organisation, candidates?.tokens ?? null),
    development: kind === 'development',
    signIn: {
      issuer,
      clientId: audience,
      redirectUri: redirectUriOf(publicUrl),
      signIn: configuration.candidateSignIn,
      languages: LANGUAGES,
    },
    signInOrigins: signInOrigins(issuer, fetchJson),
    signInLocks: candidates?.locks ?? null,
    stop: async () => candidates?.stop(),
  };
};

const organisationIssuer = ({ configuration, publicUrl, server, logger }: IdentityParts): IdTokenOptions => {
  const { identity, dataDir } = configuration;
  const { audience } = identity;
  if (identity.kind !== 'development') {
    const trustsEmail = configuration.trustedEmailIssuers.includes(identity.issuer);
    return { issuer: identity.issuer, audience, trustsEmail };
  }
  const issuerUrl = `${publicUrl}/issuer`;
  const development = createDevelopmentIssuer({
    issuerUrl,
    folder: dataDir,
    audience,
    access: configuration.development,
    onError: (err) => logger.error({ err }, 'The development issuer failed.'),
  });
  server.mount(development);
  return { issuer: issuerUrl, audience, fetchJson: (url) => development.fetchJson(url) };
};

const candidateIssuer = (parts: IdentityParts) => {
  const { configuration, publicUrl, server, logger, stores, limits, mailer, timekeeper } = parts;
  if (!mailer) throw new Error('Candidates cannot sign in by mailed codes without mails.');
  const { vault, hasher, reader } = stores;
  const directory = new CandidateDirectory(vault, hasher);
  const candidates = createCandidateIssuer({
    ...{ publicUrl, vault, mailer, limits, log: logger, timekeeper },
    trustedProxies: configuration.trustedProxies,
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
  server.mount(candidates);
  const { issuerUrl: issuer, fetchJson } = candidates;
  return {
    tokens: { issuer, audience: CLIENT_ID, fetchJson },
    locks: candidates,
    stop: () => candidates.stop(),
  };
};
