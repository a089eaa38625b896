import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { definition } from '../support/organisation.js';
import { joinStage, type Failure, type Stage } from '../support/stage.js';

interface Role {
  readonly id: string;
  readonly version: number;
  readonly dimensions: readonly { readonly id: string; readonly name: string }[];
}
interface Version {
  readonly version: number;
  readonly at: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly action: string;
  readonly changes: readonly object[];
}
interface Page extends Failure {
  readonly items: readonly Version[];
  readonly nextCursor: string | null;
}

describe('a role’s versions', () => {
  let stage: Stage;
  let role: string;
  let subject: string;
  const former: Role[] = [];

  const path = (rest: string, id = role) => stage.at(`/roles/${id}${rest}`);
  const versions = (query = '') => stage.owner.get<Page>(path(`/versions${query}`));
  const difference = (from: number | string, to: number | string) =>
    stage.owner.get<{ changes: object[] } & Failure>(path(`/difference?from=${from}&to=${to}`));

  beforeAll(async () => {
    stage = await joinStage();
    const { owner } = stage;
    subject = (await owner.get<{ subject: string }>('/me')).body.subject;
    const first = (await owner.post<Role>(stage.at('/roles'), definition('First'))).body;
    role = first.id;
    const { dimensions, ...rest } = definition('Second');
    const [one, other] = first.dimensions;
    const later = [
      { ...dimensions[0], id: one!.id, name: 'Works', weight: 50 },
      { ...dimensions[1], id: other!.id },
    ];
    const second = (await owner.patch<Role>(path(''), { ...rest, dimensions: later })).body;
    const third = (await owner.post<Role>(path('/archive'))).body;
    former.push(first, second, third);
  });
  afterAll(() => stage.close());

  it('say who made them, when, and what changed', async () => {
    const { status, body } = await versions();
    const actor = { type: 'staff', id: subject };
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [
        { version: 3, at: expect.any(String), actor, action: 'role.archived', changes: [] },
        {
          ...{ version: 2, at: expect.any(String), actor, action: 'role.updated' },
          changes: [
            { path: 'name', dimensionName: null, before: 'First', after: 'Second' },
            { path: 'dimensions.name', dimensionName: 'Works', before: 'Does it work?', after: 'Works' },
            { path: 'dimensions.weight', dimensionName: 'Works', before: 60, after: 50 },
          ],
        },
        { version: 1, at: expect.any(String), actor, action: 'role.created', changes: [] },
      ],
      nextCursor: null,
    });
  });

  it('are walked by pages, each version once', async () => {
    const walked: Version[] = [];
    for (let query = '?limit=1'; query !== '';) {
      const { body } = await versions(query);
      walked.push(...body.items);
      query = body.nextCursor === null ? '' : `?limit=1&cursor=${body.nextCursor}`;
    }
    expect(walked).toEqual((await versions()).body.items);
    for (const cursor of ['x', Buffer.from('before 1').toString('base64url'), 'before%202'])
      expect(await versions(`?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { details: [{ path: 'cursor' }] },
      });
  });

  it('are read as they were', async () => {
    for (const [index, one] of former.entries()) {
      const read = await stage.owner.get<Role>(path(`?version=${index + 1}`));
      expect(read.body).toEqual(one);
      expect(read.headers.get('etag')).toBe(`"${index + 1}"`);
    }
    for (const version of [0, 4, '9'.repeat(30)])
      expect((await stage.owner.get(path(`?version=${version}`))).status).toBe(404);
    expect((await stage.owner.get(path('?version=x'))).status).toBe(400);
  });

  it('are compared, in either direction', async () => {
    expect((await difference(1, 3)).body.changes).toHaveLength(3);
    expect((await difference(3, 1)).body.changes).toMatchObject([
      { path: 'name', before: 'Second', after: 'First' },
      { path: 'dimensions.name', dimensionName: 'Does it work?', before: 'Works' },
      { path: 'dimensions.weight', before: 50, after: 60 },
    ]);
    expect((await difference(2, 3)).body).toEqual({ from: 2, to: 3, changes: [] });
    for (const [from, to] of [
      [0, 1],
      [1, 4],
    ] as const)
      expect((await difference(from, to)).status).toBe(404);
    expect(await difference('x', 1)).toMatchObject({ status: 400, body: { details: [{ path: 'from' }] } });
    expect((await stage.owner.get(path('/difference?from=1'))).status).toBe(400);
  });

  it('are not found for a role that is none', async () => {
    for (const rest of ['/versions', '/difference?from=1&to=1'])
      expect((await stage.owner.get(path(rest, 'no-id'))).status).toBe(404);
  });
});
