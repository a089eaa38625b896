import { Gauge, type Registry } from 'prom-client';
import type { Reading } from '../engine/clock-judgement.js';
import type { EngineLog } from '../engine/log.js';
import { clockNotice, TrustedClock } from '../engine/trusted-clock.js';
import type { HealthSource } from './health.js';
import type { Lifecycle } from './start.js';
import type { Stores } from './stores.js';

/**
 * The trusted clock of this process. It records its heartbeat until the process ends.
 * @param read reads both clocks at the same moment. Default: the system's
 */
export const trustedClockOf = (
  { readStore }: Pick<Stores, 'readStore'>,
  log: EngineLog,
  lifecycle: Pick<Lifecycle, 'onStop'>,
  read?: () => Reading,
): TrustedClock => {
  const clock = new TrustedClock({ store: readStore.clock, log, ...(read && { read }) });
  clock.start();
  lifecycle.onStop('clock', () => clock.stop());
  return clock;
};

/** Reports how far this machine's clock is wrong. The service stays ready: work that needs a correct clock waits. */
export const clockHealth = (clock: Pick<TrustedClock, 'disagreement' | 'waits'>): HealthSource => ({
  name: 'clock',
  check: async () => [
    {
      name: 'clock',
      ready: true,
      figures: { aheadSeconds: aheadSeconds(clock), notice: clockNotice(clock) },
    },
  ],
});

/** Registers the metrics of this machine's clock. */
export const registerClockMetrics = (
  registry: Registry,
  clock: Pick<TrustedClock, 'disagreement' | 'waits'>,
): void => {
  new Gauge({
    name: 'assay_clock_ahead_seconds',
    help: 'How far this machine’s clock is ahead of the reference that it is compared with. Negative: behind. 0 if they agree.',
    registers: [registry],
    collect() {
      this.set(aheadSeconds(clock));
    },
  });
  new Gauge({
    name: 'assay_clock_waiting',
    help: '1 while this process puts off what cannot be undone, since its clock may be wrong, else 0.',
    labelNames: ['what'],
    registers: [registry],
    collect() {
      const { end, erase } = clock.waits;
      this.set({ what: 'end' }, Number(end));
      this.set({ what: 'erase' }, Number(erase));
    },
  });
};

const aheadSeconds = ({ disagreement }: Pick<TrustedClock, 'disagreement'>): number =>
  disagreement === null ? 0 : Math.round(disagreement.aheadMs / 1_000);
