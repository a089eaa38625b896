import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Person, Reply } from '../support/api.js';
import {
  type Failure,
  faultOf,
  openProvider,
  openStage,
  type Provider,
  type Stage,
} from '../support/stage.js';

interface Member {
  readonly id: string;
  readonly subject: string | null;
  readonly email: string | null;
  readonly role: string;
  readonly since: string;
  readonly version: number;
}

describe('members', () => {
  let provider: Provider;
  let stage: Stage;
  let owner: Person;
  let admin: Person;

  beforeAll(async () => {
    provider = await openProvider();
    stage = await openStage({}, provider);
    ({ owner } = stage);
    admin = await join('admin', 'admin');
  });
  afterAll(async () => {
    await stage.close();
    await provider.issuer.close();
  });

  const members = (key?: string): string =>
    stage.at(key === undefined ? '/members' : `/members/${encodeURIComponent(key)}`);
  const add = (body: object, by = owner) => by.post<Member>(members(), body);
  const list = async (by = owner): Promise<readonly Member[]> =>
    (await by.get<{ items: Member[] }>(`${members()}?limit=200`)).body.items;

  /** Adds a person by e-mail, who then signs in. */
  const join = async (name: string, role: string): Promise<Person> => {
    const email = `${name}@example.org`;
    await add({ email, role });
    const person = await stage.signIn(email);
    person.follow(owner);
    await person.get('/me');
    return person;
  };
  const refused = async (send: () => Promise<Reply>, status: number, code: string): Promise<void> => {
    const head = await stage.head();
    const reply = await send();
    expect(reply).toMatchObject({ status, body: { code } });
    expect(faultOf(reply as Reply<Failure>)).toBeNull();
    expect(await stage.head()).toBe(head);
  };

  it('are made with their organisation by an operator alone, if there is an identity provider', async () => {
    await refused(() => owner.post('/console/organisations', { name: 'Own' }), 404, 'not_found');
  });

  it('by e-mail: found by the address until the first sign-in binds a subject', async () => {
    const added = await add({ email: ' Rita+Q@Example.org', role: 'reviewer' });
    expect(added).toMatchObject({ status: 201, body: { subject: null, role: 'reviewer', version: 1 } });
    expect(added.body.email).toBe(' Rita+Q@Example.org');
    expect(added.body.since).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(added.headers.get('etag')).toBe('"1"');
    for (const path of [
      added.headers.get('location')!,
      members('rita+q@example.org'),
      members(' RITA+Q@example.org '),
    ]) {
      const read = await owner.get(path);
      expect(read.body).toEqual(added.body);
      expect(read.headers.get('etag')).toBe('"1"');
    }
    const changed = await owner.patch<Member>(
      members('Rita+q@example.org'),
      { role: 'recruiter' },
      { 'if-match': '"1"' },
    );
    expect(changed).toMatchObject({ status: 200, body: { role: 'recruiter', version: 2 } });

    const unverified = await provider.person(stage.api, 'sub-rita', 'rita+q@example.org', false);
    unverified.follow(owner);
    expect((await unverified.get(stage.at())).status).toBe(403);
    expect((await unverified.get<{ memberships: object[] }>('/me')).body.memberships).toEqual([]);

    const rita = await provider.person(stage.api, 'sub-rita', 'RITA+Q@example.org');
    rita.follow(owner);
    const me = await rita.get<{ memberships: object[] }>('/me');
    expect(me.body.memberships).toMatchObject([
      { organisationId: stage.org, organisationName: 'Example', timeZone: 'UTC', role: 'recruiter' },
    ]);
    const bound = await owner.get<Member>(members('sub-rita'), {
      'consistency-token': me.headers.get('consistency-token') ?? '',
    });
    expect(bound.body).toEqual({ ...changed.body, subject: 'sub-rita', version: 3 });
    for (const [method, body] of [['GET'], ['PATCH', { role: 'owner' }], ['DELETE']] as const) {
      const { token } = owner;
      await refused(
        () => stage.api.send(method, members('rita+q@example.org'), { token, body }),
        404,
        'not_found',
      );
    }
    const impostor = await provider.person(stage.api, 'sub-impostor', 'rita+q@example.org');
    expect((await impostor.get(stage.at())).status).toBe(403);
    // From now on only the subject counts, not the address.
    const renamed = await provider.person(stage.api, 'sub-rita', 'renamed@example.org', false);
    expect((await renamed.get(stage.at())).status).toBe(200);
  });

  it('by an id from the first moment on, in every path, so that no path needs an address or a subject', async () => {
    const added = await add({ email: 'by-id@example.org', role: 'reviewer' });
    const { id } = added.body;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(added.headers.get('location')).toBe(members(id));
    const changed = await owner.patch<Member>(members(id), { role: 'recruiter' });
    expect(changed).toMatchObject({ status: 200, body: { id, role: 'recruiter' } });
    expect((await owner.get(members(id))).body).toEqual(changed.body);
    const person = await stage.signIn('by-id@example.org');
    person.follow(owner);
    await person.get('/me');
    owner.follow(person);
    // Signed in, it is the same member.
    const bound = await owner.get<Member>(members(id));
    expect(bound.body).toMatchObject({ id, subject: 'sub-by-id' });
    expect(await list()).toContainEqual(bound.body);
    // If a member's id is another member's subject, the path leads to the member with that id.
    const other = await add({ subject: id, role: 'reviewer' });
    expect((await owner.get(members(id))).body).toEqual(bound.body);
    for (const member of [other.body.id, id]) {
      expect((await owner.delete(members(member))).status).toBe(204);
      for (const [method, body] of [['GET'], ['PATCH', { role: 'owner' }], ['DELETE']] as const)
        await refused(() => owner.send(method, members(member), body, {}), 404, 'not_found');
    }
  });

  it('by subject: with any characters, and an address from the first sign-in on', async () => {
    const subject = 'auth0|a/b?c#d%e ä💡';
    const added = await add({ subject, role: 'recruiter' });
    expect(added).toMatchObject({
      status: 201,
      body: { subject, email: null, role: 'recruiter', version: 1 },
    });
    for (const path of [added.headers.get('location')!, members(subject)])
      expect((await owner.get(path)).body).toEqual(added.body);
    const person = await provider.person(stage.api, subject, 'by-subject@example.org');
    person.follow(owner);
    expect((await person.get(stage.at('/signal'))).status).toBe(200);
    expect((await person.get(members(subject))).body).toMatchObject({
      email: 'by-subject@example.org',
      version: 2,
    });
    const changed = await owner.patch<Member>(members(subject), { role: 'reviewer' });
    expect(changed).toMatchObject({ status: 200, body: { role: 'reviewer', version: 3 } });
    expect((await owner.delete(members(subject))).status).toBe(204);
    await refused(() => owner.delete(members(subject)), 404, 'not_found');
    person.follow(owner);
    expect((await person.get(stage.at('/signal'))).status).toBe(403);
  });

  it('are listed oldest first, as each is read', async () => {
    const all = await list();
    expect(all[0]).toMatchObject({
      subject: 'sub-owner',
      email: 'owner@example.org',
      role: 'owner',
      version: 2,
    });
    expect(all[1]).toMatchObject({ subject: 'sub-admin', role: 'admin' });
    for (const member of all)
      expect((await owner.get(members(member.subject ?? member.email!))).body).toEqual(member);
  });

  it('once each, by whichever name', async () => {
    await add({ email: 'once@example.org', role: 'reviewer' });
    for (const body of [
      { email: 'ONCE@example.org', role: 'admin' },
      { email: 'admin@example.org', role: 'reviewer' },
      { subject: 'sub-admin', role: 'reviewer' },
      { email: 'owner@example.org', role: 'reviewer' },
    ])
      await refused(() => add(body), 409, 'already_member');
    const both = [
      { email: 'race@example.org' },
      { email: ' Race@Example.org' },
      { email: 'RACE@example.org' },
    ];
    const replies = await Promise.all(both.map((name) => add({ ...name, role: 'reviewer' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('and not at all by half of a surrogate pair', async () => {
    const listed = await list();
    for (const name of [{ subject: 'half-\ud83d' }, { email: 'half-\ud83d@example.org' }])
      await refused(() => add({ ...name, role: 'reviewer' }), 400, 'validation_failed');
    for (const half of ['%ED%A0%BD', 'half-%ED%A0%BD'])
      for (const method of ['GET', 'DELETE'])
        await refused(
          () => stage.api.send(method, `${members()}/${half}?cursor=${half}`, { token: owner.token }),
          404,
          'not_found',
        );
    expect(await list()).toEqual(listed);
  });

  it('roles change only as they are changed', async () => {
    await add({ email: 'changing@example.org', role: 'reviewer' });
    const path = members('changing@example.org');
    await refused(() => owner.patch(path, { role: 'admin' }, { 'if-match': '"2"' }), 412, 'version_mismatch');
    await refused(() => owner.delete(path, { 'if-match': '"2"' }), 412, 'version_mismatch');
    const head = await stage.head();
    expect(await owner.patch(path, { role: 'reviewer' })).toMatchObject({
      status: 200,
      body: { version: 1 },
    });
    expect(await stage.head()).toBe(head);
    expect(await owner.patch(path, { role: 'admin' })).toMatchObject({ status: 200, body: { version: 2 } });
    expect((await owner.delete(path, { 'if-match': '"2"' })).status).toBe(204);
    const again = await add({ email: 'changing@example.org', role: 'reviewer' });
    expect(again).toMatchObject({ status: 201, body: { role: 'reviewer', version: 1 } });
  });

  it('an admin manages everybody but owners', async () => {
    await refused(() => add({ email: 'more@example.org', role: 'owner' }, admin), 403, 'forbidden');
    for (const role of ['owner', 'admin', 'reviewer'])
      await refused(() => admin.patch(members('sub-owner'), { role }), 403, 'forbidden');
    await refused(() => admin.delete(members('sub-owner')), 403, 'forbidden');
    const added = await add({ email: 'more@example.org', role: 'reviewer' }, admin);
    expect(added.status).toBe(201);
    await refused(() => admin.patch(members('more@example.org'), { role: 'owner' }), 403, 'forbidden');
    await refused(() => admin.patch(members('sub-admin'), { role: 'owner' }), 403, 'forbidden');
    expect((await admin.patch(members('more@example.org'), { role: 'admin' })).status).toBe(200);
    expect((await admin.delete(members('more@example.org'))).status).toBe(204);
    owner.follow(admin);
    await add({ email: 'waiting-owner@example.org', role: 'owner' });
    await refused(() => admin.delete(members('waiting-owner@example.org')), 403, 'forbidden');
    expect((await owner.delete(members('waiting-owner@example.org'))).status).toBe(204);
  });

  it('the last owner stays, and one who has never signed in does not count', async () => {
    const last = async () => {
      for (const role of ['admin', 'reviewer'])
        await refused(() => owner.patch(members('sub-owner'), { role }), 409, 'last_owner');
      await refused(() => owner.delete(members('sub-owner')), 409, 'last_owner');
    };
    await last();
    await add({ email: 'heir@example.org', role: 'owner' });
    await add({ subject: 'sub-other-heir', role: 'owner' });
    await last();
    // An owner who has not signed in does not count as the last one, and can be removed.
    expect((await owner.delete(members('sub-other-heir'))).status).toBe(204);
    const heir = await stage.signIn('heir@example.org');
    heir.follow(owner);
    expect((await heir.get('/me')).status).toBe(200);
    expect((await owner.patch(members('sub-owner'), { role: 'admin' })).status).toBe(200);
    await refused(() => owner.post(members(), { email: 'x@example.org', role: 'owner' }), 403, 'forbidden');
    heir.follow(owner);
    expect((await heir.patch(members('sub-owner'), { role: 'owner' })).status).toBe(200);
    owner.follow(heir);
    expect((await owner.delete(members('sub-heir'))).status).toBe(204);
    heir.follow(owner);
    expect((await heir.get(stage.at())).status).toBe(403);
  });

  it('two owners who remove each other at once: one stays', async () => {
    const partner = await join('partner', 'owner');
    const org = stage.org;
    const replies = await Promise.all([
      owner.delete(`/organisations/${org}/members/sub-partner`),
      partner.delete(`/organisations/${org}/members/sub-owner`),
    ]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect([403, 409]).toContain(statuses.find((status) => status !== 204));
    const [stays, goes] = statuses[0] === 204 ? [owner, partner] : [partner, owner];
    stays.follow(replies[0].status === 204 ? owner : partner);
    expect(
      (await list(stays)).filter(({ role, subject }) => role === 'owner' && subject !== null),
    ).toHaveLength(1);
    // Restores the owner for the next tests.
    if (stays === partner) {
      await partner.post(members(), { subject: 'sub-owner', role: 'owner' });
      goes.follow(partner);
      await goes.get('/me');
      await goes.delete(members('sub-partner'));
    }
  });

  it('one person is a member here and there, each with a role of its own', async () => {
    const other = await stage.organisation('Other', 'admin@example.org');
    const { body } = await admin.get<{
      memberships: { organisationId: string; role: string; permissions: string[] }[];
    }>('/me');
    const roles = new Map(body.memberships.map(({ organisationId, role }) => [organisationId, role]));
    expect(roles).toEqual(
      new Map([
        [stage.org, 'admin'],
        [other, 'owner'],
      ]),
    );
    for (const { role, permissions } of body.memberships)
      expect(permissions.includes('owners.manage')).toBe(role === 'owner');
  });
});
