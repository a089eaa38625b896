import { type Command, InvalidArgumentError } from 'commander';
import { readConfiguration } from '../../app/config.js';
import { carryOut, OperatorError } from '../program.js';
import { healthTable } from './table.js';
import { healthThere, type HealthThere } from './there.js';
import { urlOf } from '../../url-of.js';

interface Arguments {
  readonly url?: URL;
  readonly json?: true;
}

const HELP = `
Without --url it looks at the stores itself, as a service would, whether one runs or not. With --url it asks a running
service (or a projector at its HEALTH_PORT), which knows of its own process too. Exit code 1: not ready.

Examples:
  $ assay health
  $ assay health --url http://127.0.0.1:3000
  $ assay health --json | jq '.components[] | select(.ready | not)'`;

/** `health`: what `/health/ready` says. */
export const healthCommand = (root: Command): void => {
  root
    .command('health')
    .description('Say whether the stores and the views are ready.')
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
  const { ready, components } = url ? await healthThere(url) : await here();
  process.stdout.write(json ? `${JSON.stringify({ ready, components })}\n` : `${healthTable(components)}\n`);
  const away = components.filter((component) => !component.ready).map(({ name }) => name);
  if (!ready) throw new OperatorError(`Not ready: ${away.join(', ')}.`);
};

const here = async (): Promise<HealthThere> => {
  // With what it needs of the engine, which asking a running service does not.
  const { healthHere } = await import('./here.js');
  const components = await healthHere(readConfiguration(process.env));
  return { ready: components.every(({ ready }) => ready), components };
};
