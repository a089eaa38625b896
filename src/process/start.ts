import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { formerViews, views } from '../../projections/index.js';
import { Unavailable, hasCode, isSystemError, StoreUnusable } from '../core/errors.js';
import { collectionOf, folds } from '../engine/generations/generations.js';
import type { Configuration } from './config.js';
import { type Logger, scrub } from './log.js';
import { misspeltVariables } from './misspelt-variables.js';
import { mongodbNotice } from './server-addresses.js';
import { openStores, type Stores } from './stores.js';
import { ConfigurationProblem } from './variable-reader.js';

/** Time limit for closing, in milliseconds. After it the process exits. */
const DEADLINE_MS = 9_500;

/**
 * Closes what was opened, in reverse order. A signal closes everything and ends the process with 0. A second signal is
 * ignored: a terminal sends its signal to npm and to this process, and npm forwards it.
 */
export class Lifecycle {
  private readonly closers: { readonly name: string; readonly close: () => Promise<unknown> }[] = [];
  private logger: Logger | null = null;
  private ending: Promise<void> | null = null;

  /** Sets the log, which is used from now on. */
  log(logger: Logger): void {
    this.logger = logger;
  }

  /** Adds a part to close, before everything that was added earlier. */
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
 * Lets the heap grow to twice its used size before it is collected, instead of V8's four times. Under load this takes a
 * third less memory, and two per cent more processor time.
 */
const HEAP_GROWTH = '--heap-growing-percent=100';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;

/**
 * Opens stores, and retries until their servers answer: a process may start before its servers. A failure is logged
 * again only if another one has occurred since.
 * @throws an error that a retry does not solve, such as refused credentials
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

/** Returns a function that passes each sentence on once. */
export const onceEach = (say: (sentence: string) => void): ((sentence: string) => void) => {
  const said = new Set<string>();
  return (sentence) => {
    if (!said.has(sentence)) say(sentence);
    said.add(sentence);
  };
};

/**
 * Opens the stores of a long-running process, and closes them when it ends. Waits for servers that do not answer.
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
  // Each retry may report the same problem again.
  const onTrouble = onceEach((sentence) => log.warn(sentence));
  const open = () => openStores(configuration, onTrouble);
  const stores = servers ? await whenReachable(open, log) : await open();
  lifecycle.onStop('stores', () => stores.close());
  await whenReachable(() => prepareLiveViews(stores), log);
  return stores;
};

/**
 * Creates the indexes of the live views, so that the start fails if an index of another program conflicts. Otherwise
 * the projector would retry forever, and readers would get an old state.
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

/** The address of the service for callers, without a slash at the end. */
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

/**
 * The text that is printed after the start, with the addresses to open.
 * @param development whether the development issuer runs
 * @param outbox whether the service shows mails in place of sending them
 * @param hasChecker false: the text says that handed in work is not checked
 */
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

/** The start has failed for a reason that the operator can fix. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

/** The problem for an error of `listen`. @param variable the one that names the port */
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
 * Runs a composition root. If the start fails, everything that it has opened is closed and the process exits with 1. A
 * known reason, or that of the system, is printed in one line; any other error is a fault of ours, and is printed with its stack. Before the
 * start, a warning on standard error names each variable whose name is almost one of the service's.
 */
export const start = async (compose: (lifecycle: Lifecycle) => Promise<void>): Promise<void> => {
  setFlagsFromString(HEAP_GROWTH);
  // Their readers may end first, or their disk be full; the service continues.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  for (const sentence of misspeltVariables(process.env)) process.stderr.write(`${sentence}\n`);
  const lifecycle = new Lifecycle();
  lifecycle.endOnSignals();
  try {
    await compose(lifecycle);
  } catch (error) {
    const text = isExpected(error)
      ? error.message
      : isSystemError(error)
        ? `The start failed: ${error.message}.`
        : error instanceof Error
          ? (error.stack ?? '')
          : String(error);
    process.stderr.write(`${scrub(text)}\n`);
    await lifecycle.end(1);
  }
};
