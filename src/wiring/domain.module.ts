import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MEMBERSHIPS } from '../api/access/caller.js';
import { CommandContexts } from '../core/command-context.js';
import { History } from '../api/history/history.js';
import { Reads } from '../api/reads.js';
import { Commands, type Parts } from '../api/commands.js';
import { applicationParts } from '../api/applications/index.js';
import { MeController } from '../api/applications/read-me.js';
import { evaluationParts } from '../api/evaluations/evaluations.js';
import { organisationParts } from '../api/organisations/members.js';
import { roleParts } from '../api/roles/roles.js';
import { sessionParts } from '../api/sessions/record-activity.js';
import { shareLinkParts } from '../api/share-links/share-links.js';
import { webhookParts } from '../api/webhooks/deliveries.js';
import { VAULT } from '../process/tokens.js';
import { AuditController } from '../api/audit/audit.js';
import { CandidateDirectory } from '../api/applications/directory.js';
import { OwnExport, OwnExportController } from '../api/export/own-export.js';
import { OwnApplications } from '../api/applications/own-applications.js';
import { StaffApplications } from '../api/applications/staff-applications.js';
import { EvaluationExplanations } from '../api/evaluations/explanation.js';
import { EvaluationHistory } from '../api/evaluations/history.js';
import { EvaluationReads } from '../api/evaluations/reads.js';
import { StaffEvaluations } from '../api/evaluations/staff-evaluations.js';
import { CommandStreams } from '../core/handle.js';
import { EvidenceKeysController } from '../api/evidence-keys.js';
import { TrustedKeys } from '../core/signing.js';
import { OPEN_TURNS } from '../domain/session/ending.js';
import type { LiveInterviews } from '../interview/session/interviews.js';
import { INTERVIEWS } from '../interview/session/port.js';
import { RecordingsController } from '../api/recordings/controller.js';
import { Recordings } from '../api/recordings/recordings.js';
import { StreamOperations } from '../process/operations/operations.js';
import { StreamMemberships } from '../api/organisations/memberships.js';
import { Rosters } from '../api/organisations/rosters.js';
import { SharedReportsController } from '../api/shared-reports/read-shared-report.js';
import { SharedReports } from '../api/shared-reports/shared-reports.js';
import { StaffShareLinks } from '../api/share-links/links.js';
import { ShareTokens } from '../api/share-links/links.js';
import { SignalController } from '../api/signal/signal.js';
import { SignalHistory, SignalHistoryController } from '../api/signal/read-history.js';
import type { Stores } from '../process/stores.js';
import { KeyedHasher } from '../core/keyed-hash.js';
import { WebhookSecrets } from '../api/webhooks/secrets.js';
import { WEBHOOK_TARGETS, type WebhookTargets } from '../api/webhooks/webhooks.js';

/** In the order of the OpenAPI document. */
const parts: readonly Parts[] = [
  { controllers: [MeController, OwnExportController] },
  organisationParts,
  roleParts,
  applicationParts,
  evaluationParts,
  { controllers: [EvidenceKeysController, SignalController, SignalHistoryController] },
  sessionParts,
  { controllers: [RecordingsController] },
  shareLinkParts,
  { controllers: [SharedReportsController, AuditController] },
  webhookParts,
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
      controllers: parts.flatMap(({ controllers }) => controllers),
      providers: [Commands, ...shared, ...parts.flatMap(({ providers = [] }) => providers)],
      exports: [MEMBERSHIPS, INTERVIEWS, Reads, OwnApplications],
    };
  }
}
