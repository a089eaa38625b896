import { resolve } from 'node:path';
import { Program, type ProgramEnd } from './program.js';

/** The data to work on: a data folder, or the settings of a service. */
type Where = string | Readonly<Record<string, string>>;

const WAIT_LIMIT_MS = 90_000;

/**
 * Starts `assay …` as an operator does, without a terminal.
 * @param fileBlocks limit of a file's size in blocks of 512 bytes: at it, the process finds the disk full
 * @param limitMs after this time it is killed; by default never
 */
export const startAssay = (
  where: Where,
  args: readonly string[],
  { fileBlocks, limitMs }: { readonly fileBlocks?: number; readonly limitMs?: number } = {},
): Program => {
  const settings = typeof where === 'string' ? { DATA_DIR: where } : where;
  const options = {
    env: { PATH: process.env['PATH'], ...settings },
    ...(limitMs !== undefined && { limitMs }),
  };
  const command = ['--enable-source-maps', resolve('dist/bin/operator.js'), ...args];
  if (fileBlocks === undefined) return Program.start(process.execPath, command, options);
  const limited = `trap '' XFSZ; ulimit -f ${fileBlocks}; exec "$0" "$@"`;
  return Program.start('/bin/sh', ['-c', limited, process.execPath, ...command], options);
};

/** Runs `assay …` to its end. It is killed after 90 s. */
export const assay = (where: Where, ...args: readonly string[]): Promise<ProgramEnd> =>
  startAssay(where, args, { limitMs: WAIT_LIMIT_MS }).ended();

/** `assay projections …`, as above. */
export const projections = (where: Where, ...args: readonly string[]): Promise<ProgramEnd> =>
  assay(where, 'projections', ...args);
