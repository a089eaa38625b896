import { formerViews, views } from '../../projections/index.js';
import type { PolledViews } from '../engine/feeding/runner.js';
import { nextStep, isGraceOver, situationOf } from '../engine/generations/next-step.js';
import {
  conductorOf,
  type FeedingOptions,
  type GenerationSettings,
  leasesOf,
  projectorOf,
} from './conducting.js';
import type { Stores } from './stores.js';

export interface BuildWorkerOptions extends GenerationSettings, Omit<FeedingOptions, 'leases'> {}

/**
 * Feeds generations that are being built, carries out operators' requests, and rebuilds views whose code has changed.
 */
export interface BuildWorker {
  /** Ends the current step. Another process, or the next start, continues the work. */
  stop(): Promise<void>;
}

/** Starts a build worker in this process: in the program `build-worker`, or in an operator's command without a service. */
export const startBuildWorker = (stores: Stores, options: BuildWorkerOptions): BuildWorker => {
  const leases = leasesOf(stores, options.log);
  const projector = projectorOf(stores, { ...options, leases });
  const conductor = conductorOf(stores, { ...options, leases });
  return {
    stop: async () => {
      await conductor.stop();
      await projector.stop();
      await leases.stop();
    },
  };
};

/** Assumes that no other process continues a build or a promotion, since finding out would take some seconds. */
const ABANDONED = { stalled: true, stuck: true };

/**
 * Whether there may be work for a build worker. Call it after each poll of the views. True also for a rebuild that
 * other code began, and for a promotion that has frozen reads: another process may be continuing them, or may have
 * died.
 */
export const hasBuildWork = (
  { intent, pointers }: PolledViews,
  { automatic, graceMs }: Pick<GenerationSettings, 'automatic' | 'graceMs'>,
): boolean => {
  // The conductor must refuse requests for views that this code does not have.
  if (intent.open.some(({ view }) => !views.some(({ name }) => name === view))) return true;
  return views.some((view) => {
    const pointer = pointers.get(view.name);
    if (pointer === undefined) return false;
    const versions = [view, ...formerViews.filter(({ name }) => name === view.name)] as const;
    const graceOver = isGraceOver(pointer, graceMs, Date.now());
    const situation = situationOf({ versions, pointer, intent, automatic, graceOver, ...ABANDONED });
    return nextStep(situation).kind !== 'nothing';
  });
};
