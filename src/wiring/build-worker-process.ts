import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { type GenerationSettings } from '../process/conducting.js';
import { hasBuildWork } from '../process/build-worker.js';
import { backoff, pause } from '../core/backoff.js';
import { reasonOf } from '../engine/errors.js';
import { sweep, SWEEP_AFTER_MS } from '../engine/generations/generations.js';
import { type EngineLog, Troubles } from '../engine/log.js';
import { Lookout } from '../engine/generations/lookout.js';
import { BACKGROUND_PRIORITY, shareBeside } from '../engine/live/pace.js';
import { programFile } from '../process/installation.js';
import type { Stores } from '../process/stores.js';
import { StreamOperations } from '../process/operations/operations.js';

export interface BuildWorkerProcessOptions extends GenerationSettings {
  readonly stores: Stores;
  readonly log: EngineLog;
}

const PROGRAM = programFile('build-worker');
/** How often the worker's share of the processor is updated. */
const PACE_MS = 100;
/** After a child that failed. */
const RETRY = { baseMs: 1_000, capMs: 60_000 };
const KILL_AFTER_MS = 5_000;

/**
 * Requests come first. The parent sets the priority before the child runs: threads inherit it, and V8's own, which
 * collect garbage, start before any of our code.
 */
const lowerPriority = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) setPriority(pid, BACKGROUND_PRIORITY);
  } catch {
    // The child has ended, or the system allows no change.
  }
};

/** Sends the worker its share of the time, by how busy this process is. */
const paceSetter = (running: ChildProcess): (() => void) => {
  const began = performance.now();
  let looked = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, looked);
    looked = now;
    const share = shareBeside(utilization, performance.now() - began);
    // A send to a process that is ending fails: that needs no handling.
    if (running.connected) running.send(share, () => undefined);
  };
};

/** Starts a build worker whenever there is work for one. */
export const startBuildWorkerProcess = (options: BuildWorkerProcessOptions): { stop(): Promise<void> } => {
  const { stores, log } = options;
  const abort = new AbortController();
  const { signal } = abort;
  const isStopped = (): boolean => signal.aborted;
  const lookout = new Lookout({
    readStore: stores.readStore,
    operations: new StreamOperations(stores.streams),
    signal,
  });
  const troubles = new Troubles(log);
  let child: ChildProcess | null = null;

  const runChild = async (): Promise<boolean> => {
    if (isStopped()) return true;
    // By the channel the worker notices that the service is gone.
    child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const running = child;
    lowerPriority(running);
    const pacing = setInterval(paceSetter(running), PACE_MS);
    const code = await new Promise<number | null>((resolve) => {
      running.once('error', () => resolve(null));
      running.once('exit', resolve);
    });
    clearInterval(pacing);
    child = null;
    if (code === 0 || isStopped()) return code === 0;
    log.warn({ code }, 'The build worker has failed; another one is started.');
    // No pointer names what it left behind, so no other process would remove that.
    await pause(SWEEP_AFTER_MS, signal);
    if (!isStopped()) await sweep(stores.readStore);
    return false;
  };

  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted;) {
      try {
        const wanted = await hasBuildWork(stores, await lookout.intent(), options);
        troubles.over('look');
        failures = !wanted || (await runChild()) ? 0 : failures + 1;
      } catch (error) {
        failures++;
        const fields = { reason: reasonOf(error) };
        troubles.warn('look', fields, 'The look for build work has failed; it is repeated.');
      }
      if (failures === 0) await lookout.next(false);
      else await pause(backoff(failures - 1, RETRY.baseMs, RETRY.capMs), signal);
    }
  };

  const running = run();
  return {
    stop: async () => {
      abort.abort();
      child?.kill('SIGTERM');
      const late = setTimeout(() => child?.kill('SIGKILL'), KILL_AFTER_MS);
      await running;
      clearTimeout(late);
    },
  };
};
