import * as lifecycle from '../src/domain/session/lifecycle.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** When a candidate's data changed last, by candidate id: listed while the candidate has no open session. */
export interface RetentionDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  /** Sessions that have not ended. */
  readonly open: readonly string[];
  /** When a session ended, an outcome changed or an invitation came last. */
  readonly changedAt: string;
  /** The id of the event by which it changed. */
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
