import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Api } from '../support/api.js';
import { createOrganisation, eventually } from '../support/organisation.js';
import { startService } from '../support/service.js';
import { Stage } from '../support/stage.js';

const DAYS = 24 * 3_600_000;

describe('an erasure by retention', () => {
  let dataDir: string;
  let stage: Stage;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-retention-'));
    const service = await startService({ dataDir, env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } });
    const api = new Api(service.url);
    const org = await createOrganisation(dataDir, 'Example', 'owner@example.org');
    const owner = await api.as('owner@example.org');
    await owner.get('/me');
    stage = new Stage(service, api, org, owner, (email) => api.as(email));
  });
  afterAll(async () => {
    await stage.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('reaches whoever was there before it was turned on, and nobody who had a session open', async () => {
    const { owner } = stage;
    const role = await stage.role();
    const idle = await stage.started(role);
    await idle.person.post(`${idle.session}/withdraw`);
    const open = await stage.candidate(role);
    expect((await owner.patch(stage.at(), { retentionDays: 30 })).status).toBe(200);
    // The next process is to find it at its start.
    expect((await owner.get(stage.at())).body).toMatchObject({ retentionDays: 30 });
    const personOf = async (applicationId: string): Promise<string> => {
      for await (const { stream, type, data } of (await stage.log()).readAll({}))
        if (type === 'candidate.invited' && data.toString().includes(applicationId)) return stream;
      throw new Error('There is no such application.');
    };
    const kept = async (applicationId: string) => {
      const causes: unknown[] = [];
      for await (const { type, data } of (await stage.log()).readStream(
        (await personOf(applicationId)) as never,
      ))
        if (type === 'candidate.erased') causes.push(JSON.parse(data.toString()));
      return causes;
    };
    await stage.service.stop();
    const shifted = {
      CLOCK_SHIFT_MS: `${40 * DAYS}`,
      NODE_OPTIONS: `--import ${resolve('dist/test/support/shifted-clock.js')}`,
    };
    const later = await startService({ dataDir, env: { LOG_LEVEL: 'warn', ...shifted } });
    try {
      // The service erases once a minute, and the first time may come before its views are up to date.
      await eventually(async () => (await kept(idle.applicationId)).length > 0, 90_000);
      expect(await kept(idle.applicationId)).toEqual([expect.objectContaining({ cause: 'retention' })]);
      // Open until a moment ago: its time begins now.
      expect(await kept(open.applicationId)).toEqual([]);
    } finally {
      await later.stop();
    }
  });
});
