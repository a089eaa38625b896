import { expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayCommand } from '../faults/backup-command.js';
import { Api } from '../support/api.js';
import { createOrganisation } from '../support/organisation.js';
import { startService } from '../support/service.js';

const ROLE = { name: 'Engineer', overallThreshold: 60, dimensions: [] };
const env = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };

it('a restore begins a new life of the log: tokens of the earlier one are ignored, before and after it has outgrown them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-restored-'));
  const [before, after, backup] = ['before', 'after', 'backup'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  try {
    const former = await startService({ dataDir: before, env });
    const org = await createOrganisation(before, 'Example', 'owner@example.org');
    const roles = `/organisations/${org}/roles`;
    const owner = await new Api(former.url).as('owner@example.org');
    await owner.get('/me');
    expect(await AssayCommand.run(before, ['backup', backup, '--with-keys'])).toMatchObject({ code: 0 });
    const lost = await owner.post(roles, ROLE);
    const token = lost.headers.get('consistency-token')!;
    await former.stop();

    const restore = ['restore', backup, '--tombstones', before, '--json'];
    expect(await AssayCommand.run(after, restore)).toMatchObject({ code: 0 });
    const restored = await startService({ dataDir: after, env });
    try {
      const again = await new Api(restored.url).as('owner@example.org');
      for (let count = 0; count <= 3; count++) {
        const began = performance.now();
        // What the token waited for was lost: it is waited for by nobody.
        const listed = await again.get<{ items: unknown[] }>(roles, { 'consistency-token': token });
        expect([listed.status, listed.body.items.length]).toEqual([200, count]);
        expect(performance.now() - began).toBeLessThan(1_500);
        const made = await again.post(roles, ROLE);
        expect(made.status).toBe(201);
        const own = made.headers.get('consistency-token')!;
        expect(own).not.toBe(token);
        await again.get(roles, { 'consistency-token': own });
      }
    } finally {
      await restored.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
