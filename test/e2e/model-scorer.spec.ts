import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Explanation } from '../../src/api/evaluations/explanation.js';
import { fakeChecker, handIn, roleWith, ticketWith, zipOf } from '../support/checked-tickets.js';
import { eventually } from '../support/eventually.js';
import {
  type Asked,
  completion,
  failing,
  type FakeOpenAi,
  type Reply,
  startFakeOpenAi,
} from '../support/openai/fake-openai.js';
import { work } from '../support/organisation.js';
import { sendFile } from '../support/send-file.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';

const run = promisify(execFile);

interface Evaluation {
  readonly id: string;
  readonly status: string;
  readonly generation: number;
  readonly version: number;
  readonly overallScore: number | null;
  readonly failure: string | null;
  readonly scoredBy: { readonly scorer: string; readonly description: string } | null;
  readonly scores: readonly {
    readonly score: number;
    readonly rationale: string;
    readonly evidenceEventIds: readonly string[];
  }[];
  readonly evidence: { readonly events: readonly { readonly id: string; readonly eventType: string }[] };
}
interface Shown {
  readonly events: readonly { readonly eventId: string; readonly eventType: string }[];
}

/** Scores by the test run that it is shown, as a model should. */
const sensible =
  (score: number) =>
  ({ body }: Asked): Reply => {
    const [, user] = body!['messages'] as readonly { readonly content: string }[];
    const { events } = JSON.parse(user!.content.split('\n')[2]!) as Shown;
    const run = events.find(({ eventType }) => eventType === 'test.run')!;
    const citations = [{ eventId: run.eventId, quote: '"passed":9' }];
    return completion({ score, rationale: 'Nine of ten tests pass.', citations });
  };

const recomputesWithoutAsking = async (stage: Stage, api: FakeOpenAi): Promise<void> => {
  const asked = api.asked.length;
  const { stdout } = await run(
    process.execPath,
    [resolve('dist/bin/operator.js'), 'evaluations', 'recompute', '--dry-run', '--json'],
    { env: { PATH: process.env['PATH'], DATA_DIR: stage.service.dataDir } },
  );
  expect(JSON.parse(stdout)).toMatchObject({ recomputed: 1, changed: 0, unusable: 0 });
  expect(api.asked).toHaveLength(asked);
};

describe('an evaluation that a model scores', () => {
  let api: FakeOpenAi;
  let stage: Stage;
  let id: string;

  const settled = (evaluation: string, generation: number) =>
    eventually(async () => {
      const { body } = await stage.owner.get<Evaluation>(stage.at(`/evaluations/${evaluation}`));
      return body.generation === generation && body.status !== 'generating' && body;
    });
  const regenerated = async (generation: number): Promise<Evaluation> => {
    const asked = await stage.owner.post(stage.at(`/evaluations/${id}/regenerations`));
    expect(asked).toMatchObject({ status: 202, body: { generation, status: 'generating' } });
    return settled(id, generation);
  };

  beforeAll(async () => {
    api = await startFakeOpenAi(sensible(80));
    stage = await openStage({
      SCORER: 'openai',
      OPENAI_BASE_URL: `${api.url}?key=url-secret`,
      OPENAI_API_KEY: 'sk-secret',
      OPENAI_MODEL: 'small-1',
    });
    const { person, session, sessionId } = await stage.started(await stage.role());
    await person.post(`${session}/activity`, work());
    await person.post(`${session}/complete`);
    stage.owner.follow(person);
    const { body } = await stage.owner.get<{ items: { id: string; trialSessionId: string }[] }>(
      stage.at('/evaluations'),
    );
    id = body.items.find(({ trialSessionId }) => trialSessionId === sessionId)!.id;
  });
  afterAll(async () => {
    await api.close();
    await stage.close();
  });

  it('becomes ready, with the evidence that the model cites', async () => {
    const evaluation = await settled(id, 1);
    expect(evaluation).toMatchObject({
      status: 'ready',
      overallScore: 80,
      failure: null,
      scoredBy: { scorer: 'openai' },
    });
    expect(evaluation.scoredBy!.description).toMatch(/small-1.*not a verdict/);
    const run = evaluation.evidence.events.find(({ eventType }) => eventType === 'test.run')!;
    for (const score of evaluation.scores)
      expect(score).toMatchObject({
        score: 80,
        rationale: 'Nine of ten tests pass.',
        evidenceEventIds: [run.id],
      });
    expect(api.asked).toHaveLength(2);
    expect(JSON.stringify(api.asked.map(({ body }) => body))).not.toContain('candidate-1');
  });

  it('is ready too where a wrong answer was put right', async () => {
    api.replies.push(completion({ score: 900, rationale: 'Superb.', citations: [] }));
    api.otherwise = sensible(60);
    expect(await regenerated(2)).toMatchObject({ status: 'ready', overallScore: 60, version: 4 });
    expect(api.asked).toHaveLength(5);
  });

  it('fails with a reason that staff can read', async () => {
    api.otherwise = () => completion('I cannot judge people.');
    const evaluation = await regenerated(3);
    expect(evaluation).toMatchObject({ status: 'failed', scores: [], overallScore: null });
    expect(evaluation.failure).toMatch(
      /^The model gave no usable answer for "[^"]+", nor once it was told what was wrong\. The answer must be one JSON object/,
    );
  });

  it('fails if the model’s API does, once, and discloses no secret', async () => {
    api.otherwise = () => failing(401);
    const before = api.asked.length;
    const evaluation = await regenerated(4);
    expect(evaluation.failure).toBe(
      'The model’s API refused the request. The service’s operator can find the cause in its log.',
    );
    // Each dimension once, and once more without the parameters that some models refuse.
    expect(api.asked.length - before).toBeLessThanOrEqual(4);
    // The output arrives independently of the answer: wait for it.
    await eventually(async () => stage.service.output().includes('answered 401: check OPENAI_API_KEY'));
    expect(stage.service.output()).not.toMatch(/sk-secret|url-secret|The parser drops/);
  });

  it('keeps its former generations readable, and can be generated again after a failure', async () => {
    api.otherwise = sensible(70);
    expect(await regenerated(5)).toMatchObject({ status: 'ready', overallScore: 70 });
    const former = async (generation: number): Promise<Evaluation> =>
      (await stage.owner.get<Evaluation>(stage.at(`/evaluations/${id}?generation=${generation}`))).body;
    expect(await former(1)).toMatchObject({ status: 'ready', generation: 1, overallScore: 80 });
    expect(await former(2)).toMatchObject({ status: 'ready', generation: 2, overallScore: 60 });
    expect(await former(3)).toMatchObject({ status: 'failed', generation: 3, overallScore: null });
  });

  it('is counted in the metrics by its result', async () => {
    const figures = await (await fetch(`${stage.service.url}/metrics`)).text();
    expect(figures).toMatch(/^assay_evaluations_ended_total\{result="failed"\} 2$/m);
    expect(figures).toMatch(/^assay_evaluations_ended_total\{result="ready"\} [3-9]$/m);
    expect(figures).toMatch(/^assay_evaluation_oldest_pending_seconds 0$/m);
  });

  it('is explained by one term for each dimension, and recomputed without asking', async () => {
    const { body } = await stage.owner.get<Explanation>(stage.at(`/evaluations/${id}/explanation`));
    for (const { score, terms } of body.dimensions) {
      expect(score).toBe(70);
      expect(terms).toMatchObject([
        { signal: 'model', value: 70, weight: 1, contribution: 70, evidence: [{ quote: '"passed":9' }] },
      ]);
    }
    await recomputesWithoutAsking(stage, api);
  });

  it('has all answers in the log, in order, which no reader can open without the key', async () => {
    const log = await stage.log();
    const types: string[] = [];
    for await (const event of log.readAll({}))
      if (event.type.startsWith('evaluation.')) {
        types.push(event.type.replace('evaluation.', ''));
        for (const bytes of [event.data, event.metadata])
          expect(Buffer.from(bytes).toString()).not.toMatch(/Nine of ten|cannot judge/);
      }
    const runs = types.join(' ').split(' regeneration_requested ');
    expect(runs[0]).toBe('model_answered model_answered generated');
    expect(runs[1]).toBe('model_answered model_answered model_answered generated');
    expect(runs[2]).toMatch(/^(model_answered ){2,4}failed$/);
    expect(runs[3]).toBe('failed');
    expect(runs[4]).toBe('model_answered model_answered generated');
  });
});

describe('work that a model scores', () => {
  let folder: string;
  let api: FakeOpenAi;
  let stage: Stage;

  beforeAll(async () => {
    api = await startFakeOpenAi(() => failing(500));
    folder = await mkdtemp(join(tmpdir(), 'assay-model-'));
    stage = await openStage({
      ...fakeChecker(join(folder, 'runs')),
      ...{ SCORER: 'openai', OPENAI_BASE_URL: api.url, OPENAI_API_KEY: 'sk', OPENAI_MODEL: 'small-1' },
    });
  });
  afterAll(async () => {
    await api.close();
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  interface Sent {
    readonly work: readonly { readonly eventId: string; readonly lines: readonly string[] }[];
  }
  const sentIn = ({ body }: Asked): Sent => {
    const [, user] = body!['messages'] as readonly { readonly content: string }[];
    return JSON.parse(user!.content.split('\n')[2]!) as Sent;
  };

  /** A new candidate who agreed to the current notice. */
  const startedWith = async (roleId: string): Promise<Candidate> => {
    const who = await stage.candidate(roleId);
    const briefing = await who.person.get<{ notice: { version: string } }>(`${who.session}/briefing`);
    const start = { consent: true, noticeVersion: briefing.body.notice.version };
    expect((await who.person.post(`${who.session}/start`, start)).status).toBe(200);
    return who;
  };
  /** The evaluation of a session that hands these files in and completes. */
  const evaluated = async (who: Candidate, ticketId: string, files: Record<string, string>) => {
    await handIn(who, ticketId, files);
    await who.person.post(`${who.session}/complete`);
    stage.owner.follow(who.person);
    return eventually(async () => {
      const { body } = await stage.owner.get<{ items: (Evaluation & { trialSessionId: string })[] }>(
        stage.at('/evaluations'),
      );
      return body.items.find((one) => one.trialSessionId === who.sessionId && one.status !== 'generating');
    });
  };

  it('is shown by its difference to the starter, quoted by file and line, and stored with what was shown', async () => {
    const hidden = { 'sum.js': 'the hidden expectation' };
    const ticketId = await ticketWith(stage, { hidden });
    const ticket = stage.at(`/tickets/${ticketId}`);
    const starter = { 'sum.js': 'export const sum = (a, b) =>\n  0;\n', 'read.me': 'the same' };
    const set = await sendFile(stage.owner, `${ticket}/file-sets`, 'starter.zip', await zipOf(starter));
    expect((await stage.owner.patch(ticket, { starter: set })).status).toBe(200);
    const roleId = await roleWith(stage, [ticketId]);

    api.otherwise = (asked) => {
      const [work] = sentIn(asked).work;
      const citations = [{ eventId: work!.eventId, quote: 'sum.js:2+   a + b;' }];
      return completion({ score: 90, rationale: 'It adds.', citations });
    };
    const who = await startedWith(roleId);
    const found = await evaluated(who, ticketId, {
      ...starter,
      'sum.js': 'export const sum = (a, b) =>\n  a + b;\n',
    });
    expect(found.status).toBe('ready');

    const lines = ['sum.js:2-   0;', 'sum.js:2+   a + b;'];
    const one = await stage.owner.get<Evaluation>(stage.at(`/evaluations/${found.id}`));
    const handedIn = one.body.evidence.events.find(({ eventType }) => eventType === 'work.handed_in')!.id;
    for (const { evidenceEventIds } of one.body.scores) expect(evidenceEventIds).toEqual([handedIn]);
    expect(sentIn(api.asked[0]!).work).toEqual([{ eventId: handedIn, ticketId, lines, notes: [] }]);
    expect(JSON.stringify(api.asked.map(({ body }) => body))).not.toContain('the hidden expectation');
    const { body } = await stage.owner.get<Explanation>(stage.at(`/evaluations/${found.id}/explanation`));
    for (const { terms } of body.dimensions)
      expect(terms).toMatchObject([{ evidence: [{ eventId: handedIn, quote: 'sum.js:2+   a + b;' }] }]);
    const exported = JSON.stringify((await who.person.get<object>('/me/export')).body);
    expect(exported).toContain(JSON.stringify({ lines, notes: [] }).slice(1, -1));

    // The hand-in is not needed for this: what the model was shown is in the log, sealed.
    await recomputesWithoutAsking(stage, api);
    const log = await stage.log();
    for await (const event of log.readAll({}))
      for (const bytes of [event.data, event.metadata])
        expect(Buffer.from(bytes).toString()).not.toContain('a + b');
  });

  it.each([
    ['named no notice', undefined, false],
    ['agreed to a notice of the role’s own', { version: '1', text: 'A model scores.' }, true],
  ])('is not shown to it if the candidate %s, and is scored all the same', async (_, notice, names) => {
    const ticketId = await ticketWith(stage, { hidden: { parser: '1' } });
    const roleId = await roleWith(stage, [ticketId], notice && { notice });
    const before = api.asked.length;
    api.otherwise = (asked) => {
      const [work] = sentIn(asked).work;
      return completion({ score: 40, rationale: 'It was handed in.', citations: [{ eventId: work!.eventId, quote: '"files":1' }] }); // prettier-ignore
    };
    const who = names ? await startedWith(roleId) : await stage.started(roleId);
    const found = await evaluated(who, ticketId, { 'a.js': 'what nobody was told of' });
    expect(found).toMatchObject({ status: 'ready', overallScore: 40 });
    const asked = api.asked.slice(before);
    expect(JSON.stringify(asked.map(({ body }) => body))).not.toContain('what nobody was told of');
    const notes = [expect.stringMatching(/not shown, because the candidate’s notice does not say/)];
    for (const one of asked) expect(sentIn(one).work).toMatchObject([{ ticketId, lines: [], notes }]);
    // What it was shown, and why no more, is stored with its answer.
    const exported = JSON.stringify((await who.person.get<object>('/me/export')).body);
    expect(exported).toContain('This hand-in is not shown, because');
  });
});
