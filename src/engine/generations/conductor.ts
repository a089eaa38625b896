/*
 * generations/: which generation of a view is live, and how the next one becomes live. It promises that each change
 * happens once or not at all, that no read goes back in time by it, and that every operation of an operator ends. It
 * may assume that generations are fed (`feeding`) and that a pointer is swapped by compare-and-set. Order: one process
 * has the conductor's lease; for each view `view-conductor` reads the pointer and what operators want
 * (`intent-watcher`), gets the step from `next-step`, and does it: begin a build, await it, compare and promote
 * (`promotion`), drop a former one. The moves of a pointer are in `pointer`, names and checkpoints of generations in
 * `generations`.
 */
import { backoff, pause } from '../../core/backoff.js';
import { longLived } from '../../core/signals.js';
import { reasonOf } from '../errors.js';
import { silentLog, RepeatedWarnings, type EngineLog } from '../log.js';
import { digestOf } from '../ownership/assignments.js';
import type { Leases } from '../ownership/leases.js';
import type { AnyView } from '../view.js';
import { isFed } from './generations.js';
import { OperatorIntentWatcher } from './intent-watcher.js';
import type { Operation } from './operations.js';
import { ViewConductor, type ViewConductorOptions } from './view-conductor.js';

export interface ConductorOptions extends Omit<ViewConductorOptions, 'versions' | 'log'> {
  readonly views: readonly AnyView[];
  /** Former versions of views, for generations that are still folded by them. Default: none. */
  readonly formerViews?: readonly AnyView[];
  /** The leases of this process. */
  readonly leases: Leases;
  /** By default nothing is logged. */
  readonly log?: EngineLog;
  /** How often it polls while something is under way, in milliseconds; otherwise a sixth as often. Default: 250. */
  readonly pollIntervalMs?: number;
}

/** Makes, promotes and removes generations. */
export interface Conductor {
  /** Ends after the current steps; the next conductor continues the operations under way. */
  stop(): Promise<void>;
}

/** How long processes with other code have for an operation on a view that this code lacks, in milliseconds. */
const UNKNOWN_MS = 60_000;
const RETRY = { baseMs: 250, capMs: 10_000 };

/**
 * Carries out operators' requests and rebuilds views of newer code, in one process at a time of those with the same code.
 * Every step is a compare-and-set or may be repeated: the lease only saves work.
 */
export function startConductor(options: ConductorOptions): Conductor {
  const { views, formerViews = [], operations, leases, readStore, log = silentLog } = options;
  const abort = longLived();
  const { signal } = abort;
  const lease = `conductor.${digestOf(views.map((view) => `${view.name} ${view.fingerprint}`))}`;
  const warnings = new RepeatedWarnings(log);
  const watcher = new OperatorIntentWatcher({ ...options, signal });

  /**
   * Once the lease is lost, all loops end before any begins again, each with a new `ViewConductor`: the timers of the
   * former one ran on while another process conducted.
   */
  let isLost = false;
  const isConducting = (): boolean => {
    isLost ||= !leases.holds(lease);
    return !signal.aborted && !isLost;
  };

  /** Repeats a step while the lease is held. One that fails is logged, and repeated after a wait. */
  async function repeat(fields: object, failed: string, step: () => Promise<void>): Promise<void> {
    for (let failures = 0; isConducting();) {
      try {
        await step();
        failures = 0;
        warnings.resolved(failed);
      } catch (error) {
        warnings.warn(failed, { ...fields, reason: reasonOf(error) }, failed);
        await pause(backoff(failures++, RETRY.baseMs, RETRY.capMs), signal);
      }
    }
  }

  function conduct(view: AnyView): Promise<void> {
    const former = formerViews.filter(({ name }) => name === view.name);
    const conductor = new ViewConductor({ ...options, log, versions: [view, ...former] });
    return repeat(
      { view: view.name },
      `A step for the view "${view.name}" failed; it is repeated.`,
      async () => {
        const outcome = await conductor.step(await watcher.intent(), signal);
        // The step may have ended an operation.
        if (outcome === 'stepped') watcher.refresh();
        else await watcher.untilNextPoll(outcome === 'waiting');
      },
    );
  }

  /** Since when this process has seen operations on views that its code lacks, in monotonic milliseconds. */
  const unknownSince = new Map<string, number>();

  /**
   * Whether a process with other code may carry out the operation, as while the code is being updated. One that feeds
   * the view ends the operation, however long that takes, such as a refold or a comparison.
   */
  const isOthers = async ({ id, view }: Operation): Promise<boolean> => {
    const since = unknownSince.get(id) ?? performance.now();
    unknownSince.set(id, since);
    if (performance.now() - since < UNKNOWN_MS) return true;
    const pointer = await readStore.pointers.get(view);
    return pointer !== null && (pointer.next?.operation === id || (await isFed(readStore, pointer.live)));
  };

  /** Ends operations on views that this code lacks, if no process with other code carries them out. */
  const refuseUnknown = (): Promise<void> =>
    repeat({}, 'What operators want could not be read.', async () => {
      const { open } = await watcher.intent();
      const unknown = open.filter(({ view }) => !views.some(({ name }) => name === view));
      for (const id of unknownSince.keys())
        if (!unknown.some((one) => one.id === id)) unknownSince.delete(id);
      for (const operation of unknown) {
        if (await isOthers(operation)) continue;
        const message = `The running code has no view "${operation.view}".`;
        await operations.end(operation.id, { result: 'failed', message, details: {} });
      }
      await watcher.untilNextPoll(unknown.length > 0);
    });

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await leases.acquired(lease, signal);
      isLost = false;
      await Promise.all([refuseUnknown(), ...views.map(conduct)]);
    }
  }

  const running = run();
  return {
    stop: async () => {
      abort.abort();
      await running;
      await leases.forget(lease);
    },
  };
}
