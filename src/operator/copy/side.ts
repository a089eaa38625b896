import { Readable } from 'node:stream';
import { StoreUnusable, Unavailable } from '../../core/errors.js';
import { type EventStore, type Position, type RecordedEvent, START } from '../../core/event-store.js';
import { NoLog, openLog, openVault, type Places } from '../../process/adapters.js';
import type { ArchivableVault } from '../../vault/archive.js';
import { OperatorError } from '../cli/program.js';
import { type Place, SAME_PLACE } from './place.js';
import type { Retries } from './retries.js';

/** The log of one end of a copy. */
export interface LogSide {
  /** The side's name at the beginning of a sentence. */
  readonly name: 'The source' | 'The target';
  readonly log: EventStore;
}

/** One end of a copy. */
export interface Side extends LogSide {
  readonly vault: ArchivableVault;
}

/**
 * Reads the log from a position to its end. Continues if the store does not answer for a while.
 * @param over aborted once the reader has ended
 */
export async function* readFrom(
  { name, log }: LogSide,
  after: Position,
  retries: Retries,
  over?: AbortSignal,
): AsyncGenerator<RecordedEvent, void, undefined> {
  const tries = retries.tries(`${name}’s log`, over);
  for (let last = after; ;) {
    try {
      for await (const event of log.readAll({ after: last })) {
        retries.assertWanted();
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

/**
 * Reads up to `count` items ahead of the consumer.
 * @param make called with a signal that aborts when the consumer ends
 */
export async function* prefetch<T>(
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

/** A side whose files or connections are open. */
interface OpenSide extends Side {
  close(): Promise<void>;
}

const NO_EVENTS = 'The source holds no events: there is nothing to copy.';

/** Opens the source. @throws {OperatorError} it cannot be opened, or has no events */
export const openSource = async (place: Place, dataKey: Buffer): Promise<OpenSide> => {
  const source = await openSide('The source', place, dataKey, true);
  try {
    if ((await source.log.head()) !== START) return source;
    throw new OperatorError(NO_EVENTS);
  } catch (error) {
    await source.close();
    throw sentenceFor('The source', error);
  }
};

/** Opens the target; a missing folder is created. @throws {OperatorError} it cannot be opened, or is the source */
export const openTarget = async (place: Place, dataKey: Buffer, source: Side): Promise<OpenSide> => {
  const target = await openSide('The target', place, dataKey, false);
  if (place.kind === 'folder' || target.log.logId !== source.log.logId) return target;
  await target.close();
  throw new OperatorError(SAME_PLACE);
};

const placesOf = (place: Place): Places =>
  place.kind === 'folder'
    ? { dataDir: place.folder, servers: null }
    : { dataDir: '', servers: { eventStoreUrl: place.eventStoreUrl, mongodbUrl: place.mongoUrl } };

const openSide = async (
  name: Side['name'],
  place: Place,
  dataKey: Buffer,
  readOnly: boolean,
): Promise<OpenSide> => {
  let log: EventStore | null = null;
  try {
    const places = placesOf(place);
    const opened = (log = await openLog(places, { readOnly, patient: true }));
    const vault = await openVault(places, { dataKey, dataKeyPrevious: null });
    const close = async () => {
      await Promise.all([opened.close(), vault.close()]);
    };
    return { name, log: opened, vault, close };
  } catch (error) {
    await log?.close();
    throw sentenceFor(name, error);
  }
};

const sentenceFor = (name: string, error: unknown): unknown => {
  if (error instanceof NoLog) return new OperatorError(NO_EVENTS, { cause: error });
  return error instanceof StoreUnusable || error instanceof Unavailable
    ? new OperatorError(`${name} cannot be opened: ${error.message}`, { cause: error })
    : error;
};
