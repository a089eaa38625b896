import { backoff, pause } from '../../core/backoff.js';
import { ReadModelBehind, reasonOf } from '../errors.js';
import { RepeatedWarnings, type EngineLog } from '../log.js';
import type { Leases } from '../ownership/leases.js';
import type { WakeUps } from './wake-ups.js';

export interface LeasedPollerOptions {
  /** Only the process that holds it polls. */
  readonly lease: string;
  /** The leases of this process. */
  readonly leases: Leases;
  readonly signal: AbortSignal;
  /** Wake-ups by the view that is polled; without them only time ends a wait. */
  readonly wakeUps?: WakeUps;
  readonly log: EngineLog;
  /** Logged if a poll fails: a sentence. */
  readonly warning: string;
  /** The wait after polls that fail, in milliseconds, from the first one on. Default of the first: 250. */
  readonly retry: { readonly baseMs?: number; readonly capMs: number };
  /**
   * @param lost aborts once another process may poll
   * @returns milliseconds until the next poll at the latest: something is due then
   */
  poll(lost: AbortSignal): Promise<number>;
}

const RETRY_BASE_MS = 250;

/** Polls repeatedly while this process has the lease, until the signal aborts. A failed poll is repeated. */
export async function pollUnderLease(options: LeasedPollerOptions): Promise<void> {
  const { lease, leases, signal, wakeUps, log, warning, retry } = options;
  const warnings = new RepeatedWarnings(log);
  const poll = async (lost: AbortSignal): Promise<number> => {
    const ms = await options.poll(lost);
    failures = 0;
    warnings.resolved(lease);
    return ms;
  };
  const mayGoOn = (): boolean => !signal.aborted && leases.holds(lease);
  let failures = 0;
  while (!signal.aborted) {
    const lost = await leases.acquired(lease, signal);
    if (!mayGoOn()) continue;
    if (lost.aborted) {
      await leases.giveUp(lease);
      continue;
    }
    try {
      if (wakeUps) await wakeUps.around(() => poll(lost));
      else await pause(await poll(lost), signal);
    } catch (error) {
      // A view that is being built for the first time is not a failure.
      if (!(error instanceof ReadModelBehind)) warnings.warn(lease, { reason: reasonOf(error) }, warning);
      await pause(backoff(failures++, retry.baseMs ?? RETRY_BASE_MS, retry.capMs), signal);
    }
  }
}
