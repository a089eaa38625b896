import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { completion, type FakeOpenAi, startFakeOpenAi } from '../support/openai/fake-openai.js';
import { createOrganisation, work } from '../support/organisation.js';
import { type Ended, type Spawned, spawnService, startService } from '../support/service.js';
import { type Candidate, Stage } from '../support/stage.js';

interface Evaluation {
  readonly status: string;
  readonly generation: number;
  readonly failure: string | null;
}

/** A text in the evidence of a session. The generation of its evaluation ends the process. */
const DEADLY = 'This ends the process.';

describe('an evaluation whose generation ends the process that makes it', () => {
  let folder: string;
  let model: FakeOpenAi;
  let stage: Stage;
  let projector: Spawned;
  let stopping = false;
  /** How each projector ended, in order. */
  const deaths: Ended[] = [];
  /** Whether scoring the deadly evidence ends the process. */
  let deadly = true;

  /** Starts a projector, and another one each time it ends, as a supervisor does. */
  const startProjector = (): void => {
    projector = spawnService(folder, {
      entry: 'bin/projector.js',
      env: {
        LOG_LEVEL: 'warn',
        SCORER: 'openai',
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: 'sk-secret',
        OPENAI_MODEL: 'small-1',
      },
    });
    void projector.ended.then((end) => {
      deaths.push(end);
      if (!stopping) startProjector();
    });
  };

  const worked = async (text: string): Promise<Candidate> => {
    const candidate = await stage.started(await stage.role());
    const message = {
      clientEventId: 'm',
      eventType: 'message.sent',
      occurredAt: '2026-01-05T09:30:00.000Z',
      payload: { text, to: 'assistant' },
    };
    await candidate.person.post(`${candidate.session}/activity`, { events: [...work().events, message] });
    return candidate;
  };
  /** Enough for several projectors that start in turn: each may take seconds on a busy machine. */
  const WAIT_LIMIT_MS = 90_000;
  /** Views do not move while no projector runs: this reads nothing that has just changed. */
  const completed = async ({ person, session, sessionId }: Candidate): Promise<string> => {
    // 503 while a projector starts again after another evaluation has ended it; 409 if the former try was recorded.
    await eventually(async () => {
      const { status } = await person.post(`${session}/complete`);
      if (status !== 503) expect([200, 409]).toContain(status);
      return status !== 503;
    }, WAIT_LIMIT_MS);
    return eventually(async () => {
      const { body } = await stage.owner.get<{ items?: { id: string; trialSessionId: string }[] }>(
        stage.at('/evaluations'),
      );
      return body.items?.find(({ trialSessionId }) => trialSessionId === sessionId)?.id;
    }, WAIT_LIMIT_MS);
  };
  const settled = (id: string, generation = 1) =>
    eventually(async () => {
      const { body } = await stage.owner.get<Evaluation>(stage.at(`/evaluations/${id}`));
      return body.generation === generation && body.status !== 'generating' && body;
    }, WAIT_LIMIT_MS);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-kills-'));
    model = await startFakeOpenAi(({ body }) => {
      if (deadly && JSON.stringify(body).includes(DEADLY)) {
        projector.child.kill('SIGKILL');
        return { does: 'hang' };
      }
      return completion({ score: 0, rationale: 'There is nothing to go by.', citations: [] });
    });
    const starting = startService({
      dataDir: folder,
      env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', PROJECTOR: 'off' },
    });
    // The projector is ready once its views are.
    startProjector();
    const service = await starting;
    const api = new Api(service.url);
    const org = await createOrganisation(folder, 'Example', 'owner@example.org');
    const owner = await eventually(async () => {
      const person = await api.as('owner@example.org');
      return (await person.get(`/organisations/${org}`)).status === 200 && person;
    });
    stage = new Stage(service, api, org, owner, (email) => api.as(email));
  });
  afterAll(async () => {
    stopping = true;
    await projector.kill();
    await stage.close();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('fails with the reason once it has ended three processes, and no other evaluation fails with it', async () => {
    const candidates = [await worked(DEADLY), await worked('And this does not.')];
    const [id = '', other = ''] = await Promise.all(candidates.map(completed));
    expect(await settled(id)).toMatchObject({
      status: 'failed',
      failure: expect.stringMatching(/^The service’s process ended 3 times .* ask for a new generation/),
    });
    expect(deaths.map(({ signal }) => signal)).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
    expect(await settled(other)).toMatchObject({ status: 'ready' });
    expect(deaths).toHaveLength(3);
  });

  it('is made once staff ask for a new generation and the cause is gone', async () => {
    const id = await completed(await worked(DEADLY));
    expect(await settled(id)).toMatchObject({ status: 'failed' });
    const before = deaths.length;
    deadly = false;
    const asked = await stage.owner.post(stage.at(`/evaluations/${id}/regenerations`));
    expect(asked).toMatchObject({ status: 202, body: { generation: 2 } });
    expect(await settled(id, 2)).toMatchObject({ status: 'ready', failure: null });
    expect(deaths).toHaveLength(before);
  });
});
