import { formerViews, views } from '../../projections/index.js';
import {
  conductorOf,
  type FeedingOptions,
  type GenerationSettings,
  operationsOf,
  projectorOf,
} from './conducting.js';
import { pause } from '../core/backoff.js';
import { nextStep } from '../engine/next-step.js';
import type { Operations } from '../engine/operations.js';
import { isGraceOver, situationOf } from '../engine/situation.js';
import type { Stores } from './stores.js';

export interface ErrandsOptions extends GenerationSettings, FeedingOptions {
  /** Ends the work at hand; what is not done is taken up by whoever comes next. */
  readonly signal: AbortSignal;
}

/** Whoever feeds what was built from now on needs a moment to begin. */
const LINGER_MS = 3_000;
const LOOK_MS = 200;
const MAYBE = { stalled: true, stuck: true };

/**
 * Feeds what is being built and carries out what operators ask and what newer code calls for, in this process, until
 * nothing of it is left. Throws what the stores throw when nothing is begun yet.
 */
export const runErrands = async (stores: Stores, options: ErrandsOptions): Promise<void> => {
  const { log, signal } = options;
  const operations = operationsOf(stores);
  if (!(await areErrands(stores, operations, options))) return;
  const projector = projectorOf(stores, options);
  const conductor = conductorOf(stores, log, options);
  try {
    for (let idleSince: number | null = null; !signal.aborted;) {
      const busy = await areErrands(stores, operations, options).catch(() => true);
      idleSince = busy ? null : (idleSince ?? performance.now());
      if (idleSince !== null && performance.now() - idleSince >= LINGER_MS) return;
      await pause(LOOK_MS, signal);
    }
  } finally {
    await conductor.stop();
    await projector.stop();
  }
};

/**
 * Whether there is something to do for whoever builds and conducts: also where only watching for a while tells, as
 * whether anybody goes on with a rebuild that other code began, or with a promotion that readers are frozen for.
 */
export const areErrands = async (
  { readStore }: Pick<Stores, 'readStore'>,
  operations: Operations,
  { automatic, graceMs }: Pick<GenerationSettings, 'automatic' | 'graceMs'>,
): Promise<boolean> => {
  const wishes = await operations.look();
  if (wishes.open.some(({ view }) => !views.some(({ name }) => name === view))) return true;
  for (const view of views) {
    const pointer = await readStore.pointers.get(view.name);
    if (pointer === null) continue;
    const versions = [view, ...formerViews.filter(({ name }) => name === view.name)] as const;
    const graceOver = isGraceOver(pointer, graceMs, Date.now());
    const situation = situationOf({ versions, pointer, wishes, automatic, graceOver, ...MAYBE });
    if (nextStep(situation).kind !== 'nothing') return true;
  }
  return false;
};
