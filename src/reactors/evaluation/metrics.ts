import { Counter, Gauge, type Registry } from 'prom-client';
import { pendingEvaluations } from '../../../projections/pending-evaluations.js';
import { inTime } from '../../core/backoff.js';
import type { Stores } from '../../process/stores.js';
import type { ReadStore } from '../../stores/read-store.js';

/** What Prometheus learns of evaluations: how those ended that this process generated, and whether any waits. */
export const registerEvaluationMetrics = (
  registry: Registry,
  { readStore, reader }: Pick<Stores, 'readStore' | 'reader'>,
): void => {
  const registers = [registry];
  new Counter({
    name: 'assay_evaluations_ended_total',
    help: 'Generations of evaluations that this process has recorded, by what came of them.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      const counts = evaluationCountsOf(readStore);
      for (const result of ['ready', 'failed'] as const) this.inc({ result }, counts[result]);
    },
  });
  new Gauge({
    name: 'assay_evaluation_oldest_pending_seconds',
    help: 'Age of the oldest evaluation that is asked for and not there yet, 0 without any: the same in every process.',
    registers,
    async collect() {
      const oldest = await inTime(
        reader.page(pendingEvaluations, { index: 'byState', prefix: ['requested'], limit: 1 }),
      );
      if (oldest === null) return;
      const [first] = oldest.items;
      const since = first === undefined ? null : Date.parse(first.document.requestedAt);
      this.set(since === null ? 0 : Math.max(0, (Date.now() - since) / 1000));
    },
  });
};

/** How generations ended that this process recorded since it started: for figures alone. */
export interface EvaluationCounts {
  ready: number;
  failed: number;
}

const shared = new WeakMap<ReadStore, EvaluationCounts>();

/** The counts of whoever generates evaluations in this process. */
export const evaluationCountsOf = (readStore: ReadStore): EvaluationCounts => {
  let counts = shared.get(readStore);
  if (counts === undefined) {
    counts = { ready: 0, failed: 0 };
    shared.set(readStore, counts);
  }
  return counts;
};
