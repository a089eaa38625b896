import type {
  InterviewConnected,
  InterviewDisconnected,
  QuestionAsked,
  TrialErased,
  TrialInterrupted,
  TrialResumed,
} from '../src/domain/session/events.js';
import * as lifecycle from '../src/domain/session/lifecycle.js';
import type { View, ViewDocument } from '../src/engine/view.js';

/** An interview of a session that is still open, by session id: what somebody has to look after. */
export interface OpenInterviewDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  /** The newest connection. */
  readonly connectionId: string;
  /** The process that holds or held it, under the name of its lease. */
  readonly host: string;
  /** False once it is known to have dropped. */
  readonly connected: boolean;
  /** Whether the session counts as interrupted. */
  readonly interrupted: boolean;
  /** When its time is over; `null` before the first question. */
  readonly endsAt: string | null;
  /** The id of the event that changed this last. */
  readonly causedBy: string;
  readonly correlationId: string;
  readonly open: boolean;
}

type OpenInterviewEvent =
  | InterviewConnected
  | InterviewDisconnected
  | QuestionAsked
  | TrialInterrupted
  | TrialResumed
  | lifecycle.TrialEnd
  | TrialErased;

export const openInterviews: View<OpenInterviewDocument, OpenInterviewEvent> = {
  name: 'open-interviews',
  version: 2,
  uses: [lifecycle],
  handles: [
    'interview.connected',
    'interview.disconnected',
    'interview.question_asked',
    'trial.interrupted',
    'trial.resumed',
    ...lifecycle.END_TYPES,
    'trial.erased',
  ],
  documentId: (event) => event.data.trialSessionId,
  initial: (trialSessionId) => ({
    organisationId: '',
    candidateId: '',
    applicationId: '',
    trialSessionId,
    roleId: '',
    connectionId: '',
    host: '',
    connected: false,
    interrupted: false,
    endsAt: null,
    causedBy: '',
    correlationId: '',
    open: false,
  }),
  evolve(before, event) {
    const document = { ...before, causedBy: event.id, correlationId: event.metadata.correlationId };
    switch (event.type) {
      case 'interview.connected': {
        const { organisationId, candidateId, applicationId, roleId, connectionId, host } = event.data;
        const ids = { organisationId, candidateId, applicationId, roleId };
        return { ...document, ...ids, connectionId, host, connected: true, open: true };
      }
      case 'interview.disconnected':
        return event.data.connectionId === before.connectionId ? { ...document, connected: false } : before;
      case 'interview.question_asked':
        return { ...document, endsAt: event.data.endsAt };
      case 'trial.interrupted':
        return { ...document, connected: false, interrupted: true };
      case 'trial.resumed':
        return { ...document, interrupted: false };
      default:
        return { ...document, open: false };
    }
  },
  removed: ({ open }) => !open,
  indexes: {
    // Its process looks after it until it counts as interrupted; from then on there is only its deadline.
    byHost: ({ host, interrupted }) => (interrupted ? null : [host]),
    byDeadline: ({ interrupted, endsAt }) => (interrupted && endsAt !== null ? [endsAt] : null),
  },
};
