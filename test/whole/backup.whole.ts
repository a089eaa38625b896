import { expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../tools/simulate/random.js';
import { startAssay } from '../support/assay.js';
import { playRounds } from '../support/hiring-rounds.js';
import { makePlace } from '../support/place.js';
import { startService } from '../support/service.js';
import { expectViewsToEqualAFoldFromZero } from '../support/whole-views.js';

const CANDIDATES = 60;
const BACKUPS = 8;

it('backups at random moments of hiring rounds with interviews disturb none, and a service can be started on each', async () => {
  const random = new Random(17);
  const place = await makePlace();
  const folder = await mkdtemp(join(tmpdir(), 'assay-backups-'));
  const service = await place.start();
  const rounds = playRounds(place, CANDIDATES, 17, true);
  const backups: string[] = [];
  try {
    await rounds.begun();
    for (let count = 0; count < BACKUPS; count++) {
      await sleep(random.between(0, 2_000));
      const backup = join(folder, `backup-${count}`);
      const command = startAssay(place.dataDir, ['backup', backup, '--with-keys']);
      if (count % 3 === 2) {
        await sleep(random.between(200, 1_000));
        command.process.kill('SIGKILL');
      }
      const { code, err } = await command.ended();
      if (code === 0) backups.push(backup);
      else expect({ code, err }).toEqual({ code: null, err: '' });
    }
    expect(await rounds.ended()).toMatchObject({
      code: 0,
      output: expect.stringContaining('Everything agrees'),
    });
    await service.stop();

    let events = 0;
    for (const [index, backup] of backups.entries()) {
      const dataDir = join(folder, `restored-${index}`);
      const args = ['restore', backup, '--tombstones', backups[index + 1] ?? place.dataDir, '--json'];
      const { code, out } = await startAssay(dataDir, args).ended();
      expect(code).toBe(0);
      const restored = JSON.parse(out) as { events: number };
      expect(restored.events).toBeGreaterThan(events);
      events = restored.events;
      const again = await startService({ dataDir });
      try {
        await expectViewsToEqualAFoldFromZero({ DATA_DIR: dataDir });
      } finally {
        await again.stop();
      }
    }
    expect(backups.length).toBeGreaterThanOrEqual(BACKUPS / 2);
  } finally {
    rounds.kill();
    await service.kill();
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  }
});
