import { formerViews, views } from '../../projections/index.js';
import {
  conductorOf,
  type FeedingOptions,
  type GenerationSettings,
  leasesOf,
  projectorOf,
} from './conducting.js';
import { pause } from '../core/backoff.js';
import { nextStep, isGraceOver, situationOf } from '../engine/generations/next-step.js';
import type { OperatorIntent } from '../engine/generations/operations.js';
import type { Stores } from './stores.js';
import { StreamOperations } from './operations/operations.js';

export interface BuildWorkerOptions extends GenerationSettings, Omit<FeedingOptions, 'leases'> {
  /** Ends the current step; another process, or the next start, continues the rest. */
  readonly signal: AbortSignal;
}

/** The process that serves needs a moment to start feeding what was built. */
const LINGER_MS = 3_000;
const LOOK_MS = 200;
const MAYBE = { stalled: true, stuck: true };

/**
 * Feeds generations under construction and carries out operators' requests and rebuilds of changed code, in this
 * process, until nothing is left. Before its first step it throws what the stores throw.
 */
export const runBuildWorker = async (stores: Stores, options: BuildWorkerOptions): Promise<void> => {
  const { log, signal } = options;
  const operations = new StreamOperations(stores.streams);
  if (!(await hasBuildWork(stores, await operations.look(), options))) return;
  const leases = leasesOf(stores, log);
  const projector = projectorOf(stores, { ...options, leases });
  const conductor = conductorOf(stores, { ...options, leases });
  try {
    for (let idleSince: number | null = null; !signal.aborted;) {
      const busy = await operations
        .look()
        .then((intent) => hasBuildWork(stores, intent, options))
        .catch(() => true);
      idleSince = busy ? null : (idleSince ?? performance.now());
      if (idleSince !== null && performance.now() - idleSince >= LINGER_MS) return;
      await pause(LOOK_MS, signal);
    }
  } finally {
    await conductor.stop();
    await projector.stop();
    await leases.stop();
  }
};

/**
 * Whether a build worker has anything to do. True also if that takes watching for a while: another process may or may
 * not be continuing a rebuild that other code began, or a promotion for which readers are frozen.
 */
export const hasBuildWork = async (
  { readStore }: Pick<Stores, 'readStore'>,
  intent: OperatorIntent,
  { automatic, graceMs }: Pick<GenerationSettings, 'automatic' | 'graceMs'>,
): Promise<boolean> => {
  if (intent.open.some(({ view }) => !views.some(({ name }) => name === view))) return true;
  // All at once: a store can then answer them at once.
  const pointers = await Promise.all(views.map((view) => readStore.pointers.get(view.name)));
  return views.some((view, index) => {
    const pointer = pointers[index];
    if (pointer == null) return false;
    const versions = [view, ...formerViews.filter(({ name }) => name === view.name)] as const;
    const graceOver = isGraceOver(pointer, graceMs, Date.now());
    const situation = situationOf({ versions, pointer, intent, automatic, graceOver, ...MAYBE });
    return nextStep(situation).kind !== 'nothing';
  });
};
