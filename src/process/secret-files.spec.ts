import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfiguration } from './config.js';
import { openStores } from './stores.js';
import { ConfigurationProblem } from './variable-reader.js';

const service = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url));

it('leaves nothing of a key that could not be written, as on a full disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-keys-'));
  try {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 0; exec "$0" "$1"', process.execPath, service],
      {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), PORT: '0' },
      },
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('DATA_DIR cannot be used')]);
    expect(readdirSync(join(folder, 'data'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('makes no key for what only uses a service, which a later command would take for the service’s', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-keys-'));
  try {
    const configuration = readConfiguration({
      DATA_DIR: join(folder, 'data'),
      EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:1/assay',
    });
    await expect(openStores(configuration, undefined, { begins: false })).rejects.toThrow(
      ConfigurationProblem,
    );
    expect(existsSync(join(folder, 'data'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
