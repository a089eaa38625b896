import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { definition, invite } from '../support/organisation.js';
import { joinStage, type Failure, type Stage } from '../support/stage.js';

interface Role {
  readonly id: string;
  readonly status: string;
  readonly archivedAt: string | null;
  readonly version: number;
}

describe('archived roles', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await joinStage();
  });
  afterAll(() => stage.close());

  const archive = (role: string, headers = {}) =>
    stage.owner.post<Role & Failure>(stage.at(`/roles/${role}/archive`), undefined, headers);
  const unarchive = (role: string) => stage.owner.delete<Role>(stage.at(`/roles/${role}/archive`));
  const listed = async (query = '') =>
    (await stage.owner.get<{ items: Role[] }>(stage.at(`/roles${query}`))).body.items.map(({ id }) => id);

  it('take no invitation, one or many, until they are taken out of the archive', async () => {
    const role = await stage.role();
    const archived = await archive(role);
    expect(archived).toMatchObject({
      status: 200,
      body: { id: role, status: 'ready', version: 2, archivedAt: expect.any(String) },
    });
    expect(archived.headers.get('etag')).toBe('"2"');
    expect((await stage.owner.get(stage.at(`/roles/${role}`))).body).toEqual(archived.body);
    const candidateEmail = 'late@example.org';
    const path = stage.at(`/roles/${role}/invitations`);
    expect(await stage.owner.post(path, { candidateEmail })).toMatchObject({
      status: 409,
      body: { code: 'role_archived', error: expect.stringContaining('archive') },
    });
    expect(
      (await stage.owner.post(`${path}/batch`, { invitations: [{ candidateEmail }] })).body,
    ).toMatchObject({ items: [{ status: 409, code: 'role_archived' }] });
    expect(await unarchive(role)).toMatchObject({ status: 200, body: { archivedAt: null, version: 3 } });
    await invite(stage.owner, stage.org, role, candidateEmail);
  });

  it('let open sessions go on, and keep their row and counts in the signal', async () => {
    const role = await stage.role('Kept');
    const { person, session } = await stage.started(role);
    await archive(role);
    person.follow(stage.owner);
    expect((await person.post(`${session}/complete`)).status).toBe(200);
    stage.owner.follow(person);
    const { body } = await stage.owner.get<{ roles: { roleId: string }[] }>(stage.at('/signal'));
    expect(body.roles.find(({ roleId }) => roleId === role)).toMatchObject({
      roleName: 'Kept',
      trialCompletedCount: 1,
    });
  });

  it('can be left out of the list, or be all of it', async () => {
    const [kept, archived] = [await stage.role(), await stage.role()];
    await archive(archived);
    expect(await listed('?limit=200')).toEqual(expect.arrayContaining([kept, archived]));
    const open = await listed('?archived=false&limit=200');
    expect([open.includes(kept), open.includes(archived)]).toEqual([true, false]);
    const closed = await listed('?archived=true&sort=-createdAt&limit=200');
    expect([closed[0], closed.includes(kept)]).toEqual([archived, false]);
    expect(await stage.owner.get(stage.at('/roles?archived=maybe'))).toMatchObject({
      status: 400,
      body: { details: [{ path: 'archived' }] },
    });
  });

  it('are so once: again changes nothing, and a stale version is refused', async () => {
    const role = await stage.role();
    expect((await unarchive(role)).body).toMatchObject({ archivedAt: null, version: 1 });
    const first = await archive(role, { 'if-match': '"1"' });
    expect((await archive(role)).body).toEqual(first.body);
    expect(await archive(role, { 'if-match': '"1"' })).toMatchObject({ status: 412 });
    expect(await archive('no-id')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('can be drafts, and can be changed', async () => {
    const draft = { ...definition(), dimensions: [] };
    const { body } = await stage.owner.post<Role>(stage.at('/roles'), draft);
    expect((await archive(body.id)).body).toMatchObject({ status: 'draft' });
    const changed = await stage.owner.patch<Role>(stage.at(`/roles/${body.id}`), definition('Done'));
    expect(changed.body).toMatchObject({ status: 'ready', archivedAt: expect.any(String), version: 3 });
  });
});
