import type { CandidateErased, CandidateInvited } from '../src/domain/candidate/events.js';
import type { OutcomeEvent } from '../src/domain/application/events.js';
import type { View, ViewDocument } from '../src/engine/view.js';
import * as lifecycle from '../src/domain/session/lifecycle.js';

/** Since when nothing happens with a candidate, by candidate id: listed while no session of theirs is open. */
export interface RetentionDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  /** Sessions that have not ended. */
  readonly open: readonly string[];
  /** When a session ended or an outcome changed last; before that, when the invitation came. */
  readonly changedAt: string;
  /** The id of the event that says so. */
  readonly causedBy: string;
  readonly correlationId: string;
  readonly erased: boolean;
}

type RetentionEvent = CandidateInvited | CandidateErased | lifecycle.TrialEnd | OutcomeEvent;

export const retention: View<RetentionDocument, RetentionEvent> = {
  name: 'retention',
  version: 1,
  uses: [lifecycle],
  handles: [
    'candidate.invited',
    'candidate.erased',
    ...lifecycle.END_TYPES,
    'outcome.recorded',
    'outcome.retracted',
  ],
  documentId: (event) => event.data.candidateId,
  initial: (candidateId) => ({
    organisationId: '',
    candidateId,
    open: [],
    changedAt: '',
    causedBy: '',
    correlationId: '',
    erased: false,
  }),
  evolve(before, event) {
    const { recordedAt: changedAt, correlationId } = event.metadata;
    const { organisationId } = event.data;
    const document = { ...before, organisationId, changedAt, causedBy: event.id, correlationId };
    switch (event.type) {
      case 'candidate.invited':
        return { ...document, open: [...before.open, event.data.trialSessionId] };
      case 'candidate.erased':
        return { ...document, erased: true };
      case 'outcome.recorded':
      case 'outcome.retracted':
        return document;
      default:
        return { ...document, open: before.open.filter((id) => id !== event.data.trialSessionId) };
    }
  },
  removed: ({ erased }) => erased,
  indexes: {
    byOrganisation: ({ organisationId, open, changedAt }) =>
      open.length === 0 ? [organisationId, changedAt] : null,
  },
};
