import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api, Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { AUDIENCE } from '../support/fake-issuer.js';
import { openSocket, pathOf, type TestSocket } from '../support/interview-socket.js';
import { type FakeOpenAi, startFakeOpenAi } from '../support/openai/fake-openai.js';
import { invite, work } from '../support/organisation.js';
import { type Service, startService } from '../support/service.js';
import { openProvider, type Provider, type Stage, stageOn } from '../support/stage.js';

interface Application {
  readonly status: string;
  readonly trialSessions: readonly {
    readonly id: string;
    readonly status: string;
    readonly evaluationId: string;
  }[];
}
interface Evaluations {
  readonly items: readonly {
    readonly id: string;
    readonly status: string;
    readonly candidateEmail: string | null;
    readonly overallScore: number | null;
  }[];
}

/** Two processes on one data folder. The first one does the background work, with a model that never answers. */
describe('an erasure, while others work', () => {
  let provider: Provider;
  let model: FakeOpenAi;
  let dataDir: string;
  let env: Readonly<Record<string, string>>;
  let stage: Stage;
  let beside: Service;
  let role: string;
  let other: string;

  beforeAll(async () => {
    provider = await openProvider();
    model = await startFakeOpenAi(() => ({ does: 'hang' }));
    dataDir = await mkdtemp(join(tmpdir(), 'assay-erasure-'));
    env = {
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      OIDC_ISSUER: provider.issuer.url,
      OIDC_AUDIENCE: AUDIENCE,
      SCORER: 'openai',
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'sk-secret',
      OPENAI_MODEL: 'small-1',
    };
    const service = await startService({ dataDir, env });
    beside = await startService({ dataDir, env: { ...env, PROJECTOR: 'off' } });
    stage = await stageOn(service, { provider });
    role = await stage.role();
    other = await stage.role('Platform engineer');
  });
  afterAll(async () => {
    await beside.stop();
    await stage.close();
    await model.close();
    await provider.issuer.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('ends a generation that is being made: it fails, and the model is left alone', async () => {
    const { owner } = stage;
    const candidate = await stage.started(role);
    await candidate.person.post(`${candidate.session}/activity`, work());
    await candidate.person.post(`${candidate.session}/complete`);
    owner.follow(candidate.person);
    await eventually(async () => model.open() > 0);
    expect((await owner.post(`${candidate.application}/erasure`)).status).toBe(202);
    const mine = await eventually(async () => {
      const { body } = await owner.get<Evaluations>(stage.at('/evaluations'));
      return body.items.find(({ status }) => status !== 'generating');
    });
    expect(mine).toMatchObject({ status: 'failed', candidateEmail: null, overallScore: null });
    await eventually(async () => model.open() === 0);
    const types: string[] = [];
    for await (const event of (await stage.log()).readStream(`evaluation-${mine.id}` as never))
      types.push(event.type);
    expect(types).toEqual(['evaluation.erased']);
    // An erasure during the work is no error.
    expect(stage.service.output()).not.toContain('"level":"error"');
  });

  it('closes the sockets of every session, in whichever process they are', async () => {
    const { owner } = stage;
    const candidate = await stage.started(role);
    const again = await invite(owner, stage.org, other, candidate.email);
    candidate.person.follow(owner);
    await candidate.person.post(`/trial-sessions/${again.sessionId}/start`, { consent: true });
    owner.follow(candidate.person);
    const bystander = await stage.started(role);
    const open = async (url: string, sessionId: string, { token }: Person): Promise<TestSocket> => {
      const socket = await eventually(async () => {
        const opened = await openSocket(url, pathOf(sessionId, token));
        return 'socket' in opened && opened;
      });
      socket.ready();
      await socket.frame('question');
      return socket;
    };
    const here = await open(stage.service.url, candidate.sessionId, candidate.person);
    const there = await open(beside.url, again.sessionId, candidate.person);
    const stays = await open(beside.url, bystander.sessionId, bystander.person);
    expect((await owner.post(`${candidate.application}/erasure`)).status).toBe(202);
    expect(await Promise.all([here.closed, there.closed])).toEqual([4410, 4410]);
    stays.send({ type: 'message.text', id: 'm1', turn: 1, text: 'Of somebody else.' });
    expect(await stays.frame('transcript.final')).toMatchObject({ text: 'Of somebody else.' });
    stays.socket.terminate();
    for (const session of [candidate.sessionId, again.sessionId])
      for (const url of [stage.service.url, beside.url])
        expect(await openSocket(url, pathOf(session, candidate.person.token))).toMatchObject({ status: 404 });
  });

  it('is known to every process within a second', async () => {
    const { owner } = stage;
    const candidate = await stage.started(role);
    await candidate.person.post(`${candidate.session}/complete`);
    owner.follow(candidate.person);
    const { body } = await owner.get<Application>(candidate.application);
    const path = stage.at(`/evaluations/${body.trialSessions[0]?.evaluationId ?? ''}`);
    const elsewhere = new Person(new Api(beside.url), owner.email, owner.token);
    elsewhere.follow(owner);
    expect((await elsewhere.get(path)).status).toBe(200);
    await owner.post(`${candidate.application}/erasure`);
    const answered = performance.now();
    while ((await elsewhere.get(path)).status !== 410)
      expect(performance.now() - answered).toBeLessThan(1_000);
  });
});
