import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isGone, processName } from './owner.js';

describe('the owner of a lease', () => {
  it('is gone once its process on this machine has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    const owner = `${hostname()}/${child.pid}/run`;
    expect(isGone(owner)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isGone(owner)).toBe(true);
  });

  it('is gone once its process has ended, though its parent has not asked for its status', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const owner = `${hostname()}/${Number(String((await once(parent.stdout, 'data'))[0]))}/run`;
      while (!isGone(owner)) await pause(10);
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('is not known to be gone where it is of another machine or cannot be read', () => {
    for (const owner of [
      'elsewhere/999999/run',
      hostname(),
      `${hostname()}/0/run`,
      `${hostname()}/-1/run`,
      '',
    ])
      expect(isGone(owner)).toBe(false);
    expect(isGone(`${processName()}/run`)).toBe(false);
  });
});
