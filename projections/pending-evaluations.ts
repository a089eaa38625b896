import type { EvaluationEvent, ModelAnswered } from '../src/domain/evaluation/events.js';
import type { View, ViewDocument } from '../src/engine/view.js';
import type { TrialCompleted } from '../src/domain/session/events.js';

/** A generation that is asked for and not answered, by evaluation id. It comes back with each regeneration. */
export interface PendingEvaluationDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly evaluationId: string;
  readonly roleId: string;
  readonly generation: number;
  readonly requestedAt: string;
  /** The id of the event that asks for it. */
  readonly causedBy: string;
  readonly correlationId: string;
  readonly state: 'requested' | 'answered';
}

export const pendingEvaluations: View<
  PendingEvaluationDocument,
  TrialCompleted | Exclude<EvaluationEvent, ModelAnswered>
> = {
  name: 'pending-evaluations',
  version: 2,
  handles: [
    'trial.completed',
    'evaluation.generated',
    'evaluation.failed',
    'evaluation.regeneration_requested',
    'evaluation.erased',
  ],
  documentId: (event) => event.data.evaluationId,
  initial: (evaluationId) => ({
    organisationId: '',
    candidateId: '',
    applicationId: '',
    trialSessionId: '',
    evaluationId,
    roleId: '',
    generation: 0,
    requestedAt: '',
    causedBy: '',
    correlationId: '',
    state: 'answered',
  }),
  evolve(document, event) {
    if (event.type !== 'trial.completed' && event.type !== 'evaluation.regeneration_requested')
      return { ...document, state: 'answered' };
    const { organisationId, candidateId, applicationId, trialSessionId, roleId } = event.data;
    return {
      ...document,
      organisationId,
      candidateId,
      applicationId,
      trialSessionId,
      roleId,
      generation: event.type === 'trial.completed' ? 1 : event.data.generation,
      requestedAt: event.metadata.recordedAt,
      causedBy: event.id,
      correlationId: event.metadata.correlationId,
      state: 'requested',
    };
  },
  removed: ({ state }) => state === 'answered',
  indexes: { byState: ({ state, requestedAt }) => [state, requestedAt] },
};
