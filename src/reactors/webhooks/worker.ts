import { webhooks } from '../../../projections/webhooks.js';
import { pause } from '../../core/backoff.js';
import { longLived } from '../../core/signals.js';
import { reasonOf } from '../../engine/errors.js';
import { RepeatedWarnings, type EngineLog } from '../../engine/log.js';
import type { Leases } from '../../engine/ownership/leases.js';
import { pollUnderLease } from '../../engine/reactors/leased-poller.js';
import { WakeUps } from '../../engine/reactors/wake-ups.js';
import type { ViewReader } from '../../engine/reads/reads.js';
import { ClockInDoubt } from '../../engine/trusted-clock.js';
import type { ReadStore } from '../../stores/read-store.js';
import { workCountsOf } from '../metrics.js';
import { Agenda } from './agenda.js';
import { attempt, type AttemptOptions, type Due } from './attempt.js';
import { LANE_LIMITS, Lanes, type LaneLimits } from './lanes.js';

export interface DeliveriesOptions extends AttemptOptions {
  readonly readStore: ReadStore;
  readonly reader: Pick<ViewReader, 'page' | 'hasReached'>;
  /** The leases of this process. */
  readonly leases: Leases;
  readonly log: EngineLog;
  /** Limits of the attempts under way. Default: `LANE_LIMITS`. */
  readonly limits?: LaneLimits;
  /** Interval of polls while another process feeds the view and is behind, in milliseconds. Default: 1,000. */
  readonly pollMs?: number;
  /** Time limit for attempts in progress after `stop`, in milliseconds. Default: 2,000. */
  readonly graceMs?: number;
}

/** The lease of the only process that delivers: if two did, a receiver could get a notice twice. */
const LEASE = 'deliveries';
/** Default of `graceMs`. */
const GRACE_MS = 2_000;
/** A receiver that takes longer counts as slow, whatever it answers; in milliseconds. */
const PROMPT_MS = 2_000;

/**
 * Delivers notices to webhooks, in one process at a time, until it is stopped. The agenda finds due deliveries and
 * begins an attempt for each; the end of an attempt wakes the next poll. After `stop` no attempt begins, and those
 * under way are aborted after `graceMs`.
 */
export function startDeliveries(options: DeliveriesOptions): { stop(): Promise<void> } {
  const { readStore, leases, log, limits = LANE_LIMITS } = options;
  const { graceMs = GRACE_MS, clock = () => new Date() } = options;
  const abort = longLived();
  const { signal } = abort;
  /** Aborts the attempts under way, `graceMs` after `stop`. */
  const cutOff = longLived();
  const lanes = new Lanes(limits);
  const agenda = new Agenda(options.reader, lanes, () => clock().getTime());
  const counts = workCountsOf(readStore);
  const wakeUps = new WakeUps(webhooks, readStore, options.reader, signal, options.pollMs);
  const warnings = new RepeatedWarnings(log);
  const underWay = new Set<Promise<void>>();
  const mayGoOn = (): boolean => !signal.aborted && leases.holds(LEASE);

  function begin(due: Due): void {
    const running = carryOut(due).finally(() => {
      underWay.delete(running);
      counts.attemptsUnderWay--;
      // The attempt's place is free, and another delivery may be due.
      wakeUps.wake();
    });
    counts.attemptsUnderWay++;
    underWay.add(running);
  }

  async function carryOut(due: Due): Promise<void> {
    const began = performance.now();
    // `null`: there is no result, so the webhook counts as before.
    let prompt: boolean | null = null;
    try {
      const result = await attempt(due, options, cutOff.signal);
      // An operator has to decide whether the notice is sent.
      if (result === 'held') {
        agenda.held(due);
        return;
      }
      // `null`: no attempt was due any more, or another process has recorded it.
      if (result !== null) {
        counts.attempts[result]++;
        prompt = result === 'delivered' && performance.now() - began < PROMPT_MS;
      }
      agenda.done(due);
      warnings.resolved('attempts');
    } catch (error) {
      agenda.failed(due);
      if (signal.aborted || error instanceof ClockInDoubt) return;
      const fields = { reason: reasonOf(error) };
      warnings.warn(
        'attempts',
        fields,
        'Attempts to deliver notices could not be recorded. They are repeated.',
      );
    } finally {
      lanes.end(due.webhookId, prompt);
    }
  }

  const running = pollUnderLease({
    lease: LEASE,
    leases,
    signal,
    wakeUps,
    log,
    warning: 'Due deliveries of notices could not be read. The service tries again.',
    retry: { capMs: 10_000 },
    poll: () => agenda.poll(begin, mayGoOn),
  });
  return {
    stop: async () => {
      abort.abort();
      await running;
      const ended = Promise.all(underWay);
      await Promise.race([ended, pause(graceMs)]);
      cutOff.abort(new Error('The service stops.'));
      await ended;
      await leases.forget(LEASE);
    },
  };
}
