import { StreamIncomplete } from '../../core/errors.js';
import {
  type EventStore,
  type RecordedEvent,
  type Revision,
  type StreamName,
  isStreamName,
} from '../../core/event-store.js';
import type { Direction, RawEvent, RawPosition } from './drivers/driver.js';
import { asClientError, storeFault } from './faults.js';
import { isKnown, missingPosition, ownStream, toPosition, toRecorded, weightOf } from './record.js';
import type { ReadBack, Server } from './server.js';

/** Most events of a page, of a stream or of the whole log. */
export const PAGE_EVENTS = 4_096;
/** A page ends with the event that brings it to this size, in bytes. */
export const PAGE_BYTES = 4 << 20;

/** A page of a stream, all of it in memory. */
export interface StreamPage {
  readonly events: readonly RecordedEvent[];
  /** It ended for its size or `count`: the stream may have further events. */
  readonly more: boolean;
}

/**
 * A page of a stream; empty if there is no such stream.
 * @throws {StreamIncomplete} the stream exists, but the server has removed all its events
 * @throws {StoreUnavailable} the server did not answer in time or refused, or the store is closed
 * @throws {StoreUnusable} the stream was deleted for good
 */
export async function streamPage(
  server: Server,
  stream: StreamName,
  options: { from: Revision | 'start' | 'end'; direction: Direction; count: number },
): Promise<StreamPage> {
  const { interactive, limits, names, closing } = server;
  const events: RecordedEvent[] = [];
  let bytes = 0;
  let fault = null as Error | null;
  const take = (raw: RawEvent): boolean => {
    if (!isKnown(raw.position)) {
      fault = missingPosition(raw);
      return false;
    }
    const event = toRecorded(stream, toPosition(raw.position), raw);
    events.push(event);
    bytes += weightOf(event);
    return bytes < PAGE_BYTES;
  };
  const from = typeof options.from === 'number' ? BigInt(options.from) : options.from;
  try {
    await interactive.run(
      'read',
      // A shorter deadline than that of a page of the whole log: a request waits for it.
      Math.min(limits.pageDeadlineMs, (options.count === 1 ? 1 : 2) * limits.deadlineMs),
      (client) => client.readStream(names.stored(stream), { ...options, from }, take),
      closing,
    );
    if (fault) throw fault;
  } catch (error) {
    if (asClientError(error).type === 'stream-not-found') return { events: [], more: false };
    throw storeFault(server, error);
  }
  const isWhole = options.from === 0 || options.from === 'start' || options.from === 'end';
  if (events.length === 0 && isWhole) throw new StreamIncomplete(stream, null);
  return { events, more: bytes >= PAGE_BYTES || events.length === options.count };
}

/** The revision of a stream's last event; `null`: there is no stream. */
export async function lastRevision(server: Server, stream: StreamName): Promise<Revision | null> {
  const { events } = await streamPage(server, stream, { from: 'end', direction: 'backwards', count: 1 });
  return events[0]?.revision ?? null;
}

/** A page backward of more records than this has the deadline of long pages. */
const SMALL_PAGE = 64;

/** @throws {Error} the client's own, or that a record came without its position: the page would be short of it */
export const readBack =
  ({
    interactive,
    limits,
    names,
    closing,
  }: Pick<Server, 'interactive' | 'limits' | 'names' | 'closing'>): ReadBack =>
  async (from, count) => {
    const page: { readonly position: RawPosition; readonly ours: boolean }[] = [];
    let fault = null as Error | null;
    const take = (raw: RawEvent): boolean => {
      if (!isKnown(raw.position)) {
        fault = missingPosition(raw);
        return false;
      }
      page.push({ position: raw.position, ours: ownStream(names, raw) !== null });
      return true;
    };
    await interactive.run(
      'read',
      count > SMALL_PAGE ? limits.pageDeadlineMs : limits.deadlineMs,
      (client) => client.readAll({ from, direction: 'backwards', count }, take),
      closing,
    );
    if (fault) throw fault;
    return page;
  };

type Options = NonNullable<Parameters<EventStore['readStream']>[1]>;

/** A stream as of the call, by pages: no call to the server is open while the consumer handles events. */
export async function* readStream(
  server: Server,
  stream: StreamName,
  { from, direction = 'forward', limit = Infinity }: Options,
): AsyncGenerator<RecordedEvent, void, undefined> {
  if (limit <= 0 || !isStreamName(stream)) return;
  if (direction === 'forward') yield* forward(server, stream, Math.max(0, from ?? 0), limit);
  else if (from === undefined || from >= 0) yield* backward(server, stream, from, limit);
}

async function* forward(
  server: Server,
  stream: StreamName,
  from: Revision,
  limit: number,
): AsyncGenerator<RecordedEvent, void, undefined> {
  const first = { from, direction: 'forwards', count: Math.min(limit, PAGE_EVENTS) } as const;
  let page = await streamPage(server, stream, first);
  let next = revisionAfter(page, from);
  const end = from + limit;
  // The end is read before anything is yielded: events that are appended meanwhile are not part of the answer.
  const last = page.more && next < end ? await lastRevision(server, stream) : null;
  const stop = last === null ? next : Math.min(end, last + 1);
  for (;;) {
    for (const event of page.events) yield event;
    if (next >= stop || page.events.length === 0) return;
    const count = Math.min(stop - next, PAGE_EVENTS);
    page = await streamPage(server, stream, { from: next, direction: 'forwards', count });
    next = revisionAfter(page, next);
  }
}

/** The revision after a page. A truncated stream begins later than the requested revision. */
const revisionAfter = ({ events }: StreamPage, from: Revision): Revision =>
  (events.at(-1)?.revision ?? from - 1) + 1;

async function* backward(
  server: Server,
  stream: StreamName,
  from: Revision | undefined,
  limit: number,
): AsyncGenerator<RecordedEvent, void, undefined> {
  let next: Revision | 'end' = 'end';
  if (from !== undefined) {
    // A read from beyond the stream's end would return nothing, or too little.
    const last = await lastRevision(server, stream);
    if (last === null) return;
    next = Math.min(from, last);
  }
  for (let left = limit; left > 0;) {
    const count = Math.min(left, PAGE_EVENTS);
    const page = await streamPage(server, stream, { from: next, direction: 'backwards', count });
    for (const event of page.events) yield event;
    const lowest = page.events.at(-1)?.revision ?? 0;
    if (!page.more || lowest === 0) return;
    left -= page.events.length;
    next = lowest - 1;
  }
}
