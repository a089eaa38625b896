import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
