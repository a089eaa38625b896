import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AssayClient,
  type ClientOptions,
  isAssayError,
  type UpdateRole,
} from '../../packages/client/src/index.js';
import { definition as anyDefinition } from '../support/organisation.js';
import { joinStage, type Stage } from '../support/stage.js';

const ROLES = '/organisations/{orgId}/roles';
const ROLE = '/organisations/{orgId}/roles/{roleId}';

const definition = (name: string): UpdateRole => anyDefinition(name) as UpdateRole;

describe('the typed client of a service', () => {
  let stage: Stage;
  beforeAll(async () => (stage = await joinStage()));
  afterAll(() => stage.close());

  const open = (options: Partial<ClientOptions> = {}) =>
    new AssayClient({ baseUrl: stage.service.url, token: stage.owner.token, ...options });
  const org = () => ({ orgId: stage.org });
  const create = (client: AssayClient, name: string) =>
    client.post(ROLES, { params: org(), body: definition(name) });
  const namesOf = async (client: AssayClient, start: string): Promise<string[]> => {
    const names: string[] = [];
    for await (const { name } of client.list(ROLES, { params: { ...org(), limit: 7 } }))
      if (name.startsWith(start)) names.push(name);
    return names.sort();
  };
  const codeOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'none',
      (error: unknown) => (isAssayError(error) ? error.code : error),
    );

  it('does once what it is not answered', async () => {
    let lost = 0;
    const losing = async (...asked: Parameters<typeof fetch>): Promise<Response> => {
      const response = await fetch(...asked);
      if ((lost += 1) % 2 === 0) return response;
      await response.text();
      throw new TypeError('The answer is lost.');
    };
    const client = open({ fetch: losing });
    const role = await create(client, 'Lost');
    await create(client, 'Lost');
    expect(lost).toBe(4);
    expect(await namesOf(open(), 'Lost')).toEqual(['Lost', 'Lost']);
    // A change is not sent again: another caller may have replaced it meanwhile.
    const change = { params: { ...org(), roleId: role.id }, body: definition('Lost, renamed') };
    expect(await codeOf(client.patch(ROLE, change))).toBe('no_answer');
  });

  it('reads all that it has written at once, page by page, each once', async () => {
    for (let round = 0; round < 3; round++) {
      const client = open();
      const names = Array.from({ length: 16 }, (_, n) => `Round ${round}, ${String(n).padStart(2, '0')}`);
      await Promise.all(names.map((name) => create(client, name)));
      const other = open();
      other.readAfter(client.consistencyToken ?? '');
      expect(await namesOf(other, `Round ${round}`)).toEqual(names);
      expect(await namesOf(client, `Round ${round}`)).toEqual(names);
    }
  });

  it('changes a record only at the version that it has read, and gets 304 for that version', async () => {
    const client = open();
    const { id, version } = await create(client, 'Versions');
    const params = { ...org(), roleId: id };
    const changed = await client.patch(ROLE, { params, body: definition('Versions, 2'), ifMatch: version });
    expect(changed.version).toBe(version + 1);
    const late = client.patch(ROLE, { params, body: definition('Versions, 3'), ifMatch: version });
    expect(await codeOf(late)).toBe('version_mismatch');
    const { data, etag } = await client.send('get', ROLE, { params });
    expect(data?.name).toBe('Versions, 2');
    const again = await client.send('get', ROLE, { params, ifNoneMatch: etag ?? '' });
    expect([again.status, again.data]).toEqual([304, undefined]);
  });

  it('is refused by codes', async () => {
    const client = open();
    const made = await client.post(ROLES, { params: org(), body: definition('Key'), idempotencyKey: 'k-1' });
    const again = await client.post(ROLES, { params: org(), body: definition('Key'), idempotencyKey: 'k-1' });
    expect(again).toEqual(made);
    const other = client.post(ROLES, { params: org(), body: definition('Other'), idempotencyKey: 'k-1' });
    expect(await codeOf(other)).toBe('idempotency_key_reused');
    expect(await codeOf(client.get(ROLE, { params: { ...org(), roleId: 'none' } }))).toBe('not_found');
    expect(await codeOf(client.get(ROLES, { params: { orgId: 'none' } }))).toBe('forbidden');
    expect(await codeOf(open({ token: 'a.b.c' }).get('/me'))).toBe('invalid_token');
  });

  it('continues with a renewed credential', async () => {
    const client = open({ token: (refused) => (refused === null ? 'a.b.c' : stage.owner.token) });
    expect((await client.get('/me')).email).toBe(stage.owner.email);
  });
});
