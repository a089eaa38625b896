import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether no thread of a process runs, as Linux has it. */
const standsStill = async (pid: number): Promise<boolean> => {
  const tasks = `/proc/${pid}/task`;
  const states = await Promise.all(
    (await readdir(tasks)).map(
      async (id) => /\) (\w)/.exec(await readFile(`${tasks}/${id}/stat`, 'utf8'))?.[1],
    ),
  );
  return states.every((state) => state === 'T' || state === 'Z');
};

/** Resolves once no thread of a process that was or will be stopped runs any more: one that is at work still answers. */
export const stoodStill = async (pid: number): Promise<void> => {
  // A thread may end while it is looked at; where the process has, this says so.
  while (!(await standsStill(pid).catch(() => false))) {
    await sleep(1);
    process.kill(pid, 0);
  }
};

/** SIGSTOP, and waits until it has been heard by every thread. SIGCONT lets it go on. */
export const standStill = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGSTOP');
  if (process.platform === 'linux') await stoodStill(pid);
};
