import { LRUCache } from 'lru-cache';
import { StoreUnusable } from '../../core/errors.js';
import {
  type EventStore,
  type Position,
  type RecordedEvent,
  START,
  type StreamName,
} from '../../core/event-store.js';
import type { EngineLog } from '../log.js';

/** Streams that are remembered, so that each of those written at the same time is looked at once. */
const REMEMBERED = 20_000;
/** Most streams that are named. */
const NAMED = 20;

/**
 * Finds streams whose beginning is missing, where the log is read from its beginning: a view that is built from it lacks
 * what they held.
 */
export class Beginnings {
  readonly #seen = new LRUCache<StreamName, true>({ max: REMEMBERED });
  #end: Position = START;

  /** @param found takes those that are found */
  constructor(
    private readonly eventStore: Pick<EventStore, 'readStream'>,
    private readonly found: Set<StreamName>,
    private readonly log: EngineLog,
  ) {}

  /** Whether what follows `after` goes on with what was looked at from the log's beginning. */
  reading(after: Position): boolean {
    if (after === START) this.#seen.clear();
    return after === START || after === this.#end;
  }

  async take({ stream, revision }: RecordedEvent): Promise<void> {
    if (revision > 0 && !this.#seen.has(stream) && !(await this.#begins(stream))) this.#tell(stream);
    this.#seen.set(stream, true);
  }

  /** Everything up to there was looked at. */
  read(position: Position): void {
    this.#end = position;
  }

  #tell(stream: StreamName): void {
    if (this.found.has(stream) || this.found.size >= NAMED) return;
    this.found.add(stream);
    this.log.warn(
      { stream },
      `The stream’s beginning is missing: views that are built lack what ${stream} began with.`,
    );
  }

  async #begins(stream: StreamName): Promise<boolean> {
    try {
      for await (const first of this.eventStore.readStream(stream, { limit: 1 })) return first.revision === 0;
      return false;
    } catch (error) {
      if (error instanceof StoreUnusable) return false;
      throw error;
    }
  }
}

/** A sentence about streams whose beginning is missing; `null`: there are none. */
export const incompleteStreams = (found: ReadonlySet<StreamName>): string | null => {
  if (found.size === 0) return null;
  const [first] = found;
  const others = found.size === 1 ? '' : ` and of ${found.size >= NAMED ? 'many' : found.size - 1} more`;
  return `The stream’s beginning is missing of ${first}${others}: what it held is not in the view. \`assay streams verify\` names all.`;
};
