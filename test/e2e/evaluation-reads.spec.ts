import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Person, Reply } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { work } from '../support/organisation.js';
import {
  type Candidate,
  type Failure,
  openProvider,
  openStage,
  type Provider,
  type Stage,
} from '../support/stage.js';

interface Read {
  readonly actor: { readonly type: string; readonly id: string };
  readonly at: string;
}
interface Page {
  readonly items: readonly Read[];
  readonly nextCursor: string | null;
}

describe('who read an evaluation', () => {
  let provider: Provider;
  let stage: Stage;
  let owner: Person;
  let reviewer: Person;
  let role: string;

  /** A candidate with a ready evaluation that was read only by its list. */
  const evaluated = async (): Promise<Candidate & { readonly evaluation: string }> => {
    const candidate = await stage.started(role);
    await candidate.person.post(`${candidate.session}/activity`, work());
    await candidate.person.post(`${candidate.session}/complete`);
    owner.follow(candidate.person);
    const id = await eventually(async () => {
      const list = stage.at('/evaluations?status=ready&limit=200');
      const { body } = await owner.get<{ items: { id: string; trialSessionId: string }[] }>(list);
      return body.items.find(({ trialSessionId }) => trialSessionId === candidate.sessionId)?.id;
    });
    return { ...candidate, evaluation: stage.at(`/evaluations/${id}`) };
  };
  const readsOf = async (evaluation: string, query = '', by = owner): Promise<Reply<Page & Failure>> =>
    by.get<Page & Failure>(`${evaluation}/reads${query}`);

  beforeAll(async () => {
    provider = await openProvider();
    stage = await openStage({}, provider);
    ({ owner } = stage);
    role = await stage.role();
    reviewer = await stage.member('reviewer');
  });
  afterAll(async () => {
    await stage.close();
    await provider.issuer.close();
  });

  it('is listed newest first: the evaluation, a generation, its explanation and history, by whom', async () => {
    const { evaluation } = await evaluated();
    expect((await readsOf(evaluation)).body).toEqual({ items: [], nextCursor: null });
    const before = new Date().toISOString();
    const first = await reviewer.get(evaluation);
    const kinds = [
      '',
      '?generation=1',
      '/explanation',
      `/history?at=${encodeURIComponent(new Date().toISOString())}`,
    ];
    for (const kind of kinds) expect((await owner.get(evaluation + kind)).status).toBe(200);
    // A 304 counts as a read, too.
    const tag = first.headers.get('etag') ?? '';
    expect((await reviewer.get(evaluation, { 'if-none-match': tag })).status).toBe(304);

    const { status, body } = await readsOf(evaluation);
    expect(status).toBe(200);
    expect(body.nextCursor).toBeNull();
    const staff = (id: string) => ({ actor: { type: 'staff', id }, at: expect.any(String) });
    expect(body.items).toEqual([
      staff('sub-reviewer'),
      ...kinds.map(() => staff('sub-owner')),
      staff('sub-reviewer'),
    ]);
    const times = body.items.map(({ at }) => at);
    expect([...times].sort().reverse()).toEqual(times);
    expect(times.every((at) => at >= before && at <= new Date().toISOString())).toBe(true);
  });

  it('holds what was shown, and no list, look at the reads, or answer that there is nothing', async () => {
    const { evaluation } = await evaluated();
    for (const nothing of [
      '?generation=2',
      '?generation=0',
      '?generation=x',
      '/explanation?generation=9',
      '/history?at=x',
    ])
      expect((await owner.get(evaluation + nothing)).status).toBeGreaterThanOrEqual(400);
    await readsOf(evaluation);
    expect((await readsOf(evaluation)).body.items).toEqual([]);
  });

  it('holds each read of a body that was shown before; with a token it is the one of now', async () => {
    const { evaluation } = await evaluated();
    const again = async () => {
      const { status, text, headers } = await owner.get<{ generation: number; status: string }>(evaluation);
      expect(status).toBe(200);
      return { text, tag: headers.get('etag') ?? '' };
    };
    const first = await again();
    for (let time = 0; time < 3; time++) expect(await again()).toEqual(first);
    expect((await readsOf(evaluation)).body.items).toHaveLength(4);
    expect((await owner.post(`${evaluation}/regenerations`)).status).toBe(202);
    // The owner's next read sends the token of that command.
    const reply = await owner.get<{ generation: number }>(evaluation, { 'if-none-match': first.tag });
    expect(reply).toMatchObject({ status: 200, body: { generation: 2 } });
    expect((await owner.get(`${evaluation}?generation=1`)).status).toBe(200);
    expect((await readsOf(evaluation)).body.items).toHaveLength(6);
  });

  it('holds one read of each evaluation and reader of a list that shows scores, however often it is asked for', async () => {
    interface Summary {
      readonly id: string;
      readonly applicationId: string;
      readonly outcome: object | null;
      readonly scores?: readonly { readonly score: number }[];
    }
    const [{ evaluation, application, sessionId }, other] = [await evaluated(), await evaluated()];
    const outcome = { humanRound: 'passed', reason: 'Calm.' };
    const path = stage.at(`/trial-sessions/${sessionId}/outcome`);
    expect((await owner.put(path, outcome)).status).toBe(200);
    const list = async (by: Person, query: string) => {
      const { status, body } = await by.get<{ items: Summary[] }>(stage.at(`/evaluations?limit=200${query}`));
      expect(status).toBe(200);
      return body.items.find(({ id }) => evaluation.endsWith(id))!;
    };
    const plain = await list(owner, '');
    expect(plain).toMatchObject({ applicationId: application.split('/').at(-1), outcome });
    expect(plain).not.toHaveProperty('scores');
    expect((await readsOf(evaluation)).body.items).toEqual([]);
    const { scores } = await list(owner, '&scores=dimensions');
    const { body: whole } = await reviewer.get<{ scores: object[] }>(evaluation);
    expect(whole.scores).toMatchObject(scores!);
    for (const hidden of ['rationale', 'evidenceEventIds']) expect(scores![0]).not.toHaveProperty(hidden);
    expect(scores!.length).toBeGreaterThan(0);
    await list(owner, '&scores=dimensions');
    // The reviewer has already read the evaluation with its scores: that adds no read.
    await list(reviewer, '&scores=dimensions');
    const readers = (await readsOf(evaluation)).body.items.map(({ actor }) => actor.id);
    expect(readers).toEqual(['sub-reviewer', 'sub-owner']);
    const ofOther = (await readsOf(other.evaluation)).body.items.map(({ actor }) => actor.id);
    expect(ofOther).toEqual(['sub-reviewer', 'sub-owner']);
    expect((await owner.post(`${evaluation}/regenerations`)).status).toBe(202);
    await eventually(async () => (await owner.get<{ status: string }>(evaluation)).body.status === 'ready');
    expect((await owner.post(`${application}/erasure`)).status).toBe(202);
    const erased = await list(owner, '&scores=dimensions');
    expect(erased).toMatchObject({ scores: [], candidateEmail: null, outcome: { ...outcome, reason: null } });
    expect((await owner.get(stage.at('/evaluations?scores=all'))).status).toBe(400);
  });

  it('holds every one of many at once, page by page', async () => {
    const { evaluation } = await evaluated();
    const people = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? reviewer : owner));
    const replies = await Promise.all(people.map((person) => person.get(evaluation)));
    expect(replies.map(({ status }) => status)).toEqual(Array(60).fill(200));
    const all = (await readsOf(evaluation, '?limit=200')).body.items;
    expect(all).toHaveLength(60);
    expect(all.filter(({ actor }) => actor.id === 'sub-reviewer')).toHaveLength(20);
    const paged: Read[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Reply<Page> = await readsOf(evaluation, `?limit=25${cursor && `&cursor=${cursor}`}`);
      paged.push(...body.items);
      cursor = body.nextCursor;
      // A newer read moves nothing.
      await owner.get(evaluation);
    }
    expect(paged).toEqual(all);
    expect((await readsOf(evaluation, '?limit=60&cursor=MTk3MCBp')).status).toBe(400);
  });

  it('is for owners and admins, and of their own organisation', async () => {
    const { evaluation, person } = await evaluated();
    expect(await readsOf(evaluation, '', reviewer)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await readsOf(evaluation, '', person)).status).toBe(403);
    const org = await stage.organisation('Another', 'another@example.org');
    const another = await stage.signIn('another@example.org');
    await another.get('/me');
    const foreign = evaluation.replace(stage.org, org);
    const unknown = stage.at('/evaluations/01a1ff15-0000-7000-8000-000000000000');
    for (const reply of [await readsOf(foreign, '', another), await readsOf(unknown)])
      expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await readsOf(evaluation)).body.items).toEqual([]);
  });

  it('is gone with its candidate', async () => {
    const { evaluation, application } = await evaluated();
    await owner.get(evaluation);
    expect((await readsOf(evaluation)).status).toBe(200);
    expect((await owner.post(`${application}/erasure`)).status).toBe(202);
    expect(await readsOf(evaluation)).toMatchObject({ status: 410, body: { code: 'erased' } });
  });
});
