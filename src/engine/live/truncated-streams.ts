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

/** How many streams are remembered as checked: their first event is not read for each of their events. */
const REMEMBERED = 20_000;
/** Most streams that are reported. */
const MAX_REPORTED = 20;

/**
 * Finds streams whose first events are missing, while views read the log from its beginning: a view built from such a
 * log lacks the content of those events.
 */
export class TruncatedStreams {
  readonly #checked = new LRUCache<StreamName, true>({ max: REMEMBERED });
  #end: Position = START;

  /** @param found takes the streams that are found */
  constructor(
    private readonly eventStore: Pick<EventStore, 'readStream'>,
    private readonly found: Set<StreamName>,
    private readonly log: EngineLog,
  ) {}

  /** Whether a page after `after` belongs to a reading that began at the log's beginning. */
  isFromStart(after: Position): boolean {
    if (after === START) this.#checked.clear();
    return after === START || after === this.#end;
  }

  /**
   * Checks the stream of an event. A stream that cannot be read at all counts as truncated; throws what else
   * `readStream` throws.
   */
  async check({ stream, revision }: RecordedEvent): Promise<void> {
    if (revision > 0 && !this.#checked.has(stream) && !(await this.#hasFirst(stream))) this.#report(stream);
    this.#checked.set(stream, true);
  }

  /** Every event up to there was checked. */
  checkedUpTo(position: Position): void {
    this.#end = position;
  }

  #report(stream: StreamName): void {
    if (this.found.has(stream) || this.found.size >= MAX_REPORTED) return;
    this.found.add(stream);
    this.log.warn(
      { stream },
      `The stream’s beginning is missing: views that are built lack what ${stream} began with.`,
    );
  }

  async #hasFirst(stream: StreamName): Promise<boolean> {
    try {
      for await (const first of this.eventStore.readStream(stream, { limit: 1 })) return first.revision === 0;
      return false;
    } catch (error) {
      if (error instanceof StoreUnusable) return false;
      throw error;
    }
  }
}

/** A sentence for operators about the streams that were found; `null`: there are none. */
export const truncationNotice = (found: ReadonlySet<StreamName>): string | null => {
  if (found.size === 0) return null;
  const [first] = found;
  const others =
    found.size === 1 ? '' : ` and of ${found.size >= MAX_REPORTED ? 'many' : found.size - 1} more`;
  return `The stream’s beginning is missing of ${first}${others}: what it held is not in the view. \`assay streams verify\` names all.`;
};
