// Part of each check: `import { run } from 'assay-check'`. It is also the reporter of Node's test runner, so that both
// send over one socket to the checker outside of the sandbox. It imports nothing of this program.
import { Socket } from 'node:net';
import type { TestEvent } from 'node:test/reporters';

/** What a run of the work gets. */
export interface RunOptions {
  /** Standard input. Default: it is empty. */
  readonly stdin?: string;
  /** Files that the work finds in `/input`, by their names. Default: none. */
  readonly files?: Readonly<Record<string, string>>;
  /** Time limit, in milliseconds; 10,000 by default, 60,000 at most. */
  readonly timeoutMs?: number;
}

/** How a run of the work ended. Either `code` or `signal` is `null`: the program exited, or a signal ended it. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it was ended; `null`: it ended by itself. */
  readonly ended: 'timed_out' | 'too_much_output' | null;
}

/** What a check sends, a line of JSON each. */
export type FromCheck =
  | ({ readonly kind: 'run'; readonly id: number; readonly args: readonly string[] } & RunOptions)
  | {
      readonly kind: 'test';
      readonly name: string;
      readonly passed: boolean;
      readonly message: string | null;
    }
  | { readonly kind: 'end' };

/** What it gets for each run. */
export interface ToCheck extends Ran {
  readonly id: number;
}

const CHANNEL = 3;
const socket = new Socket({ fd: CHANNEL });
const waiting = new Map<number, (ran: Ran) => void>();
let runs = 0;
let rest = '';

socket.setEncoding('utf8');
socket.on('data', (text: string) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const { id, ...ran } = JSON.parse(line) as ToCheck;
    waiting.get(id)?.(ran);
    waiting.delete(id);
    if (waiting.size === 0) socket.unref();
  }
});
socket.unref();

const send = (message: FromCheck): Promise<void> =>
  new Promise((resolve) => {
    socket.write(`${JSON.stringify(message)}\n`, () => resolve());
  });

/**
 * Runs a command in the folder of the work, in a sandbox of its own. A check may await several
 * runs at the same time.
 * @param args the command and its arguments, such as `['node', 'main.mjs', '5']`
 * @param given its standard input, or more
 */
export const run = (args: readonly string[], given: string | RunOptions = {}): Promise<Ran> => {
  const options = typeof given === 'string' ? { stdin: given } : given;
  runs += 1;
  const id = runs;
  socket.ref();
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    void send({ kind: 'run', id, args, ...options });
  });
};

/** Sends each test that has no tests of its own. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  const names: string[] = [];
  let last = 0;
  for await (const event of source) {
    if (event.type === 'test:start') {
      names.length = event.data.nesting;
      names.push(event.data.name);
    }
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { nesting, name, skip, todo, details } = event.data;
    const isParent = nesting < last || details.type === 'suite';
    last = nesting;
    const isSkipped = (skip ?? false) !== false || (todo ?? false) !== false;
    const error = 'error' in details ? details.error : null;
    const type = (error as { failureType?: string } | null)?.failureType;
    if (isSkipped || (isParent && (error === null || type === 'subtestsFailed'))) continue;
    const { cause } = error ?? {};
    const message = error === null ? null : cause instanceof Error ? cause.message : error.message;
    const full = [...names.slice(0, nesting), name].join(' > ');
    await send({ kind: 'test', name: full, passed: error === null, message });
  }
  await send({ kind: 'end' });
  yield '';
}
