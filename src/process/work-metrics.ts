import { Counter } from 'prom-client';
import { views } from '../../projections/index.js';
import type { Metrics } from './metrics.js';
import type { Codec } from '../core/codec.js';
import { inTime } from '../core/backoff.js';
import type { OperationResult, OperationEnded } from '../domain/operations/events.js';
import { foldCountsOf, type FoldCount } from '../engine/progress.js';
import { leaseCountsOf } from '../engine/presence.js';
import type { Stores } from './stores.js';
import type { EventStore } from '../core/event-store.js';
import { OPERATOR_STREAM } from './operations/operations.js';

/** Where the figures are looked up. */
export type MeasuredStores = Pick<Stores, 'eventStore' | 'readStore'> & {
  readonly codec: Pick<Codec, 'decode'>;
};

const RESULTS: readonly OperationResult[] = ['done', 'failed', 'cancelled'];

/** What was done for the views, for Prometheus: by this process's projector, and of what operators asked. */
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
  folds('assay_view_events_folded_total', 'Events folded by this process.', ({ events }) => events);
  folds(
    'assay_view_documents_written_total',
    'Documents written by this process.',
    ({ documents }) => documents,
  );
  folds(
    'assay_view_passes_failed_total',
    'Passes that failed in this process.',
    ({ failedPasses }) => failedPasses,
  );
  new Counter({
    name: 'assay_lease_changes_total',
    help: 'Leases of segments and of background work that this process has taken, lost or released.',
    labelNames: ['change'],
    registers,
    collect() {
      this.reset();
      for (const [change, count] of Object.entries(leaseCountsOf(readStore.leases))) {
        this.inc({ change }, count);
      }
    },
  });
  const ended = new EndedOperations({ eventStore, codec });
  new Counter({
    name: 'assay_operations_ended_total',
    help: 'Operators’ requests that ended, by the log: the same in every process.',
    labelNames: ['view', 'result'],
    registers,
    async collect() {
      const counts = await inTime(ended.counts());
      if (counts === null) return;
      this.reset();
      // From the start, so that the first one is seen to raise the counter.
      for (const view of views) for (const result of RESULTS) this.inc({ view: view.name, result }, 0);
      for (const { view, result, count } of counts) this.inc({ view, result }, count);
    },
  });
};

export interface EndedCount {
  readonly view: string;
  readonly result: OperationResult;
  readonly count: number;
}

/** How many operations ended how, by the operator's stream; it is read on from where the last reading ended. */
export class EndedOperations {
  readonly #counts = new Map<string, EndedCount>();
  #from = 0;
  #reading: Promise<void> | null = null;

  constructor(
    private readonly stores: {
      readonly eventStore: Pick<EventStore, 'readStream'>;
      readonly codec: Pick<Codec, 'decode'>;
    },
  ) {}

  /** Throws what the event store throws. */
  async counts(): Promise<readonly EndedCount[]> {
    // One at a time, however many ask: nothing may be counted twice.
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    await this.#reading;
    return [...this.#counts.values()];
  }

  async #read(): Promise<void> {
    const { eventStore, codec } = this.stores;
    for await (const recorded of eventStore.readStream(OPERATOR_STREAM, { from: this.#from })) {
      if (recorded.type === ENDED) {
        const decoded = await codec.decode(recorded);
        if (decoded.kind === 'event') this.#count(decoded.event.data as OperationEnded['data']);
      }
      this.#from = recorded.revision + 1;
    }
  }

  #count({ view, result }: OperationEnded['data']): void {
    const key = `${view} ${result}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { view, result, count });
  }
}

const ENDED: OperationEnded['type'] = 'operation.ended';
