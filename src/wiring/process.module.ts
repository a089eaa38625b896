import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { CANDIDATE_PAGE, type CandidatePageSettings } from '../api/candidate-page/candidate-page.js';
import { readPageFiles } from '../api/candidate-page/files.js';
import { CONSOLE, type ConsoleSettings } from '../api/console/console.js';
import { DOCS_SETTINGS, type DocsSettings } from '../api/documents/docs.controller.js';
import { HISTORY_LIMITS } from '../api/history/history.js';
import { PUBLIC_METRICS } from '../api/status/controllers.js';
import { ERASURE_ANNOUNCER, type ErasureAnnouncer } from '../application/applications/erase-candidate.js';
import { SIGN_IN_LOCKS } from '../application/applications/lift-sign-in-lock.js';
import { OPEN_TURNS } from '../application/sessions/complete-trial.js';
import { PARTICIPANTS } from '../application/sessions/consent-notice.js';
import { MAILS, PUBLIC_URL } from '../application/tokens.js';
import { WEBHOOK_TARGETS, type WebhookTargets } from '../application/webhooks/create-webhook.js';
import { MailQuota } from '../clients/mail-quota.js';
import type { Mails } from '../clients/mail.js';
import type { ReadLimits } from '../engine/documents/reading.js';
import { ID_TOKENS } from '../http/access/identity.js';
import { DEVELOPMENT_DOOR, type DevelopmentDoor } from '../http/development-door.js';
import type { EdgeServer } from '../http/edge-server.js';
import { RateLimits } from '../http/rate-limits.js';
import type { LiveInterviews } from '../interview/session/interviews.js';
import { INTERVIEWS } from '../interview/session/port.js';
import type { Configuration } from '../process/config.js';
import { Health } from '../process/health.js';
import { pageFolder } from '../process/installation.js';
import type { Logger } from '../process/log.js';
import type { Stores } from '../process/stores.js';
import type { Identity } from './identity.js';
import type { Status } from './status.js';

/** Time limit of an answer about a past state, in milliseconds. */
const HISTORY_MS = 10_000;

/** What an API process has read and opened. */
export interface Service extends Status {
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
  readonly erasures: ErasureAnnouncer;
}

/** Provides the process's settings and parts to all modules, by class or by token. */
@Global()
@Module({})
export class ProcessModule {
  static forRoot(service: Service): DynamicModule {
    const { configuration, publicUrl, identity, interviews } = service;
    const docs: DocsSettings = { tokenFor: identity.development ? '/issuer/token-for' : null };
    const door: DevelopmentDoor = { access: configuration.development, publicUrl };
    const history: ReadLimits = { events: configuration.historyEvents, ms: HISTORY_MS };
    const targets: WebhookTargets = { allowPrivate: configuration.webhookAllowPrivate };
    const { signIn, signInOrigins, staff } = identity;
    const files = readPageFiles(pageFolder());
    const page: CandidatePageSettings = { ...files, signIn, signInOrigins };
    const staffConsole: ConsoleSettings = { ...files, ...staff };
    const providers: Provider[] = [
      { provide: PUBLIC_URL, useValue: publicUrl },
      { provide: PARTICIPANTS, useValue: configuration },
      { provide: RateLimits, useValue: service.limits },
      { provide: Health, useValue: service.health },
      { provide: PUBLIC_METRICS, useValue: configuration.healthPort === null ? service.metrics : null },
      { provide: ID_TOKENS, useValue: identity.idTokens },
      { provide: SIGN_IN_LOCKS, useValue: identity.signInLocks },
      { provide: INTERVIEWS, useValue: interviews },
      { provide: OPEN_TURNS, useValue: interviews.closer },
      { provide: MAILS, useValue: service.mails },
      { provide: MailQuota, useValue: service.quota },
      { provide: ERASURE_ANNOUNCER, useValue: service.erasures },
      { provide: WEBHOOK_TARGETS, useValue: targets },
      { provide: HISTORY_LIMITS, useValue: history },
      { provide: DEVELOPMENT_DOOR, useValue: door },
      { provide: DOCS_SETTINGS, useValue: docs },
      { provide: CANDIDATE_PAGE, useValue: page },
      { provide: CONSOLE, useValue: staffConsole },
    ];
    return { module: ProcessModule, providers, exports: providers };
  }
}
