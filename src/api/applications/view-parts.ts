import type { FoundApplication } from './own-applications.js';
import type { ApplicationParts } from './record.js';

/** What an application's record is made from, by its view. @param candidateEmail joined from the candidates */
export const partsOf = (
  { id, document }: FoundApplication,
  candidateEmail: string | null,
): ApplicationParts => ({
  id,
  organisationId: document.organisationId,
  roleId: document.roleId,
  candidateId: document.candidateId,
  candidateEmail,
  trial: document.trial,
  outcome: document.outcome && { ...document.outcome, reason: document.personal?.reason ?? null },
  outcomeVersion: document.outcomeVersion,
  erased: document.erased,
});
