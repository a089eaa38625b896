import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

export interface CommandEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const WAIT_LIMIT_MS = 90_000;

/**
 * `assay …` as an operator runs it, without a terminal.
 * @param settings of its environment: which service's data
 * @returns with code 128 where it hung and was killed
 */
export const assay = (
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<CommandEnd> =>
  new Promise((settle) => {
    const child = execFile(
      process.execPath,
      ['--enable-source-maps', resolve('dist/bin/operator.js'), ...args],
      { env: { PATH: process.env['PATH'], ...settings }, timeout: WAIT_LIMIT_MS, killSignal: 'SIGKILL' },
      (_, out, err) => settle({ code: child.exitCode ?? 128, out, err }),
    );
  });

/** `assay projections …`, as above. */
export const projections = (
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<CommandEnd> => assay(settings, 'projections', ...args);
