import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { beginDataFolder } from '../../test/faults/backup-command.js';
import { startAssay } from '../../test/support/assay.js';
import { readConfiguration } from './config.js';
import { openWriteSide } from './stores.js';
import { registerBackupMetrics } from './work-metrics.js';

describe('the time of the last backup', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-backup-metrics-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const assay = async (...args: readonly string[]): Promise<void> =>
    expect(await startAssay(at('data'), args).ended()).toMatchObject({ code: 0 });

  it('is 0 where none was made, and then that of the newest, without another start', async () => {
    await beginDataFolder(at('data'));
    await assay('organisations', 'create', '--name', 'Example', '--owner-email', 'olga@example.org');
    const stores = await openWriteSide(readConfiguration({ DATA_DIR: at('data') }));
    const registry = new Registry();
    registerBackupMetrics(registry, stores);
    const last = async (): Promise<number> => (await registry.getMetricsAsJSON())[0]!.values[0]!.value;
    try {
      expect(await last()).toBe(0);
      for (const name of ['one', 'two']) {
        const before = Date.now() / 1000;
        await assay('backup', at(name));
        expect(await last()).toBeGreaterThanOrEqual(before);
        expect(await last()).toBeLessThanOrEqual(Date.now() / 1000);
      }
    } finally {
      await stores.close();
    }
  });
});
