import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { definition } from '../support/organisation.js';
import { type Failure, joinStage, type Stage } from '../support/stage.js';

interface Answers extends Failure {
  readonly items: readonly {
    readonly status: number;
    readonly code?: string;
    readonly application?: { readonly id: string; readonly candidateEmail: string };
    readonly details?: readonly { readonly path: string }[];
  }[];
}

describe('several invitations at once', () => {
  let stage: Stage;
  let role: string;
  beforeAll(async () => {
    stage = await joinStage();
    role = await stage.role();
  });
  afterAll(() => stage.close());

  const invite = (invitations: unknown, headers: Record<string, string> = {}, roleId = role) =>
    stage.owner.post<Answers>(stage.at(`/roles/${roleId}/invitations/batch`), { invitations }, headers);
  const to = (name: string) => ({ candidateEmail: `${name}@example.org` });

  it('are answered each by itself, in order', async () => {
    await invite([to('known')]);
    const { status, body } = await invite([
      { ...to('ada'), candidateName: 'Ada', language: 'de' },
      { candidateEmail: 'nobody' },
      to('known'),
      'text',
      { ...to('bob'), expiresAt: '2001-01-01T00:00:00.000Z' },
      to('ADA'),
      { ...to('carol'), unheardOf: 1 },
      to('dora'),
    ]);
    expect(status).toBe(200);
    expect(body.items.map((one) => [one.status, one.code])).toEqual([
      [201, undefined],
      [400, 'validation_failed'],
      [409, 'already_invited'],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
      [409, 'already_invited'],
      [400, 'validation_failed'],
      [201, undefined],
    ]);
    expect(body.items[0]!.application).toMatchObject({
      ...{ candidateEmail: 'ada@example.org', candidateName: 'Ada', language: 'de', status: 'invited' },
    });
    expect(body.items[6]!.details).toMatchObject([{ path: 'unheardOf' }]);
    const { id } = body.items[7]!.application!;
    const read = await stage.owner.get(stage.at(`/applications/${id}`));
    expect(read.body).toEqual(body.items[7]!.application);
  });

  it('sent again under their key open nothing more', async () => {
    const key = { 'idempotency-key': 'batch-1' };
    const first = await invite([to('erin'), to('known')], key);
    const again = await invite([to('erin'), to('known')], key);
    expect(again.body).toEqual(first.body);
    const other = await invite([to('frank'), to('known')], key);
    expect(other.body.items).toMatchObject([
      { status: 409, code: 'idempotency_key_reused' },
      { status: 409 },
    ]);
  });

  it('are 1 to 200, for a role that is there and ready', async () => {
    for (const wrong of [[], {}, null, undefined, Array.from({ length: 201 }, (_, n) => to(`many-${n}`))]) {
      const refused = await invite(wrong);
      expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      expect(refused.body.details).toMatchObject([{ path: 'invitations' }]);
    }
    const all = await invite(Array.from({ length: 200 }, (_, n) => to(`many-${n}`)));
    expect(new Set(all.body.items.map((one) => one.status))).toEqual(new Set([201]));
    const draft = await stage.owner.post<{ id: string }>(stage.at('/roles'), {
      ...definition(),
      dimensions: [],
    });
    expect((await invite([to('gina')], {}, draft.body.id)).body.items).toMatchObject([
      { code: 'role_draft' },
    ]);
    expect((await invite([to('gina')], {}, 'x')).status).toBe(404);
  });
});
