import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/**
 * When an application came to each stage, by application id. Times alone: an erasure changes none of them, and each
 * application is in each stage once, whatever is generated or recorded again.
 */
export interface StageDocument extends ViewDocument {
  readonly organisationId: string;
  readonly roleId: string;
  readonly invitedAt: string;
  /** `null`: the session was not started. */
  readonly startedAt: string | null;
  /** `null`: the session was not completed. */
  readonly completedAt: string | null;
  /** When the evaluation was ready for the first time; `null`: never yet. */
  readonly evaluatedAt: string | null;
  /** When an outcome was recorded; a correction leaves it, a retraction makes it `null`. */
  readonly decidedAt: string | null;
}

export const stages = defineView<StageDocument>()({
  name: 'stages',
  version: 1,
  documentId: (event) => event.data.applicationId,
  initial: () => ({
    organisationId: '',
    roleId: '',
    invitedAt: '',
    startedAt: null,
    completedAt: null,
    evaluatedAt: null,
    decidedAt: null,
  }),
  on: {
    'candidate.invited': (document, { data: { organisationId, roleId, invitedAt } }) => ({
      ...document,
      organisationId,
      roleId,
      invitedAt,
    }),
    'trial.started': (document, { metadata }) => ({ ...document, startedAt: metadata.recordedAt }),
    'trial.completed': (document, { metadata }) => ({ ...document, completedAt: metadata.recordedAt }),
    'evaluation.generated': (document, { metadata }) => ({
      ...document,
      evaluatedAt: document.evaluatedAt ?? metadata.recordedAt,
    }),
    'outcome.recorded': (document, { metadata }) => ({
      ...document,
      decidedAt: document.decidedAt ?? metadata.recordedAt,
    }),
    'outcome.retracted': (document) => ({ ...document, decidedAt: null }),
  },
  indexes: { byOrganisation: ['organisationId', 'invitedAt'] },
});
