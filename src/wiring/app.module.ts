import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule } from '../api/api-keys/api-keys.js';
import { ApplicationsModule } from '../api/applications/applications.module.js';
import { AuditModule } from '../api/audit/audit.js';
import { CandidatePageModule } from '../api/candidate-page/candidate-page.js';
import { ConsoleModule } from '../api/console/console.js';
import { CommandsModule } from '../api/cqrs/commands.js';
import { DataExportsModule } from '../api/data-exports/data-exports.js';
import { DocumentsModule } from '../api/documents/open-api.controller.js';
import { EvaluationsModule } from '../api/evaluations/evaluations.module.js';
import { EvidenceKeysModule } from '../api/evidence-keys.js';
import { ExportModule } from '../api/export/candidate-export.js';
import { HandInsModule } from '../api/hand-ins/candidate-hand-ins.js';
import { StaffHandInsModule } from '../api/hand-ins/read-hand-ins.js';
import { ImportsModule } from '../api/imports/imports.js';
import { OrganisationsModule } from '../api/organisations/organisations.module.js';
import { OutboxModule } from '../api/outbox/outbox.js';
import { RecordingsModule } from '../api/recordings/controller.js';
import { RolesModule } from '../api/roles/roles.js';
import { SavedViewsModule } from '../api/saved-views/saved-views.js';
import { SessionsModule } from '../api/sessions/sessions.module.js';
import { ShareLinksModule } from '../api/share-links/share-links.js';
import { SharedReportsModule } from '../api/shared-reports/read-shared-report.js';
import { SignalModule } from '../api/signal/signal.js';
import { StagesModule } from '../api/signal/stages.js';
import { StatusModule } from '../api/status/controllers.js';
import { TicketsModule } from '../api/tickets/tickets.js';
import { WebhooksModule } from '../api/webhooks/webhooks.module.js';
import { StoresModule } from '../application/stores.module.js';
import { EdgeModule } from '../http/openapi/route.guard.js';
import { InterviewSocketModule } from '../interview/socket/interview-socket.module.js';
import { ProcessModule, type Service } from './process.module.js';

/** The service: a module for each resource of the API, the interview's socket, and the parts that they share. */
@Module({
  imports: [
    EdgeModule,
    CommandsModule,
    OrganisationsModule,
    RolesModule,
    TicketsModule,
    ApplicationsModule,
    ImportsModule,
    SessionsModule,
    HandInsModule,
    StaffHandInsModule,
    EvaluationsModule,
    EvidenceKeysModule,
    SignalModule,
    StagesModule,
    RecordingsModule,
    ShareLinksModule,
    SharedReportsModule,
    ExportModule,
    DataExportsModule,
    SavedViewsModule,
    AuditModule,
    ApiKeysModule,
    WebhooksModule,
    OutboxModule,
    StatusModule,
    DocumentsModule,
    CandidatePageModule,
    ConsoleModule,
  ],
})
export class AppModule {
  static forRoot(service: Service): DynamicModule {
    const { server, logger, limits, metrics, publicUrl } = service;
    const { allowedOrigins } = service.configuration;
    const { idTokens } = service.identity;
    // The socket needs `CandidateApplications`, to look a session up before an upgrade.
    const socket = { server, logger, limits, metrics, publicUrl, allowedOrigins, idTokens };
    return {
      module: AppModule,
      imports: [
        StoresModule.forRoot(service.stores),
        ProcessModule.forRoot(service),
        InterviewSocketModule.forRoot({ ...socket, imports: [ApplicationsModule] }),
      ],
    };
  }
}
