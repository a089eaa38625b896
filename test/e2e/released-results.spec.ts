import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Evaluated, evaluated } from '../support/shared-report.js';
import { type Failure, joinStage, type Stage } from '../support/stage.js';

interface Own {
  readonly evaluationId: string;
  readonly released: string;
  readonly result: { readonly overallScore: number; readonly passed: boolean } | null;
  readonly explanation: { readonly dimensions: readonly Readonly<Record<string, unknown>>[] } | null;
}
interface Evaluation {
  readonly overallScore: number;
  readonly overallThreshold: number;
  readonly passed: boolean;
  readonly generatedAt: string;
  readonly scores: readonly { readonly dimensionId: string; readonly rationale: string }[];
}

describe('what a candidate is shown of the evaluation', () => {
  let stage: Stage;
  let ada: Evaluated;
  let outcome: string;

  const set = (candidateResults: string) => stage.owner.patch(stage.at(), { candidateResults });
  const decide = () => stage.owner.put(outcome, { humanRound: 'passed', reason: 'A note for staff.' });
  const own = async () => {
    ada.person.follow(stage.owner);
    return ada.person.get<Own & Failure>(`/me/evaluations/${ada.evaluationId}`);
  };

  beforeAll(async () => {
    stage = await joinStage();
    ada = await evaluated(stage, await stage.role());
    outcome = stage.at(`/trial-sessions/${ada.sessionId}/outcome`);
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    await stage.owner.delete(outcome);
    await set('nothing');
  });

  it('is nothing unless the organisation chooses more', async () => {
    expect((await stage.owner.get(stage.at())).body).toMatchObject({ candidateResults: 'nothing' });
    await decide();
    const nothing = { released: 'nothing', result: null, explanation: null };
    expect(await own()).toMatchObject({
      status: 200,
      body: { evaluationId: ada.evaluationId, applicationId: ada.applicationId, ...nothing },
    });
  });

  it('is found by the application', async () => {
    const { evaluationId, applicationId } = ada;
    const listed = async () => {
      ada.person.follow(stage.owner);
      return (await ada.person.get<{ items: object[] }>('/me/evaluations')).body.items;
    };
    expect(await listed()).toMatchObject([{ evaluationId, applicationId, released: 'nothing' }]);
    await set('result');
    await decide();
    expect(await listed()).toMatchObject([{ evaluationId, applicationId, released: 'result' }]);
    expect((await stage.owner.get('/me/evaluations')).body).toEqual({ items: [] });
  });

  it('is the result once people have decided, and nothing again once they take that back', async () => {
    expect((await set('result')).body).toMatchObject({ candidateResults: 'result' });
    expect((await own()).body).toMatchObject({ released: 'nothing', result: null });
    await decide();
    const { body } = await stage.owner.get<Evaluation>(ada.evaluation);
    const { overallScore, overallThreshold, passed, generatedAt } = body;
    expect((await own()).body).toMatchObject({
      released: 'result',
      result: { overallScore, overallThreshold, passed, generatedAt },
      explanation: null,
    });
    await stage.owner.delete(outcome);
    expect((await own()).body).toMatchObject({ released: 'nothing', result: null });
  });

  it('has scores with their reasons and quotes, and nothing that is for staff', async () => {
    await set('result_with_explanation');
    await decide();
    const { body } = await stage.owner.get<Evaluation>(ada.evaluation);
    const shown = await own();
    expect(shown.body.released).toBe('result_with_explanation');
    expect(shown.body.explanation?.dimensions).toMatchObject(
      body.scores.map(({ dimensionId, rationale }) => ({ dimensionId, rationale })),
    );
    const quotes = (shown.body.explanation?.dimensions ?? []).flatMap((one) => one.quotes);
    expect(JSON.stringify(quotes)).toContain('"quote":');
    for (const staffs of ['integrity', 'severity', 'A note for staff', 'owner@example.org', 'recordedBy'])
      expect(shown.text).not.toContain(staffs);
  });

  it('stays what it was while a further generation is made', async () => {
    await set('result');
    await decide();
    const before = (await own()).body.result;
    await stage.owner.post(`${ada.evaluation}/regenerations`);
    expect((await own()).body.result).toMatchObject({ overallScore: before?.overallScore });
  });

  it('counts as a read of theirs if a result is shown', async () => {
    const candidates = async () => {
      const { body } = await stage.owner.get<{ items: readonly { actor: { type: string } }[] }>(
        `${ada.evaluation}/reads`,
      );
      return body.items.filter(({ actor }) => actor.type === 'candidate').length;
    };
    const before = await candidates();
    await own();
    expect(await candidates()).toBe(before);
    await set('result');
    await decide();
    await own();
    expect(await candidates()).toBe(before + 1);
  });

  it('is in the audit trail when it is changed, and needs one of the three values', async () => {
    await set('result');
    const { body } = await stage.owner.get<{ items: object[] }>(stage.at('/audit'));
    expect(body.items[0]).toMatchObject({ action: 'organisation.updated', actor: { type: 'staff' } });
    expect(await set('everything')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('is nobody else’s', async () => {
    await set('result');
    await decide();
    const bob = await evaluated(stage, await stage.role('Other'));
    const unknown = await bob.person.get<Failure>('/me/evaluations/01a1ff15-0000-7000-8000-000000000000');
    for (const person of [bob.person, stage.owner, await stage.signIn('stranger@example.org')]) {
      const refused = await person.get<Failure>(`/me/evaluations/${ada.evaluationId}`);
      expect(refused).toMatchObject({ status: 404, body: { code: 'not_found', error: unknown.body.error } });
    }
  });

  it('is gone with an erasure', async () => {
    await set('result');
    const carol = await evaluated(stage, await stage.role('Third'));
    await stage.owner.put(stage.at(`/trial-sessions/${carol.sessionId}/outcome`), { humanRound: 'failed' });
    await stage.owner.post(`${carol.application}/erasure`);
    carol.person.follow(stage.owner);
    expect((await carol.person.get(`/me/evaluations/${carol.evaluationId}`)).status).toBe(404);
  });
});
