import { type Command, Option } from 'commander';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { CheckFile, CheckResult } from '../../clients/checker/checker.js';
import { createChecker } from '../../clients/checker/command.js';
import { CommandFailed } from '../../clients/shell.js';
import { hasCode } from '../../core/errors.js';
import { CHECK_FAILURES } from '../../domain/session/check-events.js';
import type { CheckIsolation } from '../../domain/ticket/events.js';
import { readConfiguration } from '../../process/config.js';
import { unpack } from '../../work/in-worker.js';
import { FILE_SET_LIMITS, HAND_IN_LIMITS, type TreeLimits } from '../../work/limits.js';
import { answer, counted } from '../cli/output.js';
import { CalledWrongly, OperatorError, stoppable } from '../cli/program.js';

interface TryOptions {
  readonly slug: string;
  readonly isolation?: CheckIsolation;
  readonly json?: true;
}

const TRY_HELP = `
Runs the configured checker (CHECKER, CHECKER_COMMAND) once, as the service does for a hand-in, and shows what came of it.
Nothing is stored. WORK and CHECKS are folders or archives (zip, tar, tar.gz). docs/checking.md tells what errors mean.
Fails if the checker gives no result. Failed tests are a result.

Examples:
  $ assay checks try ./solution ./hidden-tests
  $ assay checks try solution.zip hidden.tar.gz --slug two-fer --isolation shared --json`;

/** `checks try`: runs the checker once, over a work and checks on this machine. */
export const tryCommand = (checks: Command): void => {
  checks
    .command('try')
    .argument('<work>', 'the work: a folder or an archive')
    .argument('<checks>', 'the checks: a folder or an archive')
    .description('Run the configured checker over work on this machine.')
    .option('--slug <slug>', 'the slug that the checker gets', 'try')
    .addOption(
      new Option(
        '--isolation <isolation>',
        'what the checks ask for; the first that the checker can, unless given',
      ).choices(['separate', 'shared']),
    )
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', TRY_HELP)
    .action(tryChecker);
};

const tryChecker = async (
  work: string,
  checks: string,
  { slug, isolation, json }: TryOptions,
): Promise<void> => {
  const { checker } = readConfiguration(process.env);
  if (checker.kind === 'none')
    throw new OperatorError('There is no checker: set CHECKER=command and CHECKER_COMMAND.');
  const files = {
    work: await filesOf(work, HAND_IN_LIMITS),
    checks: await filesOf(checks, FILE_SET_LIMITS),
  };
  const request = {
    slug,
    isolation: isolation ?? checker.isolations[0] ?? 'shared',
    files: async () => files,
  };
  const quiet = { debug: () => undefined, warn: () => undefined };
  const result = await stoppable((signal) => createChecker(checker, quiet).run(request, signal)).catch(
    (error: unknown) => {
      if (!(error instanceof CommandFailed)) throw error;
      throw new OperatorError(`${error.message} Look at the machine: processes, memory.`, { cause: error });
    },
  );
  answer(json, { isolation: request.isolation, ...result }, () => linesOf(result));
  if (result.outcome === 'error') process.exitCode = 1;
};

const linesOf = (result: CheckResult): readonly string[] => {
  const output = result.output
    .trim()
    .split('\n')
    .filter((line) => line !== '');
  const printed =
    output.length === 0 ? [] : ['', 'Output of the checker:', ...output.map((line) => `  ${line}`)];
  if (result.outcome === 'error') {
    const { reason, detail } = result;
    return [
      `error (${reason}): ${CHECK_FAILURES[reason]}`,
      ...detail.split('\n').filter(Boolean),
      ...printed,
    ];
  }
  const passed = result.tests.filter(({ status }) => status === 'pass').length;
  return [
    ...result.tests.flatMap(({ name, status, message }) => [
      `${status.padEnd('error'.length)} ${name}`,
      ...(message === null ? [] : message.split('\n').map((line) => `        ${line}`)),
    ]),
    `${passed} of ${counted(result.tests.length, 'test')} passed in ${result.ms} ms.`,
    ...printed,
  ];
};

/** Reads the files of a folder or an archive. @throws {CalledWrongly} it does not exist, or is too large */
const filesOf = async (path: string, limits: TreeLimits): Promise<readonly CheckFile[]> => {
  const found = await stat(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  });
  if (found === null) throw new CalledWrongly(`There is no ${path}.`);
  if (found.isDirectory()) return folderFiles(path, limits);
  if (found.size > limits.bytes) throw new CalledWrongly(`${path} has more than ${limits.bytes} bytes.`);
  const tree = await unpack(basename(path), [await readFile(path)], limits);
  if ('kind' in tree) throw new CalledWrongly(`${path}: ${tree.refusal.message}`);
  return tree.files;
};

/** The files of a folder, without links, as in what candidates send. */
const folderFiles = async (folder: string, limits: TreeLimits): Promise<readonly CheckFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (paths.length > limits.files) throw new CalledWrongly(`${folder} has more than ${limits.files} files.`);
  const files: CheckFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    const content = await readFile(path);
    bytes += content.byteLength;
    if (bytes > limits.bytes)
      throw new CalledWrongly(`The files of ${folder} have more than ${limits.bytes} bytes.`);
    files.push({ path: relative(folder, path).split(sep).join('/'), content });
  }
  return files;
};
