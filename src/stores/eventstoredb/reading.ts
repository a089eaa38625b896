import type { RecordedEvent, Revision, StreamName } from '../../core/event-store.js';
import { asClientError } from './describe.js';
import type { Direction, RawEvent } from './drivers/driver.js';
import { isKnown, toPosition } from './position.js';
import { toRecorded, weightOf } from './record.js';
import { storeFault, type Server } from './server.js';

/** A page ends with the event that makes it this full. */
export const PAGE_EVENTS = 4_096;
export const PAGE_BYTES = 4 << 20;

/** A page of a stream, all of it in memory. */
export interface StreamPage {
  readonly events: readonly RecordedEvent[];
  /** It ended for its size or `count`, not with the stream. */
  readonly more: boolean;
}

/** A page of a stream; nothing where there is no such stream. */
export async function streamPage(
  server: Server,
  stream: StreamName,
  options: { from: Revision | 'start' | 'end'; direction: Direction; count: number },
): Promise<StreamPage> {
  const { near, limits, names, closing } = server;
  const filling = new Filling();
  const from = typeof options.from === 'number' ? BigInt(options.from) : options.from;
  const take = (raw: RawEvent): boolean =>
    isKnown(raw.position)
      ? filling.add(toRecorded(stream, toPosition(raw.position), raw))
      : filling.unplaced(raw);
  try {
    await near.run(
      'read',
      // A request waits for it, so that it is no page of the whole log: what is away is said in time.
      Math.min(limits.pageDeadlineMs, (options.count === 1 ? 1 : 2) * limits.deadlineMs),
      (client) => client.readStream(names.stored(stream), { ...options, from }, take),
      closing,
    );
    filling.check();
  } catch (error) {
    if (asClientError(error).type === 'stream-not-found') return { events: [], more: false };
    throw storeFault(server, error);
  }
  return { events: filling.events, more: filling.full || filling.events.length === options.count };
}

/** Where a stream ends, `null` where there is none. */
export async function lastRevision(server: Server, stream: StreamName): Promise<Revision | null> {
  const { events } = await streamPage(server, stream, { from: 'end', direction: 'backwards', count: 1 });
  return events[0]?.revision ?? null;
}

/** The stream of this log that an event belongs to; `null`: it is another log's, or the server's own. */
export const ownStream = (
  names: Server['names'],
  { streamId, type }: Pick<RawEvent, 'streamId' | 'type'>,
): StreamName | null => (type.startsWith('$') ? null : names.own(streamId));

export const unplaced = ({ streamId, revision }: RawEvent): Error =>
  new Error(`event ${revision} of ${streamId} came without its position`);

/** What a page takes in until its bytes are enough. */
class Filling {
  readonly events: RecordedEvent[] = [];
  full = false;
  #bytes = 0;
  #fault: Error | null = null;

  /** @returns whether there is room for another one */
  add(event: RecordedEvent): boolean {
    this.events.push(event);
    this.#bytes += weightOf(event);
    this.full = this.#bytes >= PAGE_BYTES;
    return !this.full;
  }

  /** An event whose position the server keeps to itself is of no use, nor is what comes after it. */
  unplaced(raw: RawEvent): false {
    this.#fault = unplaced(raw);
    return false;
  }

  /** @throws {Error} an event could not be taken in */
  check(): void {
    if (this.#fault) throw this.#fault;
  }
}
