import { type ApplicationRef, applicationRefOf } from '../src/domain/candidate/events.js';
import { askedBy, awaitedAfter, firstDeadline } from '../src/domain/evaluation/awaited.js';
import type { AwaitedWork } from '../src/domain/session/events.js';
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
  /**
   * `awaiting`: it is not generated yet, since work of the candidate may still arrive, or is to be checked. `requested`:
   * it is to be generated now. `answered`: it has a result or is erased, and the view removes the document.
   */
  readonly state: 'awaiting' | 'requested' | 'answered';
  /** The work for which it waits; empty unless `awaiting`. */
  readonly awaited: readonly AwaitedWork[];
}

export const pendingEvaluations = defineView<PendingEvaluationDocument>()({
  name: 'pending-evaluations',
  version: 6,
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
    awaited: [],
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
        ...waitingFor(event.type === 'trial.completed' ? (event.data.awaits ?? []) : askedBy(event)),
      }),
    ),
    ...onEach(
      [
        'evaluation.work_handed_in',
        'evaluation.work_refused',
        'evaluation.work_checked',
        'evaluation.wait_ended',
      ],
      (document: PendingEvaluationDocument, event) =>
        document.state === 'awaiting'
          ? { ...document, ...waitingFor(awaitedAfter(document.awaited, event)) }
          : document,
    ),
    ...onEach(
      ['evaluation.generated', 'evaluation.failed', 'evaluation.erased'],
      (document: PendingEvaluationDocument) => ({ ...document, state: 'answered', awaited: [] }),
    ),
  },
  removed: ({ state }) => state === 'answered',
  keys: { deadline: ({ awaited }) => firstDeadline(awaited) },
  indexes: {
    byState: ['state', 'requestedAt'],
    byDeadline: ['deadline'],
    byOrganisationState: ['organisationId', 'state', 'requestedAt'],
    byOrganisationRoleState: ['organisationId', 'roleId', 'state', 'requestedAt'],
  },
});

const waitingFor = (
  awaited: readonly AwaitedWork[],
): Pick<PendingEvaluationDocument, 'state' | 'awaited'> => ({
  state: awaited.length > 0 ? 'awaiting' : 'requested',
  awaited,
});
