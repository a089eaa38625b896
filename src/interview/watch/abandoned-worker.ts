import { randomUUID } from 'node:crypto';
import { backoff, pause } from '../../projection-engine/backoff.js';
import { ReadModelBehind, reasonOf } from '../../projection-engine/errors.js';
import { LeaseKeeper } from '../../projection-engine/leases.js';
import { silentLog, Troubles } from '../../projection-engine/log.js';
import type { ReadStore } from '../../read-store/port.js';
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

  const going = (): boolean => !signal.aborted && keeper.holds(LEASE);

  async function run(): Promise<void> {
    const troubles = new Troubles(log);
    for (let failures = 0; !signal.aborted;) {
      await keeper.acquired(LEASE, signal);
      if (!going()) continue;
      try {
        await abandoned.look();
        failures = 0;
        troubles.over(LEASE);
        await pause(pollMs, signal);
      } catch (error) {
        // A view that is only just being built is no trouble.
        if (!(error instanceof ReadModelBehind)) {
          const fields = { reason: reasonOf(error) };
          troubles.warn(LEASE, fields, 'Abandoned interviews could not be looked for; they will be again.');
        }
        await pause(backoff(failures++, 250, 10_000), signal);
      }
    }
  }

  const running = run();
  return {
    stop: async () => {
      abort.abort();
      await running;
      await abandoned.stop();
      await keeper.stop();
    },
  };
}
