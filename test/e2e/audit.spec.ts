import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type Evaluated, evaluated, type NewLink } from '../support/shared-report.js';
import { type Failure, joinStage, type Stage } from '../support/stage.js';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly action: string;
  readonly subject: { readonly type: string; readonly id: string };
}
interface Page {
  readonly items: readonly Entry[];
  readonly nextCursor: string | null;
}

describe('the audit trail', () => {
  let stage: Stage;
  let owner: Person;
  let one: Evaluated;
  let link: NewLink;
  let subject: string;
  let foreign: string;

  const trail = async (): Promise<readonly Entry[]> =>
    (await owner.get<Page>(stage.at('/audit?limit=200'))).body.items;
  /** Each entry as `actor action subject`, oldest first, with `names` in place of ids. */
  const lines = (entries: readonly Entry[], names: Readonly<Record<string, string>>): readonly string[] =>
    entries
      .map(({ actor, action, subject: to }) =>
        [`${actor.type}:${actor.id}`, action, `${to.type}:${to.id}`]
          .join(' ')
          .replace(/[\w-]{20,}/g, (id) => names[id] ?? '?'),
      )
      .reverse();

  beforeAll(async () => {
    stage = await joinStage();
    ({ owner } = stage);
    foreign = await stage.organisation('Other', 'foreigner@example.org');
    subject = (await owner.get<{ subject: string }>('/me')).body.subject;
    one = await evaluated(stage, await stage.role());
    await owner.put(stage.at(`/trial-sessions/${one.sessionId}/outcome`), {
      humanRound: 'passed',
      reason: 'A secret reason.',
    });
    link = (await owner.post<NewLink>(`${one.evaluation}/share-links`)).body;
    await stage.api.send('GET', `/shared/reports/${link.token}`);
    await owner.delete(`${one.evaluation}/share-links/${link.id}`);
  });
  afterAll(() => stage.close());

  it('says who did what to what, in the order of time, the newest first', async () => {
    const entries = await trail();
    const candidate = entries.find(({ action }) => action === 'candidate.bound')!.subject.id;
    const role = entries.find(({ action }) => action === 'role.created')!.subject.id;
    const member = entries.find(({ action }) => action === 'member.added')!.subject.id;
    const names = {
      [stage.org]: 'org',
      [subject]: 'olga',
      [member]: 'membership',
      [role]: 'role',
      [candidate]: 'carol',
      [one.applicationId]: 'application',
      [one.sessionId]: 'session',
      [one.evaluationId]: 'evaluation',
      [link.id]: 'link',
    };
    expect(lines(entries, names)).toEqual([
      'operator:assay organisation.created organisation:org',
      'operator:assay member.added member:membership',
      'staff:olga member.bound member:membership',
      'staff:olga role.created role:role',
      'staff:olga candidate.invited application:application',
      'candidate:carol candidate.bound candidate:carol',
      'candidate:carol trial.started trial_session:session',
      'candidate:carol trial.completed trial_session:session',
      'system:generate-evaluation evaluation.generated evaluation:evaluation',
      'staff:olga outcome.recorded application:application',
      'staff:olga share_link.created share_link:link',
      'share_link:link share_link.viewed share_link:link',
      'staff:olga share_link.revoked share_link:link',
    ]);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });

  it('holds nothing personal, and no secret', async () => {
    const { text } = await owner.get(stage.at('/audit?limit=200'));
    for (const secret of [one.email, 'owner@example.org', 'A secret reason.', link.token, 'Backend engineer'])
      expect(text).not.toContain(secret);
    for (const entry of await trail())
      expect(Object.keys(entry)).toEqual(['id', 'at', 'actor', 'action', 'subject']);
  });

  it('is walked by pages, each entry once, while new ones come before them', async () => {
    const before = await trail();
    const walked: Entry[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await owner.get<Page>(stage.at(`/audit?limit=4${query}`));
      walked.push(...body.items);
      ({ nextCursor: cursor } = body);
      await owner.post(`${one.evaluation}/share-links`);
    }
    expect(walked).toEqual(before);
    expect((await trail()).length).toBeGreaterThan(before.length);
  });

  it.each(['x', '', 'null'])('refuses %j as a cursor', async (cursor) => {
    const reply = await owner.get<Failure>(stage.at(`/audit?cursor=${cursor}`));
    expect(reply).toMatchObject({ status: 400, body: { details: [{ path: 'cursor' }] } });
  });

  it('refuses a cursor of another list', async () => {
    await stage.role();
    const { body } = await owner.get<Page>(stage.at('/roles?limit=1'));
    const reply = await owner.get<Failure>(stage.at(`/audit?cursor=${encodeURIComponent(body.nextCursor!)}`));
    expect(reply).toMatchObject({ status: 400, body: { details: [{ path: 'cursor' }] } });
  });

  it('is an organisation’s own', async () => {
    const foreigner = await stage.signIn('foreigner@example.org');
    await foreigner.get('/me');
    // A GET has no token: the trail may follow the sign-in by a moment.
    const items = await eventually(async () => {
      const { body } = await foreigner.get<Page>(`/organisations/${foreign}/audit`);
      return body.items.some(({ action }) => action === 'member.bound') && body.items;
    });
    expect(items.map(({ action }) => action)).toEqual([
      'member.bound',
      'member.added',
      'organisation.created',
    ]);
    expect((await foreigner.get(stage.at('/audit'))).status).toBe(403);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('cannot be changed: there is no %s', async (method) => {
    const before = await trail();
    for (const path of [stage.at('/audit'), stage.at(`/audit/${before[0]!.id}`)]) {
      const { status } = await stage.api.send(method, path, { token: owner.token, body: {} });
      expect([404, 405]).toContain(status);
    }
    expect(await trail()).toEqual(before);
  });

  it('names an erased candidate on, who did what and that they were erased', async () => {
    const before = await trail();
    await owner.post(`${one.application}/erasure`);
    await eventually(async () => (await trail()).some(({ action }) => action === 'evaluation.erased'));
    const after = await trail();
    expect(after.slice(-before.length)).toEqual(before);
    expect(after.slice(0, -before.length).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['candidate.erased', 'application.erased', 'trial.erased', 'evaluation.erased']),
    );
  });
});
