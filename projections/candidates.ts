import type { CandidateEvent } from '../src/domain/candidate/events.js';
import type { View, ViewDocument } from '../src/engine/view.js';

/** Who a candidate is, by candidate id: the one place of views that holds e-mail address and subject. */
export interface CandidateDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  /** Known by subject from now on, also where that can no longer be read. */
  readonly bound: boolean;
  readonly erased: boolean;
  /** The address as first written. */
  readonly personal: { readonly email: string | null; readonly subject: string | null } | null;
}

export const candidates: View<CandidateDocument, CandidateEvent> = {
  name: 'candidates',
  version: 2,
  handles: ['candidate.invited', 'candidate.bound', 'candidate.erased'],
  documentId: (event) => event.data.candidateId,
  initial: (candidateId) => ({
    organisationId: '',
    candidateId,
    bound: false,
    erased: false,
    person: null,
    personal: null,
  }),
  evolve(before, event) {
    const { organisationId } = event.data;
    const document = { ...before, organisationId, person: event.person ?? before.person ?? null };
    const { email = null, subject = null } = before.personal ?? {};
    if (event.type === 'candidate.erased') return { ...document, erased: true, personal: null };
    if (event.type === 'candidate.bound')
      return {
        ...document,
        bound: true,
        personal: event.personal && { email, subject: event.personal.subject },
      };
    return { ...document, personal: event.personal && { email: email ?? event.personal.email, subject } };
  },
};
