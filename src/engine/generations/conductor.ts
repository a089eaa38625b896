/*
 * generations/: which generation of a view serves, and how the next one comes to. It promises that each change happens
 * once or not at all, that no read goes back in time by it, and that every operation of an operator ends. It may assume
 * that generations are fed (`feeding`) and that a pointer is swapped by compare-and-set. Order: one process has the
 * conductor's lease; for each view `view-conductor` reads the pointer and what operators want (`lookout`), asks
 * `next-step` what is to be done, and does it: begin a build, await it, compare and promote (`promotion`), let go.
 * The moves of a pointer are in `pointer`, names and checkpoints of generations in `generations`.
 */
import { longLived } from '../../core/signals.js';
import { backoff, pause } from '../../core/backoff.js';
import { reasonOf } from '../errors.js';
import type { AnyView } from '../view.js';
import type { Leases } from '../ownership/leases.js';
import { silentLog, Troubles, type EngineLog } from '../log.js';
import { Lookout } from './lookout.js';
import type { Operation, OperatorIntent } from './operations.js';
import { digestOf } from '../ownership/members.js';
import { ViewConductor, type ViewConductorOptions } from './view-conductor.js';

export interface ConductorOptions extends Omit<ViewConductorOptions, 'versions' | 'log'> {
  readonly views: readonly AnyView[];
  /** Former versions of views, for generations that are still folded by them. */
  readonly formerViews?: readonly AnyView[];
  /** The process's. */
  readonly leases: Leases;
  readonly log?: EngineLog;
  /** How often it looks at what is under way, in milliseconds. */
  readonly lookMs?: number;
}

export interface Conductor {
  /** Ends after the steps at hand; the next conductor takes up what is under way. */
  stop(): Promise<void>;
}

const RETRY = { baseMs: 250, capMs: 10_000 };

/**
 * Carries out what operators ask and what newer code calls for, in one process at a time of those with the same code.
 * Every step is a compare-and-set or repeatable, so that the lease only saves work.
 */
export function startConductor(options: ConductorOptions): Conductor {
  const { views, formerViews = [], operations, leases, log = silentLog } = options;
  const abort = longLived();
  const { signal } = abort;
  const lease = `conductor.${digestOf(views.map((view) => `${view.name} ${view.fingerprint}`))}`;
  const troubles = new Troubles(log);
  const lookout = new Lookout({ ...options, signal });

  /** Once it was, all loops end, also those that come to see it after the lease was had again: they begin together. */
  let isLost = false;
  const going = (): boolean => {
    isLost ||= !leases.holds(lease);
    return !signal.aborted && !isLost;
  };

  async function conduct(view: AnyView): Promise<void> {
    const former = formerViews.filter(({ name }) => name === view.name);
    const conductor = new ViewConductor({ ...options, log, versions: [view, ...former] });
    for (let failures = 0; going();) {
      try {
        const outcome = await conductor.step(await lookout.intent(), signal);
        failures = 0;
        troubles.over(view.name);
        // The next step is chosen from what is written down by now.
        if (outcome === 'stepped') lookout.refresh();
        else await lookout.next(outcome === 'waiting');
      } catch (error) {
        const fields = { view: view.name, reason: reasonOf(error) };
        troubles.warn(view.name, fields, `A step for the view "${view.name}" failed; it is repeated.`);
        await pause(backoff(failures++, RETRY.baseMs, RETRY.capMs), signal);
      }
    }
  }

  /** Of views that this code does not know: no process with this code can carry them out. */
  async function refuseUnknown({ open }: OperatorIntent): Promise<void> {
    const unknown = open.filter(({ view }: Operation) => !views.some(({ name }) => name === view));
    for (const { id, view } of unknown) {
      const message = `The running code has no view "${view}".`;
      await operations.end(id, { result: 'failed', message, details: {} });
    }
  }

  async function watch(): Promise<void> {
    for (let failures = 0; going();) {
      try {
        await refuseUnknown(await lookout.intent());
        failures = 0;
        troubles.over('look');
        await lookout.next(false);
      } catch (error) {
        troubles.warn('look', { reason: reasonOf(error) }, 'What operators want could not be looked at.');
        await pause(backoff(failures++, RETRY.baseMs, RETRY.capMs), signal);
      }
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await leases.acquired(lease, signal);
      isLost = false;
      await Promise.all([watch(), ...views.map(conduct)]);
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
