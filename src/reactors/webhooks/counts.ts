import type { ReadStore } from '../../stores/read-store.js';
import type { AttemptResult } from '../../domain/webhook/events.js';

/** What was delivered here since the process started: for figures alone. */
export interface DeliveryCounts {
  /** By what came of it. */
  readonly attempts: Record<AttemptResult, number>;
  /** Under way now. */
  underWay: number;
}

const shared = new WeakMap<ReadStore, DeliveryCounts>();

/** The counts of whoever delivers in this process. */
export function deliveryCountsOf(readStore: ReadStore): DeliveryCounts {
  let counts = shared.get(readStore);
  if (counts === undefined) {
    counts = { attempts: { delivered: 0, retrying: 0, failed: 0 }, underWay: 0 };
    shared.set(readStore, counts);
  }
  return counts;
}
