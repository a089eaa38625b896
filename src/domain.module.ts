import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MEMBERSHIPS } from './access/caller.js';
import { CommandContexts } from './app/commands/context.js';
import { History } from './app/history/history.js';
import { Reads } from './app/reads.js';
import { VAULT } from './app/tokens.js';
import { AuditController } from './audit/controller.js';
import { ApplicationsController } from './candidates/applications.controller.js';
import { CancelApplicationHandler } from './candidates/cancel-application/command.js';
import { CandidateDirectory } from './candidates/directory.js';
import { EraseCandidateHandler } from './candidates/erase-candidate/command.js';
import { ErasureController } from './candidates/erase-candidate/controller.js';
import { OwnExportController } from './candidates/export/controller.js';
import { OwnExport } from './candidates/export/own-export.js';
import { ExtendApplicationHandler } from './candidates/extend-application/command.js';
import { InviteCandidateHandler } from './candidates/invite-candidate/command.js';
import { MeController } from './candidates/me.controller.js';
import { OwnApplications } from './candidates/own-applications.js';
import { OwnApplicationsController } from './candidates/own-applications.controller.js';
import { StaffApplications } from './candidates/staff-applications.js';
import { EvaluationsController } from './evaluations/controller.js';
import { ExplanationController } from './evaluations/explanation/controller.js';
import { EvaluationExplanations } from './evaluations/explanation/explanations.js';
import { EvaluationHistoryController } from './evaluations/history/controller.js';
import { EvaluationHistory } from './evaluations/history/evaluation-history.js';
import { EvaluationReadsController } from './evaluations/reads/controller.js';
import { EvaluationReads } from './evaluations/reads/evaluation-reads.js';
import { RegenerateEvaluationHandler } from './evaluations/regenerate-evaluation/command.js';
import { StaffEvaluations } from './evaluations/staff-evaluations.js';
import { CommandStreams } from './event-store/handle.js';
import { EvidenceKeysController } from './evidence-keys/controller.js';
import { TrustedKeys } from './evidence-keys/trusted-keys.js';
import { OPEN_TURNS } from './interview/session/ending.js';
import type { LiveInterviews } from './interview/session/interviews.js';
import { INTERVIEWS } from './interview/session/port.js';
import { RecordingsController } from './interview/recording/controller.js';
import { Recordings } from './interview/recording/recordings.js';
import { StreamOperations } from './operator/operations.js';
import { AddMemberHandler } from './organisations/add-member/command.js';
import { ChangeMemberRoleHandler } from './organisations/change-member-role/command.js';
import { OrganisationsController } from './organisations/controller.js';
import { MembersController } from './organisations/members.controller.js';
import { StreamMemberships } from './organisations/memberships.js';
import { Rosters } from './organisations/rosters.js';
import { RemoveMemberHandler } from './organisations/remove-member/command.js';
import { UpdateOrganisationHandler } from './organisations/update-organisation/command.js';
import { OutcomesController } from './outcomes/controller.js';
import { RecordOutcomeHandler } from './outcomes/record-outcome/command.js';
import { RetractOutcomeHandler } from './outcomes/retract-outcome/command.js';
import { RolesController } from './roles/controller.js';
import { CreateRoleHandler } from './roles/create-role/command.js';
import { UpdateRoleHandler } from './roles/update-role/command.js';
import { ShareLinksController } from './sharing/controller.js';
import { CreateShareLinkHandler } from './sharing/create-share-link/command.js';
import { RevokeShareLinkHandler } from './sharing/revoke-share-link/command.js';
import { SharedReportsController } from './sharing/shared-report/controller.js';
import { SharedReports } from './sharing/shared-report/shared-reports.js';
import { StaffShareLinks } from './sharing/staff-share-links.js';
import { ShareTokens } from './sharing/tokens.js';
import { SignalController } from './signal/controller.js';
import { SignalHistoryController } from './signal/history/controller.js';
import { SignalHistory } from './signal/history/signal-history.js';
import type { Stores } from './stores.js';
import { CompleteTrialHandler } from './trials/complete-trial/command.js';
import { TrialsController } from './trials/controller.js';
import { RecordActivityHandler } from './trials/record-activity/command.js';
import { StartTrialHandler } from './trials/start-trial/command.js';
import { WithdrawTrialHandler } from './trials/withdraw-trial/command.js';
import { KeyedHasher } from './vault/keyed-hash.js';
import { WebhooksController } from './webhooks/controller.js';
import { CreateWebhookHandler } from './webhooks/create-webhook/command.js';
import { DeleteWebhookHandler } from './webhooks/delete-webhook/command.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { RequestRedeliveryHandler } from './webhooks/redeliver/command.js';
import { RotateSecretHandler } from './webhooks/rotate-secret/command.js';
import { SendTestHandler } from './webhooks/send-test/command.js';
import { WebhookSecrets } from './webhooks/secrets.js';
import { WEBHOOK_TARGETS, type WebhookTargets } from './webhooks/targets.js';

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
