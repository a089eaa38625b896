import { Command } from 'commander';
import { resolve } from 'node:path';
import { MINUTE_MS, SECOND_MS } from '../../src/core/timestamp.js';
import { parsedAsHere } from '../../src/operator/cli/program.js';
import { addOrganisation } from '../../src/operator/organisations.js';
import { type Configuration, readConfiguration } from '../../src/process/config.js';
import { programFile, sourceFile } from '../../src/process/installation.js';
import { start, StartProblem } from '../../src/process/start.js';
import { type RunningService, serve } from '../../src/wiring/serve.js';
import { bwrapSandbox, NoSandbox } from '../checker/sandbox.js';
import { Issuer } from '../simulate/person.js';
import { Service } from '../simulate/service.js';
import { Calendar } from './calendar.js';
import { COMPANY, MEMBERS } from './cast.js';
import { HistoryChecker } from './checker.js';
import { HistoryClock } from './clock.js';
import { readWorks, setUpCompany } from './company.js';
import { remakeFolder } from './folder.js';
import { type HistoryOptions, playHistory } from './history.js';
import { linksOf } from './links.js';
import { DemoScorer } from './scorer.js';
import { Timeline } from './timeline.js';
import { HistorySpeech, readRecordings } from './voice.js';

/*
 * `npm run demo`: a service with a company, its roles and two weeks of candidates, and links to look at them. It starts
 * the service with a clock in the past, plays the history through the service's own API, and then lets the service
 * serve in real time until a signal ends it.
 */

/** Scripts whose times are at most this far apart continue together: see `Timeline`. */
const TOGETHER_MS = 90 * MINUTE_MS;

const { folder } = parsedAsHere(new Command('demo'))
  .description(
    'Serves two weeks of a company’s hiring on a folder of its own, and prints links to look at it.',
  )
  .option('--folder <folder>', 'where the data is kept; emptied at each start', sourceFile('demo-data'))
  .allowExcessArguments(false)
  .parse()
  .opts<{ readonly folder: string }>();

/** Aborted by a signal. The history then fails at what it waits for, and that error is not reported. */
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

await start(async (lifecycle) => {
  const began = performance.now();
  const dataDir = resolve(folder);
  const configuration = await configurationOf(dataDir);
  remakeFolder(dataDir);
  const clock = new HistoryClock();
  const calendar = new Calendar(Date.now());
  const scorer = new DemoScorer();
  const checker = new HistoryChecker(configuration);
  const recordings = await readRecordings();
  const speech = new HistorySpeech(recordings, configuration);
  // Before the service starts, so that all its events have times of the history.
  clock.begin(calendar.beginning);
  try {
    const service = await serve(lifecycle, configuration, {
      readClocks: clock.read,
      scorer,
      checker,
      speech,
      people: Object.values(MEMBERS),
    });
    process.stdout.write('Playing two weeks of hiring…\n');
    const made = await makeHistory(service, {
      ...{ clock, calendar, scorer, recordings },
      hasChecker: configuration.checker.kind === 'command',
    });
    clock.end();
    speech.endHistory();
    checker.endHistory();
    const seconds = Math.round((performance.now() - began) / SECOND_MS);
    process.stdout.write(linksOf({ url: service.publicUrl, folder: dataDir, ...made, seconds }));
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
  }
});

/**
 * The service's settings: those of the environment, on a folder.
 * @throws {ConfigurationProblem | StartProblem} a setting is wrong, or the demo cannot work with it
 */
async function configurationOf(dataDir: string): Promise<Configuration> {
  const defaults = { LOG_LEVEL: 'warn', RATE_LIMITS: 'off', ...(await checkerSettings()) };
  const configuration = readConfiguration({ ...defaults, ...process.env, DATA_DIR: dataDir });
  if (configuration.servers !== null)
    throw new StartProblem('The demo keeps its data in a folder: unset EVENTSTORE_URL and MONGODB_URL.');
  if (configuration.identity.kind !== 'development')
    throw new StartProblem('In the demo anybody signs in as anybody: unset OIDC_ISSUER and NODE_ENV.');
  if (configuration.projector !== 'embedded')
    throw new StartProblem('The demo is one process: unset PROJECTOR.');
  return configuration;
}

/** Settings for the shipped checker; none if this machine has no sandbox for it, or `CHECKER` is set. */
async function checkerSettings(): Promise<Record<string, string>> {
  if (process.env['CHECKER'] !== undefined) return {};
  try {
    (await bwrapSandbox()).stop();
  } catch (error) {
    if (error instanceof NoSandbox) return {};
    throw error;
  }
  const command = `'${process.execPath}' '${programFile('checker')}' "$@"`;
  return {
    ...{ CHECKER: 'command', CHECKER_COMMAND: command },
    ...{ CHECKER_ISOLATION: 'separate', CHECKER_AT_ONCE: '4' },
  };
}

/** Adds the company, then plays its two weeks through the service's own API. */
async function makeHistory(
  { publicUrl, stores }: RunningService,
  {
    hasChecker,
    ...by
  }: Pick<HistoryOptions, 'calendar' | 'scorer' | 'recordings'> & {
    readonly clock: HistoryClock;
    readonly hasChecker: boolean;
  },
) {
  const service = new Service(publicUrl);
  const issuer = new Issuer(new Service(`${publicUrl}/issuer`));
  const organisationId = await addOrganisation(stores, COMPANY, MEMBERS.owner.email);
  const company = await setUpCompany(service, issuer, organisationId, hasChecker);
  const works = await readWorks();
  const timeline = new Timeline(by.clock, TOGETHER_MS);
  return {
    company,
    played: await playHistory({ ...by, service, issuer, company, works, timeline }),
  };
}
