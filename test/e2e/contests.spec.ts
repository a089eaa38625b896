import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Evaluated, evaluated } from '../support/shared-report.js';
import { type Failure, joinStage, type Stage } from '../support/stage.js';

interface Answered {
  readonly text: string;
  readonly answeredAt: string;
  readonly answeredBy?: string;
}
interface Contest {
  readonly id: string;
  readonly about: { readonly kind: string; readonly reference: string | null };
  readonly text: string;
  readonly answer: Answered | null;
}
interface Contests {
  readonly items: readonly Contest[];
}

const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';
const TRANSCRIPT = { about: { kind: 'transcript', reference: 'turn 2' }, text: 'I said “parser”.' };

describe('contests', () => {
  let stage: Stage;
  let role: string;
  let ada: Evaluated;

  const contest = async (who: Evaluated, body: object = TRANSCRIPT, headers?: Record<string, string>) => {
    who.person.follow(stage.owner);
    const path = `/me/evaluations/${who.evaluationId}/contests`;
    const reply = await who.person.post<Contest & Failure>(path, body, headers);
    stage.owner.follow(who.person);
    return reply;
  };
  const listed = (who: Evaluated) => stage.owner.get<Contests & Failure>(`${who.evaluation}/contests`);
  const own = async (who: Evaluated) => {
    who.person.follow(stage.owner);
    return who.person.get<{ contests: readonly Contest[] }>(`/me/evaluations/${who.evaluationId}`);
  };
  const answer = (who: Evaluated, id: string, text = 'You are right.', headers?: Record<string, string>) =>
    stage.owner.post<Contest & Failure>(`${who.evaluation}/contests/${id}/answer`, { text }, headers);
  const release = (who: Evaluated) =>
    stage.owner.put(stage.at(`/trial-sessions/${who.sessionId}/outcome`), { humanRound: 'passed' });

  beforeAll(async () => {
    stage = await joinStage();
    role = await stage.role();
    ada = await evaluated(stage, role);
    await stage.owner.patch(stage.at(), { candidateResults: 'result' });
  });
  afterAll(() => stage.close());

  it('are of the transcript at any time, and of anything else once a result is released', async () => {
    expect(await contest(ada)).toMatchObject({
      status: 201,
      body: { ...TRANSCRIPT, answer: null, createdAt: expect.any(String) },
    });
    for (const kind of ['quote', 'finding', 'score']) {
      const body = { about: { kind }, text: 'Not so.' };
      expect(await contest(ada, body)).toMatchObject({ status: 409, body: { code: 'nothing_released' } });
    }
    await release(ada);
    const score = await contest(ada, { about: { kind: 'score' }, text: 'Not so.' });
    expect(score).toMatchObject({ status: 201, body: { about: { kind: 'score', reference: null } } });
  });

  it('are listed for staff, answered once, and the candidate sees the answer but not by whom', async () => {
    const bob = await evaluated(stage, role);
    const { body } = await contest(bob);
    expect((await listed(bob)).body.items).toEqual([body]);
    const answered = await answer(bob, body.id);
    expect(answered).toMatchObject({
      status: 200,
      body: { id: body.id, answer: { text: 'You are right.', answeredBy: expect.any(String) } },
    });
    expect((await listed(bob)).body.items).toEqual([answered.body]);
    const { text, answeredAt } = answered.body.answer!;
    expect((await own(bob)).body.contests).toEqual([{ ...body, answer: { text, answeredAt } }]);
    expect(await answer(bob, body.id)).toMatchObject({ status: 409, body: { code: 'already_answered' } });
    expect(await answer(bob, UNKNOWN)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('and answers sent again under their keys do nothing more', async () => {
    const dora = await evaluated(stage, role);
    const key = { 'idempotency-key': 'contest-1' };
    const first = await contest(dora, TRANSCRIPT, key);
    expect((await contest(dora, TRANSCRIPT, key)).body).toEqual(first.body);
    const answered = await answer(dora, first.body.id, 'So be it.', { 'idempotency-key': 'answer-1' });
    const again = await answer(dora, first.body.id, 'So be it.', { 'idempotency-key': 'answer-1' });
    expect(again).toMatchObject({ status: 200, body: answered.body });
    expect((await contest(dora, TRANSCRIPT, key)).body).toEqual(first.body);
    expect((await listed(dora)).body.items).toEqual([answered.body]);
  });

  it('are at most 20 for an evaluation', async () => {
    const eve = await evaluated(stage, role);
    for (let n = 0; n < 20; n++) expect((await contest(eve)).status).toBe(201);
    expect(await contest(eve)).toMatchObject({ status: 409, body: { code: 'too_many_contests' } });
    expect((await listed(eve)).body.items).toHaveLength(20);
  });

  it.each([
    ['text', { about: { kind: 'transcript' } }],
    ['text', { about: { kind: 'transcript' }, text: ' ' }],
    ['text', { about: { kind: 'transcript' }, text: 'x'.repeat(4_001) }],
    ['about', { text: 'Not so.' }],
    ['about.kind', { about: { kind: 'colour' }, text: 'Not so.' }],
    ['about.reference', { about: { kind: 'quote', reference: 'x'.repeat(1_001) }, text: 'Not so.' }],
  ])('with a wrong %s are refused', async (path, body) => {
    const refused = await contest(ada, body);
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(refused.body.details?.map((one) => one.path)).toEqual([path]);
  });

  it('can be made by no other person', async () => {
    const stranger = await stage.signIn('stranger@example.org');
    for (const person of [stage.owner, stranger]) {
      const refused = await person.post<Failure>(`/me/evaluations/${ada.evaluationId}/contests`, TRANSCRIPT);
      expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it('are in the audit trail and among the reads, leave the evaluation as it is, and are exported', async () => {
    const finn = await evaluated(stage, role);
    const before = await stage.owner.get(finn.evaluation);
    const { body } = await contest(finn);
    await answer(finn, body.id);
    const audit = await stage.owner.get<{ items: { action: string; actor: { type: string } }[] }>(
      stage.at('/audit'),
    );
    expect(audit.body.items.slice(0, 2)).toMatchObject([
      { action: 'evaluation.contest_answered', actor: { type: 'staff' } },
      { action: 'evaluation.contested', actor: { type: 'candidate' } },
    ]);
    const after = await stage.owner.get(finn.evaluation);
    expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
    finn.person.follow(stage.owner);
    const exported = await finn.person.get<{
      organisations: { applications: { contests: Contest[] }[] }[];
    }>('/me/export');
    expect(exported.body.organisations[0]?.applications[0]?.contests).toMatchObject([
      { id: body.id, text: TRANSCRIPT.text, answer: { text: 'You are right.' } },
    ]);
    expect(exported.text).not.toContain('answeredBy');
  });

  it('are gone with an erasure', async () => {
    const gus = await evaluated(stage, role);
    const { body } = await contest(gus);
    await stage.owner.post(`${gus.application}/erasure`);
    expect(await listed(gus)).toMatchObject({ status: 410, body: { code: 'erased' } });
    expect(await answer(gus, body.id)).toMatchObject({ status: 410, body: { code: 'erased' } });
    expect(await contest(gus)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
