import type { CandidateErased, CandidateInvited } from '../src/domain/candidate/events.js';
import type { EvaluationErased } from '../src/domain/evaluation/events.js';
import type { ApplicationErased } from '../src/domain/application/events.js';
import type { View, ViewDocument } from '../src/engine/view.js';
import type { TrialCompleted, TrialErased } from '../src/domain/session/events.js';

/** What of a candidate an erasure has to reach, by candidate id: listed while it has not reached all of it. */
export interface PendingErasureDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  /** Oldest first. */
  readonly applications: readonly ErasableApplication[];
  /** `null` until the candidate is erased. */
  readonly requested: {
    readonly at: string;
    /** The id of the erasure's event. */
    readonly causedBy: string;
    readonly correlationId: string;
  } | null;
}

/** An application with its session and evaluation, and which of their streams know of the erasure. */
export interface ErasableApplication {
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  /** `null` where the session was not completed. */
  readonly evaluationId: string | null;
  readonly erased: {
    readonly application: boolean;
    readonly trial: boolean;
    readonly evaluation: boolean;
  };
}

type ErasureEvent =
  CandidateInvited | TrialCompleted | CandidateErased | ApplicationErased | TrialErased | EvaluationErased;

export const pendingErasures: View<PendingErasureDocument, ErasureEvent> = {
  name: 'pending-erasures',
  version: 1,
  handles: [
    'candidate.invited',
    'trial.completed',
    'candidate.erased',
    'application.erased',
    'trial.erased',
    'evaluation.erased',
  ],
  documentId: (event) => event.data.candidateId,
  initial: (candidateId) => ({ organisationId: '', candidateId, applications: [], requested: null }),
  evolve(document, event) {
    switch (event.type) {
      case 'candidate.invited': {
        const { organisationId, applicationId, trialSessionId, roleId } = event.data;
        const erased = { application: false, trial: false, evaluation: false };
        const opened = { applicationId, trialSessionId, roleId, evaluationId: null, erased };
        return { ...document, organisationId, applications: [...document.applications, opened] };
      }
      case 'candidate.erased': {
        const { recordedAt: at, correlationId } = event.metadata;
        return { ...document, requested: { at, causedBy: event.id, correlationId } };
      }
      case 'trial.completed':
        return changed(document, event.data.applicationId, { evaluationId: event.data.evaluationId });
      case 'application.erased':
        return reached(document, event.data.applicationId, 'application');
      case 'trial.erased':
        return reached(document, event.data.applicationId, 'trial');
      case 'evaluation.erased':
        return reached(document, event.data.applicationId, 'evaluation');
    }
  },
  indexes: {
    byRequest: ({ requested, applications }) =>
      requested !== null && applications.some(isLeft) ? [requested.at] : null,
  },
};

/** Whether a stream of it does not know of the erasure yet. */
const isLeft = ({ evaluationId, erased }: ErasableApplication): boolean =>
  !erased.application || !erased.trial || (evaluationId !== null && !erased.evaluation);

const reached = (
  document: PendingErasureDocument,
  applicationId: string,
  what: keyof ErasableApplication['erased'],
): PendingErasureDocument => {
  const before = document.applications.find((one) => one.applicationId === applicationId);
  return before ? changed(document, applicationId, { erased: { ...before.erased, [what]: true } }) : document;
};

const changed = (
  document: PendingErasureDocument,
  applicationId: string,
  change: Partial<ErasableApplication>,
): PendingErasureDocument => ({
  ...document,
  applications: document.applications.map((one) =>
    one.applicationId === applicationId ? { ...one, ...change } : one,
  ),
});
