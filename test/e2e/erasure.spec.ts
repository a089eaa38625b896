import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Person, Reply } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type Answered, openSocket, pathOf, type TestSocket } from '../support/interview-socket.js';
import { invite, work } from '../support/organisation.js';
import { type Beside, openBeside, RecordedInterview } from '../support/recorded-interview.js';
import { type Candidate, type Failure, faultOf, joinStage, type Stage } from '../support/stage.js';

interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[];
}
interface Application {
  readonly id: string;
  readonly status: string;
  readonly candidateEmail: string | null;
  readonly trialSessions: readonly {
    readonly id: string;
    readonly status: string;
    readonly evaluationId: string;
  }[];
  readonly outcome: Readonly<Record<string, unknown>> | null;
}

/** An error body without what differs from request to request. */
const plain = ({ body, status }: Reply<Failure>) => ({ ...body, requestId: '', status });
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

describe('an erasure', () => {
  let stage: Stage;
  let owner: Person;
  let beside: Beside;
  let first: string;
  let second: string;

  const fresh = (person: Person) => person.follow(owner);
  const applicationOf = async ({ application }: Pick<Candidate, 'application'>): Promise<Application> =>
    (await owner.get<Application>(application)).body;
  const erase = (candidate: Pick<Candidate, 'application'>, headers = {}) =>
    owner.post<{ applicationId: string; status: string }>(
      `${candidate.application}/erasure`,
      undefined,
      headers,
    );
  /** Resolves once the reactor has recorded the erasure in every stream. */
  const settled = (candidate: Pick<Candidate, 'application'>) =>
    eventually(async () => {
      const application = await applicationOf(candidate);
      return (
        application.status === 'erased' &&
        application.trialSessions.every(
          ({ status }) => !['invited', 'started', 'interrupted'].includes(status),
        )
      );
    });
  const signal = async (): Promise<string> => sha((await owner.get(stage.at('/signal'))).text);

  /** Somebody with a completed trial, an evaluation and an outcome. @returns the evaluation's id */
  const evaluated = async (candidate: Candidate): Promise<string> => {
    const { person, session, sessionId } = candidate;
    await person.post(`${session}/activity`, work());
    await person.post(`${session}/complete`);
    owner.follow(person);
    const { trialSessions } = await applicationOf(candidate);
    const id = trialSessions[0]!.evaluationId;
    await eventually(async () => {
      const { body } = await owner.get<{ status: string }>(stage.at(`/evaluations/${id}`));
      return body.status === 'ready';
    });
    await owner.put(stage.at(`/trial-sessions/${sessionId}/outcome`), {
      humanRound: 'passed',
      disposition: 'hired',
      reason: 'Read the file to its end.',
    });
    return id;
  };

  beforeAll(async () => {
    stage = await joinStage();
    ({ owner } = stage);
    beside = await openBeside(stage.service.dataDir);
    first = await stage.role('Backend engineer');
    second = await stage.role('Platform engineer');
  });
  afterAll(async () => {
    await beside.close();
    await stage.close();
  });

  describe('of somebody with an evaluation, an open application and a recorded interview', () => {
    let gone: Candidate;
    let open: Candidate;
    let spoken: { readonly session: string; readonly sessionId: string };
    let evaluation: string;
    let former: { signal: string; list: Listed; record: Record<string, unknown>; application: Application };
    let before: { readonly time: string; readonly token: string };
    let answer: Reply<{ applicationId: string; status: string }>;
    let atOnce: Reply<Application>;
    /** The answers immediately after the erasure, before the reactors could act. */
    let refused: readonly { readonly what: string; readonly reply: Reply<Failure> }[];
    const evaluationAt = (more = '') => owner.get<Failure>(stage.at(`/evaluations/${evaluation}${more}`));
    const wishes: readonly (readonly [string, () => Promise<Reply<Failure>>])[] = [
      ['the evaluation', () => evaluationAt()],
      ['a generation of it', () => evaluationAt('?generation=1')],
      ['its history at a time', () => evaluationAt(`/history?at=${before.time}`)],
      ['its history at a token', () => evaluationAt(`/history?at=${encodeURIComponent(before.token)}`)],
      ['its explanation', () => evaluationAt('/explanation')],
      ['who read it', () => evaluationAt('/reads')],
      ['its share links', () => evaluationAt('/share-links')],
      ['regenerating it', () => owner.post<Failure>(stage.at(`/evaluations/${evaluation}/regenerations`))],
      ['recorded audio', () => owner.get<Failure>(stage.at(`/trial-sessions/${open.sessionId}/audio/1`))],
      [
        'recording an outcome',
        () =>
          owner.put<Failure>(stage.at(`/trial-sessions/${gone.sessionId}/outcome`), { humanRound: 'failed' }),
      ],
      [
        'the outcome that stands',
        () =>
          owner.put<Failure>(stage.at(`/trial-sessions/${gone.sessionId}/outcome`), {
            humanRound: 'passed',
            disposition: 'hired',
            reason: 'Read the file to its very end.',
          }),
      ],
      [
        'retracting the outcome',
        () => owner.delete<Failure>(stage.at(`/trial-sessions/${gone.sessionId}/outcome`)),
      ],
      [
        'extending',
        () => owner.patch<Failure>(open.application, { expiresAt: new Date(Date.now() + 9e6).toISOString() }),
      ],
      ['cancelling', () => owner.post<Failure>(`${open.application}/cancel`)],
    ];

    beforeAll(async () => {
      gone = await stage.started(first);
      const again = await invite(owner, stage.org, second, gone.email);
      fresh(gone.person);
      open = {
        ...gone,
        ...again,
        session: `/trial-sessions/${again.sessionId}`,
        application: stage.at(`/applications/${again.applicationId}`),
      };
      await gone.person.post(`${open.session}/start`, { consent: true });
      owner.follow(gone.person);
      await owner.get(open.application);
      const interview = await RecordedInterview.begin(beside, open.sessionId);
      await interview.ask();
      await interview.speak(1, Buffer.alloc(64_000, 3));
      await interview.answer(1, true);
      spoken = open;
      evaluation = await evaluated(gone);
      former = {
        signal: await signal(),
        list: (await owner.get<Listed>(stage.at('/evaluations'))).body,
        record: (await owner.get<Record<string, unknown>>(stage.at(`/evaluations/${evaluation}`))).body,
        application: await applicationOf(gone),
      };
      const { headers } = await owner.put(stage.at(`/trial-sessions/${gone.sessionId}/outcome`), {
        humanRound: 'passed',
        disposition: 'hired',
        reason: 'Read the file to its very end.',
      });
      before = { time: new Date().toISOString(), token: headers.get('consistency-token') ?? '' };
      expect((await owner.get(stage.at(`/trial-sessions/${spoken.sessionId}/audio/1`))).status).toBe(200);
      const known = (await owner.get(gone.application)).headers.get('etag') ?? '';
      answer = await erase(gone);
      atOnce = await owner.get<Application>(gone.application, { 'if-none-match': known });
      refused = await Promise.all(wishes.map(async ([what, ask]) => ({ what, reply: await ask() })));
    });

    it('is answered by 202, with a token, and by 202 again', async () => {
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({ applicationId: gone.applicationId, status: 'erased' });
      expect(answer.headers.get('consistency-token')).toBeTruthy();
      for (const candidate of [gone, open]) {
        const { status, body } = await erase(candidate);
        expect([status, body]).toEqual([202, { applicationId: candidate.applicationId, status: 'erased' }]);
      }
    });

    it('answers staff who want anything more of it by 410, from that moment on', () => {
      expect(refused.map(({ what, reply }) => [what, reply.status, reply.body.code])).toEqual(
        wishes.map(([what]) => [what, 410, 'erased']),
      );
      for (const { reply } of refused) expect(faultOf(reply)).toBeNull();
    });

    it('leaves the candidate with nothing, in the same answers as for a person without records', async () => {
      const { person } = gone;
      const nowhere = '/trial-sessions/0190b6a0-0000-7000-8000-000000000004';
      const pairs: readonly [string, string, string, unknown?][] = [
        ['GET', `/applications/${gone.applicationId}`, '/applications/0190b6a0-0000-7000-8000-000000000004'],
        ['GET', open.session, nowhere],
        ['POST', `${open.session}/start`, `${nowhere}/start`, { consent: true }],
        ['POST', `${open.session}/activity`, `${nowhere}/activity`, work('late')],
        ['POST', `${open.session}/complete`, `${nowhere}/complete`],
        ['POST', `${open.session}/withdraw`, `${nowhere}/withdraw`],
      ];
      for (const [method, path, unknown, body] of pairs) {
        const send = (to: string) =>
          person.api.send<Failure>(method, to, { token: person.token, ...(body !== undefined && { body }) });
        const reply = await send(path);
        expect([path, reply.status]).toEqual([path, 404]);
        expect(plain(reply)).toEqual(plain(await send(unknown)));
      }
      const me = await person.get<{ applications: unknown[] }>('/me');
      expect(me.body.applications).toEqual([]);
      const socket = (id: string) =>
        openSocket(stage.service.url, pathOf(id, person.token)) as Promise<Answered>;
      const refused = await socket(open.sessionId);
      const unknown = await socket('0190b6a0-0000-7000-8000-000000000004');
      expect(refused.status).toBe(404);
      expect({ ...(JSON.parse(refused.text) as Failure), requestId: '' }).toEqual({
        ...(JSON.parse(unknown.text) as Failure),
        requestId: '',
      });
    });

    it('shows at once, also to a caller that has the record of before', () => {
      expect(atOnce.status).toBe(200);
      expect(atOnce.body).toMatchObject({
        status: 'erased',
        candidateEmail: null,
        outcome: { reason: null },
      });
    });

    it('shows in records as null, and keeps what outlives it', async () => {
      for (const candidate of [gone, open]) {
        const { status, body } = await owner.get<Application>(candidate.application);
        expect(status).toBe(200);
        expect(body).toMatchObject({ status: 'erased', candidateEmail: null });
      }
      await settled(gone);
      await settled(open);
      const now = await applicationOf(gone);
      const { outcome: was } = former.application;
      expect({ ...now, version: 0 }).toEqual({
        ...former.application,
        status: 'erased',
        candidateEmail: null,
        version: 0,
        outcome: { ...was, reason: null, recordedAt: now.outcome?.recordedAt },
        trialSessions: former.application.trialSessions.map((one) => ({
          ...one,
          version: expect.any(Number),
        })),
      });
      expect((await applicationOf(open)).trialSessions[0]).toMatchObject({
        status: 'withdrawn',
        evaluationId: null,
      });
      const { body: applications } = await owner.get<Listed>(stage.at('/applications'));
      const shown = applications.items.filter(
        ({ id }) => id === gone.applicationId || id === open.applicationId,
      );
      expect(shown.map(({ status, candidateEmail }) => [status, candidateEmail])).toEqual([
        ['erased', null],
        ['erased', null],
      ]);
      const { body: list } = await owner.get<Listed>(stage.at('/evaluations'));
      const { outcome } = now;
      expect(list.items).toEqual(
        former.list.items.map((item) => ({
          ...item,
          candidateEmail: null,
          version: expect.any(Number),
          outcome,
        })),
      );
    });

    it('changes no count', async () => {
      await settled(gone);
      expect(await signal()).toBe(former.signal);
    });

    it('makes the next invitation of the address that of a new person', async () => {
      const again = await invite(owner, stage.org, first, gone.email);
      fresh(gone.person);
      const me = await gone.person.get<{ applications: { id: string }[] }>('/me');
      expect(me.body.applications.map(({ id }) => id)).toEqual([again.applicationId]);
      const own = await gone.person.get<Application>(`/applications/${again.applicationId}`);
      expect(own.body).toMatchObject({ status: 'invited', candidateEmail: gone.email });
      expect((await evaluationAt()).status).toBe(410);
      expect((await applicationOf(gone)).candidateEmail).toBeNull();
    });
  });

  it('is the owner’s and the admin’s to ask for, of an application of their own organisation', async () => {
    const candidate = await stage.candidate(first);
    const recruiter = await stage.signIn('recruiter@example.org');
    await owner.post(stage.at('/members'), { email: 'recruiter@example.org', role: 'recruiter' });
    fresh(recruiter);
    await recruiter.get('/me');
    expect((await recruiter.post(`${candidate.application}/erasure`)).status).toBe(403);
    expect((await candidate.person.post(`${candidate.application}/erasure`)).status).toBe(403);
    const nobody = stage.at('/applications/0190b6a0-0000-7000-8000-000000000004/erasure');
    expect((await owner.post(nobody)).status).toBe(404);
    expect((await applicationOf(candidate)).status).toBe('invited');
  });

  it('closes the socket of an interview that runs, by 4410, and withdraws the session', async () => {
    const candidate = await stage.started(first);
    const socket = (await openSocket(
      stage.service.url,
      pathOf(candidate.sessionId, candidate.person.token),
    )) as TestSocket;
    socket.ready();
    await socket.frame('question');
    socket.send({ type: 'message.text', id: 'm1', turn: 1, text: 'My own words.' });
    expect((await erase(candidate)).status).toBe(202);
    // A read with the answer's token shows the state after the erasure.
    const left = await applicationOf(candidate);
    expect([left.status, left.trialSessions[0]]).toMatchObject(['erased', { status: 'withdrawn' }]);
    expect(await socket.closed).toBe(4410);
  });

  it('meets an evaluation that is being generated: it fails, or was ready just before', async () => {
    const candidate = await stage.started(first);
    await candidate.person.post(`${candidate.session}/activity`, work());
    const [, { status }] = await Promise.all([
      candidate.person.post(`${candidate.session}/complete`),
      erase(candidate),
    ]);
    expect(status).toBe(202);
    await settled(candidate);
    const session = (await applicationOf(candidate)).trialSessions[0]!;
    expect(['completed', 'withdrawn']).toContain(session.status);
    await eventually(async () => {
      const { body } = await owner.get<Listed>(stage.at('/evaluations'));
      const mine = body.items.find(({ trialSessionId }) => trialSessionId === candidate.sessionId);
      return mine === undefined ? session.status === 'withdrawn' : mine.status !== 'generating';
    });
  });

  it('asked for many times at once happens once', async () => {
    const candidate = await stage.started(first);
    const replies = await Promise.all(Array.from({ length: 8 }, () => erase(candidate)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    await settled(candidate);
    const log = await stage.log();
    const types: string[] = [];
    for await (const event of log.readAll({}))
      if (event.data.toString().includes(candidate.sessionId) && event.type.endsWith('.erased'))
        types.push(event.type);
    expect(types.sort()).toEqual(['application.erased', 'trial.erased']);
  });

  it('in the middle of what the candidate sends loses nothing of others and keeps nothing of theirs', async () => {
    const candidate = await stage.started(first);
    const other = await stage.started(first);
    const sent = Array.from({ length: 12 }, (_, batch) =>
      candidate.person.post<Failure>(`${candidate.session}/activity`, work(`b${batch}-`)),
    );
    const others = Array.from({ length: 6 }, (_, batch) =>
      other.person.post<{ accepted: number }>(`${other.session}/activity`, work(`o${batch}-`)),
    );
    const { status } = await erase(candidate);
    expect(status).toBe(202);
    for (const reply of await Promise.all(sent)) expect([202, 404]).toContain(reply.status);
    for (const reply of await Promise.all(others))
      expect([reply.status, reply.body.accepted]).toEqual([202, 5]);
    expect((await candidate.person.post(`${candidate.session}/activity`, work('after'))).status).toBe(404);
  });

  it('races invitations to the same address: each is the erased candidate’s or somebody new’s', async () => {
    const candidate = await stage.started(first);
    const path = stage.at(`/roles/${second}/invitations`);
    const [invited, erased] = await Promise.all([
      owner.post<Application & Failure>(path, { candidateEmail: candidate.email }),
      erase(candidate),
    ]);
    expect(erased.status).toBe(202);
    expect(invited.status).toBe(201);
    const shown = await eventually(async () => {
      const application = await applicationOf({ application: stage.at(`/applications/${invited.body.id}`) });
      return application.status === 'invited' || application.status === 'erased' ? application : null;
    });
    expect(shown.candidateEmail).toBe(shown.status === 'erased' ? null : candidate.email);
    // The last invitation has the address.
    const last = await owner.post<Application & Failure>(stage.at(`/roles/${first}/invitations`), {
      candidateEmail: candidate.email,
    });
    expect([last.status, last.body.candidateEmail]).toEqual([201, candidate.email]);
  });

  it('leaves keyed requests their first answers, without what was personal', async () => {
    const email = 'keyed@example.org';
    const key = { 'idempotency-key': 'invitation-1' };
    const path = stage.at(`/roles/${first}/invitations`);
    const invited = await owner.post<Application & { version: number }>(path, { candidateEmail: email }, key);
    const application = stage.at(`/applications/${invited.body.id}`);
    const cancelled = await owner.post<Application>(`${application}/cancel`, undefined, {
      'idempotency-key': 'cancel-1',
    });
    expect([invited.status, cancelled.status]).toEqual([201, 200]);
    const erased = await erase({ application }, { 'idempotency-key': 'erase-1' });
    await settled({ application });
    const again = await owner.post(path, { candidateEmail: email }, key);
    expect([again.status, again.body]).toEqual([201, { ...invited.body, candidateEmail: null }]);
    const cancelledAgain = await owner.post(`${application}/cancel`, undefined, {
      'idempotency-key': 'cancel-1',
    });
    expect([cancelledAgain.status, cancelledAgain.body]).toEqual([
      200,
      { ...cancelled.body, candidateEmail: null },
    ]);
    const erasedAgain = await erase({ application }, { 'idempotency-key': 'erase-1' });
    expect([erasedAgain.status, erasedAgain.body]).toEqual([202, erased.body]);
    // The address is that of a new person, and the old key still has the answer of its first request.
    const second = await owner.post<Application>(path, { candidateEmail: email });
    expect([second.status, second.body.candidateEmail]).toEqual([201, email]);
    const onceMore = await owner.post(path, { candidateEmail: email }, key);
    expect([onceMore.status, onceMore.body]).toEqual([201, { ...invited.body, candidateEmail: null }]);
  });
});
