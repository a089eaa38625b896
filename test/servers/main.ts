import { Command, InvalidArgumentError } from 'commander';
import { resolve } from 'node:path';
import { startServers, type Servers } from './both.js';

/** `npm run servers`: runs both servers until SIGTERM or SIGINT. Exits with 1 if one cannot start, or dies. */

const DATABASE = 'assay';

interface Flags {
  readonly data: string;
  readonly eventstorePort?: number;
  readonly mongodbPort?: number;
}

const port = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('It must be a port from 1 to 65535, or 0 for a free one.');
  return value;
};

const folder = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('It must be a folder.');
  return resolve(text);
};

const program = new Command('servers')
  .description(
    'Runs a stand-in for EventStoreDB and a MongoDB test server until it is stopped, for trying and for tests: ' +
      'not for production. Needs Java (a JDK, 17 or newer) and Maven.',
  )
  .requiredOption('--data <folder>', 'where both keep their data, over restarts', folder)
  .option('--eventstore-port <n>', 'a free one unless given', port)
  .option('--mongodb-port <n>', 'a free one unless given', port)
  .allowExcessArguments(false)
  .parse();

const { data, eventstorePort = 0, mongodbPort = 0 } = program.opts<Flags>();
if (eventstorePort > 0 && eventstorePort === mongodbPort)
  program.error('error: --eventstore-port and --mongodb-port must be two different ports.');

const asked = new Promise<'asked'>((settle) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => settle('asked'));
});

const serve = async (servers: Servers): Promise<void> => {
  const urls = { EVENTSTORE_URL: servers.eventStore!.url, MONGODB_URL: `${servers.mongo!.url}/${DATABASE}` };
  // Printed so that they can be pasted into a shell.
  for (const [name, url] of Object.entries(urls)) process.stdout.write(`export ${name}='${url}'\n`);
  const end = await Promise.race([asked, servers.died]);
  await servers.stop();
  if (end === 'asked') return;
  process.stderr.write(`The ${end} ended by itself; the other server was ended too.\n`);
  process.exitCode = 1;
};

process.stderr.write(
  'For trying and for tests, not for production: one copy of the data, and nobody is asked who they are.\n',
);
try {
  const starting = startServers({
    dataDir: data,
    eventStore: { port: eventstorePort },
    mongo: { port: mongodbPort },
  });
  const servers = await Promise.race([starting, asked]);
  // A server that is still starting ends with this process.
  if (servers === 'asked') process.exit(0);
  await serve(servers);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
