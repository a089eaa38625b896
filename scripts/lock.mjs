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

const isTaken = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/**
 * A process's id and its start: a later process can have the same id, after a restart of the machine or in a container.
 * The id alone on systems without /proc; empty: it has ended.
 */
const identityOf = (pid) => {
  if (!isTaken(pid)) return '';
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After its name, which may have any characters: the state is the first field, the start the twentieth.
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    return ['Z', 'X'].includes(fields[0]) ? '' : `${pid} ${boot} ${fields[19]}`;
  } catch {
    return String(pid);
  }
};

const OWN = identityOf(process.pid);

/**
 * Whether the process that holds the lock has ended. It is named in the file right after the file is made: one that is
 * still empty after 5 seconds is abandoned.
 */
const abandoned = (path) => {
  try {
    const holder = readFileSync(path, 'utf8');
    const pid = Number.parseInt(holder, 10);
    if (!(pid > 0)) return Date.now() - statSync(path).mtimeMs > 5_000;
    const found = identityOf(pid);
    // A former release wrote the id alone.
    return found === '' || (holder.includes(' ') && holder !== found);
  } catch {
    return false;
  }
};

const acquire = (path) => {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, OWN);
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
};

/** Takes an abandoned lock. If several processes try at once, the one that the file names afterwards holds it. */
const takeOver = async (path) => {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, OWN);
  if (!abandoned(path)) rmSync(draft, { force: true });
  else renameSync(draft, path);
  await sleep(200);
  try {
    return readFileSync(path, 'utf8') === OWN;
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
