import {
  accept,
  type Decider,
  type Decision,
  type Problem,
  refuse,
  refuseInvalid,
  type Refused,
  type RefusalCodes,
  staleVersion,
} from '../../core/decider.js';
import { isSameEmail, normaliseEmail } from '../../core/email-address.js';
import type { Stored } from '../../core/event.js';
import type { PersonId } from '../../core/vault/port.js';
import { isCandidateSubject } from '../candidate/events.js';
import {
  INITIAL_SETTINGS,
  type Logo,
  type MemberRole,
  organisationEvent,
  type OrganisationEvent,
  type OrganisationSettings,
} from './events.js';
import { changedSettings, type SettingsChange, settingsProblems } from './settings.js';

/** What is refused here, beside the common codes. */
export const ORGANISATION_CODES = {
  forbidden: {
    kind: 'forbidden',
    meaning:
      'Not a member of this organisation (or there is no such organisation), or the role does not allow it. On a candidate’s paths: the ID token does not say whether its e-mail address is verified.',
  },
  already_member: { kind: 'conflict', meaning: 'The person is a member already.' },
  last_owner: { kind: 'conflict', meaning: 'The last owner cannot be removed or demoted.' },
} as const satisfies RefusalCodes;

type OrganisationCode = keyof typeof ORGANISATION_CODES;

/** A membership as its organisation's stream has it. */
export interface Member {
  readonly memberId: PersonId;
  readonly role: MemberRole;
  /** Known when added by subject, else from the first sign-in on; `null` until then. */
  readonly subject: string | null;
  /** As first written; `null` if none is known. */
  readonly email: string | null;
  readonly signedIn: boolean;
  readonly since: string;
  /** Events that changed this membership. */
  readonly version: number;
}

/** An organisation as its stream has it. */
export interface Organisation extends OrganisationSettings {
  readonly organisationId: string;
  /** `null`: it has none. */
  readonly logo: Logo | null;
  /** Events that changed the organisation's own record; memberships have versions of their own. */
  readonly version: number;
  readonly createdAt: string;
  /** In the order in which they were added. */
  readonly members: readonly Member[];
}

/** `null` until it is created. */
export type OrganisationState = Organisation | null;

/** Folds the stream `organisation-<organisationId>`. */
export const organisation: Decider<OrganisationState, OrganisationEvent> = {
  kind: 'organisation',
  initial: null,
  evolve(state, event) {
    if (event.type === 'organisation.created') {
      const createdAt = event.metadata.recordedAt;
      return { ...event.data, logo: null, version: 1, createdAt, members: [] };
    }
    if (state === null) throw new Error(`${event.type} on a stream that has not begun.`);
    if (event.type === 'organisation.updated' || event.type === 'organisation.logo_changed')
      return { ...state, ...event.data, version: state.version + 1 };
    return { ...state, members: evolveMembers(state.members, event) };
  },
};

type MembershipEvent = Exclude<OrganisationEvent, { type: `organisation.${string}` }>;

const evolveMembers = (members: readonly Member[], event: Stored<MembershipEvent>): readonly Member[] => {
  switch (event.type) {
    case 'member.added':
      return [...members, added(event)];
    case 'member.removed':
      return members.filter((member) => member.memberId !== event.data.memberId);
    case 'member.role_changed':
      return changed(members, event.data.memberId, { role: event.data.role });
    case 'member.bound':
      return changed(members, event.data.memberId, {
        subject: event.data.subject,
        email: event.personal?.email ?? null,
        signedIn: true,
      });
  }
};

const added = (event: Stored<Extract<OrganisationEvent, { type: 'member.added' }>>): Member => ({
  // Each membership is a person of its own in the vault, also if one subject has several.
  memberId: event.data.memberId as PersonId,
  role: event.data.role,
  subject: event.data.subject,
  email: event.personal?.email ?? null,
  signedIn: false,
  since: event.metadata.recordedAt,
  version: 1,
});

const changed = (members: readonly Member[], memberId: string, change: Partial<Member>): readonly Member[] =>
  members.map((member) =>
    member.memberId === memberId ? { ...member, ...change, version: member.version + 1 } : member,
  );

export interface CreateOrganisation {
  readonly organisationId: string;
  readonly name: string;
  /** The first owner, who is bound at the first sign-in. */
  readonly owner: { readonly memberId: PersonId; readonly email: string };
}

/** Opens an organisation with its first owner, both in one append. */
export const createOrganisation = (
  state: OrganisationState,
  input: CreateOrganisation,
): Decision<OrganisationEvent> => {
  if (state !== null) return refuse('conflict', 'There is an organisation by that id already.');
  const { organisationId, name, owner } = input;
  const settings = { name, ...INITIAL_SETTINGS };
  const problems = settingsProblems(settings);
  if (problems.length > 0) return refuseInvalid(problems);
  const { memberId, email } = owner;
  return accept<OrganisationEvent>(
    organisationEvent('organisation.created', { organisationId, ...settings }),
    organisationEvent('member.added', { organisationId, memberId, role: 'owner', subject: null }, memberId, {
      email,
    }),
  );
};

export interface UpdateSettings {
  /** What is left out stays as it is. */
  readonly settings: SettingsChange;
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
}

/** Changes settings. If every given one is as it was, nothing changes. */
export const updateSettings = (
  state: OrganisationState,
  { settings, expectedVersion }: UpdateSettings,
): Decision<OrganisationEvent> => {
  if (state === null) return refuse('not_found', 'There is no such organisation.');
  const stale = staleVersion(expectedVersion, state.version);
  if (stale) return stale;
  const next = changedSettings(state, settings);
  const problems = settingsProblems(next, state);
  if (problems.length > 0) return refuseInvalid(problems);
  const names = Object.keys(next) as (keyof OrganisationSettings)[];
  if (names.every((name) => next[name] === state[name])) return accept();
  return accept(organisationEvent('organisation.updated', { organisationId: state.organisationId, ...next }));
};

/** Who is to become a member: one of the two names. */
export type MemberName =
  { readonly email: string; readonly subject: null } | { readonly email: null; readonly subject: string };

/** The member that `key` names in a path: an id, a subject or, until that is known, an e-mail address. */
export const findMember = (members: readonly Member[], key: string): Member | undefined =>
  members.find((member) => member.memberId === key) ??
  members.find((member) => member.subject === key) ??
  findUnbound(members, key);

/** The member with this address who has not signed in yet. */
const findUnbound = (members: readonly Member[], email: string): Member | undefined =>
  members.find((member) => member.subject === null && hasEmail(member, email));

/**
 * The caller's role by the organisation's own stream: a view may lag behind a demotion. A former member counts as a
 * reviewer, the role with the fewest rights.
 */
export const currentRole = (organisation: OrganisationState, subject: string): MemberRole =>
  organisation?.members.find((member) => member.subject === subject)?.role ?? 'reviewer';

const hasEmail = (member: Member, email: string): boolean =>
  member.email !== null && isSameEmail(member.email, email);

/**
 * Whether the organisation would have no owner without this member. An owner who has never signed in does not count: if
 * the address is mistyped, no owner could ever sign in.
 */
const isLastOwner = (members: readonly Member[], member: Member): boolean =>
  isSignedInOwner(member) &&
  !members.some((other) => other.memberId !== member.memberId && isSignedInOwner(other));

const isSignedInOwner = (member: Member): boolean => member.role === 'owner' && member.signedIn;

const NO_MEMBER = refuse('not_found', 'There is no such member.');

export interface AddMember {
  /** The caller's role. */
  readonly actorRole: MemberRole;
  readonly memberId: PersonId;
  readonly name: MemberName;
  readonly role: MemberRole;
}

/** Adds a person by e-mail (bound to a subject at the first sign-in) or by subject. */
export const addMember = (state: OrganisationState, input: AddMember): Decision<OrganisationEvent> => {
  if (state === null) return NO_MEMBER;
  const { actorRole, memberId, name, role } = input;
  const forbidden = mayManage(actorRole, role);
  if (forbidden) return forbidden;
  if (name.subject !== null && isCandidateSubject(name.subject)) return refuseInvalid([NO_CANDIDATE]);
  if (state.members.some((member) => isNamed(member, name)))
    return refuse<OrganisationCode>('already_member', 'This person is a member already.');
  const { organisationId } = state;
  const { subject, email } = name;
  return accept(
    organisationEvent('member.added', { organisationId, memberId, role, subject }, memberId, { email }),
  );
};

/** Candidates sign in by a mailed code: anyone who can read the mail would become staff. */
const NO_CANDIDATE: Problem = {
  path: 'subject',
  rule: 'member',
  message: 'subject is of the sign-in for candidates. Add this person by e-mail address.',
};

const isNamed = (member: Member, name: MemberName): boolean =>
  name.email === null ? member.subject === name.subject : hasEmail(member, name.email);

/** What every command on a membership comes with. */
export interface MemberCommand {
  /** The caller's role. */
  readonly actorRole: MemberRole;
  /** As `findMember` takes it. */
  readonly member: string;
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
}

export interface ChangeMemberRole extends MemberCommand {
  readonly role: MemberRole;
}

/** Gives a member another role, if the actor may manage both roles. The last owner keeps theirs. */
export const changeMemberRole = (
  state: OrganisationState,
  input: ChangeMemberRole,
): Decision<OrganisationEvent> =>
  whenManageable(state, input, ({ organisationId, members }, member) => {
    const { actorRole, role } = input;
    const { memberId, role: formerRole } = member;
    if (role === formerRole) return accept();
    const forbidden = mayManage(actorRole, role);
    if (forbidden) return forbidden;
    if (isLastOwner(members, member))
      return refuse<OrganisationCode>(
        'last_owner',
        'The last owner who has signed in cannot be given another role.',
      );
    const data = { organisationId, memberId, role, formerRole };
    return accept(organisationEvent('member.role_changed', data, memberId));
  });

/** Removes a member whom the actor may manage. The last owner stays. */
export const removeMember = (state: OrganisationState, input: MemberCommand): Decision<OrganisationEvent> =>
  whenManageable(state, input, ({ organisationId, members }, member) => {
    const { memberId, role: formerRole } = member;
    if (isLastOwner(members, member))
      return refuse<OrganisationCode>('last_owner', 'The last owner who has signed in cannot be removed.');
    return accept(organisationEvent('member.removed', { organisationId, memberId, formerRole }, memberId));
  });

export interface BindMember {
  readonly subject: string;
  /** The token's address, `null` unless it is verified. */
  readonly verifiedEmail: string | null;
}

/**
 * A sign-in: the first one ties the member to the subject, every later one changes nothing. A verified address is
 * matched only for a subject that is no member yet, so that a subject has one membership at most.
 */
export const bindMember = (state: OrganisationState, input: BindMember): Decision<OrganisationEvent> => {
  if (state === null) return NO_MEMBER;
  const { subject, verifiedEmail } = input;
  if (isCandidateSubject(subject)) return NO_MEMBER;
  const member =
    state.members.find((candidate) => candidate.subject === subject) ??
    (verifiedEmail === null ? undefined : findUnbound(state.members, verifiedEmail));
  if (!member) return NO_MEMBER;
  if (member.signedIn) return accept();
  const { memberId } = member;
  // An address is shown as first written, so the token's is stored only if there is none.
  const email = member.email ?? unclaimed(state.members, verifiedEmail);
  const data = { organisationId: state.organisationId, memberId, subject };
  return accept(organisationEvent('member.bound', data, memberId, { email }));
};

/** The token's address; `null` if another member has it: an address must identify one member. */
const unclaimed = (members: readonly Member[], email: string | null): string | null =>
  email === null || normaliseEmail(email) === '' || members.some((member) => hasEmail(member, email))
    ? null
    : email;

/** Decides about a member whom the caller may manage, at the expected version. */
const whenManageable = (
  state: OrganisationState,
  { actorRole, member: key, expectedVersion }: MemberCommand,
  decide: (organisation: Organisation, member: Member) => Decision<OrganisationEvent>,
): Decision<OrganisationEvent> => {
  const member = state && findMember(state.members, key);
  if (!state || !member) return NO_MEMBER;
  return (
    mayManage(actorRole, member.role) ??
    staleVersion(expectedVersion, member.version) ??
    decide(state, member)
  );
};

/** Owners manage all members, admins all but owners, other roles none. */
const mayManage = (actorRole: MemberRole, touched: MemberRole): Refused | null => {
  if (actorRole === 'owner') return null;
  if (actorRole !== 'admin')
    return refuse<OrganisationCode>('forbidden', 'Your role does not let you manage members.');
  return touched === 'owner'
    ? refuse<OrganisationCode>('forbidden', 'Only an owner may manage owners.')
    : null;
};
