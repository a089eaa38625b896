import { type ApplicationRef, applicationRefOf } from '../src/domain/candidate/events.js';
import * as lifecycle from '../src/domain/session/lifecycle.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/**
 * A session that is still open, by session id: it must be expired at `expiresAt`. One whose interview has begun has a
 * deadline of its own and never expires.
 */
export interface OpenTrialDocument extends ViewDocument, ApplicationRef {
  readonly expiresAt: string;
  /** The id of the event that set `expiresAt`. */
  readonly causedBy: string;
  readonly correlationId: string;
  readonly open: boolean;
  /** Whether a question was asked. */
  readonly interviewed: boolean;
}

export const openTrials = defineView<OpenTrialDocument>()({
  name: 'open-trials',
  version: 3,
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
  on: {
    ...onEach(['candidate.invited', 'trial.extended'], (document: OpenTrialDocument, event) => ({
      ...document,
      ...applicationRefOf(event.data),
      expiresAt: event.data.expiresAt,
      causedBy: event.id,
      correlationId: event.metadata.correlationId,
      open: !document.interviewed,
    })),
    'interview.question_asked': (document) => ({ ...document, open: false, interviewed: true }),
    ...onEach([...lifecycle.END_TYPES, 'trial.erased'], (document: OpenTrialDocument) => ({
      ...document,
      open: false,
    })),
  },
  removed: ({ open }) => !open,
  indexes: { byExpiry: ['expiresAt'] },
});
