import { type ApplicationRef, applicationRefOf } from '../src/domain/candidate/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** A requested generation that has no result yet, by evaluation id. It is listed again with each regeneration. */
export interface PendingEvaluationDocument extends ViewDocument, ApplicationRef {
  readonly evaluationId: string;
  readonly generation: number;
  readonly requestedAt: string;
  /** The id of the event that requested it. */
  readonly causedBy: string;
  readonly correlationId: string;
  readonly state: 'requested' | 'answered';
}

export const pendingEvaluations = defineView<PendingEvaluationDocument>()({
  name: 'pending-evaluations',
  version: 2,
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
  on: {
    ...onEach(
      ['trial.completed', 'evaluation.regeneration_requested'],
      (document: PendingEvaluationDocument, event) => ({
        ...document,
        ...applicationRefOf(event.data),
        generation: event.type === 'trial.completed' ? 1 : event.data.generation,
        requestedAt: event.metadata.recordedAt,
        causedBy: event.id,
        correlationId: event.metadata.correlationId,
        state: 'requested',
      }),
    ),
    ...onEach(
      ['evaluation.generated', 'evaluation.failed', 'evaluation.erased'],
      (document: PendingEvaluationDocument) => ({ ...document, state: 'answered' }),
    ),
  },
  removed: ({ state }) => state === 'answered',
  indexes: { byState: ['state', 'requestedAt'] },
});
