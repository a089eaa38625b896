import { backoff, pause } from '../core/backoff.js';
import { ReadModelBehind, reasonOf } from './errors.js';
import type { Leases } from './leases.js';
import { Troubles, type EngineLog } from './log.js';

export interface LeasedLooksOptions<T> {
  /** One process at a time looks: the one that holds it. */
  readonly lease: string;
  /** The process's. */
  readonly leases: Pick<Leases, 'acquired' | 'holds' | 'forget'>;
  readonly signal: AbortSignal;
  readonly log: EngineLog;
  /** Logged if a look failed. */
  readonly trouble: string;
  /** The longest wait after looks that failed, in milliseconds. */
  readonly capMs: number;
  look(): Promise<T>;
  /** Waits until the next look. @param found by the one before */
  wait(found: T): Promise<void>;
}

const BASE_MS = 250;

/** Looks again and again while this process has the lease, until it is stopped. A look that failed is made again. */
export async function lookUnderLease<T>(options: LeasedLooksOptions<T>): Promise<void> {
  const { lease, leases, signal, log, trouble, capMs } = options;
  const troubles = new Troubles(log);
  const going = (): boolean => !signal.aborted && leases.holds(lease);
  for (let failures = 0; !signal.aborted;) {
    await leases.acquired(lease, signal);
    if (!going()) continue;
    try {
      const found = await options.look();
      failures = 0;
      troubles.over(lease);
      await options.wait(found);
    } catch (error) {
      // A view that is only just being built is no trouble.
      if (!(error instanceof ReadModelBehind)) troubles.warn(lease, { reason: reasonOf(error) }, trouble);
      await pause(backoff(failures++, BASE_MS, capMs), signal);
    }
  }
}
