import { normaliseEmail } from '../../core/normalise-email.js';
import type { PersonId } from '../../core/vault/port.js';
import type { MemberRole } from './events.js';

/** A membership as its organisation's stream has it. */
export interface Member {
  readonly memberId: PersonId;
  readonly role: MemberRole;
  /** Known when added by subject, else from the first sign-in on. */
  readonly subject: string | null;
  /** As first written; `null` where none is known. */
  readonly email: string | null;
  readonly signedIn: boolean;
  readonly since: string;
  /** Events that changed this membership. */
  readonly version: number;
}

/** Who is to become a member: one of the two names. */
export type MemberName =
  { readonly email: string; readonly subject: null } | { readonly email: null; readonly subject: string };

/** The member that `key` names in a path: a subject or, until that is known, an e-mail address. */
export const findMember = (members: readonly Member[], key: string): Member | undefined =>
  members.find((member) => member.subject === key) ?? findUnbound(members, key);

/** The member that still waits under this address for a first sign-in. */
export const findUnbound = (members: readonly Member[], email: string): Member | undefined =>
  members.find((member) => member.subject === null && hasEmail(member, email));

/**
 * The caller's role by the organisation's own stream: a view may be a moment behind a demotion. Whoever is no member
 * any more may do as little as the least of them.
 */
export const standingRole = (
  organisation: { readonly members: readonly Member[] } | null,
  subject: string,
): MemberRole => organisation?.members.find((member) => member.subject === subject)?.role ?? 'reviewer';

export const hasEmail = (member: Member, email: string): boolean =>
  member.email !== null && normaliseEmail(member.email) === normaliseEmail(email);

/**
 * Whether the organisation would be left without anybody who can own it. An owner who has never signed in does
 * not count: the address may be mistyped, and then nobody could ever get in again.
 */
export const isLastOwner = (members: readonly Member[], member: Member): boolean =>
  isStandingOwner(member) &&
  !members.some((other) => other.memberId !== member.memberId && isStandingOwner(other));

const isStandingOwner = (member: Member): boolean => member.role === 'owner' && member.signedIn;
