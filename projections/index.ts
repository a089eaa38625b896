import type { AnyView } from '../src/engine/view.js';
import { apiKeys } from './api-keys.js';
import { applications } from './applications.js';
import { audit } from './audit.js';
import { candidates } from './candidates.js';
import { contests } from './contests.js';
import { deliveries } from './deliveries.js';
import { evaluationResults } from './evaluation-results.js';
import { evaluations } from './evaluations.js';
import { evidence } from './evidence.js';
import { handIns } from './hand-ins.js';
import { imports } from './imports.js';
import { mails } from './mails.js';
import { members } from './members.js';
import { notices } from './notices.js';
import { openInterviews } from './open-interviews.js';
import { openTrials } from './open-trials.js';
import { organisations } from './organisations.js';
import { pendingChecks } from './pending-checks.js';
import { pendingErasures } from './pending-erasures.js';
import { pendingEvaluations } from './pending-evaluations.js';
import { retention } from './retention.js';
import { roles } from './roles.js';
import { savedViews } from './saved-views.js';
import { shareLinks } from './share-links.js';
import { signal } from './signal.js';
import { stages } from './stages.js';
import { tickets } from './tickets.js';
import { webhooks } from './webhooks.js';

/** Every read model that is fed. */
export const views: readonly AnyView[] = [
  organisations,
  members,
  roles,
  tickets,
  candidates,
  applications,
  evaluations,
  evaluationResults,
  contests,
  evidence,
  handIns,
  signal,
  stages,
  openTrials,
  openInterviews,
  pendingEvaluations,
  pendingChecks,
  pendingErasures,
  retention,
  shareLinks,
  audit,
  apiKeys,
  webhooks,
  notices,
  deliveries,
  mails,
  imports,
  savedViews,
];

/**
 * Former versions of views. A version's file stays until no generation is folded by it any more: the live generation
 * has to be fed while its successor is built, and an operator may switch back to it.
 */
export const formerViews: readonly AnyView[] = [];
