import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** Who a candidate is, by candidate id: no other view holds e-mail addresses and subjects. */
export interface CandidateDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  /** Whether the candidate has a subject, even if it can no longer be read. */
  readonly bound: boolean;
  readonly erased: boolean;
  /** `null` once the candidate is erased. The address is as first written; the subject is `null` until it is bound. */
  readonly personal: { readonly email: string | null; readonly subject: string | null } | null;
}

export const candidates = defineView<CandidateDocument>()({
  name: 'candidates',
  version: 2,
  documentId: (event) => event.data.candidateId,
  initial: (candidateId) => ({
    organisationId: '',
    candidateId,
    bound: false,
    erased: false,
    person: null,
    personal: null,
  }),
  every(document, { data: { organisationId }, person }) {
    return { ...document, organisationId, person: person ?? document.person ?? null };
  },
  on: {
    'candidate.invited'(document, { personal }) {
      const { email = null, subject = null } = document.personal ?? {};
      return { ...document, personal: personal && { email: email ?? personal.email, subject } };
    },
    'candidate.bound'(document, { personal }) {
      const { email = null } = document.personal ?? {};
      return { ...document, bound: true, personal: personal && { email, subject: personal.subject } };
    },
    'candidate.erased': (document) => ({ ...document, erased: true, personal: null }),
  },
});
