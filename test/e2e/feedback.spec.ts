import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Evaluated, evaluated } from '../support/shared-report.js';
import { type Candidate, type Failure, joinStage, type Stage } from '../support/stage.js';

interface Given {
  readonly ease: number | null;
  readonly givenAt: string;
}

describe('a candidate’s feedback', () => {
  let stage: Stage;
  let role: string;
  let ada: Evaluated;

  const give = (who: Candidate, body: object, headers?: Record<string, string>) =>
    who.person.post<Given & Failure>(`${who.session}/feedback`, body, headers);

  beforeAll(async () => {
    stage = await joinStage();
    role = await stage.role();
    ada = await evaluated(stage, role);
  });
  afterAll(() => stage.close());

  it.each([
    [['ease', 'fairness', 'text'], {}],
    [['ease'], { ease: 0 }],
    [['fairness'], { fairness: 6 }],
    [['text'], { text: ' ' }],
    [['text'], { text: 'x'.repeat(2_001) }],
  ])('needs at least one of its parts, each in its bounds (%j)', async (paths, body) => {
    const refused = await give(ada, body);
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(refused.body.details?.map(({ path }) => path)).toEqual(paths);
  });

  it('is given once, after the session, and is exported but no part of the evaluation', async () => {
    const before = (await stage.owner.get(ada.evaluation)).text;
    const key = { 'idempotency-key': 'feedback-1' };
    const body = { ease: 4, text: 'The tasks were clear.' };
    const given = await give(ada, body, key);
    expect(given).toMatchObject({
      status: 201,
      body: { trialSessionId: ada.sessionId, ...body, fairness: null, givenAt: expect.any(String) },
    });
    expect((await give(ada, body, key)).body).toEqual(given.body);
    expect(await give(ada, body)).toMatchObject({ status: 409, body: { code: 'already_given' } });
    stage.owner.follow(ada.person);
    expect((await stage.owner.get(ada.evaluation)).text).toBe(before);
    const exported = await ada.person.get<{ organisations: { applications: { feedback: object }[] }[] }>(
      '/me/export',
    );
    expect(exported.body.organisations[0]?.applications[0]?.feedback).toEqual(given.body);
  });

  it('is taken only after the end of the session, and only of its candidate', async () => {
    const bob = await stage.started(role);
    expect(await give(bob, { ease: 4 })).toMatchObject({
      ...{ status: 409, body: { code: 'trial_not_completed' } },
    });
    for (const person of [stage.owner, bob.person])
      expect(await person.post(`${ada.session}/feedback`, { ease: 4 })).toMatchObject({ status: 404 });
  });

  it('cannot be given after an erasure', async () => {
    const carol = await evaluated(stage, role);
    await stage.owner.post(`${carol.application}/erasure`);
    expect(await give(carol, { ease: 4 })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
