import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

/** A server of the tests, running as a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  /** SIGKILL: what it had acknowledged is in its folder. Resolves once it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves once it is gone, and its folder too, unless that was given. */
  stop(): Promise<void>;
  /** SIGSTOP for so many milliseconds, or until `thaw`: connections stay open, and nothing is answered. */
  freeze(milliseconds?: number): Promise<void>;
  thaw(): void;
  /** Resolves when it has ended, however that came about. */
  readonly ended: Promise<void>;
}

interface Launch {
  /** What the server is, for a folder's name and a sentence. */
  readonly name: string;
  /** Kept over restarts; one of its own, removed at `stop`, if none is given. */
  readonly dataDir: string | undefined;
  readonly spawn: (dataDir: string) => ChildProcess;
  /** What it prints first, once it listens: its first group is the server's URL. */
  readonly listens: RegExp;
}

/**
 * Starts a server and waits until it listens.
 * @throws {Error} with what the server wrote on standard error, if it ended instead
 */
export const startServerProcess = async ({
  name,
  dataDir,
  spawn,
  listens,
}: Launch): Promise<ServerProcess & { readonly url: string; readonly child: ChildProcess }> => {
  const own = dataDir === undefined ? await mkdtemp(join(tmpdir(), `assay-${name.toLowerCase()}-`)) : null;
  const removeOwn = async (): Promise<void> => {
    if (own !== null) await rm(own, { recursive: true, force: true });
  };
  const child = spawn(dataDir ?? own ?? '');
  const ended = once(child, 'exit').then(() => undefined);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-10_000)));
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout! }), 'line'),
    ended.then(() => ['']),
  ])) as [string];
  const url = listens.exec(line)?.[1];
  if (url === undefined) {
    await removeOwn();
    throw new Error(errors.trim() || `The ${name} test server did not start.`);
  }
  const thaw = (): void => {
    child.kill('SIGCONT');
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    // A frozen process handles SIGTERM only once it is continued.
    thaw();
    await ended;
  };
  return {
    url,
    child,
    pid: child.pid!,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM');
      await removeOwn();
    },
    freeze: async (milliseconds) => {
      await standStill(child.pid!);
      if (milliseconds !== undefined) await sleep(milliseconds).then(thaw);
    },
    thaw,
    ended,
  };
};
