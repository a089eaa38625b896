import type { Decision, Refused } from '../../core/decider.js';
import { accept, refuse, staleVersion } from '../../core/decider.js';
import type { PersonId } from '../../core/vault/port.js';
import { normaliseEmail } from '../../core/normalise-email.js';
import type { Organisation, OrganisationCode, OrganisationState } from './decider.js';
import type { MemberRole, OrganisationEvent } from './events.js';
import { findMember, findUnbound, hasEmail, isLastOwner, type Member, type MemberName } from './members.js';

const NO_MEMBER = refuse('not_found', 'There is no such member.');

export interface AddMember {
  /** The role of whoever asks. */
  readonly actorRole: MemberRole;
  readonly memberId: PersonId;
  readonly name: MemberName;
  readonly role: MemberRole;
}

/** Adds somebody by e-mail (bound to a subject at the first sign-in) or by subject. */
export const addMember = (state: OrganisationState, input: AddMember): Decision<OrganisationEvent> => {
  if (state === null) return NO_MEMBER;
  const { actorRole, memberId, name, role } = input;
  const forbidden = mayManage(actorRole, role);
  if (forbidden) return forbidden;
  if (state.members.some((member) => isNamed(member, name)))
    return refuse<OrganisationCode>('already_member', 'This person is a member already.');
  return accept<OrganisationEvent>({
    type: 'member.added',
    data: { organisationId: state.organisationId, memberId, role, subject: name.subject },
    person: memberId,
    personal: { email: name.email },
  });
};

const isNamed = (member: Member, name: MemberName): boolean =>
  name.email === null ? member.subject === name.subject : hasEmail(member, name.email);

export interface ChangeMemberRole {
  readonly actorRole: MemberRole;
  /** The member's subject or, until that is known, e-mail address. */
  readonly member: string;
  readonly role: MemberRole;
  readonly expectedVersion: number | null;
}

export const changeMemberRole = (
  state: OrganisationState,
  input: ChangeMemberRole,
): Decision<OrganisationEvent> => {
  const found = manageable(state, input);
  if (found.kind === 'refused') return found;
  const { organisation, member } = found;
  if (member.role === input.role) return accept();
  const forbidden = mayManage(input.actorRole, input.role);
  if (forbidden) return forbidden;
  if (isLastOwner(organisation.members, member))
    return refuse<OrganisationCode>(
      'last_owner',
      'The last owner who has signed in cannot be given another role.',
    );
  return accept<OrganisationEvent>({
    type: 'member.role_changed',
    data: {
      organisationId: organisation.organisationId,
      memberId: member.memberId,
      role: input.role,
      formerRole: member.role,
    },
    person: member.memberId,
    personal: null,
  });
};

export interface RemoveMember {
  readonly actorRole: MemberRole;
  /** The member's subject or, until that is known, e-mail address. */
  readonly member: string;
  readonly expectedVersion: number | null;
}

export const removeMember = (state: OrganisationState, input: RemoveMember): Decision<OrganisationEvent> => {
  const found = manageable(state, input);
  if (found.kind === 'refused') return found;
  const { organisation, member } = found;
  if (isLastOwner(organisation.members, member))
    return refuse<OrganisationCode>('last_owner', 'The last owner who has signed in cannot be removed.');
  return accept<OrganisationEvent>({
    type: 'member.removed',
    data: {
      organisationId: organisation.organisationId,
      memberId: member.memberId,
      formerRole: member.role,
    },
    person: member.memberId,
    personal: null,
  });
};

export interface BindMember {
  readonly subject: string;
  /** The token's address, `null` unless the token says that it is verified. */
  readonly verifiedEmail: string | null;
}

/**
 * A sign-in: the first one ties the member to the subject, every later one changes nothing. A verified address is
 * matched only for a subject that is no member yet, so that nobody takes two memberships.
 */
export const bindMember = (state: OrganisationState, input: BindMember): Decision<OrganisationEvent> => {
  if (state === null) return NO_MEMBER;
  const { subject, verifiedEmail } = input;
  const member =
    state.members.find((candidate) => candidate.subject === subject) ??
    (verifiedEmail === null ? undefined : findUnbound(state.members, verifiedEmail));
  if (!member) return NO_MEMBER;
  if (member.signedIn) return accept();
  return accept<OrganisationEvent>({
    type: 'member.bound',
    data: { organisationId: state.organisationId, memberId: member.memberId, subject },
    person: member.memberId,
    // An address is shown as first written, so the token's is taken only where none was.
    personal: { email: member.email ?? unclaimed(state.members, verifiedEmail) },
  });
};

/** The token's address, unless it is what another membership is found by. */
const unclaimed = (members: readonly Member[], email: string | null): string | null =>
  email === null || normaliseEmail(email) === '' || members.some((member) => hasEmail(member, email))
    ? null
    : email;

interface Manageable {
  readonly kind: 'found';
  readonly organisation: Organisation;
  readonly member: Member;
}

/** The member whom a command is about, once it is sure that the caller may touch it as it stands. */
const manageable = (
  state: OrganisationState,
  input: { readonly actorRole: MemberRole; readonly member: string; readonly expectedVersion: number | null },
): Manageable | Refused => {
  const member = state && findMember(state.members, input.member);
  if (!state || !member) return NO_MEMBER;
  return (
    mayManage(input.actorRole, member.role) ??
    staleVersion(input.expectedVersion, member.version) ?? { kind: 'found', organisation: state, member }
  );
};

/** Owners manage everybody, admins everybody but owners, and nobody else manages anyone. */
const mayManage = (actorRole: MemberRole, touched: MemberRole): Refused | null => {
  if (actorRole === 'owner') return null;
  if (actorRole !== 'admin') return refuse('forbidden', 'Your role does not let you manage members.');
  return touched === 'owner' ? refuse('forbidden', 'Only an owner may manage owners.') : null;
};
