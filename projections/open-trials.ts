import type { CandidateInvited } from '../src/domain/candidate/events.js';
import type { QuestionAsked, TrialErased, TrialExtended } from '../src/domain/session/events.js';
import * as lifecycle from '../src/domain/session/lifecycle.js';
import type { View, ViewDocument } from '../src/engine/view.js';

/**
 * A session that is still open, by session id: what has to be expired once its time is up. One whose interview has
 * begun has its own time and never expires.
 */
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
  /** Whether a question was asked. */
  readonly interviewed: boolean;
}

type OpenTrialEvent = CandidateInvited | TrialExtended | QuestionAsked | lifecycle.TrialEnd | TrialErased;

export const openTrials: View<OpenTrialDocument, OpenTrialEvent> = {
  name: 'open-trials',
  version: 3,
  uses: [lifecycle],
  handles: [
    'candidate.invited',
    'trial.extended',
    'interview.question_asked',
    ...lifecycle.END_TYPES,
    'trial.erased',
  ],
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
    interviewed: false,
  }),
  evolve(document, event) {
    if (event.type === 'interview.question_asked') return { ...document, open: false, interviewed: true };
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
      open: !document.interviewed,
    };
  },
  removed: ({ open }) => !open,
  indexes: { byExpiry: ({ expiresAt }) => [expiresAt] },
};
