import type { Parts } from './cqrs/commands.js';
import { applicationParts } from './applications/applications.js';
import { MeController } from './applications/read-me.js';
import { evaluationParts } from './evaluations/evaluations.js';
import { OwnEvaluationsController } from './evaluations/own-evaluations.js';
import { organisationParts } from './organisations/members.js';
import { roleParts } from './roles/roles.js';
import { sessionParts } from './sessions/record-activity.js';
import { shareLinkParts } from './share-links/share-links.js';
import { ticketParts } from './tickets/tickets.js';
import { webhookParts } from './webhooks/deliveries.js';
import { AuditController } from './audit/audit.js';
import { OwnExportController } from './export/own-export.js';
import { EvidenceKeysController } from './evidence-keys.js';
import { OutboxController } from './outbox/outbox.js';
import { RecordingsController } from './recordings/controller.js';
import { SharedReportsController } from './shared-reports/read-shared-report.js';
import { SignalController } from './signal/signal.js';
import { SignalHistoryController } from './signal/read-history.js';

/** The resources of the API, in the order of the OpenAPI document. */
export const parts: readonly Parts[] = [
  { controllers: [MeController, OwnExportController, OwnEvaluationsController] },
  organisationParts,
  roleParts,
  ticketParts,
  applicationParts,
  evaluationParts,
  { controllers: [EvidenceKeysController, SignalController, SignalHistoryController] },
  sessionParts,
  { controllers: [RecordingsController] },
  shareLinkParts,
  { controllers: [SharedReportsController, AuditController] },
  webhookParts,
  { controllers: [OutboxController] },
];
