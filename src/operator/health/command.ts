import type { Command } from 'commander';
import { urlOf } from '../../core/text.js';
import { readConfiguration } from '../../process/config.js';
import type { ComponentHealth } from '../../process/health.js';
import { answer, counted } from '../cli/output.js';
import { CalledWrongly, OperatorError } from '../cli/program.js';
import { tableLines } from '../cli/table.js';
import { remoteHealth, type RemoteHealth } from './remote.js';

interface Arguments {
  readonly url?: string;
  readonly json?: true;
}

const HELP = `
Without --url it checks the stores itself, and looks for a process that feeds the views for a second, or six if there is
none. With --url it requests the health of a running service or projector, including its own process: every part at its
HEALTH_PORT, only the result at the service's PORT. One line if all is well, else the parts that need attention. An API
process without a projector (PROJECTOR=off) can be checked only with --url. Exit code 1: not ready.

Examples:
  $ assay health
  $ assay health --url http://127.0.0.1:3001
  $ assay health --json | jq '.components[] | select(.ready | not)'`;

/** `health`: the health of the stores and views. */
export const healthCommand = (root: Command): void => {
  root
    .command('health')
    .description('Check the stores and the views, and whether a process feeds them.')
    .option('--url <address>', 'ask a running service')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', HELP)
    .action(run);
};

/**
 * Reads the value of --url. Not done by Commander, which would print the text with its password.
 * @throws {CalledWrongly} it is no such address
 */
const httpUrl = (text: string): URL => {
  const url = urlOf(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url;
  throw new CalledWrongly('--url must be an http or https address without a user and a password.');
};

const run = async ({ url, json }: Arguments): Promise<void> => {
  const { ready, components } = url === undefined ? await local() : await remoteHealth(httpUrl(url));
  answer(json, { ready, components }, () => healthLines(components));
  const notReady = components.filter((component) => !component.ready).map(({ name }) => name);
  if (!ready) throw new OperatorError(`Not ready: ${notReady.join(', ')}.`);
};

const local = async (): Promise<RemoteHealth> => {
  // Imported here: it loads the engine, which a request to a running service does not need.
  const { localHealth } = await import('./local.js');
  const components = await localHealth(readConfiguration(process.env));
  return { ready: components.every(({ ready }) => ready), components };
};

/** One line if all is well, else the parts that need attention: not ready, or with a notice among their figures. */
export const healthLines = (components: readonly ComponentHealth[]): readonly string[] => {
  const needAttention = components.filter(
    ({ ready, figures }) => !ready || (typeof figures?.['notice'] === 'string' && figures['notice'] !== ''),
  );
  const rest = components.length - needAttention.length;
  if (needAttention.length === 0) return [`All is well: ${counted(rest, 'part')} ready.`];
  return [...healthTable(needAttention), `${counted(rest, 'other part')} ready. All figures: --json.`];
};

/** Every part of the service in a row: whether it is ready, what is wrong with it, its figures. */
export const healthTable = (components: readonly ComponentHealth[]): readonly string[] =>
  tableLines(
    ['part', 'ready', 'details'],
    components.map(({ name, ready, problem, figures = {} }) => [
      name,
      ready ? 'yes' : 'NO',
      [...(problem === undefined ? [] : [problem]), ...Object.entries(figures).flatMap(figure)].join('\n'),
    ]),
  );

/** Empty figures are left out. */
const figure = ([what, value]: [string, number | string | boolean | null]): readonly string[] =>
  value === null || value === '' ? [] : [`${what} ${String(value)}`];
