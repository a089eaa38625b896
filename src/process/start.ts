import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { formerViews, views } from '../../projections/index.js';
import { Unavailable, hasCode, StoreUnusable } from '../core/errors.js';
import { collectionOf, folds } from '../engine/generations/generations.js';
import type { Configuration } from './config.js';
import { type Logger, scrub } from './log.js';
import { misspeltVariables } from './misspelt-variables.js';
import { mongodbNotice } from './server-addresses.js';
import { openStores, type Stores } from './stores.js';
import { ConfigurationProblem } from './variable-reader.js';

/** Time for closing, in milliseconds; then the process exits. */
const DEADLINE_MS = 9_500;

/**
 * What has been opened and must be closed, last first. A signal closes all of it and ends the process with 0; a
 * second one changes nothing, since a terminal sends its signal to npm and to us, and npm passes it on.
 */
export class Lifecycle {
  private readonly closers: { readonly name: string; readonly close: () => Promise<unknown> }[] = [];
  private logger: Logger | null = null;
  private ending: Promise<void> | null = null;

  /** From now on what happens is logged. */
  log(logger: Logger): void {
    this.logger = logger;
  }

  /** Closed before everything added earlier. */
  onStop(name: string, close: () => Promise<unknown>): void {
    this.closers.push({ name, close });
  }

  /** Ends the process on SIGTERM and SIGINT. */
  endOnSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        this.logger?.info({ signal }, 'stopping');
        void this.end(0);
      });
    }
  }

  /** Closes everything and exits with `code`, or with 1 if a part fails or takes too long to close. */
  end(code: number): Promise<void> {
    this.ending ??= this.closeAll(code);
    return this.ending;
  }

  private async closeAll(code: number): Promise<void> {
    setTimeout(() => {
      this.logger?.error('Stopping took too long.');
      process.exit(1);
    }, DEADLINE_MS).unref();
    let outcome = code;
    for (const { name, close } of this.closers.reverse()) {
      try {
        await close();
      } catch (error) {
        outcome = 1;
        this.logger?.error({ err: error, part: name }, 'A part could not be closed.');
      }
    }
    if (code === 0) this.logger?.info('stopped');
    process.exit(outcome);
  }
}

/**
 * The heap may grow to twice what is in use before it is collected: V8 lets it grow to four times. That is a third less
 * memory under load, for two per cent more processor time.
 */
const HEAP_GROWTH = '--heap-growing-percent=100';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;

/**
 * Opens stores on servers as soon as they answer: a process may start before its servers. Each failure is logged once,
 * until another one follows.
 * @throws an error that waiting does not cure, such as refused credentials
 */
export const whenReachable = async <T>(open: () => Promise<T>, log: Logger): Promise<T> => {
  let logged = '';
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (error.message !== logged) log.warn(`${error.message} The service tries again until it answers.`);
      logged = error.message;
    }
    await sleep(pause);
  }
};

/** Says each sentence once. */
export const onceEach = (say: (sentence: string) => void): ((sentence: string) => void) => {
  const said = new Set<string>();
  return (sentence) => {
    if (!said.has(sentence)) say(sentence);
    said.add(sentence);
  };
};

/**
 * Opens a long-running process's stores and closes them when it ends. It waits for servers that do not answer.
 * @throws {StoreUnusable} a store cannot be used
 */
export const openWhenReachable = async (
  configuration: Configuration,
  log: Logger,
  lifecycle: Lifecycle,
): Promise<Stores> => {
  if (configuration.warning !== null) log.warn(configuration.warning);
  const { servers } = configuration;
  const notice = servers && mongodbNotice(servers.mongodbUrl);
  if (notice !== null) log.warn(notice);
  // Stores are opened again until their servers answer.
  const onTrouble = onceEach((sentence) => log.warn(sentence));
  const open = () => openStores(configuration, onTrouble);
  const stores = servers ? await whenReachable(open, log) : await open();
  lifecycle.onStop('stores', () => stores.close());
  await whenReachable(() => prepareLiveViews(stores), log);
  return stores;
};

/**
 * Makes the indexes of the views that serve, so that a foreign one in the way ends the start: a projector would only
 * repeat its pass, and readers would get an old state.
 * @throws {StoreUnusable} with collection and index
 */
const prepareLiveViews = async ({ readStore }: Stores): Promise<void> => {
  await Promise.all(
    [...views, ...formerViews].map(async (view) => {
      const pointer = await readStore.pointers.get(view.name);
      if (pointer !== null && folds(view, pointer.live))
        await collectionOf(readStore, view, pointer.live).prepare?.();
    }),
  );
};

/** Where callers reach the service, without a slash at the end. */
export const publicUrlOf = (
  { publicUrl, host }: Configuration,
  { port }: Pick<AddressInfo, 'port'>,
): string => {
  if (publicUrl !== null) return publicUrl;
  // A browser cannot open a wildcard address.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
};

const WITH_A_CHECKER = `To have it checked, start with CHECKER=command CHECKER_ISOLATION=separate CHECKER_COMMAND='node dist/bin/checker.js "$@"' (docs/checking.md).`;

/** Printed after the start: addresses to open. */
export const announcement = (url: string, development: boolean, outbox = false, hasChecker = true): string =>
  [
    `Assay serves at ${url}`,
    `  staff:    ${url}/console/`,
    `  try it:   ${url}/docs`,
    ...(outbox ? [`  mails:    ${url}/outbox`] : []),
    ...(hasChecker ? [] : [`  checks:   none, work is not checked. ${WITH_A_CHECKER}`]),
    ...(development
      ? [
          '  sign in:  as any e-mail address, without a password (development only)',
          `  tokens:   ${url}/issuer`,
          `  scripts:  curl -s -H 'content-type: application/json' -d '{"email":"owner@example.org"}' ${url}/issuer/token-for`,
        ]
      : []),
    '',
  ].join('\n');

/** A failed start whose reason the operator can fix. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

/** What `listen` failed with, as a sentence. */
export const listenProblem = (
  error: unknown,
  host: string,
  port: number,
  variable: 'PORT' | 'HEALTH_PORT' = 'PORT',
): StartProblem => {
  if (hasCode(error, 'EADDRINUSE')) {
    return new StartProblem(
      `${variable} ${port} on ${host} is in use: another program listens there. Stop it, or set ${variable} to another port.`,
    );
  }
  if (hasCode(error, 'EACCES')) {
    return new StartProblem(
      `This user may not listen on ${variable} ${port}: set ${variable} to a port above 1023.`,
    );
  }
  return new StartProblem(
    `The service cannot listen on HOST ${host}: ${error instanceof Error ? error.message : ''}`,
  );
};

const isExpected = (error: unknown): error is Error =>
  error instanceof ConfigurationProblem || error instanceof StartProblem || error instanceof StoreUnusable;

/**
 * Runs a composition root. A start that fails for a known reason prints one line and exits with 1, what it had
 * opened closed; anything else is a fault of ours, and prints where it came from. A variable that is nearly one of the
 * service's is warned of first, on standard error.
 */
export const start = async (compose: (lifecycle: Lifecycle) => Promise<void>): Promise<void> => {
  setFlagsFromString(HEAP_GROWTH);
  for (const sentence of misspeltVariables(process.env)) process.stderr.write(`${sentence}\n`);
  const lifecycle = new Lifecycle();
  lifecycle.endOnSignals();
  try {
    await compose(lifecycle);
  } catch (error) {
    const text = isExpected(error)
      ? error.message
      : error instanceof Error
        ? (error.stack ?? '')
        : String(error);
    process.stderr.write(`${scrub(text)}\n`);
    await lifecycle.end(1);
  }
};
