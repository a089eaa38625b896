import type { ReadStore } from '../stores/read-store.js';

/** `lost`: another process had it, or may have had it; `given up`: left to others, at the latest when it stops. */
export type LeaseChange = 'taken' | 'lost' | 'given up';

/** How often leases of segments have changed hands here since the process started: for figures alone. */
export type LeaseCounts = Record<LeaseChange, number>;

const shared = new WeakMap<ReadStore['leases'], LeaseCounts>();

/** The counts of whoever works on these very leases in this process. */
export function leaseCountsOf(leases: ReadStore['leases']): LeaseCounts {
  let counts = shared.get(leases);
  if (counts === undefined) shared.set(leases, (counts = { taken: 0, lost: 0, 'given up': 0 }));
  return counts;
}
