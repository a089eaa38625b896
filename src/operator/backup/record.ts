import type { Codec } from '../../core/codec.js';
import { newId } from '../../core/new-id.js';
import type { EventStore } from '../../core/event-store.js';
import { operator, recordAction } from '../../domain/operations/decider.js';
import type { Details, OperatorActed } from '../../domain/operations/events.js';
import { openLog } from '../../process/adapters.js';
import { OPERATOR_STREAM } from '../../process/operations/operations.js';
import { OperatorError } from '../cli/program.js';
import { streamsWithoutKeys } from '../cli/requests.js';
import { Gauge, type Registry } from 'prom-client';
import { inTime } from '../../core/backoff.js';

/** The action of a backup in the operator's stream. */
export const BACKUP = 'backup';

/** Runs `work` on the log of a data folder. */
export const inLog = async <T>(folder: string, work: (log: EventStore) => Promise<T>): Promise<T> => {
  const log = await openLog({ dataDir: folder, servers: null });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
};

/** Records an action in the operator's stream. No key is needed. */
export const recordIn = async (log: EventStore, action: string, details: Details): Promise<void> => {
  const context = {
    commandId: newId(),
    requestHash: null,
    actor: { type: 'operator', id: 'assay' },
    correlationId: 'assay',
    causationId: null,
    now: new Date(),
  } as const;
  const handled = await streamsWithoutKeys(log).handle(operator, OPERATOR_STREAM, context, () =>
    recordAction(action, details),
  );
  if (handled.kind === 'refused') throw new OperatorError(handled.refusal.message);
};

interface Stores {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly codec: Pick<Codec, 'decode'>;
}

/**
 * When `assay backup` last saved this data folder, as the operator's stream has it. For a data folder alone: servers are
 * saved by their own means.
 */
export const registerBackupMetrics = (registry: Registry, stores: Stores): void => {
  const last = new LastBackup(stores);
  new Gauge({
    name: 'assay_backup_last_timestamp_seconds',
    help: 'When a backup of the data folder was last made, 0 where none was: the same in every process.',
    registers: [registry],
    async collect() {
      const madeAt = await inTime(last.madeAt());
      if (madeAt !== null) this.set(madeAt / 1000);
    },
  });
};

/** The stream is read on from where the last reading ended. */
class LastBackup {
  #madeAt = 0;
  #from = 0;
  #reading: Promise<void> | null = null;

  constructor(private readonly stores: Stores) {}

  /** Milliseconds since 1970; 0: none was made. Throws what the event store throws. */
  async madeAt(): Promise<number> {
    // One at a time, however many ask.
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    await this.#reading;
    return this.#madeAt;
  }

  async #read(): Promise<void> {
    const { eventStore, codec } = this.stores;
    for await (const recorded of eventStore.readStream(OPERATOR_STREAM, { from: this.#from })) {
      if (recorded.type === ACTED) {
        const decoded = await codec.decode(recorded);
        if (decoded.kind === 'event') this.#take(decoded.event.data as OperatorActed['data']);
      }
      this.#from = recorded.revision + 1;
    }
  }

  #take({ action, details }: OperatorActed['data']): void {
    const madeAt = action === BACKUP ? details['madeAt'] : null;
    if (typeof madeAt === 'string') this.#madeAt = Math.max(this.#madeAt, Date.parse(madeAt));
  }
}

const ACTED: OperatorActed['type'] = 'operator.acted';
