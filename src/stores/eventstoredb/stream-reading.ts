import {
  START,
  type EventStore,
  type RecordedEvent,
  type Revision,
  type StreamName,
} from '../../core/event-store.js';
import { assertOneStart, type ReadAllOptions } from '../../core/port-checks.js';
import { joined } from '../../core/signals.js';
import { isStreamName } from '../../core/stream-name.js';
import { Page } from './page.js';
import { toRaw } from './position.js';
import { lastRevision, PAGE_EVENTS, streamPage, type StreamPage } from './reading.js';
import type { Server } from './server.js';

type Options = NonNullable<Parameters<EventStore['readStream']>[1]>;

/** A stream as it stands at the call, by pages: no call to the server is open while a consumer takes its time. */
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
  let next = behind(page, from);
  const end = from + limit;
  // The end is looked for before anything is handed over: what comes meanwhile is not part of the answer.
  const last = page.more && next < end ? await lastRevision(server, stream) : null;
  const stop = last === null ? next : Math.min(end, last + 1);
  for (;;) {
    for (const event of page.events) yield event;
    if (next >= stop || page.events.length === 0) return;
    const count = Math.min(stop - next, PAGE_EVENTS);
    page = await streamPage(server, stream, { from: next, direction: 'forwards', count });
    next = behind(page, next);
  }
}

/** By what came: a stream whose beginning was cut off begins later than it was asked for. */
const behind = ({ events }: StreamPage, from: Revision): Revision =>
  (events.at(-1)?.revision ?? from - 1) + 1;

async function* backward(
  server: Server,
  stream: StreamName,
  from: Revision | undefined,
  limit: number,
): AsyncGenerator<RecordedEvent, void, undefined> {
  let next: Revision | 'end' = 'end';
  if (from !== undefined) {
    // From beyond its end the server gives nothing, or less than it should.
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

/** The log's events up to its end, by pages. @param open throws where the store was closed */
export async function* readLog(
  open: () => Server,
  options: ReadAllOptions,
): AsyncGenerator<RecordedEvent, void, undefined> {
  assertOneStart(options);
  const { from, after = START, limit = Infinity } = options;
  let scanned = from ?? after;
  let inclusive = from !== undefined;
  toRaw(scanned);
  const reading = joined(open().closing);
  let left = limit;
  try {
    for (let more = left > 0; more;) {
      const page = new Page(open(), scanned, left, reading.signal, inclusive);
      for (let events = await page.take(); events !== null; events = await page.take()) {
        left -= events.length;
        for (const event of events) yield event;
      }
      scanned = page.scanned;
      inclusive = false;
      more = page.more && left > 0;
    }
  } finally {
    reading.end();
  }
}
