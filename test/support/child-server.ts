import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A compiled test server of this folder, running as a process of its own. */
export interface ChildServer {
  readonly url: string;
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const root = ROOT.endsWith('/dist/') ? ROOT.slice(0, -'dist/'.length) : ROOT;

const start = (name: string, env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, ['--no-warnings', '--enable-source-maps', `${root}dist/test/support/${name}.js`], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Starts `dist/test/support/<name>.js`, which prints its URL as its first line once it listens. */
export const startServer = async (name: string, env: Record<string, string> = {}): Promise<ChildServer> => {
  const child = start(name, env);
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
  const lines = createInterface({ input: child.stdout! });
  const [url] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [''])])) as [string];
  if (!url.startsWith('http')) throw new Error(`${name} did not start: ${url}${errors}`);
  return {
    url,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
};

/** Runs the same until it ends by itself: how it ended, and what it said. */
export const runServer = async (
  name: string,
  env: Record<string, string>,
): Promise<{ code: number | null; errors: string }> => {
  const child = start(name, env);
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await once(child, 'close');
  clearTimeout(timer);
  return { code: child.exitCode, errors };
};
