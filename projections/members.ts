import type { MemberRole } from '../src/domain/organisation/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** A membership, by `memberDocumentId`. A removed person who is added again becomes a new member. */
export interface MemberDocument extends ViewDocument {
  readonly organisationId: string;
  readonly memberId: string;
  readonly role: MemberRole;
  /** `null` until the first sign-in, if the member was added by address. */
  readonly subject: string | null;
  readonly signedIn: boolean;
  readonly since: string;
  readonly version: number;
  readonly removed: boolean;
  /** `null` once the member is removed. The address is `null` if none is known. */
  readonly personal: { readonly email: string | null } | null;
}

/** The id of a member’s document. */
export const memberDocumentId = (organisationId: string, memberId: string): string =>
  `${organisationId}:${memberId}`;

export const members = defineView<MemberDocument>()({
  name: 'members',
  version: 1,
  documentId: ({ data }) => memberDocumentId(data.organisationId, data.memberId),
  initial: () => ({
    organisationId: '',
    memberId: '',
    role: 'reviewer',
    subject: null,
    signedIn: false,
    since: '',
    version: 0,
    removed: true,
    person: null,
    personal: null,
  }),
  every: (document, event) => ({
    ...document,
    version: document.version + 1,
    person: event.person ?? document.person ?? null,
  }),
  on: {
    'member.added'(document, { data: { organisationId, memberId, role, subject }, personal, metadata }) {
      const since = metadata.recordedAt;
      return { ...document, organisationId, memberId, role, subject, since, removed: false, personal };
    },
    'member.bound': (document, { data: { subject }, personal }) => ({
      ...document,
      subject,
      signedIn: true,
      personal,
    }),
    'member.role_changed': (document, { data: { role } }) => ({ ...document, role }),
    'member.removed': (document) => ({ ...document, removed: true, personal: null }),
  },
  removed: ({ removed }) => removed,
  indexes: { byOrganisation: ['organisationId', 'since'], bySubject: ['subject', 'organisationId'] },
});
