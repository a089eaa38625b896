import { randomUUID } from 'node:crypto';
import { pause } from '../../core/backoff.js';
import { LeaseKeeper, lookUnderLease } from '../../engine/leases.js';
import { silentLog } from '../../engine/log.js';
import type { ReadStore } from '../../stores/read-store.js';
import { AbandonedInterviews, type AbandonedOptions } from './abandoned.js';

export interface AbandonedWorkerOptions extends Omit<AbandonedOptions, 'leases'> {
  readonly readStore: Pick<ReadStore, 'leases'>;
  /** `<host>/<pid>` of this process. */
  readonly owner: string;
  /** How often it looks, in milliseconds: under half of `deadMs`, else it sees nobody dead. */
  readonly pollMs?: number;
}

/** So that one process at a time looks; two do no harm. */
const LEASE = 'abandoned-interviews';

/** Looks after abandoned interviews, in one process at a time, until it is stopped. */
export function startAbandonedInterviews(options: AbandonedWorkerOptions): { stop(): Promise<void> } {
  const { readStore, isGone, log = silentLog, pollMs = 1000 } = options;
  const { leases } = readStore;
  const abort = new AbortController();
  const { signal } = abort;
  const owner = `${options.owner}/${randomUUID()}`;
  const keeper = new LeaseKeeper({ leases, owner, log, isGone });
  const abandoned = new AbandonedInterviews({ ...options, leases });

  const running = lookUnderLease({
    lease: LEASE,
    keeper,
    signal,
    log,
    trouble: 'Abandoned interviews could not be looked for; they will be again.',
    capMs: 10_000,
    look: () => abandoned.look(),
    wait: () => pause(pollMs, signal),
  });
  return {
    stop: async () => {
      abort.abort();
      await running;
      await abandoned.stop();
      await keeper.stop();
    },
  };
}
