import { START, type Position, type RecordedEvent } from '../../core/event-store.js';
import { isWithin, type Moment } from './moment.js';

/** Events that were read here and there, as far as they lie within a moment, in log order. */
export class PastEvents {
  readonly #events: readonly RecordedEvent[];

  constructor(moment: Moment, events: readonly RecordedEvent[]) {
    const inOrder = [...events].sort((a, b) => (a.position < b.position ? -1 : 1));
    const end = inOrder.findIndex((event) => !isWithin(moment, event));
    this.#events = end === -1 ? inOrder : inOrder.slice(0, end);
  }

  /** Of the last of them. */
  get last(): Position {
    return this.#events.at(-1)?.position ?? START;
  }

  /** As an `EventSource`. */
  async *after(position: Position): AsyncGenerator<RecordedEvent> {
    for (const event of this.#events) if (event.position > position) yield event;
  }
}
