import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MEMBERSHIPS } from '../application/caller.js';
import { ERASURE_NOTICES, type ErasureNotices } from '../application/applications/erase-candidate.js';
import { SIGN_IN_LOCKS, type SignInLocks } from '../application/applications/lift-sign-in-lock.js';
import { OwnApplications } from '../application/applications/own-applications.js';
import { Commands } from '../api/cqrs/commands.js';
import { StreamMemberships } from '../application/organisations/memberships.js';
import { DEVELOPMENT_DOOR, type DevelopmentDoor } from '../http/development-door.js';
import { parts } from '../api/parts.js';
import { Reads } from '../application/reads.js';
import { servicesOf } from '../api/services.js';
import type { Participants } from '../languages/en/shapes.js';
import { WEBHOOK_TARGETS, type WebhookTargets } from '../application/webhooks/create-webhook.js';
import type { Mails } from '../clients/mail.js';
import { MailQuota } from '../clients/mail-quota.js';
import { OPEN_TURNS } from '../application/sessions/complete-trial.js';
import type { LiveInterviews } from '../interview/session/interviews.js';
import { INTERVIEWS } from '../interview/session/port.js';
import type { Stores } from '../process/stores.js';
import { MAILS, VAULT } from '../process/tokens.js';

/** The API's resources, wired to one process's stores. */
@Module({})
export class DomainModule {
  /**
   * @param interviews those of this process
   * @param publicUrl where callers reach the service, known once it listens
   * @param historyEvents most events that are read for one answer about former times
   * @param webhookTargets where notices may go
   * @param participants what candidates are told of
   * @param mails how candidates are written to
   * @param developmentDoor who may read mails in the outbox
   * @param quota how many mails may be asked for
   * @param erasures tells candidates of their erasure
   * @param signInLocks of the sign-in by mailed codes; `null`: there is none
   */
  static forRoot(
    stores: Stores,
    interviews: LiveInterviews,
    publicUrl: () => string,
    historyEvents: number,
    webhookTargets: WebhookTargets,
    participants: Participants,
    mails: Mails,
    developmentDoor: DevelopmentDoor,
    quota: MailQuota,
    erasures: ErasureNotices,
    signInLocks: SignInLocks | null,
  ): DynamicModule {
    return {
      module: DomainModule,
      imports: [CqrsModule.forRoot()],
      controllers: parts.flatMap(({ controllers }) => controllers),
      providers: [
        Commands,
        ...servicesOf(stores, publicUrl, historyEvents, participants),
        ...parts.flatMap(({ providers = [] }) => providers),
        { provide: VAULT, useValue: stores.vault },
        { provide: MEMBERSHIPS, useExisting: StreamMemberships },
        { provide: INTERVIEWS, useValue: interviews },
        { provide: OPEN_TURNS, useValue: interviews.ending },
        { provide: WEBHOOK_TARGETS, useValue: webhookTargets },
        { provide: MAILS, useValue: mails },
        { provide: DEVELOPMENT_DOOR, useValue: developmentDoor },
        { provide: MailQuota, useValue: quota },
        { provide: ERASURE_NOTICES, useValue: erasures },
        { provide: SIGN_IN_LOCKS, useValue: signInLocks },
      ],
      exports: [MEMBERSHIPS, INTERVIEWS, Reads, OwnApplications],
    };
  }
}
