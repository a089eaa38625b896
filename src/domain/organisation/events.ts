import type { EventOf } from '../../core/event.js';

/** Stored names and latest shapes of an organisation's stream (`organisation-<id>`): the storage contract. */

export type MemberRole = 'owner' | 'admin' | 'recruiter' | 'reviewer';

export interface OrganisationSettings {
  readonly name: string;
  readonly recordAudio: boolean;
  readonly retentionDays: number | null;
}

interface MemberIds {
  readonly organisationId: string;
  readonly memberId: string;
}

export type OrganisationCreated = EventOf<
  'organisation.created',
  OrganisationSettings & { readonly organisationId: string }
>;
export type OrganisationUpdated = EventOf<
  'organisation.updated',
  OrganisationSettings & { readonly organisationId: string }
>;
/** Added by e-mail (`subject` null until bound) or by subject (`email` null until the first sign-in). */
export type MemberAdded = EventOf<
  'member.added',
  MemberIds & { readonly role: MemberRole; readonly subject: string | null },
  { readonly email: string | null }
>;
/** The member's first sign-in: the subject stands from now on, the e-mail is as that token said. */
export type MemberBound = EventOf<
  'member.bound',
  MemberIds & { readonly subject: string },
  { readonly email: string | null }
>;
export type MemberRoleChanged = EventOf<
  'member.role_changed',
  MemberIds & { readonly role: MemberRole; readonly formerRole: MemberRole }
>;
export type MemberRemoved = EventOf<'member.removed', MemberIds & { readonly formerRole: MemberRole }>;

export type OrganisationEvent =
  OrganisationCreated | OrganisationUpdated | MemberAdded | MemberBound | MemberRoleChanged | MemberRemoved;
