import type {
  MemberAdded,
  MemberBound,
  MemberRemoved,
  MemberRole,
  MemberRoleChanged,
} from '../src/domain/organisation/events.js';
import type { View, ViewDocument } from '../src/engine/view.js';

/** A membership, by `memberDocumentId`. Gone once it is removed: whoever is added again is a new member. */
export interface MemberDocument extends ViewDocument {
  readonly organisationId: string;
  readonly memberId: string;
  readonly role: MemberRole;
  readonly subject: string | null;
  readonly signedIn: boolean;
  readonly since: string;
  readonly version: number;
  readonly removed: boolean;
  readonly personal: { readonly email: string | null } | null;
}

type MemberEvent = MemberAdded | MemberBound | MemberRoleChanged | MemberRemoved;

export const memberDocumentId = (organisationId: string, memberId: string): string =>
  `${organisationId}:${memberId}`;

export const members: View<MemberDocument, MemberEvent> = {
  name: 'members',
  version: 1,
  handles: ['member.added', 'member.bound', 'member.role_changed', 'member.removed'],
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
  evolve(before, event) {
    const document = {
      ...before,
      version: before.version + 1,
      person: event.person ?? before.person ?? null,
    };
    const { organisationId, memberId } = event.data;
    switch (event.type) {
      case 'member.added': {
        const { role, subject } = event.data;
        const since = event.metadata.recordedAt;
        const { personal } = event;
        return { ...document, organisationId, memberId, role, subject, since, removed: false, personal };
      }
      case 'member.bound':
        return { ...document, subject: event.data.subject, signedIn: true, personal: event.personal };
      case 'member.role_changed':
        return { ...document, role: event.data.role };
      case 'member.removed':
        return { ...document, removed: true, personal: null };
    }
  },
  removed: ({ removed }) => removed,
  indexes: {
    byOrganisation: ({ organisationId, since }) => [organisationId, since],
    bySubject: ({ subject, organisationId }) => (subject === null ? null : [subject, organisationId]),
  },
};
