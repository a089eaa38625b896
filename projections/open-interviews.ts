import { type ApplicationRef, applicationRefOf } from '../src/domain/candidate/events.js';
import * as lifecycle from '../src/domain/session/lifecycle.js';
import * as timeLimit from '../src/domain/session/time-limit.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** The interview of an open session, by session id: it must be ended if its client or process is lost. */
export interface OpenInterviewDocument extends ViewDocument, ApplicationRef {
  /** The newest connection. */
  readonly connectionId: string;
  /** The process that holds or held that connection, by the name of its lease. */
  readonly host: string;
  /** False once that connection's end is recorded. */
  readonly connected: boolean;
  /** Whether the session counts as interrupted. */
  readonly interrupted: boolean;
  /** When the interview's time is over without accommodations; `null` before the first question. */
  readonly endsAt: string | null;
  /** How many times as long the interview may take as `endsAt` says: the candidate's accommodation. */
  readonly timeFactor: number;
  /** The id of the event that changed this last. */
  readonly causedBy: string;
  readonly correlationId: string;
  readonly open: boolean;
}

export const openInterviews = defineView<OpenInterviewDocument>()({
  name: 'open-interviews',
  version: 3,
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
    timeFactor: 1,
    causedBy: '',
    correlationId: '',
    open: false,
  }),
  every(document, event) {
    // The end of an older connection changes nothing.
    if (event.type === 'interview.disconnected' && event.data.connectionId !== document.connectionId)
      return document;
    return { ...document, causedBy: event.id, correlationId: event.metadata.correlationId };
  },
  on: {
    'interview.connected': (document, { data }) => ({
      ...document,
      ...applicationRefOf(data),
      connectionId: data.connectionId,
      host: data.host,
      connected: true,
      open: true,
    }),
    'interview.disconnected': (document, { data }) =>
      data.connectionId === document.connectionId ? { ...document, connected: false } : document,
    'interview.question_asked': (document, { data }) => ({ ...document, endsAt: data.endsAt }),
    'accommodations.set': (document, { data }) => ({
      ...document,
      ...applicationRefOf(data),
      timeFactor: data.timeFactor,
    }),
    'trial.interrupted': (document) => ({ ...document, connected: false, interrupted: true }),
    'trial.resumed': (document) => ({ ...document, interrupted: false }),
    ...onEach([...lifecycle.END_TYPES, 'trial.erased'], (document: OpenInterviewDocument) => ({
      ...document,
      open: false,
    })),
  },
  removed: ({ open }) => !open,
  keys: {
    // Listed by its process until the session counts as interrupted, and from then on by its deadline.
    host: ({ host, interrupted }) => (interrupted ? null : host),
    deadline: ({ interrupted, endsAt, timeFactor }) =>
      interrupted && endsAt !== null ? timeLimit.endOfTime(endsAt, timeFactor) : null,
  },
  indexes: { byHost: ['host'], byDeadline: ['deadline'] },
});
