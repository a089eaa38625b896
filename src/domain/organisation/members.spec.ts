import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { eventsOf, fold, specification } from '../../../test/support/given-when-then.js';
import type { PersonId } from '../../core/vault/port.js';
import {
  addMember,
  bindMember,
  changeMemberRole,
  removeMember,
  createOrganisation,
  currentRole,
  organisation,
} from './decider.js';
import { INITIAL_SETTINGS, type MemberRole, type OrganisationEvent } from './events.js';

const spec = specification(organisation);
const person = (id: string): PersonId => id as PersonId;
const created: OrganisationEvent = {
  type: 'organisation.created',
  data: {
    organisationId: 'o',
    name: 'Acme',
    ...INITIAL_SETTINGS,
  },
  person: null,
  personal: null,
};
const byEmail = (id: string, role: MemberRole, email: string): OrganisationEvent => ({
  type: 'member.added',
  data: { organisationId: 'o', memberId: id, role, subject: null },
  person: person(id),
  personal: { email },
});
const bySubject = (id: string, role: MemberRole, subject: string): OrganisationEvent => ({
  type: 'member.added',
  data: { organisationId: 'o', memberId: id, role, subject },
  person: person(id),
  personal: { email: null },
});
const bound = (id: string, subject: string, email: string | null): OrganisationEvent => ({
  type: 'member.bound',
  data: { organisationId: 'o', memberId: id, subject },
  person: person(id),
  personal: { email },
});
/** An owner who has signed in. */
const ann = [created, byEmail('m1', 'owner', 'ann@x.org'), bound('m1', 'sub-ann', 'ann@x.org')] as const;
const add = (role: MemberRole, actorRole: MemberRole = 'owner') => ({
  actorRole,
  memberId: person('m9'),
  role,
  name: { email: 'New@x.org', subject: null } as const,
});

describe('adding a member', () => {
  it('by e-mail waits for the first sign-in', () => {
    const outcome = spec.given(...ann).when((state) => addMember(state, add('admin')));
    outcome.then(byEmail('m9', 'admin', 'New@x.org'));
    expect(outcome.state()?.members[1]).toMatchObject({ subject: null, signedIn: false, version: 1 });
  });

  it('by subject knows the subject and no address', () => {
    spec
      .given(...ann)
      .when((state) => addMember(state, { ...add('reviewer'), name: { email: null, subject: 'sub-2' } }))
      .then(bySubject('m9', 'reviewer', 'sub-2'));
  });

  it.each([' ANN@x.ORG ', 'ann@x.org'])('finds that %p is a member already', (email) => {
    spec
      .given(...ann)
      .when((state) => addMember(state, { ...add('admin'), name: { email, subject: null } }))
      .thenRefused('already_member');
  });

  it('compares addresses in one normal form', () => {
    spec
      .given(...ann, byEmail('m2', 'admin', 'zoe\u0308@x.org'))
      .when((state) =>
        addMember(state, { ...add('admin'), name: { email: 'ZO\u00cb@x.org', subject: null } }),
      )
      .thenRefused('already_member');
  });

  it('is refused for a subject of the sign-in for candidates, by any way in', () => {
    const subject = 'assay-candidate:3q2-7wAA';
    spec
      .given(...ann)
      .when((state) => addMember(state, { ...add('admin'), name: { email: null, subject } }))
      .thenRefused('validation_failed', 'subject');
    spec
      .given(...ann, byEmail('m2', 'admin', 'bob@x.org'))
      .when((state) => bindMember(state, { subject, verifiedEmail: 'bob@x.org' }))
      .thenRefused('not_found');
  });

  it('finds that a subject is a member already', () => {
    spec
      .given(...ann)
      .when((state) => addMember(state, { ...add('admin'), name: { email: null, subject: 'sub-ann' } }))
      .thenRefused('already_member');
  });

  it('is possible again after a removal', () => {
    const { state } = spec
      .given(...ann, byEmail('m2', 'admin', 'new@x.org'))
      .when((before) =>
        removeMember(before, { actorRole: 'owner', member: 'NEW@x.org', expectedVersion: null }),
      );
    expect(eventsOf(addMember(state(), add('admin')))).toHaveLength(1);
  });

  it('must be in an organisation', () => {
    spec
      .given()
      .when((state) => addMember(state, add('admin')))
      .thenRefused('not_found');
  });
});

describe('who may manage whom', () => {
  const owners = [...ann, bySubject('m2', 'owner', 'sub-2'), bound('m2', 'sub-2', null)];

  it('lets an admin add anybody but owners', () => {
    spec
      .given(...ann)
      .when((state) => addMember(state, add('owner', 'admin')))
      .thenRefused('forbidden');
    expect(
      spec
        .given(...ann)
        .when((state) => addMember(state, add('admin', 'admin')))
        .events(),
    ).toHaveLength(1);
  });

  it('lets no admin touch an owner', () => {
    const change = { actorRole: 'admin', member: 'sub-2', role: 'reviewer', expectedVersion: null } as const;
    spec
      .given(...owners)
      .when((state) => changeMemberRole(state, change))
      .thenRefused('forbidden');
    spec
      .given(...owners)
      .when((state) => changeMemberRole(state, { ...change, role: 'owner' }))
      .thenRefused('forbidden');
    spec
      .given(...owners)
      .when((state) => removeMember(state, change))
      .thenRefused('forbidden');
  });

  it('lets no admin make an owner', () => {
    spec
      .given(...ann, byEmail('m3', 'recruiter', 'r@x.org'))
      .when((state) =>
        changeMemberRole(state, {
          actorRole: 'admin',
          member: 'r@x.org',
          role: 'owner',
          expectedVersion: null,
        }),
      )
      .thenRefused('forbidden');
  });

  it.each(['recruiter', 'reviewer'] as const)('lets no %s manage anyone', (actorRole) => {
    spec
      .given(...ann)
      .when((state) => addMember(state, add('reviewer', actorRole)))
      .thenRefused('forbidden');
    spec
      .given(...ann, bySubject('m4', 'reviewer', 'sub-4'))
      .when((state) => removeMember(state, { actorRole, member: 'sub-4', expectedVersion: null }))
      .thenRefused('forbidden');
  });
});

describe('changing a role', () => {
  const change = { actorRole: 'owner', member: 'r@x.org', role: 'admin', expectedVersion: 1 } as const;
  const past = [...ann, byEmail('m2', 'recruiter', 'r@x.org')];

  it('carries the former role', () => {
    const outcome = spec.given(...past).when((state) => changeMemberRole(state, change));
    outcome.then({
      type: 'member.role_changed',
      data: { organisationId: 'o', memberId: 'm2', role: 'admin', formerRole: 'recruiter' },
      person: person('m2'),
      personal: null,
    });
    expect(outcome.state()?.members[1]).toMatchObject({ role: 'admin', version: 2 });
  });

  it('to the same role does nothing', () => {
    spec
      .given(...past)
      .when((state) => changeMemberRole(state, { ...change, role: 'recruiter' }))
      .thenNothing();
  });

  it('needs the version that stands', () => {
    spec
      .given(...past)
      .when((state) => changeMemberRole(state, { ...change, expectedVersion: 2 }))
      .thenRefused('version_mismatch');
  });

  it('needs the version of the membership, not that of the organisation', () => {
    const renamed: OrganisationEvent = {
      ...created,
      type: 'organisation.updated',
      data: { organisationId: 'o', name: 'B', ...INITIAL_SETTINGS },
    };
    const at = (expectedVersion: number) =>
      spec
        .given(...ann, byEmail('m2', 'admin', 'bob@x.org'), renamed)
        .when((state) => removeMember(state, { actorRole: 'owner', member: 'm2', expectedVersion }));
    at(2).thenRefused('version_mismatch');
    expect(at(1).events()).toHaveLength(1);
  });

  it('finds nobody by an address once the subject is known', () => {
    spec
      .given(...past, bound('m2', 'sub-r', 'r@x.org'))
      .when((state) => changeMemberRole(state, change))
      .thenRefused('not_found');
  });
});

describe('the last owner', () => {
  const remove = { actorRole: 'owner', member: 'sub-ann', expectedVersion: null } as const;

  it('can be neither removed nor demoted', () => {
    spec
      .given(...ann)
      .when((state) => removeMember(state, remove))
      .thenRefused('last_owner');
    spec
      .given(...ann)
      .when((state) => changeMemberRole(state, { ...remove, role: 'admin' }))
      .thenRefused('last_owner');
  });

  it('is last also where other owners have never signed in, whichever way they were added', () => {
    spec
      .given(...ann, byEmail('m2', 'owner', 'typo@x.org'), bySubject('m3', 'owner', 'sub-3'))
      .when((state) => removeMember(state, remove))
      .thenRefused('last_owner');
  });

  it('may go once another owner has signed in', () => {
    spec
      .given(...ann, bySubject('m3', 'owner', 'sub-3'), bound('m3', 'sub-3', null))
      .when((state) => removeMember(state, remove))
      .then({
        type: 'member.removed',
        data: { organisationId: 'o', memberId: 'm1', formerRole: 'owner' },
        person: person('m1'),
        personal: null,
      });
  });

  it('who never signed in may be removed, also while no owner has signed in yet', () => {
    const outcome = spec
      .given(created, byEmail('m1', 'owner', 'ann@x.org'), byEmail('m2', 'owner', 'bob@x.org'))
      .when((state) => removeMember(state, { actorRole: 'owner', member: 'm1', expectedVersion: null }));
    expect(outcome.state()?.members.map(({ memberId }) => memberId)).toEqual(['m2']);
  });

  it('may remove an owner who never signed in', () => {
    expect(
      spec
        .given(...ann, byEmail('m2', 'owner', 'typo@x.org'))
        .when((state) => removeMember(state, { ...remove, member: 'typo@x.org' }))
        .events(),
    ).toHaveLength(1);
  });
});

describe('a sign-in', () => {
  const past = [...ann, byEmail('m2', 'admin', 'Bob@x.org')];

  it('binds the member of a verified address and keeps the address as first written', () => {
    spec
      .given(...past)
      .when((state) => bindMember(state, { subject: 'sub-b', verifiedEmail: 'bob@X.org' }))
      .then(bound('m2', 'sub-b', 'Bob@x.org'));
  });

  it('matches no address that is not verified', () => {
    spec
      .given(...past)
      .when((state) => bindMember(state, { subject: 'sub-b', verifiedEmail: null }))
      .thenRefused('not_found');
  });

  it('matches an address once', () => {
    spec
      .given(...past, bound('m2', 'sub-b', 'Bob@x.org'))
      .when((state) => bindMember(state, { subject: 'sub-other', verifiedEmail: 'bob@x.org' }))
      .thenRefused('not_found');
  });

  it('gives nobody a second membership', () => {
    spec
      .given(...past)
      .when((state) => bindMember(state, { subject: 'sub-ann', verifiedEmail: 'bob@x.org' }))
      .thenNothing();
  });

  it('of a member added by subject takes the address of the token, unless another member waits under it', () => {
    const given = spec.given(...past, bySubject('m3', 'owner', 'sub-3'));
    const bind = (verifiedEmail: string | null) =>
      given.when((state) => bindMember(state, { subject: 'sub-3', verifiedEmail }));
    bind('Cy@x.org').then(bound('m3', 'sub-3', 'Cy@x.org'));
    bind('bob@x.org').then(bound('m3', 'sub-3', null));
    bind(null).then(bound('m3', 'sub-3', null));
  });

  it('again does nothing', () => {
    spec
      .given(...past, bound('m2', 'sub-b', 'Bob@x.org'))
      .when((state) => bindMember(state, { subject: 'sub-b', verifiedEmail: 'else@x.org' }))
      .thenNothing();
  });
});

it('a former member has the rights of a reviewer, whatever their role was', () => {
  const state = fold(organisation, [...ann, bySubject('m2', 'owner', 'sub-bob')]);
  expect(currentRole(state, 'sub-bob')).toBe('owner');
  const removed = spec
    .given(...ann, bySubject('m2', 'owner', 'sub-bob'))
    .when((before) => removeMember(before, { actorRole: 'owner', member: 'm2', expectedVersion: null }));
  expect(currentRole(removed.state(), 'sub-bob')).toBe('reviewer');
  expect(currentRole(null, 'sub-bob')).toBe('reviewer');
});

it('a member gets no address from a token whose address is blank', () => {
  const [event] = spec
    .given(...ann, bySubject('m2', 'admin', 'sub-bob'))
    .when((state) => bindMember(state, { subject: 'sub-bob', verifiedEmail: ' ' }))
    .events();
  expect(event?.personal).toEqual({ email: null });
});

it('folds memberships whose addresses can no longer be read', () => {
  const unreadable = ann.map((event) => ({ ...event, personal: null }));
  expect(fold(organisation, unreadable)?.members).toMatchObject([{ subject: 'sub-ann', email: null }]);
});

describe('whatever is asked', () => {
  const roles = fc.constantFrom<MemberRole[]>('owner', 'admin', 'recruiter', 'reviewer');
  const who = fc.integer({ min: 0, max: 4 });
  const keys = fc.tuple(who, fc.boolean()).map(([n, subject]) => (subject ? `sub-${n}` : `p${n}@x.org`));
  const actions = fc.oneof(
    fc.record({
      kind: fc.constant('add' as const),
      who,
      role: roles,
      actorRole: roles,
      subject: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('change' as const), key: keys, role: roles, actorRole: roles }),
    fc.record({ kind: fc.constant('remove' as const), key: keys, actorRole: roles }),
    fc.record({ kind: fc.constant('bind' as const), who, verified: fc.boolean() }),
  );

  it('an organisation keeps an owner who has signed in, and a repeated command changes nothing', () => {
    fc.assert(
      fc.property(fc.array(actions, { maxLength: 40 }), (sequence) => {
        const past: OrganisationEvent[] = [
          ...eventsOf(
            createOrganisation(null, {
              organisationId: 'o',
              name: 'A',
              owner: { memberId: person('m'), email: 'p0@x.org' },
            }),
          ),
          bound('m', 'sub-0', 'p0@x.org'),
        ];
        sequence.forEach((action, index) => {
          const decide = () => {
            const state = fold(organisation, past);
            if (action.kind === 'bind')
              return bindMember(state, {
                subject: `sub-${action.who}`,
                verifiedEmail: action.verified ? `p${action.who}@x.org` : null,
              });
            if (action.kind === 'add')
              return addMember(state, {
                actorRole: action.actorRole,
                role: action.role,
                memberId: person(`m${index}`),
                name: action.subject
                  ? { email: null, subject: `sub-${action.who}` }
                  : { email: `P${action.who}@x.org`, subject: null },
              });
            if (action.kind === 'change')
              return changeMemberRole(state, { ...action, member: action.key, expectedVersion: null });
            return removeMember(state, { ...action, member: action.key, expectedVersion: null });
          };
          const decision = decide();
          if (decision.kind === 'accepted') past.push(...decision.events);
          const again = decide();
          expect(again.kind === 'accepted' ? again.events : []).toEqual([]);
          const { members } = fold(organisation, past)!;
          expect(members.some((member) => member.role === 'owner' && member.signedIn)).toBe(true);
          const subjects = members.flatMap(({ subject }) => subject ?? []);
          expect(new Set(subjects).size).toBe(subjects.length);
        });
      }),
      { numRuns: 100 },
    );
  });
});
