import {
  accept,
  type Decider,
  type Decision,
  type Problem,
  type RefusalCodes,
  refuse,
  refuseInvalid,
  staleVersion,
} from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import type { PersonId } from '../../core/vault/port.js';
import type { OrganisationEvent, OrganisationSettings } from './events.js';
import type { Member } from './members.js';

/** What is refused here, beside the common codes. */
export const ORGANISATION_CODES = {
  already_member: { kind: 'conflict', meaning: 'The person is a member already.' },
  last_owner: { kind: 'conflict', meaning: 'The last owner cannot be removed or demoted.' },
} as const satisfies RefusalCodes;

export type OrganisationCode = keyof typeof ORGANISATION_CODES;

/** An organisation as its stream has it. */
export interface Organisation extends OrganisationSettings {
  readonly organisationId: string;
  /** Events that changed the organisation's own record; memberships have versions of their own. */
  readonly version: number;
  readonly createdAt: string;
  /** In the order in which they were added. */
  readonly members: readonly Member[];
}

/** `null` until it is created. */
export type OrganisationState = Organisation | null;

export const organisation: Decider<OrganisationState, OrganisationEvent> = {
  kind: 'organisation',
  initial: null,
  evolve(state, event) {
    if (event.type === 'organisation.created')
      return { ...event.data, version: 1, createdAt: event.metadata.recordedAt, members: [] };
    if (state === null) throw new Error(`${event.type} on a stream that has not begun.`);
    if (event.type === 'organisation.updated') return { ...state, ...event.data, version: state.version + 1 };
    return { ...state, members: evolveMembers(state.members, event) };
  },
};

type MembershipEvent = Exclude<
  OrganisationEvent,
  { type: 'organisation.created' } | { type: 'organisation.updated' }
>;

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
  // The person behind a membership is the membership: one per organisation.
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
  const settings: OrganisationSettings = { name, recordAudio: false, retentionDays: null };
  const problems = settingsProblems(settings);
  if (problems.length > 0) return refuseInvalid(problems);
  return accept<OrganisationEvent>(
    {
      type: 'organisation.created',
      data: { organisationId, ...settings },
      person: null,
      personal: null,
    },
    {
      type: 'member.added',
      data: { organisationId, memberId: owner.memberId, role: 'owner', subject: null },
      person: owner.memberId,
      personal: { email: owner.email },
    },
  );
};

export interface UpdateSettings {
  /** What is left out stays as it is. */
  readonly settings: { readonly [Key in keyof OrganisationSettings]?: OrganisationSettings[Key] | undefined };
  readonly expectedVersion: number | null;
}

export const updateSettings = (
  state: OrganisationState,
  { settings, expectedVersion }: UpdateSettings,
): Decision<OrganisationEvent> => {
  if (state === null) return refuse('not_found', 'There is no such organisation.');
  const stale = staleVersion(expectedVersion, state.version);
  if (stale) return stale;
  const next: OrganisationSettings = {
    name: settings.name ?? state.name,
    recordAudio: settings.recordAudio ?? state.recordAudio,
    // Not `??`: null is a value here, that of keeping everything.
    retentionDays: settings.retentionDays === undefined ? state.retentionDays : settings.retentionDays,
  };
  const problems = settingsProblems(next);
  if (problems.length > 0) return refuseInvalid(problems);
  if (
    next.name === state.name &&
    next.recordAudio === state.recordAudio &&
    next.retentionDays === state.retentionDays
  )
    return accept();
  return accept<OrganisationEvent>({
    type: 'organisation.updated',
    data: { organisationId: state.organisationId, ...next },
    person: null,
    personal: null,
  });
};

/** The rules that an organisation's settings keep. */
export const settingsProblems = ({ name, retentionDays }: OrganisationSettings): readonly Problem[] => {
  const problems: Problem[] = [];
  if (!/\S/u.test(name))
    problems.push({ path: 'name', rule: 'notBlank', message: 'name needs at least one visible character.' });
  if (retentionDays !== null && !(Number.isSafeInteger(retentionDays) && retentionDays >= 1))
    problems.push({
      path: 'retentionDays',
      rule: 'min',
      message: 'retentionDays must be a whole number of at least 1, or null to keep everything.',
    });
  return problems;
};
