import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Program, type ProgramEnd } from '../support/program.js';

interface PythonOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Longest run, in milliseconds; two minutes unless said. */
  readonly patienceMs?: number;
}

let folder: Promise<string> | null = null;

/** Folder of the virtual environment, made if no test has needed it before: see `scripts/python-environment.mjs`. */
const environment = (): Promise<string> =>
  (folder ??= promisify(execFile)(process.execPath, ['scripts/python-environment.mjs']).then(
    ({ stdout }) => stdout.trim(),
    (error: unknown) => {
      throw new Error((error as { stderr: string }).stderr.trim());
    },
  ));

/**
 * Runs a program of the packages in test/contract/requirements.txt, or `python` with them.
 * @returns the result; without a code if the program was killed at the timeout
 * @throws {Error} the environment could not be made; the message says what is missing
 */
export const runPython = async (
  program: string,
  args: readonly string[],
  { cwd, env, patienceMs = 120_000 }: PythonOptions = {},
): Promise<ProgramEnd> => {
  const bin = join(await environment(), 'bin');
  const path = [bin, process.env['PATH']].join(delimiter);
  return Program.start(join(bin, program), args, {
    ...(cwd !== undefined && { cwd }),
    env: { PATH: path, HOME: process.env['HOME'], PYTHONDONTWRITEBYTECODE: '1', ...env },
    limitMs: patienceMs,
  }).ended();
};
