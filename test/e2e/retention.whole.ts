import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { startService, wrongClock } from '../support/service.js';
import { type Stage, stageOn } from '../support/stage.js';

const HOUR = 3_600_000;
const DAYS = 24 * HOUR;

describe('an erasure by retention', () => {
  let dataDir: string;
  let stage: Stage;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-retention-'));
    const service = await startService({ dataDir, env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } });
    stage = await stageOn(service);
  });
  afterAll(async () => {
    await stage.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is neither made nor is a session expired by a clock that is set years ahead, until it can be believed', async () => {
    const { owner } = stage;
    const role = await stage.role();
    const idle = await stage.started(role);
    await idle.person.post(`${idle.session}/withdraw`);
    const open = await stage.candidate(role);
    expect((await owner.patch(stage.at(), { retentionDays: 30 })).status).toBe(200);
    // The next process finds it at its start.
    expect((await owner.get(stage.at())).body).toMatchObject({ retentionDays: 30 });
    const log = await stage.log();
    const of = async (type: string, applicationId: string): Promise<readonly unknown[]> => {
      const found: unknown[] = [];
      for await (const event of log.readAll({}))
        if (event.type === type && event.data.toString().includes(applicationId))
          found.push(JSON.parse(event.data.toString()));
      return found;
    };
    const candidateOf = async (applicationId: string): Promise<string> => {
      const [invited] = await of('candidate.invited', applicationId);
      return (invited as { readonly candidateId: string }).candidateId;
    };
    const [idleCandidate, openCandidate] = [
      await candidateOf(idle.applicationId),
      await candidateOf(open.applicationId),
    ];
    await stage.service.stop();
    // At the signal as if an hour had passed.
    const years = { ...wrongClock(2 * 365 * DAYS, [HOUR + 60_000]), CLOCK_JUMPS: 'both' };
    const wrong = await startService({ dataDir, env: { LOG_LEVEL: 'warn', ...years } });
    try {
      await eventually(async () => wrong.output().includes('This machine’s clock is 730 days ahead of'));
      // The service checks at once, and would check again within seconds.
      await sleep(8_000);
      expect(await of('trial.expired', open.applicationId)).toEqual([]);
      expect(await of('candidate.erased', idleCandidate)).toEqual([]);
      const health = await assay({ DATA_DIR: dataDir }, 'health', '--json');
      expect(JSON.parse(health.out)).toMatchObject({ ready: true });
      const metrics = await (await fetch(`${wrong.url}/metrics`)).text();
      expect(metrics).toMatch(/^assay_clock_ahead_seconds 630720\d\d$/m);
      expect(metrics).toContain('assay_clock_waiting{what="end"} 1');

      // The operator confirms the clock: applications expire, and nothing is destroyed.
      const confirmed = await assay({ DATA_DIR: dataDir, ...years }, 'clock', 'confirm', '--yes');
      expect(confirmed).toMatchObject({ code: 0, err: '' });
      await eventually(async () => (await of('trial.expired', open.applicationId)).length === 1);
      await sleep(3_000);
      expect(await of('candidate.erased', idleCandidate)).toEqual([]);

      process.kill(wrong.pid, 'SIGUSR2');
      await eventually(async () => (await of('candidate.erased', idleCandidate)).length > 0, 90_000);
      expect(await of('candidate.erased', idleCandidate)).toEqual([
        expect.objectContaining({ cause: 'retention' }),
      ]);
      // It has only just ended: its retention period begins now.
      expect(await of('candidate.erased', openCandidate)).toEqual([]);
    } finally {
      await wrong.stop();
    }
  });
});
