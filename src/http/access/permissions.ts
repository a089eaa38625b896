import { Enumeration } from '../../core/json-schema.js';
import type { MemberRole } from '../../domain/organisation/events.js';

const everyone = ['owner', 'admin', 'recruiter', 'reviewer'] as const;
const hiring = ['owner', 'admin', 'recruiter'] as const;
const administration = ['owner', 'admin'] as const;

/** Who may do what inside their organisation: the one table that every guard and `GET /me` read. */
const TABLE = {
  'owners.manage': ['owner'],
  'members.manage': administration,
  'organisation.write': administration,
  'webhooks.manage': administration,
  'candidates.erase': administration,
  'audit.read': administration,
  'reads.read': administration,
  'roles.write': hiring,
  'candidates.invite': hiring,
  'outcomes.record': hiring,
  'evaluations.regenerate': hiring,
  'reports.share': hiring,
  'audio.hear': hiring,
  'organisation.read': everyone,
  'members.read': everyone,
  'roles.read': everyone,
  'applications.read': everyone,
  'evaluations.read': everyone,
  'signal.read': everyone,
} as const satisfies Record<string, readonly MemberRole[]>;

/**
 * One thing that a membership may allow. `evaluations.read` covers explanations and history, `signal.read` its
 * history, `candidates.invite` extending and cancelling; `owners.manage` is what an admin lacks over `members.manage`.
 */
export type Permission = keyof typeof TABLE;

export const PERMISSIONS = Object.keys(TABLE) as readonly Permission[];

export const MEMBER_ROLE = Enumeration('MemberRole', everyone);
export const PERMISSION = Enumeration('Permission', PERMISSIONS);

const allowed = (role: MemberRole, permission: Permission): boolean =>
  (TABLE[permission] as readonly MemberRole[]).includes(role);

const byRole: Readonly<Record<MemberRole, readonly Permission[]>> = {
  owner: PERMISSIONS.filter((permission) => allowed('owner', permission)),
  admin: PERMISSIONS.filter((permission) => allowed('admin', permission)),
  recruiter: PERMISSIONS.filter((permission) => allowed('recruiter', permission)),
  reviewer: PERMISSIONS.filter((permission) => allowed('reviewer', permission)),
};

/** What a role allows, in the table's order: what `GET /me` shows of a membership. */
export const permissionsOf = (role: MemberRole): readonly Permission[] => byRole[role];

/** Whether a member of that role may. */
export const may = (role: MemberRole, permission: Permission): boolean => byRole[role].includes(permission);
