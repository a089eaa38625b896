import { backoff, pause } from '../../core/backoff.js';
import { ReadModelBehind, reasonOf } from '../errors.js';
import type { Leases } from '../ownership/leases.js';
import { Troubles, type EngineLog } from '../log.js';
import type { WakeUps } from './wake-ups.js';

export interface LeasedLooksOptions {
  /** One process at a time looks: the one that holds it. */
  readonly lease: string;
  /** The process's. */
  readonly leases: Leases;
  readonly signal: AbortSignal;
  /** Of the view that it looks at; without any, only time calls for a look. */
  readonly wakeUps?: WakeUps;
  readonly log: EngineLog;
  /** Logged if a look failed. */
  readonly trouble: string;
  /** The wait after looks that failed, in milliseconds. */
  readonly retry: { readonly baseMs?: number; readonly capMs: number };
  /** @returns in how many milliseconds to look again at the latest, for what is known to become due */
  look(): Promise<number>;
}

const BASE_MS = 250;

/** Looks again and again while this process has the lease, until it is stopped. A look that failed is made again. */
export async function lookUnderLease(options: LeasedLooksOptions): Promise<void> {
  const { lease, leases, signal, wakeUps, log, trouble, retry } = options;
  const troubles = new Troubles(log);
  const look = async (): Promise<number> => {
    const ms = await options.look();
    failures = 0;
    troubles.over(lease);
    return ms;
  };
  const going = (): boolean => !signal.aborted && leases.holds(lease);
  let failures = 0;
  while (!signal.aborted) {
    await leases.acquired(lease, signal);
    if (!going()) continue;
    try {
      if (wakeUps) await wakeUps.around(look);
      else await pause(await look(), signal);
    } catch (error) {
      // A view that is only just being built is no trouble.
      if (!(error instanceof ReadModelBehind)) troubles.warn(lease, { reason: reasonOf(error) }, trouble);
      await pause(backoff(failures++, retry.baseMs ?? BASE_MS, retry.capMs), signal);
    }
  }
}
