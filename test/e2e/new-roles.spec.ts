import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { definition, invite } from '../support/organisation.js';
import { joinStage, type Failure, type Stage } from '../support/stage.js';

interface Role {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly dimensions: readonly { readonly id: string; readonly name: string }[];
  readonly [field: string]: unknown;
}
interface Template {
  readonly id: string;
  readonly name: string;
}
interface Shown {
  readonly description: string;
  readonly language: string;
  readonly ticket: { readonly starterPaths: readonly string[] };
}
interface Ticket {
  readonly starter: { readonly files: readonly { readonly path: string }[] } | null;
}

let stage: Stage;
beforeAll(async () => {
  stage = await joinStage();
});
afterAll(() => stage.close());

const read = async (id: string) => (await stage.owner.get<Role>(stage.at(`/roles/${id}`))).body;
const withoutIds = ({ dimensions, ...role }: Role) => ({
  ...role,
  dimensions: dimensions.map((dimension) => ({ ...dimension, id: null })),
});

describe('a copy of a role', () => {
  const clone = (role: string, body?: object, headers = {}) =>
    stage.owner.post<Role & Failure>(stage.at(`/roles/${role}/clone`), body, headers);

  it('has its definition as it is now, with dimensions of its own, and is another role', async () => {
    const id = await stage.role('Backend');
    const more = {
      notice: { version: '1', text: 'It is recorded.' },
      reminderDays: [5],
      answerPauseMs: 4_000,
    };
    await stage.owner.patch(stage.at(`/roles/${id}`), { ...definition('Backend'), ...more });
    await stage.owner.post(stage.at(`/roles/${id}/archive`));
    const copy = await clone(id);
    expect(copy).toMatchObject({
      status: 201,
      body: { name: 'Backend (copy)', version: 1, archivedAt: null },
    });
    expect(copy.headers.get('location')).toBe(stage.at(`/roles/${copy.body.id}`));
    const original = await read(id);
    const own = { id: copy.body.id, name: 'Backend (copy)', version: 1, archivedAt: null };
    const { createdAt, updatedAt } = copy.body;
    expect(withoutIds(copy.body)).toEqual({ ...withoutIds(original), ...own, createdAt, updatedAt });
    const ids = original.dimensions.map((one) => one.id);
    expect(copy.body.dimensions.some((one) => ids.includes(one.id))).toBe(false);
    expect(await read(copy.body.id)).toEqual(copy.body);
    // A change of the copy does not change the original.
    await stage.owner.patch(stage.at(`/roles/${copy.body.id}`), definition('Other'));
    expect(await read(id)).toEqual(original);
  });

  it('takes a name, and may be of a draft', async () => {
    const draft = { ...definition(), dimensions: [] };
    const { body } = await stage.owner.post<Role>(stage.at('/roles'), draft);
    expect((await clone(body.id, { name: 'Zurich' })).body).toMatchObject({
      name: 'Zurich',
      status: 'draft',
    });
    for (const name of ['', ' ', 'x'.repeat(201), 7, null])
      expect(await clone(body.id, { name })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'name' }] },
      });
    expect(await clone('no-id')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('is made once for an Idempotency-Key, whatever becomes of the role meanwhile', async () => {
    const id = await stage.role('Once');
    const key = { 'idempotency-key': 'copy-1' };
    const first = await clone(id, {}, key);
    await stage.owner.patch(stage.at(`/roles/${id}`), definition('Renamed'));
    expect((await clone(id, {}, key)).body).toEqual(first.body);
    expect(await clone(id, { name: 'Other' }, key)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
  });
});

describe('a role from a template', () => {
  const templates = async (query = '') =>
    (await stage.owner.get<{ items: Template[] }>(stage.at(`/role-templates${query}`))).body.items;
  const create = (body: object) => stage.owner.post<Role & Failure>(stage.at('/role-templates/roles'), body);

  it('is as the list shows the template, and can be invited to at once', async () => {
    for (const language of ['en', 'de']) {
      const listed = await templates(`?language=${language}`);
      expect(listed.map(({ id }) => id)).toEqual(['backend', 'frontend', 'data', 'support']);
      for (const { id: template, ...shown } of listed) {
        const { status, body } = await create({ template, language });
        const { description, language: of, ticket, ...fields } = shown as unknown as Shown;
        expect([status, of, typeof description]).toEqual([201, language, 'string']);
        expect(body).toMatchObject({ ...fields, status: 'ready', notice: null });
        const [ticketId = '', ...others] = body['ticketIds'] as readonly string[];
        expect(others).toEqual([]);
        const { starterPaths, ...content } = ticket;
        const path = stage.at(`/tickets/${ticketId}`);
        const { starter, ...made } = (await stage.owner.get<Ticket>(path)).body;
        expect(made).toMatchObject({ ...content, version: 1, links: [], checks: null });
        expect((starter?.files ?? []).map((file) => file.path)).toEqual(starterPaths);
        // Others share it.
        expect((await create({ template, language })).body['ticketIds']).toEqual([ticketId]);
      }
    }
    const { body } = await create({ template: 'data', name: 'Analyst, Zurich' });
    expect(body).toMatchObject({ name: 'Analyst, Zurich' });
    await invite(stage.owner, stage.org, body.id, 'ann@example.org');
  });

  it('is in English unless another language is named', async () => {
    expect(await templates()).toEqual(await templates('?language=en'));
    expect((await create({ template: 'support' })).body.name).toBe('Support engineer');
    expect((await create({ template: 'support', language: 'de' })).body.name).toBe('Technischer Support');
  });

  it.each([
    [{}, 'template'],
    [{ template: 'sales' }, 'template'],
    [{ template: '__proto__' }, 'template'],
    [{ template: 'data', language: 'fr' }, 'language'],
    [{ template: 'data', name: ' ' }, 'name'],
    [{ template: 'data', overallThreshold: 1 }, 'overallThreshold'],
  ])('is refused for %j', async (body, path) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });
});

describe('a draft', () => {
  it('says what it lacks, wherever it is read, until it is ready', async () => {
    const draft = { name: ' ', overallThreshold: 60, dimensions: [], answerPauseMs: 0 };
    const { body } = await stage.owner.post<Role>(stage.at('/roles'), draft);
    const missing = ['name', 'dimensions', 'answerPauseMs'].map((path) => ({
      ...{ path, rule: expect.any(String), message: expect.stringMatching(/^\w+ must .+\.$/) },
    }));
    expect(body).toMatchObject({ status: 'draft', missing });
    expect((await read(body.id)).missing).toEqual(missing);
    const path = stage.at(`/roles/${body.id}`);
    const ready = await stage.owner.patch<Role>(path, { ...definition(), answerPauseMs: 500 });
    expect(ready.body).toMatchObject({ status: 'ready', missing: [] });
    expect((await stage.owner.get<Role>(`${path}?version=1`)).body.missing).toEqual(missing);
  });
});
