import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { definition } from '../support/organisation.js';
import { joinStage, type Stage } from '../support/stage.js';

interface Measured {
  readonly dimensions: readonly {
    readonly signals: readonly {
      readonly signal: string;
      readonly points: number;
      readonly onlyRaises: boolean;
    }[];
    readonly warning: string | null;
  }[];
}

describe('what a role can measure, by its tickets as they are now', () => {
  let stage: Stage;
  let ticket: string;
  let role: string;

  beforeAll(async () => {
    stage = await joinStage();
    ticket = (await stage.owner.post<{ id: string }>(stage.at('/tickets'), { title: 'Parser' })).body.id;
    const given = { ...definition(), ticketIds: [ticket] };
    role = (await stage.owner.post<{ id: string }>(stage.at('/roles'), given)).body.id;
  });
  afterAll(() => stage.close());

  const measures = () => stage.owner.get<Measured>(stage.at(`/roles/${role}/measures`));
  /** The signals of the correctness dimension that can also lower its score. */
  const base = ({ dimensions }: Measured) =>
    dimensions[0]!.signals
      .filter(({ onlyRaises }) => !onlyRaises)
      .map(({ signal, points }) => [signal, points]);

  it('follows a ticket’s kind, in the measures and in the role’s warnings', async () => {
    const before = await measures();
    expect(base(before.body)).toEqual([['tickets_finished', 100]]);
    await stage.owner.patch(stage.at(`/tickets/${ticket}`), { kind: 'text' });
    const after = await measures();
    expect(base(after.body)).toEqual([['unchecked_handed_in', 100]]);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    const warning = after.body.dimensions[0]!.warning;
    expect(warning).toMatch(/rest on what is handed in, not on whether it works\.$/);
    const read = await stage.owner.get<{ warnings: string[] }>(stage.at(`/roles/${role}`));
    const list = await stage.owner.get<{ items: { id: string; warnings: string[] }[] }>(stage.at('/roles'));
    const listed = list.body.items.find(({ id }) => id === role);
    expect([read.body.warnings, listed?.warnings]).toEqual([[warning], [warning]]);
  });

  it('answers a conditional read of a role in full, since its warnings change without its version', async () => {
    const path = stage.at(`/roles/${role}`);
    const read = (tag: string) => stage.owner.get<{ warnings: string[] }>(path, { 'if-none-match': tag });
    const before = await read('"1"');
    await stage.owner.patch(stage.at(`/tickets/${ticket}`), { kind: null });
    const after = await read('"1"');
    for (const { status, headers } of [before, after])
      expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    expect(after.body.warnings).not.toEqual(before.body.warnings);
    const { body } = await stage.owner.post<{ id: string }>(stage.at('/roles'), {
      ...definition(),
      ticketIds: [],
    });
    expect((await stage.owner.get(stage.at(`/roles/${body.id}`), { 'if-none-match': '"1"' })).status).toBe(
      304,
    );
  });

  it('takes a name or an id without a ticket for work that is done elsewhere', async () => {
    const ids = ['T-1', '01a1ff15-0000-7000-8000-000000000000'];
    const given = { ...definition(), ticketIds: ids };
    const made = await stage.owner.post<{ id: string; warnings: string[] }>(stage.at('/roles'), given);
    expect(made.body.warnings).toEqual([expect.stringMatching(/rest on what the candidate’s own program/)]);
  });
});
