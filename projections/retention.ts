import * as lifecycle from '../src/domain/session/lifecycle.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/**
 * When a candidate's data changed last, by candidate id. A candidate without an open session is listed by that time, so
 * that the reactor of retention finds those that are due.
 */
export interface RetentionDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  /** Sessions that have not ended. */
  readonly open: readonly string[];
  /** The time of the last event that the view handles: an invitation, the end of a session, or a change of an outcome. */
  readonly changedAt: string;
  /** The id of that event. */
  readonly causedBy: string;
  readonly correlationId: string;
  readonly erased: boolean;
}

export const retention = defineView<RetentionDocument>()({
  name: 'retention',
  version: 1,
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
  every(document, { id, data: { organisationId }, metadata: { recordedAt: changedAt, correlationId } }) {
    return { ...document, organisationId, changedAt, causedBy: id, correlationId };
  },
  on: {
    'candidate.invited': (document, { data }) => ({
      ...document,
      open: [...document.open, data.trialSessionId],
    }),
    'candidate.erased': (document) => ({ ...document, erased: true }),
    // Outcomes change nothing else than what `every` sets.
    'outcome.recorded': (document) => document,
    'outcome.retracted': (document) => document,
    ...onEach(lifecycle.END_TYPES, (document: RetentionDocument, { data }) => ({
      ...document,
      open: document.open.filter((id) => id !== data.trialSessionId),
    })),
  },
  removed: ({ erased }) => erased,
  keys: {
    idleSince: ({ open, changedAt }) => (open.length === 0 ? changedAt : null),
  },
  indexes: { byOrganisation: ['organisationId', 'idleSince'] },
});
