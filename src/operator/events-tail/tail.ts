import { START, type EventStore, type Position, type RecordedEvent } from '../../core/event-store.js';

export interface TailOptions {
  /** A position: the event there, and what stands after it. `last`: the last ones of those that are asked for. */
  readonly from: 'start' | 'now' | 'last' | Position;
  /** Stored types; `null`: all. */
  readonly types: ReadonlySet<string> | null;
  /** Beginning of the streams' names; '': all. */
  readonly prefix: string;
  /** Goes on with what is appended, until `signal`. */
  readonly follow: boolean;
  /** Of `last` how many there are before what is appended, else how many in all. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Hears how many events were looked at while the last ones are looked for. */
  readonly onLooked?: (events: number) => void;
}

type Log = Pick<EventStore, 'head' | 'readAll' | 'subscribeToAll'>;

/**
 * The log's events in order, those that are asked for; without `follow` up to where the log ends at the call.
 * @throws {RangeError} the position is none of this log's kind
 */
export async function* tail(log: Log, options: TailOptions): AsyncGenerator<RecordedEvent, void, undefined> {
  const { from, follow, limit, signal } = options;
  if (from === 'last') {
    yield* lastOnes(log, options);
    return;
  }
  let left = limit;
  const events = follow ? following(log, from, signal) : standing(log, from, await log.head());
  for await (const event of wanted(events, options)) {
    yield event;
    if (--left === 0) return;
  }
}

async function* wanted(
  events: AsyncIterable<RecordedEvent>,
  { types, prefix, signal }: TailOptions,
): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const event of events) {
    if (signal.aborted) return;
    if (event.stream.startsWith(prefix) && (types === null || types.has(event.type))) yield event;
  }
}

/** The log is read to its end for them: it cannot be read backward. */
async function* lastOnes(log: Log, options: TailOptions): AsyncGenerator<RecordedEvent, void, undefined> {
  const { limit, follow, signal, onLooked = () => undefined } = options;
  const head = await log.head();
  let looked = 0;
  const counted = async function* (): AsyncGenerator<RecordedEvent, void, undefined> {
    for await (const event of standing(log, 'start', head)) {
      onLooked(++looked);
      yield event;
    }
  };
  const last: RecordedEvent[] = [];
  for await (const event of wanted(counted(), options)) {
    last.push(event);
    if (last.length > limit) last.shift();
  }
  if (signal.aborted) return;
  yield* last;
  if (follow) yield* wanted(appended(log, head, signal), options);
}

async function* standing(
  log: Log,
  from: 'start' | 'now' | Position,
  head: Position,
): AsyncGenerator<RecordedEvent, void, undefined> {
  if (from === 'now') return;
  for await (const event of log.readAll(from === 'start' ? {} : { from })) {
    if (event.position > head) return;
    yield event;
  }
}

async function* appended(
  log: Log,
  after: Position,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const item of log.subscribeToAll({ after, signal })) if (item.kind === 'event') yield item.event;
}

async function* following(
  log: Log,
  from: 'start' | 'now' | Position,
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
  for await (const event of appended(log, after, signal)) if (event.position >= first) yield event;
}
