import type { Provider } from '@nestjs/common';
import { CommandContexts } from '../core/command-context.js';
import { History } from './history/history.js';
import { Reads } from '../application/reads.js';
import { CandidateDirectory } from '../application/applications/directory.js';
import { OwnExport } from './export/own-export.js';
import { OwnApplications } from '../application/applications/own-applications.js';
import { OwnSessions } from '../application/sessions/own-sessions.js';
import { StaffApplications } from './applications/staff-applications.js';
import { EvaluationExplanations } from './evaluations/explanation.js';
import { EvaluationBodies } from './evaluations/bodies.js';
import { EvaluationHistory } from './evaluations/history.js';
import { OwnEvaluations } from './evaluations/own-evaluations.js';
import { EvaluationReads } from '../application/evaluations/reads.js';
import { StaffEvaluations } from './evaluations/staff-evaluations.js';
import { Recordings } from './recordings/recordings.js';
import { StreamOperations } from '../process/operations/operations.js';
import { StreamMemberships } from '../application/organisations/memberships.js';
import { Rosters } from '../application/organisations/rosters.js';
import type { Participants } from '../languages/en/shapes.js';
import { Notices } from '../application/sessions/notice.js';
import { SharedReports } from './shared-reports/shared-reports.js';
import { StaffShareLinks } from './share-links/links.js';
import { ShareTokens } from '../application/share-links/tokens.js';
import { SignalHistory } from './signal/read-history.js';
import type { Stores } from '../process/stores.js';
import { WebhookSecrets } from '../application/webhooks/secrets.js';

/** Longest time that one answer about former times may take, in milliseconds. */
const HISTORY_MS = 10_000;

/**
 * The services that routes and command handlers work with, each provided under its class.
 * @param publicUrl where callers reach the service, known once it listens
 * @param historyEvents most events that are read for one answer about former times
 * @param participants what the default notice tells of
 */
export const servicesOf = (
  stores: Stores,
  publicUrl: () => string,
  historyEvents: number,
  participants: Participants,
): readonly Provider[] => {
  const { vault, hasher, streams, reader, eventStore, codec, documents, tokens, trustedKeys } = stores;
  const contexts = new CommandContexts(hasher);
  const reads = new Reads(reader, eventStore, tokens);
  const directory = new CandidateDirectory(vault, hasher);
  const rosters = new Rosters(eventStore, codec);
  const own = new OwnApplications(reads, streams, directory, contexts);
  const applications = new StaffApplications(reads, streams, directory, vault, publicUrl);
  const evaluations = new StaffEvaluations(reads);
  const readBy = new EvaluationReads(vault);
  const shareTokens = new ShareTokens(vault);
  const limits = { events: historyEvents, ms: HISTORY_MS };
  const operations = new StreamOperations(streams);
  const history = new History({ eventStore, codec, documents, reads, operations, limits });
  const services: readonly object[] = [
    ...[trustedKeys, hasher, streams, contexts, reads, directory, own, applications, evaluations, readBy],
    shareTokens,
    new OwnSessions(reads, own, streams),
    new StreamMemberships(reads, streams, rosters, vault, hasher, contexts),
    new OwnExport(own, reads, streams, vault, readBy),
    new OwnEvaluations(reads, own, vault, readBy),
    new Recordings(vault, streams, applications),
    new EvaluationBodies(reads, evaluations, vault),
    new EvaluationExplanations(reads),
    new EvaluationHistory(evaluations, history, vault),
    new SignalHistory(reads, history),
    new StaffShareLinks(reads, evaluations, vault, shareTokens, publicUrl),
    new SharedReports(reads, streams, contexts, vault, readBy),
    new WebhookSecrets(vault),
    new Notices(streams, participants),
  ];
  return services.map((service) => ({ provide: service.constructor, useValue: service }));
};
