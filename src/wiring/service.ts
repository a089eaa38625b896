import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccessModule } from '../api/access/access.guard.js';
import { ID_TOKENS, IdTokens } from '../api/access/identity.js';
import { openApplication } from '../api/application.js';
import { readPageFiles } from '../api/candidate-page/files.js';
import type { ErasureNotices } from '../api/applications/erasure.js';
import type { EdgeServer } from '../api/http/edge-server.js';
import type { RateLimits } from '../api/http/rate-limits.js';
import type { Mails } from '../clients/mail.js';
import type { LiveInterviews } from '../interview/session/interviews.js';
import { InterviewSocketModule } from '../interview/socket/interview-socket.module.js';
import { SocketAdapter } from '../interview/socket/socket.adapter.js';
import type { Configuration } from '../process/config.js';
import { pageFolder } from '../process/installation.js';
import type { Logger } from '../process/log.js';
import type { Stores } from '../process/stores.js';
import { AppModule } from './app.module.js';
import { DomainModule } from './domain.module.js';
import type { Status } from './status.js';
import { createDevelopmentIssuer } from '../development-issuer/development-issuer.js';

interface Service extends Status {
  readonly configuration: Configuration;
  readonly publicUrl: string;
  readonly server: EdgeServer;
  readonly logger: Logger;
  readonly stores: Stores;
  readonly limits: RateLimits;
  readonly interviews: LiveInterviews;
  readonly identity: ReturnType<typeof identityOf>;
  readonly mails: Mails;
  readonly erasures: ErasureNotices;
}

/** Opens the server to the API and the interview's socket. */
export const openService = (service: Service): Promise<NestFastifyApplication> => {
  const { configuration, publicUrl, server, logger, stores, limits, interviews, identity } = service;
  const { metrics, health, mails, erasures } = service;
  const { allowedOrigins, historyEvents, trustedProxies, webhookAllowPrivate } = configuration;
  const { idTokens, development, issuer } = identity;
  const { audience: clientId } = configuration.identity;
  // An ID token's audience is its client.
  const signIn = { issuer, clientId, redirectUri: `${publicUrl}/apply/callback` };
  const targets = { allowPrivate: webhookAllowPrivate };
  const domain = DomainModule.forRoot(
    stores,
    interviews,
    () => publicUrl,
    historyEvents,
    targets,
    configuration,
    mails,
    erasures,
  );
  const imports = [domain];
  const access = AccessModule.forRoot({ imports, providers: [{ provide: ID_TOKENS, useValue: idTokens }] });
  const edge = { server, limits, metrics, logger };
  const sockets = InterviewSocketModule.forRoot({ ...edge, imports, idTokens, allowedOrigins, publicUrl });
  const module = AppModule.forRoot({
    ...{ modules: [access, domain, sockets], limits, publicUrl, metrics, health },
    docs: { tokenFor: development ? '/issuer/token-for' : null },
    candidatePage: { ...readPageFiles(pageFolder()), signIn },
  });
  return openApplication({ ...edge, trustedProxies, module, sockets: SocketAdapter });
};

/** Checks ID tokens by the configured issuer, or by a development issuer, which it mounts on the server. */
export const identityOf = (
  { identity, dataDir }: Pick<Configuration, 'identity' | 'dataDir'>,
  publicUrl: string,
  server: EdgeServer,
  logger: Logger,
): { readonly idTokens: IdTokens; readonly issuer: string; readonly development: boolean } => {
  const { audience } = identity;
  if (identity.kind !== 'development') {
    const { issuer } = identity;
    return { idTokens: new IdTokens({ issuer, audience }), issuer, development: false };
  }
  const issuerUrl = `${publicUrl}/issuer`;
  const issuer = createDevelopmentIssuer({
    issuerUrl,
    folder: dataDir,
    audience,
    onError: (err) => logger.error({ err }, 'The development issuer failed.'),
  });
  server.mount(issuer);
  const fetchJson = (url: string) => issuer.fetchJson(url);
  const idTokens = new IdTokens({ issuer: issuerUrl, audience, fetchJson });
  return { idTokens, issuer: issuerUrl, development: true };
};
