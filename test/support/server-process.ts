import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether Linux shows no thread of a process as running. */
const isStopped = async (pid: number): Promise<boolean> => {
  const tasks = `/proc/${pid}/task`;
  const states = await Promise.all(
    (await readdir(tasks)).map(
      async (id) => /\) (\w)/.exec(await readFile(`${tasks}/${id}/stat`, 'utf8'))?.[1],
    ),
  );
  return states.every((state) => state === 'T' || state === 'Z');
};

/** Resolves once no thread of a process runs: right after SIGSTOP, a working thread may still answer. */
export const untilStopped = async (pid: number): Promise<void> => {
  // A thread may end during the read. If the process has ended, this throws.
  while (!(await isStopped(pid).catch(() => false))) {
    await sleep(1);
    process.kill(pid, 0);
  }
};

/** Sends SIGSTOP and waits until every thread has stopped. SIGCONT resumes them. */
export const suspend = async (pid: number): Promise<void> => {
  process.kill(pid, 'SIGSTOP');
  if (process.platform === 'linux') await untilStopped(pid);
};

/** A test server in a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  /** SIGKILL: everything that it had acknowledged is in its folder. Resolves once the process has ended. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves once the process has ended and its folder is removed, unless the folder was given. */
  stop(): Promise<void>;
  /** SIGSTOP for so many milliseconds, or until `thaw`: connections stay open, and nothing is answered. */
  freeze(milliseconds?: number): Promise<void>;
  thaw(): void;
  /** Resolves once the process has ended, for any reason. */
  readonly ended: Promise<void>;
}

interface Launch {
  /** The server's name, for its folder and for messages. */
  readonly name: string;
  /** Kept over restarts. By default a temporary folder that `stop` removes. */
  readonly dataDir: string | undefined;
  readonly spawn: (dataDir: string) => ChildProcess;
  /** The line that it prints once it listens. The first group is the server's URL. */
  readonly listens: RegExp;
}

/**
 * Starts a server and waits until it listens.
 * @throws {Error} the server has ended instead, with its standard error
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
    // A stopped process handles SIGTERM only after SIGCONT.
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
      await suspend(child.pid!);
      if (milliseconds !== undefined) await sleep(milliseconds).then(thaw);
    },
    thaw,
    ended,
  };
};
