import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.js';

const LOCK = fileURLToPath(new URL('../../scripts/lock.mjs', import.meta.url));

describe('the lock of the preparation', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'));
    path = join(folder, 'lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const program = (work: string): readonly string[] => [
    '--input-type=module',
    '-e',
    `import { withLock } from ${JSON.stringify(LOCK)}; await withLock(${JSON.stringify(path)}, async () => { ${work} });`,
  ];
  const withLock = (ms: number): boolean =>
    spawnSync(process.execPath, program(''), { timeout: ms }).status === 0 && !existsSync(path);

  it('is taken from a dead owner, also if another process has its id now, and not from a living one', async () => {
    const holder = spawn(process.execPath, program('await new Promise((end) => setTimeout(end, 60_000));'));
    const ended = once(holder, 'exit');
    await eventually(async () => existsSync(path) && readFileSync(path, 'utf8').startsWith(`${holder.pid}`));
    expect(withLock(1_500)).toBe(false);
    holder.kill('SIGKILL');
    await ended;
    const left = readFileSync(path, 'utf8');
    expect(withLock(20_000)).toBe(true);
    // As if another process had got the id of the dead owner since.
    writeFileSync(path, left.replace(/^\d+/, String(process.pid)));
    expect(withLock(4_000)).toBe(true);
    // A former release wrote the id alone.
    writeFileSync(path, String(process.pid));
    expect(withLock(1_500)).toBe(false);
  });
});
