import { parseMetadata, readData, readTail } from '../../core/codec-stored.js';
import { DamagedEvent, StoreUnusable } from '../../core/errors.js';
import type { EventStore, Position, RecordedEvent } from '../../core/event-store.js';

/** How many events of any type the log has after a position. */
export interface EventCount {
  readonly count: number;
  /** False: there are at least `count`; counting stopped there. */
  readonly exact: boolean;
}

/** What the log has after a position. */
export interface Behind {
  /** Age of its first event: from `recordedAt`, by its writer's clock, to now, by this machine's; 0: there is no event. */
  readonly seconds: number;
  readonly events: EventCount;
  /** Why its first event cannot be read, in a sentence: the log is damaged there. Left out if it can be read. */
  readonly damage?: string;
}

const NOTHING: Behind = { seconds: 0, events: { count: 0, exact: true } };

interface Options {
  /** Events are counted one by one up to here, if the store's ordinals do not count them. */
  readonly countUpTo: number;
  readonly now: () => number;
  /** The time limit: once it resolves, the positions found until then are returned. */
  readonly over: Promise<void>;
}

/**
 * Finds what the log has after each of these positions: the last position first, so that no event is read twice and the
 * nearly caught-up positions are done first.
 * @returns without the positions about which the event store did not answer in time. Never throws.
 */
export async function backlogOf(
  eventStore: Pick<EventStore, 'readAll' | 'ordinal' | 'ordinalUnit'>,
  head: Position,
  positions: Iterable<Position>,
  options: Options,
): Promise<ReadonlyMap<Position, Behind>> {
  const search = new Search(eventStore, head, options);
  const distinct = [...new Set(positions)].sort((a, b) => (a > b ? -1 : 1));
  await Promise.race([search.run(distinct).catch(() => undefined), options.over]);
  search.end();
  return search.found;
}

interface Place {
  readonly position: Position;
  readonly behind: Behind;
}

class Search {
  readonly found = new Map<Position, Behind>();
  #ended = false;

  constructor(
    private readonly eventStore: Pick<EventStore, 'readAll' | 'ordinal' | 'ordinalUnit'>,
    private readonly head: Position,
    private readonly options: Options,
  ) {}

  end(): void {
    this.#ended = true;
  }

  /** @param positions the last one first */
  async run(positions: readonly Position[]): Promise<void> {
    let later: Place = { position: this.head, behind: NOTHING };
    for (const position of positions) {
      if (this.#ended) return;
      const behind = position >= this.head ? NOTHING : await this.#count(position, later).catch(damaged);
      this.#record(position, behind);
      if (position < this.head) later = { position, behind };
    }
  }

  #record(position: Position, behind: Behind): void {
    if (!this.#ended) this.found.set(position, behind);
  }

  /** Counts the events up to the later position, and adds what was found after that one. */
  async #count(position: Position, later: Place): Promise<Behind> {
    const { eventStore, head } = this;
    const isCounted = eventStore.ordinalUnit === 'events';
    const rest = later.behind.events;
    const limit = isCounted ? 1 : Math.max(1, this.options.countUpTo - rest.count);
    let { seconds } = later.behind;
    let read = 0;
    let isComplete = false;
    for await (const event of eventStore.readAll({ after: position, limit })) {
      isComplete = event.position >= later.position;
      if (event.position > later.position) break;
      if (++read === 1) seconds = this.#age(event);
      // If time runs out, the count is a lower bound.
      this.#record(position, { seconds, events: { count: read + rest.count, exact: false } });
      if (isComplete || this.#ended) break;
    }
    if (isCounted)
      return {
        seconds,
        events: { count: eventStore.ordinal(head) - eventStore.ordinal(position), exact: true },
      };
    const exact = rest.exact && (isComplete || read < limit);
    return { seconds, events: { count: read + rest.count, exact } };
  }

  /** @throws {DamagedEvent} */
  #age(event: RecordedEvent): number {
    const stored = parseMetadata(event);
    readTail(event, stored);
    readData(event);
    const { recordedAt } = stored;
    const since = typeof recordedAt === 'string' ? Date.parse(recordedAt) || 0 : 0;
    // Never 0, whatever the clocks show: an event is not folded yet.
    return Math.max(0.001, (this.options.now() - since) / 1000);
  }
}

/** What the log has after a position whose next event no process can read. @throws any other error */
const damaged = (error: unknown): Behind => {
  if (!(error instanceof DamagedEvent) && !(error instanceof StoreUnusable)) throw error;
  // Its age is unknown, but not 0: an event is not folded yet.
  return { seconds: 0.001, events: { count: 1, exact: false }, damage: error.message };
};
