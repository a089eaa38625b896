import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MEMBERSHIPS } from '../api/access/caller.js';
import { CommandContexts } from '../core/command-context.js';
import { History } from '../api/history/history.js';
import { Reads } from '../api/reads.js';
import { VAULT } from '../process/tokens.js';
import { AuditController } from '../api/audit/controller.js';
import { ApplicationsController } from '../api/applications/applications.controller.js';
import { CancelApplicationHandler } from '../api/applications/cancel-application.js';
import { CandidateDirectory } from '../api/applications/directory.js';
import { EraseCandidateHandler } from '../api/applications/erase-candidate.js';
import { ErasureController } from '../api/applications/erase-candidate.controller.js';
import { OwnExportController } from '../api/export/controller.js';
import { OwnExport } from '../api/export/own-export.js';
import { ExtendApplicationHandler } from '../api/applications/extend-application.js';
import { InviteCandidateHandler } from '../api/applications/invite-candidate.js';
import { MeController } from '../api/applications/me.controller.js';
import { OwnApplications } from '../api/applications/own-applications.js';
import { OwnApplicationsController } from '../api/applications/own-applications.controller.js';
import { StaffApplications } from '../api/applications/staff-applications.js';
import { EvaluationsController } from '../api/evaluations/controller.js';
import { ExplanationController } from '../api/evaluations/explanation/controller.js';
import { EvaluationExplanations } from '../api/evaluations/explanation/explanations.js';
import { EvaluationHistoryController } from '../api/evaluations/history/controller.js';
import { EvaluationHistory } from '../api/evaluations/history/evaluation-history.js';
import { EvaluationReadsController } from '../api/evaluations/list-reads.js';
import { EvaluationReads } from '../api/evaluations/evaluation-reads.js';
import { RegenerateEvaluationHandler } from '../api/evaluations/regenerate-evaluation.js';
import { StaffEvaluations } from '../api/evaluations/staff-evaluations.js';
import { CommandStreams } from '../core/handle.js';
import { EvidenceKeysController } from '../api/evidence-keys.js';
import { TrustedKeys } from '../core/signing/trusted-keys.js';
import { OPEN_TURNS } from '../domain/session/ending.js';
import type { LiveInterviews } from '../interview/session/interviews.js';
import { INTERVIEWS } from '../interview/session/port.js';
import { RecordingsController } from '../api/recordings/controller.js';
import { Recordings } from '../api/recordings/recordings.js';
import { StreamOperations } from '../process/operations/operations.js';
import { AddMemberHandler } from '../api/organisations/add-member.js';
import { ChangeMemberRoleHandler } from '../api/organisations/change-member-role.js';
import { OrganisationsController } from '../api/organisations/controller.js';
import { MembersController } from '../api/organisations/members.controller.js';
import { StreamMemberships } from '../api/organisations/memberships.js';
import { Rosters } from '../api/organisations/rosters.js';
import { RemoveMemberHandler } from '../api/organisations/remove-member.js';
import { UpdateOrganisationHandler } from '../api/organisations/update-organisation.js';
import { OutcomesController } from '../api/applications/outcome.controller.js';
import { RecordOutcomeHandler } from '../api/applications/record-outcome.js';
import { RetractOutcomeHandler } from '../api/applications/retract-outcome.js';
import { RolesController } from '../api/roles/controller.js';
import { CreateRoleHandler } from '../api/roles/create-role.js';
import { UpdateRoleHandler } from '../api/roles/update-role.js';
import { ShareLinksController } from '../api/share-links/controller.js';
import { CreateShareLinkHandler } from '../api/share-links/create-share-link.js';
import { RevokeShareLinkHandler } from '../api/share-links/revoke-share-link.js';
import { SharedReportsController } from '../api/share-links/shared-report/controller.js';
import { SharedReports } from '../api/share-links/shared-report/shared-reports.js';
import { StaffShareLinks } from '../api/share-links/staff-share-links.js';
import { ShareTokens } from '../api/share-links/tokens.js';
import { SignalController } from '../api/signal/controller.js';
import { SignalHistoryController } from '../api/signal/history/controller.js';
import { SignalHistory } from '../api/signal/history/signal-history.js';
import type { Stores } from '../process/stores.js';
import { CompleteTrialHandler } from '../api/sessions/complete-trial.js';
import { TrialsController } from '../api/sessions/controller.js';
import { RecordActivityHandler } from '../api/sessions/record-activity.js';
import { StartTrialHandler } from '../api/sessions/start-trial.js';
import { WithdrawTrialHandler } from '../api/sessions/withdraw-trial.js';
import { KeyedHasher } from '../core/keyed-hash.js';
import { WebhooksController } from '../api/webhooks/controller.js';
import { CreateWebhookHandler } from '../api/webhooks/create-webhook.js';
import { DeleteWebhookHandler } from '../api/webhooks/delete-webhook.js';
import { DeliveriesController } from '../api/webhooks/deliveries.controller.js';
import { RequestRedeliveryHandler } from '../api/webhooks/redeliver.js';
import { RotateSecretHandler } from '../api/webhooks/rotate-secret.js';
import { SendTestHandler } from '../api/webhooks/send-test.js';
import { WebhookSecrets } from '../api/webhooks/secrets.js';
import { WEBHOOK_TARGETS, type WebhookTargets } from '../api/webhooks/targets.js';

const controllers = [
  MeController,
  OwnExportController,
  OrganisationsController,
  MembersController,
  RolesController,
  ApplicationsController,
  ErasureController,
  OutcomesController,
  EvaluationsController,
  ExplanationController,
  EvaluationHistoryController,
  EvaluationReadsController,
  EvidenceKeysController,
  SignalController,
  SignalHistoryController,
  OwnApplicationsController,
  TrialsController,
  RecordingsController,
  ShareLinksController,
  SharedReportsController,
  AuditController,
  WebhooksController,
  DeliveriesController,
];

const handlers = [
  UpdateOrganisationHandler,
  AddMemberHandler,
  ChangeMemberRoleHandler,
  RemoveMemberHandler,
  CreateRoleHandler,
  UpdateRoleHandler,
  InviteCandidateHandler,
  ExtendApplicationHandler,
  CancelApplicationHandler,
  EraseCandidateHandler,
  StartTrialHandler,
  WithdrawTrialHandler,
  CompleteTrialHandler,
  RecordActivityHandler,
  RecordOutcomeHandler,
  RetractOutcomeHandler,
  RegenerateEvaluationHandler,
  CreateWebhookHandler,
  DeleteWebhookHandler,
  RotateSecretHandler,
  SendTestHandler,
  RequestRedeliveryHandler,
  CreateShareLinkHandler,
  RevokeShareLinkHandler,
];

/** How long one answer about former times may be read for. */
const HISTORY_MS = 10_000;

/** What is decided and read, wired to one process's stores. */
@Module({})
export class DomainModule {
  /**
   * @param interviews those of this process
   * @param publicUrl where callers reach the service, known once it listens
   * @param historyEvents most events that are read for one answer about former times
   * @param webhookTargets where notices may go
   */
  static forRoot(
    stores: Stores,
    interviews: LiveInterviews,
    publicUrl: () => string,
    historyEvents: number,
    webhookTargets: WebhookTargets,
  ): DynamicModule {
    const { vault, hasher, streams, reader, eventStore, codec, documents } = stores;
    const contexts = new CommandContexts(hasher);
    const reads = new Reads(reader, eventStore, stores.tokens);
    const directory = new CandidateDirectory(vault, hasher);
    const rosters = new Rosters(eventStore, codec);
    const memberships = new StreamMemberships(reads, streams, rosters, vault, hasher, contexts);
    const applications = new StaffApplications(reads, streams, directory, vault, publicUrl);
    const own = new OwnApplications(reads, streams, directory, contexts);
    const evaluations = new StaffEvaluations(reads);
    const limits = { events: historyEvents, ms: HISTORY_MS };
    const operations = new StreamOperations(streams, contexts);
    const history = new History({ eventStore, codec, documents, reads, operations, limits });
    const tokens = new ShareTokens(vault);
    const evaluationReads = new EvaluationReads(vault);
    const shared: Provider[] = [
      { provide: WEBHOOK_TARGETS, useValue: webhookTargets },
      { provide: WebhookSecrets, useValue: new WebhookSecrets(vault) },
      { provide: VAULT, useValue: vault },
      { provide: TrustedKeys, useValue: stores.trustedKeys },
      { provide: KeyedHasher, useValue: hasher },
      { provide: CommandStreams, useValue: streams },
      { provide: CommandContexts, useValue: contexts },
      { provide: Reads, useValue: reads },
      { provide: CandidateDirectory, useValue: directory },
      { provide: StreamMemberships, useValue: memberships },
      { provide: MEMBERSHIPS, useValue: memberships },
      { provide: OwnApplications, useValue: own },
      { provide: OwnExport, useValue: new OwnExport(own, reads, streams, vault, evaluationReads) },
      { provide: StaffApplications, useValue: applications },
      { provide: Recordings, useValue: new Recordings(vault, streams, applications) },
      { provide: INTERVIEWS, useValue: interviews },
      { provide: OPEN_TURNS, useValue: interviews.ending },
      { provide: StaffEvaluations, useValue: evaluations },
      { provide: EvaluationReads, useValue: evaluationReads },
      { provide: EvaluationExplanations, useValue: new EvaluationExplanations(reads) },
      { provide: EvaluationHistory, useValue: new EvaluationHistory(evaluations, history, vault) },
      { provide: SignalHistory, useValue: new SignalHistory(reads, history) },
      { provide: ShareTokens, useValue: tokens },
      {
        provide: StaffShareLinks,
        useValue: new StaffShareLinks(reads, evaluations, vault, tokens, publicUrl),
      },
      {
        provide: SharedReports,
        useValue: new SharedReports(reads, streams, contexts, vault, evaluationReads),
      },
    ];
    return {
      module: DomainModule,
      imports: [CqrsModule.forRoot()],
      controllers,
      providers: [...shared, ...handlers],
      exports: [MEMBERSHIPS, INTERVIEWS, Reads, OwnApplications],
    };
  }
}
