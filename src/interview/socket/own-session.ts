import { applications } from '../../../projections/applications.js';
import type { Caller } from '../../api/access/caller.js';
import type { Freshness, Reads } from '../../api/reads.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { OwnApplications } from '../../api/applications/own-applications.js';

/** The caller's own session; `null` for somebody else's as for one that does not exist. */
export type OwnSession = (
  caller: Caller,
  sessionId: string,
  freshness: Freshness,
) => Promise<ApplicationRef | null>;

/** Looks a session up as candidates' other paths do. */
export const ownSession =
  (reads: Pick<Reads, 'settled'>, own: Pick<OwnApplications, 'bySession'>): OwnSession =>
  async (caller, sessionId, freshness) => {
    const found = await reads.settled([applications], () => own.bySession(caller, sessionId, freshness));
    if (!found) return null;
    const { id: applicationId, document } = found.application;
    const { organisationId, candidateId, trialSessionId, roleId } = document;
    return { organisationId, candidateId, applicationId, trialSessionId, roleId };
  };
