import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The stand-in EventStoreDB, running as a process of its own. */
export interface EventStoreProcess {
  readonly url: string;
  readonly pid: number;
  /** SIGTERM. Resolves once it is gone. */
  stop(): Promise<void>;
  readonly ended: Promise<void>;
}

const compiled = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Starts it and waits until it listens. Only from compiled code.
 * @param port a free one where none is given
 * @throws Error with what it said, where it did not start
 */
export const startEventStoreProcess = async (dataDir: string, port = 0): Promise<EventStoreProcess> => {
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      `--import=${compiled('end-with-parent.js')}`,
      compiled('../support/eventstoredb/main.js'),
      '--data',
      dataDir,
      '--port',
      String(port),
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const ended = once(child, 'exit').then(() => undefined);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-10_000)));
  const url = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('EVENTSTORE_URL=')) resolve(line.slice('EVENTSTORE_URL='.length));
    });
  });
  const said = await Promise.race([url, ended]);
  if (said === undefined) throw new Error(errors.trim() || 'The EventStoreDB stand-in did not start.');
  return {
    url: said,
    pid: child.pid!,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
    ended,
  };
};
