import { type Command, InvalidArgumentError } from 'commander';
import { readConfiguration } from '../../process/config.js';
import { print, tableText } from '../cli/output.js';
import { carryOut, OperatorError } from '../cli/program.js';
import { remoteHealth, type RemoteHealth } from './remote.js';
import { urlOf } from '../../core/text.js';
import type { ComponentHealth } from '../../process/health.js';

interface Arguments {
  readonly url?: URL;
  readonly json?: true;
}

const HELP = `
Without --url it looks at the stores itself, as a service would, and whether any process feeds the views: that takes a
second, or six where none does. With --url it asks a running service or projector, which knows of its own process too:
at its HEALTH_PORT for every part, at the service's PORT for one word. An API process without a projector (PROJECTOR=off) is seen by --url alone. Exit code 1: not ready.

Examples:
  $ assay health
  $ assay health --url http://127.0.0.1:3001
  $ assay health --json | jq '.components[] | select(.ready | not)'`;

/** `health`: what `/health/ready` says. */
export const healthCommand = (root: Command): void => {
  root
    .command('health')
    .description('Say whether the stores and the views are ready, and fed.')
    .option('--url <address>', 'ask a running service', httpUrl)
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', HELP)
    .action((options: Arguments) => carryOut(() => run(options)));
};

const httpUrl = (text: string): URL => {
  const url = urlOf(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('It must be an http or https address.');
};

const run = async ({ url, json }: Arguments): Promise<void> => {
  const { ready, components } = url ? await remoteHealth(url) : await local();
  print(json ? JSON.stringify({ ready, components }) : healthTable(components));
  const away = components.filter((component) => !component.ready).map(({ name }) => name);
  if (!ready) throw new OperatorError(`Not ready: ${away.join(', ')}.`);
};

const local = async (): Promise<RemoteHealth> => {
  // With what it needs of the engine, which asking a running service does not.
  const { localHealth } = await import('./local.js');
  const components = await localHealth(readConfiguration(process.env));
  return { ready: components.every(({ ready }) => ready), components };
};

/** Every part of the service in a row: whether it is ready, what is wrong with it, its figures. */
export const healthTable = (components: readonly ComponentHealth[]): string =>
  tableText(
    ['part', 'ready', 'what is known'],
    components.map(({ name, ready, problem, figures = {} }) => [
      name,
      ready ? 'yes' : 'NO',
      [...(problem === undefined ? [] : [problem]), ...Object.entries(figures).flatMap(figure)].join('\n'),
    ]),
  );

/** What is not there says nothing. */
const figure = ([what, value]: [string, number | string | boolean | null]): readonly string[] =>
  value === null || value === '' ? [] : [`${what} ${String(value)}`];
