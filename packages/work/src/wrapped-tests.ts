import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { MAX_RESULTS_BYTES, readJunit, TapReader, type TestResults } from './results.js';
import { hasCode, Stop } from './terminal.js';

/** A run of the candidate's tests. */
export interface TestRun {
  /** The command's own, or 128 and the number of the signal that ended it. */
  readonly exitCode: number;
  readonly results: TestResults;
  /** What the results were read from. */
  readonly by: 'junit' | 'tap' | 'exit code';
  readonly durationMs: number;
}

const NOT_FOUND = 127;
const BY_SIGNAL = 128;

/**
 * Runs a command and passes its output through. Its results are read from a file of JUnit XML that it wrote, or from TAP
 * on its standard output. Without either, the exit code counts as one test that passed or failed.
 * @param report a file of JUnit XML
 * @throws {Stop} there is no such command
 */
export const runTests = async (command: readonly string[], report: string | null): Promise<TestRun> => {
  const started = performance.now();
  const begunAt = Date.now();
  const tap = new TapReader();
  const exitCode = await run(command, (text) => tap.add(text));
  const durationMs = Math.round((performance.now() - started) * 10) / 10;
  const junit = report === null ? null : await readReport(report, begunAt);
  if (junit) return { exitCode, results: junit, by: 'junit', durationMs };
  const results = tap.results();
  if (results) return { exitCode, results, by: 'tap', durationMs };
  const byCode = exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  return { exitCode, results: byCode, by: 'exit code', durationMs };
};

/** Reads the report. `null`: there is none, or it is of an earlier run. */
const readReport = async (path: string, since: number): Promise<TestResults | null> => {
  try {
    const found = await stat(path);
    // Some file systems store times in whole seconds.
    if (!found.isFile() || found.size > MAX_RESULTS_BYTES || found.mtimeMs < since - 1_000) return null;
    return readJunit(await readFile(path, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return null;
    throw error;
  }
};

const run = (command: readonly string[], onText: (text: string) => void): Promise<number> =>
  new Promise((resolve, reject) => {
    const [file = '', ...args] = runnable(command);
    const child = spawn(file, args, {
      stdio: ['inherit', 'pipe', 'inherit'],
      // The command writes to a pipe, so it would not detect the terminal that its output is passed on to.
      env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
    });
    const release = passSignals(child);
    const decoder = new StringDecoder('utf8');
    child.stdout.on('data', (chunk: Buffer) => {
      onText(decoder.write(chunk));
      // A terminal that is slower than the program holds it up, not this program's memory.
      if (!process.stdout.write(chunk)) {
        child.stdout.pause();
        process.stdout.once('drain', () => child.stdout.resume());
      }
    });
    child.once('error', (error) => {
      release();
      if (hasCode(error, 'ENOENT', 'EACCES', 'EINVAL'))
        reject(new Stop(`This command cannot be run: ${file}`, NOT_FOUND));
      else reject(error);
    });
    child.once('close', (code, signal) => {
      release();
      resolve(code ?? BY_SIGNAL + (signal ? constants.signals[signal] : 0));
    });
  });

/**
 * A terminal sends an interrupt to the command too, so this program ignores it and waits for the command's end. Other
 * signals are passed on.
 */
const passSignals = (child: ChildProcess): (() => void) => {
  const wait = (): void => undefined;
  const end = (): void => void child.kill('SIGTERM');
  process.on('SIGINT', wait);
  process.on('SIGTERM', end);
  process.on('SIGHUP', end);
  return () => {
    process.off('SIGINT', wait);
    process.off('SIGTERM', end);
    process.off('SIGHUP', end);
  };
};

/**
 * The program to start for a command. On Windows `npm` and `npx` are shell scripts: Node runs the programs behind
 * them.
 */
export const runnable = (
  command: readonly string[],
  platform: NodeJS.Platform = process.platform,
  npmPath: string | undefined = process.env.npm_execpath,
): readonly string[] => {
  const [file = '', ...args] = command;
  const name = /^(npm|npx)(?:\.cmd)?$/i.exec(file)?.[1]?.toLowerCase();
  if (platform !== 'win32' || name === undefined || npmPath === undefined) return command;
  return [process.execPath, join(dirname(npmPath), `${name}-cli.js`), ...args];
};
