import { Readable } from 'node:stream';
import type { EventStore, Position, RecordedEvent } from '../../core/event-store.js';
import type { ArchivableVault } from '../../vault/archive.js';
import type { Patience } from './patience.js';

/** One end of a copy. */
export interface Side {
  /** At the beginning of a sentence. */
  readonly name: 'The source' | 'The target';
  readonly log: EventStore;
  readonly vault: ArchivableVault;
}

/**
 * The log from a position to its end; goes on where it was when the store comes back.
 * @param over nobody reads any more: a store that is closed then is no longer waited for
 */
export async function* readOn(
  { name, log }: Side,
  after: Position,
  patience: Patience,
  over?: AbortSignal,
): AsyncGenerator<RecordedEvent, void, undefined> {
  const tries = patience.tries(`${name}’s log`, over);
  for (let last = after; ;) {
    try {
      for await (const event of log.readAll({ after: last })) {
        patience.assertWanted();
        tries.succeeded();
        yield event;
        last = event.position;
      }
      return;
    } catch (error) {
      if (over?.aborted) return;
      await tries.failed(error);
    }
    if (over?.aborted) return;
  }
}

/** Reads so many items ahead of whoever takes them. @param make gets a signal that nobody takes them any more */
export async function* ahead<T>(
  make: (over: AbortSignal) => AsyncIterable<T>,
  count: number,
): AsyncGenerator<T, void, undefined> {
  const over = new AbortController();
  try {
    const items: AsyncIterable<T> = Readable.from(make(over.signal), {
      objectMode: true,
      highWaterMark: count,
    });
    for await (const item of items) yield item;
  } finally {
    over.abort();
  }
}
