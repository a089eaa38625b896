import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Person } from '../support/api.js';
import { invite } from '../support/organisation.js';
import { type Evaluated, evaluated } from '../support/shared-report.js';
import { type Failure, joinStage, type Stage } from '../support/stage.js';

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly actor: { readonly type: string };
  readonly applicationId: string | null;
}
interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}
interface Application {
  readonly id: string;
  readonly candidateId: string;
}

describe('a person in two roles', () => {
  let stage: Stage;
  let owner: Person;
  let reviewer: Person;
  let first: Evaluated;
  let second: string;
  let candidateId: string;

  const timeline = async (person: Person, applicationId: string, query = ''): Promise<Page<Entry>> =>
    (await person.get<Page<Entry>>(stage.at(`/applications/${applicationId}/timeline${query}`))).body;
  const told = ({ items }: Page<Entry>): readonly string[] =>
    items.map(({ actor, action, applicationId }) => {
      const of = applicationId === first.applicationId ? '1' : applicationId === second ? '2' : '-';
      return `${of} ${actor.type} ${action}`;
    });

  beforeAll(async () => {
    stage = await joinStage();
    ({ owner } = stage);
    reviewer = await stage.member('reviewer');
    first = await evaluated(stage, await stage.role('First'));
    const other = await stage.candidate(await stage.role('Other'));
    const again = await invite(owner, stage.org, await stage.role('Second'), first.email);
    second = again.applicationId;
    await owner.put(stage.at(`/trial-sessions/${first.sessionId}/outcome`), { humanRound: 'passed' });
    await owner.post(`${first.evaluation}/share-links`);
    candidateId = (await owner.get<Application>(first.application)).body.candidateId;
    expect((await owner.get<Application>(other.application)).body.candidateId).not.toBe(candidateId);
    reviewer.follow(owner);
  });
  afterAll(() => stage.close());

  it('has the applications for both together, and no other', async () => {
    const list = async (query: string) =>
      (await reviewer.get<Page<Application>>(stage.at(`/applications?${query}`))).body.items.map(
        ({ id }) => id,
      );
    expect(await list(`candidateId=${candidateId}`)).toEqual([first.applicationId, second]);
    expect(await list(`candidateId=${candidateId}&sort=-invitedAt`)).toEqual([second, first.applicationId]);
    expect(await list(`candidateId=${candidateId}&status=invited`)).toEqual([second]);
    expect(await list('candidateId=nobody')).toEqual([]);
    for (const query of ['q=First', 'waiting=outcome', 'sort=roleName']) {
      const reply = await owner.get<Failure>(stage.at(`/applications?candidateId=${candidateId}&${query}`));
      expect([query, reply.status]).toEqual([query, 400]);
    }
  });

  it('shows no application to another organisation', async () => {
    const org = await stage.organisation('Other', 'foreigner@example.org');
    const foreigner = await stage.signIn('foreigner@example.org');
    await foreigner.get('/me');
    const reply = await foreigner.get<Page<Application>>(
      `/organisations/${org}/applications?limit=1&candidateId=${candidateId}`,
    );
    expect(reply.body).toEqual({ items: [], nextCursor: null });
  });

  it('has one timeline, the same from either application, newest first', async () => {
    const found = await timeline(owner, first.applicationId);
    expect(told(found)).toEqual([
      '1 staff share_link.created',
      '1 staff outcome.recorded',
      '2 staff candidate.invited',
      '1 system evaluation.generated',
      '1 candidate trial.completed',
      '1 candidate trial.started',
      '- candidate candidate.bound',
      '1 staff candidate.invited',
    ]);
    expect(await timeline(owner, second)).toEqual(found);
    const trail = await owner.get<Page<Entry>>(stage.at('/audit?limit=200'));
    const ids = trail.body.items.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(found.items.map(({ id }) => id)));
  });

  it('is shown to reviewers without the share links, which they may not list', async () => {
    const shown = await timeline(reviewer, first.applicationId);
    expect(told(shown)).toEqual(told(await timeline(owner, first.applicationId)).slice(1));
    expect(await timeline(reviewer, first.applicationId, '?limit=1')).toEqual({
      items: [],
      nextCursor: expect.any(String) as unknown,
    });
    expect((await reviewer.get(stage.at('/audit'))).status).toBe(403);
  });

  it('keeps its timeline after an erasure, which holds nothing personal', async () => {
    await owner.post(`${first.application}/erasure`);
    const found = await timeline(owner, second);
    expect(told(found)).toContain('- staff candidate.erased');
    expect(JSON.stringify(found)).not.toContain(first.email);
  });
});
