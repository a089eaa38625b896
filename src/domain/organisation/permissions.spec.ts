import { describe, expect, it } from '@jest/globals';
import type { MemberRole } from './events.js';
import { may, memberMay, PERMISSIONS, permissionsOf, type Permission, SCOPES } from './permissions.js';

const ROLES: readonly MemberRole[] = ['owner', 'admin', 'recruiter', 'reviewer'];

/** The interface's table, row by row, spelled out once more: a change of who may do what has to be made twice. */
const ROWS: readonly (readonly [
  row: string,
  permissions: readonly Permission[],
  who: readonly MemberRole[],
])[] = [
  ['manage members', ['members.manage'], ['owner', 'admin']],
  ['manage owners', ['owners.manage'], ['owner']],
  ['create and update assessment roles', ['roles.write'], ['owner', 'admin', 'recruiter']],
  [
    'invite candidates, record outcomes, regenerate, share reports, hear audio, read work, export',
    [
      'candidates.invite',
      'outcomes.record',
      'evaluations.regenerate',
      'reports.share',
      'audio.hear',
      'work.read',
      'data.export',
    ],
    ['owner', 'admin', 'recruiter'],
  ],
  [
    'read roles, applications, evaluations, explanations, history, signal, members, the organisation',
    [
      'roles.read',
      'applications.read',
      'evaluations.read',
      'signal.read',
      'members.read',
      'organisation.read',
    ],
    ['owner', 'admin', 'recruiter', 'reviewer'],
  ],
  ['save views of lists, and read shared ones', ['views.save'], ['owner', 'admin', 'recruiter', 'reviewer']],
  ['change shared views of others', ['views.manage'], ['owner', 'admin']],
  [
    'erase a candidate, read the audit trail and who read what, change the organisation, its keys and its webhooks',
    ['candidates.erase', 'audit.read', 'reads.read', 'organisation.write', 'keys.manage', 'webhooks.manage'],
    ['owner', 'admin'],
  ],
];

describe('the permission table', () => {
  for (const [row, permissions, who] of ROWS) {
    it(`lets ${who.join(', ')} ${row}`, () => {
      for (const permission of permissions) {
        expect(ROLES.filter((role) => may(role, permission))).toEqual(who);
        expect(ROLES.filter((role) => permissionsOf(role).includes(permission))).toEqual(who);
      }
    });
  }

  it('keeps members, owners, keys and saved views from API keys, and nothing else', () => {
    const never = [
      'owners.manage',
      'members.manage',
      'members.read',
      'keys.manage',
      'views.manage',
      'views.save',
    ];
    expect([...SCOPES, ...never].sort()).toEqual([...PERMISSIONS].sort());
  });

  it('holds no permission besides', () => {
    expect([...PERMISSIONS].sort()).toEqual(ROWS.flatMap(([, permissions]) => permissions).sort());
  });

  it('shows a reviewer exactly what may be read', () => {
    expect(permissionsOf('reviewer')).toEqual([
      'organisation.read',
      'members.read',
      'roles.read',
      'applications.read',
      'evaluations.read',
      'signal.read',
      'views.save',
    ]);
  });
});

it('an API key may do what both its scopes and the role that it stands for allow, and no more', () => {
  const scopes = ['roles.read', 'audit.read'] as const;
  const allowed = (role: MemberRole) =>
    PERMISSIONS.filter((permission) => memberMay({ role, apiKey: { scopes } }, permission));
  expect(allowed('admin')).toEqual(['audit.read', 'roles.read']);
  expect(allowed('reviewer')).toEqual(['roles.read']);
  expect(PERMISSIONS.filter((permission) => memberMay({ role: 'reviewer' }, permission))).toEqual(
    permissionsOf('reviewer'),
  );
});
