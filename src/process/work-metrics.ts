import { Counter, Gauge, type Registry } from 'prom-client';
import { views } from '../../projections/index.js';
import { inTime } from '../core/backoff.js';
import type { Codec } from '../core/codec.js';
import type { OperationEnded, OperationResult, OperatorActed } from '../domain/operations/events.js';
import { foldCountsOf, type FoldCount } from '../engine/live/progress.js';
import { leaseCountsOf } from '../engine/ownership/presence.js';
import type { Metrics } from './metrics.js';
import { BACKUP, readerOf } from './operations/operations.js';
import type { Stores } from './stores.js';

/** The stores from which the metrics are read. */
export type MeasuredStores = Pick<Stores, 'eventStore' | 'readStore'> & {
  readonly codec: Pick<Codec, 'decode'>;
};

const RESULTS: readonly OperationResult[] = ['done', 'failed', 'cancelled'];

/** Registers counters of this process's projector and leases, and of operations that have ended. */
export const registerWorkMetrics = (
  { registry }: Pick<Metrics, 'registry'>,
  { eventStore, readStore, codec }: MeasuredStores,
): void => {
  const registers = [registry];
  const folds = (name: string, help: string, figure: (count: FoldCount) => number): void => {
    new Counter({
      name,
      help,
      labelNames: ['view', 'segment', 'stage'],
      registers,
      collect() {
        this.reset();
        for (const count of foldCountsOf(readStore).all()) {
          const { view, segment, stage } = count;
          this.inc({ view, segment: `${segment}`, stage }, figure(count));
        }
      },
    });
  };
  folds(
    'assay_view_events_folded_total',
    'Number of events that this process has folded.',
    ({ events }) => events,
  );
  folds(
    'assay_view_documents_written_total',
    'Number of documents that this process has written.',
    ({ documents }) => documents,
  );
  folds(
    'assay_view_passes_failed_total',
    'Number of passes that failed in this process and were repeated.',
    ({ failedPasses }) => failedPasses,
  );
  new Counter({
    name: 'assay_lease_changes_total',
    help: 'Number of leases of segments and of background work that this process has taken, lost or released, by change.',
    labelNames: ['change'],
    registers,
    collect() {
      this.reset();
      for (const [change, count] of Object.entries(leaseCountsOf(readStore.leases))) {
        this.inc({ change }, count);
      }
    },
  });
  /** How often operations ended, by view and result. */
  const ended = new Map<string, { readonly view: string; readonly result: OperationResult; count: number }>();
  const readNew = readerOf<OperationEnded>({ eventStore, codec }, 'operation.ended', ({ view, result }) => {
    const key = `${view} ${result}`;
    const { count } = ended.get(key) ?? { count: 0 };
    ended.set(key, { view, result, count: count + 1 });
  });
  new Counter({
    name: 'assay_operations_ended_total',
    help: 'Number of operators’ requests that have ended, counted from the log. The same in every process.',
    labelNames: ['view', 'result'],
    registers,
    async collect() {
      // If the log cannot be read in time, the counter keeps its last values.
      if ((await inTime(readNew())) === null) return;
      this.reset();
      // Each series exists from the start with 0, so that Prometheus can detect the first increase.
      for (const view of views) for (const result of RESULTS) this.inc({ view: view.name, result }, 0);
      for (const { view, result, count } of ended.values()) this.inc({ view, result }, count);
    },
  });
};

/**
 * Registers the time of the last `assay backup`, which is recorded in the operator's stream. Call it only for a service
 * on a data folder: EventStoreDB and MongoDB have their own backups.
 */
export const registerBackupMetrics = (
  registry: Registry,
  stores: Pick<MeasuredStores, 'eventStore' | 'codec'>,
): void => {
  /** Time of the last backup, in milliseconds since 1970; 0: none is recorded. */
  let last = 0;
  const readNew = readerOf<OperatorActed>(stores, 'operator.acted', ({ action, details: { madeAt } }) => {
    if (action === BACKUP && typeof madeAt === 'string') last = Math.max(last, Date.parse(madeAt));
  });
  new Gauge({
    name: 'assay_backup_last_timestamp_seconds',
    help: 'Time of the last backup of the data folder. 0 if there was none. The same in every process.',
    registers: [registry],
    async collect() {
      if ((await inTime(readNew())) !== null) this.set(last / 1000);
    },
  });
};
