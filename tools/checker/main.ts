// The shipped checker: Node's own test runner drives the work, each in a sandbox of its own. See docs/checking.md.
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FromCheck, Ran, ToCheck } from './driver.js';
import { LIMITS } from './limits.js';
import { bwrapSandbox, noSandbox, NoSandbox, type Sandbox } from './sandbox.js';

/** The exit status of a checker that cannot run on this machine. */
const UNAVAILABLE = 69;
const DEFAULT_MS = 60_000;
/**
 * The share of the time limit that all tests together have. If the work hangs in each test, they fail, and the check
 * still has a result.
 */
const WORK_SHARE = 0.8;
const TOO_LATE: Ran = { stdout: '', stderr: '', code: null, signal: null, ended: 'timed_out' };
const ENDING = '.check.mjs';
const CHECK = '/check';
const WORK = '/work';
const INPUT = '/input';
const MAX_COMPLAINT = 2_000;

/** Ends the checker with a status of its own and a sentence for the operator. */
class Fault extends Error {
  constructor(
    sentence: string,
    readonly status = 1,
  ) {
    super(sentence);
  }
}

/** A test's result, as `results.json` has it. */
interface Test {
  readonly name: string;
  readonly status: 'pass' | 'fail';
  readonly message?: string;
}

/** Runs all check files over the work, and writes the results where the service reads them. */
const check = async (): Promise<void> => {
  const [, , , , output] = process.argv;
  const { ASSAY_WORK: work, ASSAY_CHECKS: checks, ASSAY_ISOLATION: isolation = 'separate' } = process.env;
  if (output === undefined || work === undefined || checks === undefined)
    throw new Fault('Call it with "$@" as a checker’s command: it needs ASSAY_WORK and ASSAY_CHECKS.', 2);
  if (isolation !== 'separate')
    throw new Fault('This checker runs separate checks alone: set CHECKER_ISOLATION=separate.', UNAVAILABLE);
  const sandbox = process.env['CHECKER_UNSAFE'] === 'on' ? noSandbox() : await bwrapSandbox();
  process.stdout.write(`${sandbox.description}\n`);
  const ms = Number(process.env['ASSAY_CHECK_MS']) || DEFAULT_MS;
  const workEnds = performance.now() + ms * WORK_SHARE;
  // The service ends the checker in time, unless the service itself was killed.
  setTimeout(() => {
    sandbox.stop();
    process.exit(1);
  }, ms).unref();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      sandbox.stop();
      process.exit(1);
    });
  const own = await mkdtemp(join(dirname(output), 'checker-'));
  try {
    await chmod(own, 0o711);
    const folders = await prepare(own, checks);
    const tests: Test[] = [];
    const files = (await readdir(checks, { recursive: true })).filter((file) => file.endsWith(ENDING)).sort();
    for (const file of files) {
      const found = await runFile(sandbox, { file, own, work, folders, ms, workEnds });
      const prefix = files.length > 1 ? `${file.slice(0, -ENDING.length)}: ` : '';
      tests.push(...found.map((test) => ({ ...test, name: `${prefix}${test.name}` })));
    }
    const status = tests.every((test) => test.status === 'pass') ? 'pass' : 'fail';
    await writeFile(join(output, 'results.json'), JSON.stringify({ version: 3, status, tests }));
  } finally {
    sandbox.stop();
    // What is read-only cannot be removed here; it is removed with the folder of the run.
    await rm(own, { recursive: true, force: true }).catch(() => undefined);
  }
};

/** What the sandbox of the checks can read: the checks, and the package that they import. */
const prepare = async (own: string, checks: string): Promise<Readonly<Record<string, string>>> => {
  const packages = join(own, 'node_modules');
  const folder = join(packages, 'assay-check');
  await mkdir(folder, { recursive: true });
  await cp(fileURLToPath(new URL('check-driver.js', import.meta.url)), join(folder, 'index.js'));
  await writeFile(
    join(folder, 'package.json'),
    '{ "name": "assay-check", "type": "module", "exports": "./index.js" }',
  );
  await cp(checks, join(own, 'check'), { recursive: true });
  return { [CHECK]: join(own, 'check'), '/node_modules': packages };
};

/** One file of checks, and what it takes to run it. */
interface CheckFile {
  /** Its path below the checks. */
  readonly file: string;
  /** The folder of this run of the checker. */
  readonly own: string;
  /** The folder of the work. */
  readonly work: string;
  /** What the sandbox of the checks can read. */
  readonly folders: Readonly<Record<string, string>>;
  /** Time limit of the file, in milliseconds. */
  readonly ms: number;
  /** When the time of the work is over, by `performance.now()`. */
  readonly workEnds: number;
}

/** Runs a file of checks in a sandbox, and the work in another one each time a check asks for it. */
const runFile = async (
  sandbox: Sandbox,
  { file, folders, ms, ...of }: CheckFile,
): Promise<readonly Test[]> => {
  const found: { tests: Test[]; isWhole: boolean } = { tests: [], isWhole: false };
  const command = [
    'node',
    '--no-warnings',
    '--test-reporter=assay-check',
    '--test-reporter-destination=stdout',
    file,
  ];
  const ended = await sandbox.run({
    command,
    folder: CHECK,
    folders,
    stdin: '',
    timeoutMs: ms,
    channel: (socket) => {
      socket.on('error', () => undefined);
      const answer = (message: ToCheck): void => void socket.write(`${JSON.stringify(message)}\n`);
      createInterface({ input: socket }).on('line', (line) => {
        const message = JSON.parse(line) as FromCheck;
        if (message.kind === 'end') found.isWhole = true;
        if (message.kind === 'test') found.tests.push(testOf(message));
        if (message.kind === 'run')
          runWork(sandbox, message, of).then(
            (ran) => answer({ id: message.id, ...ran }),
            (error: unknown) => fail(error),
          );
      });
    },
  });
  const { tests, isWhole } = found;
  if (isWhole && ended.ended === null && (tests.length > 0 || ended.code === 0)) return tests;
  throw new Fault(
    `The checks in ${file} did not run to their end: ${(ended.stderr || ended.stdout).slice(-MAX_COMPLAINT)}`,
  );
};

const testOf = ({ name, passed, message }: Extract<FromCheck, { kind: 'test' }>): Test => ({
  name,
  status: passed ? 'pass' : 'fail',
  // A test's message may repeat the work's output.
  ...(message !== null && { message: message.slice(0, MAX_COMPLAINT) }),
});

/** Runs the work once for a check, within what is left of its time. */
const runWork = async (
  sandbox: Sandbox,
  { args, stdin = '', files = {}, timeoutMs = LIMITS.workMs }: Extract<FromCheck, { kind: 'run' }>,
  { own, work, workEnds }: Pick<CheckFile, 'own' | 'work' | 'workEnds'>,
): Promise<Ran> => {
  const left = Math.floor(workEnds - performance.now());
  if (left <= 0) return TOO_LATE;
  const input = await mkdtemp(join(own, 'input-'));
  await chmod(input, 0o755);
  for (const [name, content] of Object.entries(files)) {
    if (!/^[\w.-]{1,100}$/.test(name) || /^\.+$/.test(name))
      throw new Fault(
        `A check gives the work a file whose name has more than letters, digits, "_", "-" and ".".`,
      );
    await writeFile(join(input, name), content);
  }
  return sandbox.run({
    command: args,
    folder: WORK,
    folders: { [WORK]: work, [INPUT]: input },
    stdin,
    timeoutMs: Math.min(timeoutMs, LIMITS.maxWorkMs, left),
  });
};

/** Ends the checker with the error's sentence and status. */
const fail = (error: unknown): never => {
  const status = error instanceof Fault ? error.status : error instanceof NoSandbox ? UNAVAILABLE : 1;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(status);
};

await check().catch(fail);
