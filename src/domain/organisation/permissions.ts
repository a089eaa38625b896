import type { MemberRole } from './events.js';

const everyone = ['owner', 'admin', 'recruiter', 'reviewer'] as const;
const hiring = ['owner', 'admin', 'recruiter'] as const;
const administration = ['owner', 'admin'] as const;

/** Every role, that with the most rights first. */
export const MEMBER_ROLES = everyone;

/** Which roles have which permission in their organisation. Every guard, `GET /me` and API keys use this table. */
const TABLE = {
  'owners.manage': ['owner'],
  'members.manage': administration,
  'keys.manage': administration,
  'organisation.write': administration,
  'webhooks.manage': administration,
  'candidates.erase': administration,
  'audit.read': administration,
  'reads.read': administration,
  'views.manage': administration,
  'roles.write': hiring,
  'candidates.invite': hiring,
  'outcomes.record': hiring,
  'evaluations.regenerate': hiring,
  'reports.share': hiring,
  'audio.hear': hiring,
  'work.read': hiring,
  'data.export': hiring,
  'organisation.read': everyone,
  'members.read': everyone,
  'roles.read': everyone,
  'applications.read': everyone,
  'evaluations.read': everyone,
  'signal.read': everyone,
  'views.save': everyone,
} as const satisfies Record<string, readonly MemberRole[]>;

/**
 * One thing that a membership may allow. `evaluations.read` covers explanations and history, `signal.read` its
 * history, `candidates.invite` extending and cancelling; without `work.read`, a hand-in is read as figures alone;
 * `data.export` covers lists as files; `owners.manage` is what an admin lacks over `members.manage`; `views.save` covers
 * one's own saved views and reading shared ones, `views.manage` the shared ones of others.
 */
export type Permission = keyof typeof TABLE;

/** Every permission, in the order of the table. */
export const PERMISSIONS = Object.keys(TABLE) as readonly Permission[];

/**
 * Permissions that no API key may have. With the first three, the holder of a leaked key could keep access after it is
 * revoked. Saved views are for members who read lists in the console.
 */
const NEVER_BY_KEY = /^(?:owners|members|keys|views)\./;

/** What an API key may be allowed: its possible scopes. */
export const SCOPES = PERMISSIONS.filter((permission) => !NEVER_BY_KEY.test(permission));

/** What a role allows, in the table's order: what `GET /me` shows of a membership. */
export const permissionsOf = (role: MemberRole): readonly Permission[] => byRole[role];

const allowed = (role: MemberRole): readonly Permission[] =>
  PERMISSIONS.filter((permission) => (TABLE[permission] as readonly MemberRole[]).includes(role));

const byRole: Readonly<Record<MemberRole, readonly Permission[]>> = {
  owner: allowed('owner'),
  admin: allowed('admin'),
  recruiter: allowed('recruiter'),
  reviewer: allowed('reviewer'),
};

/** Whether a role has the permission. */
export const may = (role: MemberRole, permission: Permission): boolean => byRole[role].includes(permission);

/** Whether the member's role has the permission and, if they call with an API key, its scopes do, too. */
export const memberMay = (
  {
    role,
    apiKey,
  }: {
    readonly role: MemberRole;
    /** Left out if the member calls without a key. */
    readonly apiKey?: { readonly scopes: readonly Permission[] };
  },
  permission: Permission,
): boolean => byRole[role].includes(permission) && (!apiKey || apiKey.scopes.includes(permission));
