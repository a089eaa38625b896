import { START, type EventStore, type Position, type RecordedEvent } from '../../event-store/port.js';

export interface TailOptions {
  /** A position: the event there, and what stands after it. */
  readonly from: 'start' | 'now' | Position;
  /** Stored types; `null`: all. */
  readonly types: ReadonlySet<string> | null;
  /** Beginning of the streams' names; '': all. */
  readonly prefix: string;
  /** Goes on with what is appended, until `signal`. */
  readonly follow: boolean;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * The log's events in order, those that are asked for; without `follow` up to where the log ends at the call.
 * @throws {RangeError} the position is none of this log's kind
 */
export async function* tail(
  log: Pick<EventStore, 'head' | 'readAll' | 'subscribeToAll'>,
  { types, prefix, limit, signal, ...range }: TailOptions,
): AsyncGenerator<RecordedEvent, void, undefined> {
  let left = limit;
  const events = range.follow ? following(log, range.from, signal) : standing(log, range.from);
  for await (const event of events) {
    if (signal.aborted) return;
    if (!event.stream.startsWith(prefix) || (types !== null && !types.has(event.type))) continue;
    yield event;
    if (--left === 0) return;
  }
}

async function* standing(
  log: Pick<EventStore, 'head' | 'readAll'>,
  from: TailOptions['from'],
): AsyncGenerator<RecordedEvent, void, undefined> {
  const head = await log.head();
  if (from === 'now') return;
  for await (const event of log.readAll(from === 'start' ? {} : { from })) {
    if (event.position > head) return;
    yield event;
  }
}

async function* following(
  log: Pick<EventStore, 'head' | 'readAll' | 'subscribeToAll'>,
  from: TailOptions['from'],
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent, void, undefined> {
  // Before anything is looked for: what is appended meanwhile comes by the feed.
  let after = from === 'start' ? START : await log.head();
  if (from !== 'start' && from !== 'now') {
    for await (const event of log.readAll({ from, limit: 1 })) {
      yield event;
      after = event.position;
    }
  }
  const first = from === 'start' || from === 'now' ? START : from;
  for await (const item of log.subscribeToAll({ after, signal })) {
    if (item.kind === 'event' && item.position >= first) yield item.event;
  }
}
