import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** The streams of a candidate that an erasure must end, by candidate id: listed until all of them have ended. */
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

/** An application with its session and evaluation, and which of their streams the erasure has ended. */
export interface ErasableApplication {
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  /** `null` if the session was not completed. */
  readonly evaluationId: string | null;
  readonly erased: {
    readonly application: boolean;
    readonly trial: boolean;
    readonly evaluation: boolean;
  };
}

export const pendingErasures = defineView<PendingErasureDocument>()({
  name: 'pending-erasures',
  version: 1,
  documentId: (event) => event.data.candidateId,
  initial: (candidateId) => ({
    organisationId: '',
    candidateId,
    applications: [],
    requested: null,
  }),
  on: {
    'candidate.invited'(document, { data: { organisationId, applicationId, trialSessionId, roleId } }) {
      const erased = { application: false, trial: false, evaluation: false };
      const opened = { applicationId, trialSessionId, roleId, evaluationId: null, erased };
      return { ...document, organisationId, applications: [...document.applications, opened] };
    },
    'candidate.erased'(document, { id, metadata: { recordedAt: at, correlationId } }) {
      return { ...document, requested: { at, causedBy: id, correlationId } };
    },
    'trial.completed': (document, { data: { applicationId, evaluationId } }) =>
      changed(document, applicationId, () => ({ evaluationId })),
    'application.erased': (document, { data }) => ended(document, data.applicationId, 'application'),
    'trial.erased': (document, { data }) => ended(document, data.applicationId, 'trial'),
    'evaluation.erased': (document, { data }) => ended(document, data.applicationId, 'evaluation'),
  },
  keys: {
    requestedAt: ({ requested, applications }) =>
      requested !== null && applications.some(isLeft) ? requested.at : null,
  },
  indexes: { byRequest: ['requestedAt'] },
});

/** Whether the erasure has not ended all of its streams. */
const isLeft = ({ evaluationId, erased }: ErasableApplication): boolean =>
  !erased.application || !erased.trial || (evaluationId !== null && !erased.evaluation);

const ended = (
  document: PendingErasureDocument,
  applicationId: string,
  stream: keyof ErasableApplication['erased'],
): PendingErasureDocument =>
  changed(document, applicationId, ({ erased }) => ({ erased: { ...erased, [stream]: true } }));

const changed = (
  document: PendingErasureDocument,
  applicationId: string,
  change: (application: ErasableApplication) => Partial<ErasableApplication>,
): PendingErasureDocument => ({
  ...document,
  applications: document.applications.map((one) =>
    one.applicationId === applicationId ? { ...one, ...change(one) } : one,
  ),
});
