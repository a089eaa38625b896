import { type ChildProcess, spawn } from 'node:child_process';
import { backoff, pause } from '../core/backoff.js';
import { lowerPriority } from '../core/concurrency.js';
import { reasonOf } from '../engine/errors.js';
import type { PolledViews } from '../engine/feeding/runner.js';
import { sweep, SWEEP_AFTER_MS } from '../engine/generations/generations.js';
import { BACKGROUND_PRIORITY, shareBeside } from '../engine/live/throttle.js';
import type { EngineLog } from '../engine/log.js';
import { hasBuildWork } from '../process/build-worker.js';
import type { GenerationSettings } from '../process/conducting.js';
import type { Configuration } from '../process/config.js';
import { programFile } from '../process/installation.js';
import type { Stores } from '../process/stores.js';

export interface BuildWorkerProcessOptions extends Pick<GenerationSettings, 'automatic' | 'graceMs'> {
  readonly readStore: Stores['readStore'];
  readonly log: EngineLog;
  /** Of this process. The child reads all other settings from the environment. */
  readonly configuration: Pick<Configuration, 'dataDir' | 'logLevel'>;
}

const PROGRAM = programFile('build-worker');
/** How long the child stays without work, in milliseconds: meanwhile this process starts to feed what was built. */
const LINGER_MS = 3_000;
/** Time between two messages with the worker’s share of the processor, in milliseconds. */
const SHARE_INTERVAL_MS = 100;
/** Backoff before another child starts after failures. */
const RETRY = { baseMs: 1_000, capMs: 60_000 };
const KILL_AFTER_MS = 5_000;

/**
 * @returns a function that sends the worker its share of a processor, from 0 to 1: the busier this process has been since
 *   the last call, the smaller
 */
const shareSender = (running: ChildProcess): (() => void) => {
  const began = performance.now();
  let measured = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, measured);
    measured = now;
    const share = shareBeside(utilization, performance.now() - began);
    // The callback ignores the failure of sending to a process that is ending.
    if (running.connected) running.send(share, () => undefined);
  };
};

/** A build worker as a child process. It is started when there is work for it, and ended when there is none. */
export class BuildWorkerProcess {
  readonly #options: BuildWorkerProcessOptions;
  readonly #abort = new AbortController();
  #child: ChildProcess | null = null;
  /** Settles once the child has ended and, after a failure, its unfinished generation is removed; `null`: no child. */
  #running: Promise<void> | null = null;
  /** Since when there is no work for the child, in milliseconds of the monotonic clock; `null`: there is work. */
  #idleSince: number | null = null;
  /** Number of consecutive failures. */
  #failures = 0;
  /** Earliest start of another child, in milliseconds of the monotonic clock. */
  #notBefore = -Infinity;

  constructor(options: BuildWorkerProcessOptions) {
    this.#options = options;
  }

  /**
   * Starts or ends the child, depending on whether there is work for it. Call it after each poll of the views. Never
   * throws.
   */
  consider(polled: PolledViews): void {
    const now = performance.now();
    if (!hasBuildWork(polled, this.#options)) {
      this.#idleSince ??= now;
      if (now - this.#idleSince >= LINGER_MS) this.#end();
      return;
    }
    this.#idleSince = null;
    if (this.#abort.signal.aborted || now < this.#notBefore) return;
    this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  /** Ends the child, by SIGKILL if it takes longer than `KILL_AFTER_MS`. Starts no other one. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#end();
    const late = setTimeout(() => this.#child?.kill('SIGKILL'), KILL_AFTER_MS);
    await this.#running;
    clearTimeout(late);
  }

  #end(): void {
    this.#child?.kill('SIGTERM');
  }

  async #run(): Promise<void> {
    const { dataDir, logLevel } = this.#options.configuration;
    const child = spawn(process.execPath, [PROGRAM], {
      // A program such as the demo may have other values than those in its environment.
      env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: logLevel },
      // If this process is killed, the IPC channel closes and the worker ends.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    // Set here, since V8's threads for garbage collection inherit it and start before the child's code.
    if (child.pid !== undefined) lowerPriority(BACKGROUND_PRIORITY, child.pid);
    const sending = setInterval(shareSender(child), SHARE_INTERVAL_MS);
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null));
      child.once('exit', resolve);
    });
    clearInterval(sending);
    this.#child = null;
    // `killed`: a child that is ended early has not installed its signal handler, and ends with another code.
    if (code === 0 || child.killed) this.#failures = 0;
    else await this.#failed(code);
  }

  async #failed(code: number | null): Promise<void> {
    const { readStore, log } = this.#options;
    const { signal } = this.#abort;
    log.warn({ code }, 'The build worker has failed; another one is started.');
    this.#notBefore = performance.now() + backoff(this.#failures++, RETRY.baseMs, RETRY.capMs);
    // No view's pointer names the generation that the child was building, so no other process removes it.
    await pause(SWEEP_AFTER_MS, signal);
    try {
      if (!signal.aborted) await sweep(readStore);
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'What a build worker left behind could not be removed yet.');
    }
  }
}
