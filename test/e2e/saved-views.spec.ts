import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Person } from '../support/api.js';
import { type Failure, joinStage, type Stage } from '../support/stage.js';

interface View {
  readonly id: string;
  readonly list: string;
  readonly name: string | null;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly erased: boolean;
  readonly shared: boolean;
  readonly mine: boolean;
  readonly createdBy: string;
  readonly version: number;
}
interface Page {
  readonly items: readonly View[];
  readonly nextCursor: string | null;
}

describe('saved views', () => {
  let stage: Stage;
  let owner: Person;
  let rita: Person;
  let roleId: string;
  const at = (path = '') => stage.at(`/saved-views${path}`);
  const names = async (person: Person, query = ''): Promise<readonly (string | null)[]> =>
    (await person.get<Page>(at(query))).body.items.map(({ name }) => name);
  let count = 0;
  const save = async (person: Person, over: object = {}): Promise<View> => {
    const body = { list: 'applications', name: `View ${++count}`, filter: { status: 'invited' }, ...over };
    const reply = await person.post<View>(at(), body);
    expect([reply.status, reply.text]).toEqual([201, reply.text]);
    for (const one of [owner, rita]) one.follow(person);
    return reply.body;
  };

  beforeAll(async () => {
    stage = await joinStage();
    owner = stage.owner;
    roleId = await stage.role();
    rita = await stage.member('reviewer');
    owner.follow(rita);
  });
  afterAll(() => stage.close());

  it('are their maker’s alone, or everybody’s', async () => {
    const own = await save(rita, { name: '  Mine ', filter: { roleId, waiting: 'outcome' } });
    const shared = await save(rita, { name: 'For all', shared: true });
    expect(own).toMatchObject({
      name: 'Mine',
      filter: { roleId, waiting: 'outcome' },
      mine: true,
      version: 1,
    });
    expect(await names(rita)).toEqual(['Mine', 'For all']);
    expect(await names(owner)).toEqual(['For all']);
    expect((await owner.get<View>(at(`/${shared.id}`))).body).toEqual({ ...shared, mine: false });
    for (const reply of [
      await owner.get<Failure>(at(`/${own.id}`)),
      await owner.patch<Failure>(at(`/${own.id}`), { name: 'Taken over' }),
      await owner.delete<Failure>(at(`/${own.id}`)),
    ])
      expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
  });

  it('are listed by their list, a page at a time', async () => {
    const [first, second] = [
      await save(rita, { list: 'evaluations', filter: { minScore: 60 } }),
      await save(rita),
    ];
    const all = (await rita.get<Page>(at())).body.items.map(({ id }) => id);
    expect(all.slice(-2)).toEqual([first.id, second.id]);
    expect((await rita.get<Page>(at('?list=evaluations'))).body.items.map(({ id }) => id)).toEqual([
      first.id,
    ]);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: Page } = await rita.get<Page>(at(`?limit=1${cursor && `&cursor=${cursor}`}`));
      paged.push(...body.items.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    expect(paged).toEqual(all);
    expect((await rita.get(at('?cursor=none'))).status).toBe(400);
  });

  it('are changed at the version that is named, and removed', async () => {
    const { id } = await save(rita, { shared: true });
    const changed = await rita.patch<View>(
      at(`/${id}`),
      { filter: { sort: '-roleName' } },
      { 'if-match': '"1"' },
    );
    expect(changed.body).toMatchObject({ filter: { sort: '-roleName' }, shared: true, version: 2 });
    expect(changed.headers.get('etag')).toBe('"2"');
    const stale = await rita.patch<Failure>(at(`/${id}`), { name: 'Stale' }, { 'if-match': '"1"' });
    expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
    owner.follow(rita);
    // An owner may change what another member has shared; a reviewer may not.
    expect((await owner.patch(at(`/${id}`), { name: 'Renamed' })).status).toBe(200);
    const ownersOwn = await save(owner, { shared: true });
    expect((await rita.patch<Failure>(at(`/${ownersOwn.id}`), { name: 'N' })).body.code).toBe('forbidden');
    expect((await owner.delete(at(`/${id}`))).status).toBe(204);
    rita.follow(owner);
    expect((await rita.get(at(`/${id}`))).status).toBe(404);
    expect((await rita.delete(at(`/${id}`))).status).toBe(404);
  });

  it('are made once by the same Idempotency-Key', async () => {
    const send = (name: string) =>
      rita.post<View & Failure>(
        at(),
        { list: 'applications', name, filter: { text: 'Back' } },
        { 'idempotency-key': 'saved once' },
      );
    const first = await send('Once');
    expect((await send('Once')).body).toEqual(first.body);
    expect((await send('Twice')).body.code).toBe('idempotency_key_reused');
  });

  it.each([
    [{ filter: { q: 'x' } }, 'filter.q', 'unknown'],
    [{ filter: { scores: 'dimensions' } }, 'filter.scores', 'unknown'],
    [{ filter: { status: 'ready' } }, 'filter.status', 'oneOf'],
    [{ filter: { roleId: 'ada@example.org' } }, 'filter.roleId', 'uuid'],
    [{ filter: { from: 'yesterday' } }, 'filter.from', 'timestamp'],
    [{ filter: { waiting: 'outcome', status: 'invited' } }, 'filter.status', 'together'],
    [{ filter: { waiting: 'outcome', text: 'Back' } }, 'filter.text', 'together'],
    [{ filter: { text: ' ' } }, 'filter.text', 'text'],
    [{ filter: { text: 'nobody@example.org' } }, 'filter.text', 'candidate'],
    [{ filter: { status: null } }, 'filter.status', 'type'],
    [{ list: 'evaluations', filter: { minScore: '60' } }, 'filter.minScore', 'type'],
    [{ list: 'evaluations', filter: { text: 'Back' } }, 'filter.text', 'unknown'],
    [{ list: 'roles' }, 'list', 'oneOf'],
    [{ filter: [] }, 'filter', 'object'],
    [{ name: '  ' }, 'name', 'pattern'],
    [{ name: 'ada@example.org' }, 'name', 'pattern'],
  ])('take no %j', async (over, path, rule) => {
    const body = { list: 'applications', name: 'Never', filter: {}, ...over };
    const reply = await rita.post<Failure>(at(), body);
    expect([reply.status, reply.body.details]).toEqual([
      400,
      [{ path, rule, message: expect.stringContaining(path) as unknown }],
    ]);
  });

  it('that show one candidate by their id keep their name for as long as that person is not erased', async () => {
    const candidate = await stage.candidate(roleId);
    owner.follow(candidate.person);
    const { body } = await owner.get<{ candidateId: string }>(candidate.application);
    const filter = { candidateId: body.candidateId };
    const { id, ...view } = await save(owner, { name: 'Ada’s attempts', filter });
    expect(view).toMatchObject({ name: 'Ada’s attempts', filter, erased: false });
    const narrowed = await save(owner, { name: 'Ada, later' });
    await owner.patch(at(`/${narrowed.id}`), { filter });
    const stranger = await save(owner, { name: 'Nobody’s', filter: { candidateId: roleId } });

    await owner.post(`${candidate.application}/erasure`);
    for (const one of [id, narrowed.id])
      expect((await owner.get<View>(at(`/${one}`))).body).toMatchObject({ name: null, filter, erased: true });
    expect((await owner.get<View>(at(`/${stranger.id}`))).body.name).toBe('Nobody’s');
    const after = await save(owner, { name: 'Of one erased', filter });
    expect(after).toMatchObject({ name: 'Of one erased', erased: false });
  });

  it('keep a searched address and the name for as long as its person is not erased', async () => {
    const candidate = await stage.candidate(roleId);
    owner.follow(candidate.person);
    const filter = { status: 'invited', text: candidate.email };
    const view = await save(owner, { name: 'About Ada', filter, shared: true });
    expect(view).toMatchObject({ filter, erased: false });
    const stored: string[] = [];
    for await (const { data, metadata } of (await stage.log()).readStream(
      `saved_views-${stage.org}` as never,
    ))
      stored.push(`${Buffer.from(data).toString()}${Buffer.from(metadata).toString()}`);
    expect(stored.at(-1)).toContain(view.id);
    expect(stored.join()).not.toMatch(/@|About|Back|Mine/);

    await owner.post(`${candidate.application}/erasure`);
    rita.follow(owner);
    for (const person of [owner, rita]) {
      const shown = await person.get<View>(at(`/${view.id}`));
      expect(shown.body).toMatchObject({ name: null, erased: true, filter: { status: 'invited' } });
      expect(shown.body.filter).not.toHaveProperty('text');
      expect(shown.headers.get('etag')).not.toBe('"1"');
    }
    for (const change of [{ name: 'Still about her' }, { name: null, filter: {} }, { shared: true }]) {
      const refused = await owner.patch<Failure>(at(`/${view.id}`), change);
      expect([refused.status, refused.body.code]).toEqual([410, 'erased']);
    }
    const anew = await owner.patch<View>(at(`/${view.id}`), {
      name: 'Invited',
      filter: { status: 'invited' },
    });
    expect(anew.body).toMatchObject({ name: 'Invited', erased: false, version: 2 });
  });

  it('go with their member if they are not shared', async () => {
    const leaving = await stage.member('recruiter', 'leaving');
    owner.follow(leaving);
    const own = await save(leaving, { name: 'Only mine' });
    const shared = await save(leaving, { name: 'Left to all', shared: true });
    const { body } = await owner.get<{ items: { id: string; subject: string }[] }>(stage.at('/members'));
    const member = body.items.find(({ subject }) => subject === shared.createdBy);
    expect((await owner.delete(stage.at(`/members/${member!.id}`))).status).toBe(204);
    expect(await names(owner)).toContain('Left to all');
    expect(await names(owner)).not.toContain('Only mine');
    // The same person as a member again has none of their former views.
    const again = await stage.member('recruiter', 'leaving');
    expect(await names(again)).not.toContain('Only mine');
    expect((await again.get(at(`/${own.id}`))).status).toBe(404);
    expect((await again.patch<Failure>(at(`/${shared.id}`), { name: 'N' })).body.code).toBe('forbidden');
  });
});
