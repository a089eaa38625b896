import type { CandidateInvited } from '../src/candidates/events.js';
import type { View, ViewDocument } from '../src/projection-engine/view.js';
import type { TrialCompleted, TrialExpired, TrialExtended, TrialWithdrawn } from '../src/trials/events.js';

/** A session that is still open, by session id: what has to be expired once its time is up. */
export interface OpenTrialDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  readonly expiresAt: string;
  /** The id of the event that set `expiresAt`. */
  readonly causedBy: string;
  readonly correlationId: string;
  readonly open: boolean;
}

type OpenTrialEvent = CandidateInvited | TrialExtended | TrialCompleted | TrialWithdrawn | TrialExpired;

export const openTrials: View<OpenTrialDocument, OpenTrialEvent> = {
  name: 'open-trials',
  version: 1,
  handles: ['candidate.invited', 'trial.extended', 'trial.completed', 'trial.withdrawn', 'trial.expired'],
  documentId: (event) => event.data.trialSessionId,
  initial: (trialSessionId) => ({
    organisationId: '',
    candidateId: '',
    applicationId: '',
    trialSessionId,
    roleId: '',
    expiresAt: '',
    causedBy: '',
    correlationId: '',
    open: false,
  }),
  evolve(document, event) {
    if (event.type !== 'candidate.invited' && event.type !== 'trial.extended')
      return { ...document, open: false };
    const { organisationId, candidateId, applicationId, roleId, expiresAt } = event.data;
    return {
      ...document,
      organisationId,
      candidateId,
      applicationId,
      roleId,
      expiresAt,
      causedBy: event.id,
      correlationId: event.metadata.correlationId,
      open: true,
    };
  },
  removed: ({ open }) => !open,
  indexes: { byExpiry: ({ expiresAt }) => [expiresAt] },
};
