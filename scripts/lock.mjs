import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/**
 * Whether the process that holds the lock has ended. Its id is in the file right after the file is made: one that is
 * still empty after 5 seconds is abandoned.
 */
const abandoned = (path) => {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    return holder > 0 ? !alive(holder) : Date.now() - statSync(path).mtimeMs > 5_000;
  } catch {
    return false;
  }
};

const acquire = (path) => {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
};

/** Takes an abandoned lock. If several processes try at once, the one whose id is in the file afterwards holds it. */
const takeOver = async (path) => {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  if (!abandoned(path)) rmSync(draft, { force: true });
  else renameSync(draft, path);
  await sleep(200);
  try {
    return readFileSync(path, 'utf8') === String(process.pid);
  } catch {
    return false;
  }
};

/**
 * Runs `work` while it holds the lock, a file at `path`. Waits for another process that holds it, without a limit, and
 * takes the lock over if that process has ended. If `work` throws, the lock is released when this process exits.
 */
export const withLock = async (path, work) => {
  while (!acquire(path)) {
    if (!abandoned(path)) await sleep(100);
    else if (await takeOver(path)) break;
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  await work();
  release();
  process.off('exit', release);
};
