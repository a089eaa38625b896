import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { joinStage, type Failure, type Stage } from '../support/stage.js';

const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';
const CONTENT = {
  title: 'Repair the parser',
  description: 'It drops the **last** line.',
  links: [{ title: 'Repository', url: 'https://git.example.org/parser' }],
  estimatedMinutes: 45,
  kind: 'files',
};

interface Ticket {
  readonly id: string;
  readonly version: number;
}

describe('tickets', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await joinStage();
  });
  afterAll(() => stage.close());

  const create = (body: object = CONTENT) => stage.owner.post<Ticket & Failure>(stage.at('/tickets'), body);

  it('are created, read, listed and changed', async () => {
    const { owner } = stage;
    const created = await create();
    const { id } = created.body;
    expect(created).toMatchObject({
      status: 201,
      body: { ...CONTENT, organisationId: stage.org, version: 1, createdAt: expect.any(String) },
    });
    expect(created.headers.get('location')).toBe(stage.at(`/tickets/${id}`));
    expect((await owner.get(stage.at(`/tickets/${id}`))).body).toEqual(created.body);
    const changed = await owner.patch(stage.at(`/tickets/${id}`), {
      title: 'Printer',
      estimatedMinutes: null,
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { ...CONTENT, title: 'Printer', estimatedMinutes: null, version: 2 },
    });
    expect((await owner.get(stage.at('/tickets'))).body).toEqual({ items: [changed.body], nextCursor: null });
    const stale = await owner.patch(stage.at(`/tickets/${id}`), { title: 'B' }, { 'if-match': '"1"' });
    expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
  });

  it('need a title alone', async () => {
    expect((await create({ title: 'Parser' })).body).toMatchObject({
      ...{ title: 'Parser', description: null, links: [], estimatedMinutes: null },
      ...{ kind: null, starter: null, checks: null },
    });
  });

  it.each<[string, string, object]>([
    ['no title', 'title', { description: 'x' }],
    ['a blank title', 'title', { title: ' ' }],
    ['a long title', 'title', { title: 'x'.repeat(201) }],
    ['a long description', 'description', { title: 'x', description: 'x'.repeat(16_001) }],
    ['no minutes', 'estimatedMinutes', { title: 'x', estimatedMinutes: 0 }],
    [
      'a link that runs code',
      'links[0].url',
      { title: 'x', links: [{ title: 'x', url: 'javascript:alert(1)' }] },
    ],
    ...[
      'https://ann:secret@x.example/',
      'https://git.example.org@x.example',
      'http://:secret@x.example',
      'https://@x.example/',
      'https:///ann@x.example/',
      'https:\\\\ann@x.example',
      'https://x.example\\@y.example/',
    ].map((url): [string, string, object] => [
      `a link to somebody's account, ${url}`,
      'links[0].url',
      { title: 'x', links: [{ title: 'x', url }] },
    ]),
    ['a link without a title', 'links[0].title', { title: 'x', links: [{ url: 'https://x.example' }] }],
    [
      'too many links',
      'links',
      { title: 'x', links: Array.from({ length: 21 }, () => ({ title: 'x', url: 'https://x.example' })) },
    ],
    ['an unknown kind', 'kind', { title: 'x', kind: 'video' }],
    ['another field', 'unheardOf', { title: 'x', unheardOf: 1 }],
  ])('with %s are refused', async (_, path, body) => {
    const refused = await create(body);
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(refused.body.details?.map((one) => one.path)).toEqual([path]);
  });

  it('are read in any of their versions', async () => {
    const { owner } = stage;
    const { body } = await create();
    const at = stage.at(`/tickets/${body.id}`);
    const changed = await owner.patch(at, { title: 'Printer', links: [] });
    expect((await owner.get(`${at}?version=1`)).body).toEqual(body);
    for (const path of [at, `${at}?version=2`]) expect((await owner.get(path)).body).toEqual(changed.body);
    for (const version of [0, 3, Number.MAX_SAFE_INTEGER])
      expect(await owner.get(`${at}?version=${version}`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    for (const version of ['-1', 'x', '1.5'])
      expect(await owner.get(`${at}?version=${version}`)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', details: [{ path: 'version' }] },
      });
  });

  it('that are unknown cannot be read or changed', async () => {
    for (const id of [UNKNOWN, 'x']) {
      expect((await stage.owner.get(stage.at(`/tickets/${id}`))).status).toBe(404);
      expect((await stage.owner.patch(stage.at(`/tickets/${id}`), { title: 'x' })).status).toBe(404);
    }
  });

  it('are in the audit trail', async () => {
    await create();
    const { body } = await stage.owner.get<{ items: { action: string; subject: object }[] }>(
      stage.at('/audit'),
    );
    expect(body.items[0]).toMatchObject({
      action: 'ticket.created',
      subject: { type: 'organisation', id: stage.org },
    });
  });
});
