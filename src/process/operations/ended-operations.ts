import type { Codec } from '../../core/codec.js';
import type { EventStore } from '../../core/event-store.js';
import type { OperationEnded, OperationResult } from '../../domain/operations/events.js';
import { OPERATOR_STREAM } from './operations.js';

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
