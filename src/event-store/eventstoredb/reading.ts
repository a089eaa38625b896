import type { Position, RecordedEvent, Revision, StreamName } from '../port.js';
import { asClientError, Late } from './describe.js';
import type { Direction, RawEvent } from './drivers/driver.js';
import { isKnown, toPosition, toRaw } from './position.js';
import { toRecorded, weightOf } from './record.js';
import { storeFault, type Server } from './server.js';

/** A page ends with the event that makes it this full. */
export const PAGE_EVENTS = 1_024;
const PAGE_BYTES = 4 << 20;

/** Part of the whole log, all of it in memory. */
export interface Page {
  /** This log's events among what was read. */
  readonly events: readonly RecordedEvent[];
  /** How far the page has come, events of others included. */
  readonly scanned: Position;
  /** More may stand behind it. */
  readonly more: boolean;
}

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
  try {
    await near.run(
      'read',
      options.count === 1 ? limits.deadlineMs : limits.pageDeadlineMs,
      (client) =>
        client.readStream(names.stored(stream), { ...options, from }, (raw) => filling.add(stream, raw)),
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

/** The events after a position, as far as one page goes. @param signal gives the page up */
export async function logPage(
  server: Server,
  after: Position,
  limit: number,
  signal: AbortSignal,
): Promise<Page> {
  const { far, limits, names, origin } = server;
  const start = after > origin ? after : origin;
  // Reading forward begins with what stands at the position.
  const count = Math.min(limit + 1, PAGE_EVENTS);
  const filling = new Filling();
  let scanned = start;
  let read = 0;
  let late = false;
  const take = (raw: RawEvent): boolean => {
    read++;
    if (!isKnown(raw.position)) return filling.fail(new Error('an event of $all came without its position'));
    const position = toPosition(raw.position);
    if (position <= scanned) return true;
    scanned = position;
    const stream = ownStream(names, raw);
    return stream === null || filling.add(stream, raw);
  };
  const options = { from: toRaw(start) ?? FIRST, direction: 'forwards', count } as const;
  try {
    await far.run('read', limits.pageDeadlineMs, (client) => client.readAll(options, take), signal);
    filling.check();
  } catch (error) {
    late = error instanceof Late && filling.events.length > 0;
    // A slow line still gets on by what has come.
    if (!late) throw storeFault(server, error);
  }
  const last = filling.events.at(-1);
  if (last) server.head.reached(last.position);
  return { events: filling.events, scanned, more: read === count || filling.full || late };
}

const FIRST = { commit: 0n, prepare: 0n };

/** The stream of this log that an event belongs to; `null`: it is another log's, or the server's own. */
export const ownStream = (
  names: Server['names'],
  { streamId, type }: Pick<RawEvent, 'streamId' | 'type'>,
): StreamName | null => (type.startsWith('$') ? null : names.own(streamId));

/** What a page takes in until its bytes are enough. */
class Filling {
  readonly events: RecordedEvent[] = [];
  full = false;
  #bytes = 0;
  #fault: Error | null = null;

  /** @returns whether there is room for another one */
  add(stream: StreamName, raw: RawEvent): boolean {
    try {
      const event = toRecorded(stream, raw);
      this.events.push(event);
      this.#bytes += weightOf(event);
    } catch (error) {
      return this.fail(error as Error);
    }
    this.full = this.#bytes >= PAGE_BYTES;
    return !this.full;
  }

  fail(fault: Error): boolean {
    this.#fault = fault;
    return false;
  }

  /** @throws {Error} an event could not be taken in */
  check(): void {
    if (this.#fault) throw this.#fault;
  }
}
