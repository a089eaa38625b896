import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Program } from './program.js';

interface ServiceOptions {
  /** Compiled entry file below `dist`; by default the service. */
  readonly entry?: string;
  /** Arguments of its command line. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Kept after `stop`. By default a temporary folder that `stop` removes. */
  readonly dataDir?: string;
  /** Longest wait until it is ready, in milliseconds. */
  readonly patienceMs?: number;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Milliseconds from the signal to the end. */
  readonly tookMs: number;
  /** The end of its output. */
  said(): string;
}

/** @throws {Error} a process was killed or ended with a failure; with the end of its output */
export const endedWell = (...all: readonly Ended[]): void => {
  for (const { code, signal, said } of all)
    if (code !== 0)
      throw new Error(`A process ended with code ${code} and signal ${signal}. It said last:\n${said()}`);
};

/** A service in a process of its own, on a free port. */
export interface Service {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  /** Everything that it has printed, on both streams. */
  output(): string;
  /**
   * SIGTERM, as an operator ends it. A second call gets the first result.
   * @throws {Error} the running service did not stop in time, or with a failure
   */
  stop(): Promise<Ended>;
  /** SIGKILL, as a crash. */
  kill(): Promise<Ended>;
  /** Resolves once the process has ended, for any reason. */
  ended(): Promise<Ended>;
}

/** The part of this process's environment that a service gets: nothing that configures it. */
const inherited = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );

// By `exit`, not `close`: a child of a killed service may hold its streams open.
const endOf = (child: ChildProcess, output: () => string): Promise<Ended> =>
  new Promise((settle) => {
    const started = performance.now();
    const said = (): string => output().slice(-2_000);
    child.once('exit', (code, signal) => settle({ code, signal, said, tookMs: performance.now() - started }));
  });

export interface Spawned {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  output(): string;
  /** SIGTERM. Resolves once it has ended. */
  stop(): Promise<Ended>;
  /** SIGKILL. Resolves once it has ended. */
  kill(): Promise<Ended>;
}

/** Node's flags of `npm start`. */
export const nodeFlags = (): readonly string[] => {
  const { scripts } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const flags = /exec node (.+) dist/.exec(scripts.start)?.[1];
  if (flags === undefined) throw new Error(`npm start has no flags for Node: ${scripts.start}`);
  return flags.split(' ');
};

/**
 * The environment of a process whose wall clock is wrong.
 * @param shiftMs by how much it is ahead from the start
 * @param jumpsMs at each SIGUSR2 the clock jumps by the next of these
 */
export const wrongClock = (
  shiftMs: number,
  jumpsMs: readonly number[] = [],
): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import ${pathToFileURL(resolve('dist/test/support/wrong-clock.js')).href}`,
  CLOCK_SHIFT_MS: `${shiftMs}`,
  CLOCK_JUMPS_MS: jumpsMs.join(','),
});

/** Starts a process of the service, without waiting until it is ready. Stop or kill it. */
export const spawnService = (dataDir: string, options: ServiceOptions = {}): Spawned => {
  const entry = resolve('dist', options.entry ?? 'bin/main.js');
  const program = Program.start(process.execPath, [...nodeFlags(), entry, ...(options.args ?? [])], {
    env: { ...inherited(), HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, ...options.env },
  });
  const child = program.process;
  const output = (): string => program.output();
  const ended = endOf(child, output);
  const end = (signal: NodeJS.Signals): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return { child, ended, output, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
};

const ready = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/health/ready`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
};

/**
 * Starts a service and waits until it is ready for requests. Stop it.
 * @throws {Error} it ended, or is not ready in time; with its output
 */
export const startService = async (options: ServiceOptions = {}): Promise<Service> => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'assay-service-')));
  const { child, ended, output } = spawnService(dataDir, options);
  let over: Ended | null = null;
  void ended.then((end) => (over = end));
  const end = async (signal: NodeJS.Signals): Promise<Ended> => {
    const started = performance.now();
    const isRunning = !over;
    if (isRunning) child.kill(signal);
    const end = await ended;
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    if (isRunning && signal === 'SIGTERM') endedWell(end);
    return { ...end, tookMs: performance.now() - started };
  };
  let first: Promise<Ended> | null = null;
  const once = (signal: NodeJS.Signals) => (first ??= end(signal));

  const given = Number(options.env?.PORT ?? 0) > 0 ? options.env?.PORT : undefined;
  const deadline = performance.now() + (options.patienceMs ?? 60_000);
  for (;;) {
    const port =
      given ?? /"port":(\d+)/.exec(output())?.[1] ?? /serves at http:\/\/127\S*?:(\d+)/.exec(output())?.[1];
    const url = `http://127.0.0.1:${port ?? ''}`;
    if (port !== undefined && (await ready(url))) {
      return {
        url,
        port: Number(port),
        dataDir,
        pid: child.pid ?? 0,
        output,
        stop: () => once('SIGTERM'),
        kill: () => once('SIGKILL'),
        ended: () => ended,
      };
    }
    if ((over as Ended | null) !== null || performance.now() > deadline) {
      await once('SIGKILL');
      throw new Error(`The service did not become ready:\n${output()}`);
    }
    await sleep(20);
  }
};
