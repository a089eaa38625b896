import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PersonId } from '../../core/vault/port.js';
import { readConfiguration } from '../../process/config.js';
import { openStores } from '../../process/stores.js';

describe('what lies below DATA_DIR', () => {
  let dataDir: string;
  beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'assay-private-'))));
  afterEach(() => rm(dataDir, { recursive: true }));

  const start = async (): Promise<readonly string[]> => {
    const said: string[] = [];
    const stores = await openStores({ ...readConfiguration({}), dataDir }, (sentence) => said.push(sentence));
    await stores.vault.keys.create('8c1f2b1e-56e3-4a1b-8d3c-6b54f3f5a001' as PersonId);
    await stores.close();
    return said;
  };
  const entries = () =>
    readdirSync(dataDir, { recursive: true, withFileTypes: true }).map((entry) => ({
      path: join(entry.parentPath, entry.name),
      folder: entry.isDirectory(),
    }));
  const open = (): readonly string[] =>
    entries()
      .filter(({ path }) => (statSync(path).mode & 0o077) !== 0)
      .map(({ path }) => path);

  it('is for its owner alone, in folders too that were made beforehand', async () => {
    chmodSync(dataDir, 0o755);
    for (const name of ['log', 'views', 'vault', 'vault/audio', 'vault/keys', 'vault/erased']) {
      mkdirSync(join(dataDir, name));
      chmodSync(join(dataDir, name), 0o755);
    }
    expect(await start()).toEqual([]);
    expect(entries().length).toBeGreaterThan(10);
    expect(open()).toEqual([]);
  });

  it('is closed again after a copy that let everybody read', async () => {
    await start();
    for (const { path, folder } of entries())
      if (!/made|keys\/../.test(path)) chmodSync(path, folder ? 0o755 : 0o644);
    const said = await start();
    expect(open()).toEqual([]);
    expect(said).toEqual([
      expect.stringMatching(/data\.key could be read by other users .* change DATA_KEY\.$/),
      expect.stringMatching(/signing\.key could be read by other users .* change SIGNING_KEY\.$/),
    ]);
    expect(await start()).toEqual([]);
  });
});
