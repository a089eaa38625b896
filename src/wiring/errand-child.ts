import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { type GenerationSettings, operationsOf } from '../process/conducting.js';
import { areErrands } from '../process/errands.js';
import { backoff, pause } from '../core/backoff.js';
import { reasonOf } from '../engine/errors.js';
import { sweep, SWEEP_AFTER_MS } from '../engine/generations.js';
import { type EngineLog, Troubles } from '../engine/log.js';
import { BACKGROUND_PRIORITY, shareBeside } from '../engine/pace.js';
import { programFile } from '../process/programs.js';
import type { Stores } from '../process/stores.js';

export interface ErrandChildOptions extends GenerationSettings {
  readonly stores: Stores;
  readonly log: EngineLog;
}

const PROGRAM = programFile('errand');
const LOOK_MS = 500;
/** How soon the process works less when this one has more to do. */
const PACE_MS = 100;
/** After a child that failed. */
const RETRY = { baseMs: 1_000, capMs: 60_000 };
const KILL_AFTER_MS = 5_000;

/**
 * Whoever answers requests comes first. It is told from here, before it has begun: threads have the priority of who
 * started them, and the engine's own, which collect garbage, come before any code of ours.
 */
const stepBack = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) setPriority(pid, BACKGROUND_PRIORITY);
  } catch {
    // It has ended already, or its priority is the system's matter.
  }
};

/** Tells the process, each time, how much of the time is its own beside this one. */
const paceSetter = (running: ChildProcess): (() => void) => {
  const began = performance.now();
  let looked = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, looked);
    looked = now;
    const share = shareBeside(utilization, performance.now() - began);
    // Where it is about to end there is nobody to tell.
    if (running.connected) running.send(share, () => undefined);
  };
};

/** Starts a process for what is to be built or carried out, whenever there is something. */
export const startErrandChild = (options: ErrandChildOptions): { stop(): Promise<void> } => {
  const { stores, log } = options;
  const abort = new AbortController();
  const { signal } = abort;
  const isStopped = (): boolean => signal.aborted;
  const operations = operationsOf(stores);
  const troubles = new Troubles(log);
  let child: ChildProcess | null = null;

  const runChild = async (): Promise<boolean> => {
    if (isStopped()) return true;
    // Its standard input and output are those of the service; by the channel it notices that the service is gone.
    child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const running = child;
    stepBack(running);
    const pacing = setInterval(paceSetter(running), PACE_MS);
    const code = await new Promise<number | null>((resolve) => {
      running.once('error', () => resolve(null));
      running.once('exit', resolve);
    });
    clearInterval(pacing);
    child = null;
    if (code === 0 || isStopped()) return code === 0;
    log.warn({ code }, 'The process that builds views has ended before its time; another one takes over.');
    // What no pointer names any more tells nobody that it is still to be removed.
    await pause(SWEEP_AFTER_MS, signal);
    if (!isStopped()) await sweep(stores.readStore);
    return false;
  };

  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted;) {
      try {
        const wanted = await areErrands(stores, operations, options);
        troubles.over('look');
        failures = !wanted || (await runChild()) ? 0 : failures + 1;
      } catch (error) {
        failures++;
        const fields = { reason: reasonOf(error) };
        troubles.warn('look', fields, 'Whether there are views to be built could not be looked at.');
      }
      await pause(failures === 0 ? LOOK_MS : backoff(failures - 1, RETRY.baseMs, RETRY.capMs), signal);
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
