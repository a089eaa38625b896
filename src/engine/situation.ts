import type { Pointer } from '../stores/read-store.js';
import type { Situation } from './next-step.js';
import type { Wishes } from './operations.js';

/**
 * What is to be known of a view to choose the next step, from its pointer and what operators want.
 * @param options `stalled` and `stuck` take having watched for a while: without them nothing is
 */
export function situationOf({
  versions,
  pointer,
  wishes: { open, paused, skipped },
  automatic,
  graceOver,
  stalled = false,
  stuck = false,
}: Pick<Situation, 'versions' | 'pointer' | 'automatic' | 'graceOver'> &
  Partial<Pick<Situation, 'stalled' | 'stuck'>> & { readonly wishes: Wishes }): Situation {
  const { name } = versions[0];
  const failure = pointer.next?.failure ?? null;
  return {
    versions,
    pointer,
    open: open.filter(({ view }) => view === name),
    automatic,
    paused: paused.has(name),
    stalled,
    stuck,
    failureSkipped: failure !== null && skipped(name).has(failure.eventId),
    graceOver,
  };
}

/** @param now milliseconds of the epoch */
export const isGraceOver = ({ former }: Pointer, graceMs: number, now: number): boolean =>
  former !== null && now - Date.parse(former.since) >= graceMs;
