import { Readable } from 'node:stream';
import type { EventStore, Position, RecordedEvent } from '../../event-store/port.js';
import type { ArchivableVault } from '../../vault/archive.js';
import type { Patience } from './patience.js';

/** One end of a copy. */
export interface Side {
  /** At the beginning of a sentence. */
  readonly name: 'The source' | 'The target';
  readonly log: EventStore;
  readonly vault: ArchivableVault;
}

/** The log from a position to its end; goes on where it was when the store comes back. */
export async function* readOn(
  { name, log }: Side,
  after: Position,
  patience: Patience,
): AsyncGenerator<RecordedEvent, void, undefined> {
  const tries = patience.tries(`${name}’s log`);
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
      await tries.failed(error);
    }
  }
}

/** Reads so many items ahead of whoever takes them. */
export const ahead = <T>(items: AsyncIterable<T>, count: number): AsyncIterable<T> =>
  Readable.from(items, { objectMode: true, highWaterMark: count }) as AsyncIterable<T>;
