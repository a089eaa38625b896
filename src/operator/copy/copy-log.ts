import {
  type Expected,
  MAX_APPEND_BYTES,
  type Position,
  type RecordedEvent,
  START,
  appendBytes,
} from '../../core/event-store.js';
import { OperatorError } from '../cli/program.js';
import { isSameEvent, LogDigest } from './digests.js';
import type { Retries } from './retries.js';
import { type LogSide, prefetch, readFrom } from './side.js';

/** How many events are read ahead on each side. The largest are 1 MiB. */
const EVENTS_AHEAD = 64;

/** The content of both logs, compared before anything is written. */
export class Survey {
  /** Digest of the source's whole log. */
  readonly source = new LogDigest();
  /** The source's last event. */
  end: Position = START;
  /** Digest of the target's log, which is the beginning of the source. */
  readonly target = new LogDigest();
  /** Position of the last event that both have, in each of them. */
  both: { readonly source: Position; readonly target: Position } = { source: START, target: START };

  constructor(
    private readonly sides: { readonly source: LogSide; readonly target: LogSide },
    private readonly retries: Retries,
  ) {}

  /** Compares both logs. @throws {OperatorError} the target is not the beginning of the source */
  async compare(): Promise<void> {
    const { source, target } = this.sides;
    const read = (side: LogSide) =>
      prefetch((over) => readFrom(side, START, this.retries, over), EVENTS_AHEAD);
    const held = read(target);
    try {
      let targetEnded = false;
      for await (const event of read(source)) {
        this.take(event);
        // The rest of the source is read too, for its digest and its end.
        if (targetEnded) continue;
        const next = await held.next();
        if (next.done) targetEnded = true;
        else this.match(event, next.value);
      }
      if (!targetEnded && !(await held.next()).done)
        throw new OperatorError(
          `The target holds something else: all ${this.source.events} events of the source, and more after them. Copy to an empty place, or in the other direction.`,
        );
    } finally {
      await held.return();
    }
  }

  /** Reads the events appended to the source since the last call. @returns whether there were any */
  async readAppended(): Promise<boolean> {
    const before = this.end;
    for await (const event of readFrom(this.sides.source, before, this.retries)) this.take(event);
    return this.end !== before;
  }

  private take(event: RecordedEvent): void {
    this.source.add(event);
    this.end = event.position;
  }

  private match(event: RecordedEvent, held: RecordedEvent): void {
    if (!isSameEvent(event, held))
      throw new OperatorError(
        `The target holds something else: its event ${this.target.events + 1} (${held.type} of ${held.stream}) is not the source’s. Copy to an empty place.`,
      );
    this.target.add(held);
    this.both = { source: event.position, target: held.position };
  }
}

/** How many appends are prepared ahead of the one in flight, each of at most half a MiB. */
const APPENDS_AHEAD = 32;

/**
 * Copies the source's events after a position, up to and including another. Only one append is in flight at a time, so
 * that the order of events is the same.
 * @param onAppended called after each append, with the number of its events
 */
export const copyEvents = async (
  { source, target }: { readonly source: LogSide; readonly target: LogSide },
  { after, upTo }: { readonly after: Position; readonly upTo: Position },
  retries: Retries,
  onAppended: (events: number) => void,
): Promise<void> => {
  const read = (over: AbortSignal) => batches(until(readFrom(source, after, retries, over), upTo));
  for await (const batch of prefetch(read, APPENDS_AHEAD)) {
    await append(target, batch, retries);
    onAppended(batch.length);
  }
};

async function* until(
  events: AsyncIterable<RecordedEvent>,
  last: Position,
): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const event of events) {
    // Without any event up to `last`, the first one is beyond it.
    if (event.position > last) return;
    yield event;
    if (event.position === last) return;
  }
}

const append = async (target: LogSide, batch: readonly RecordedEvent[], retries: Retries): Promise<void> => {
  let left = batch;
  for (let [first] = left; first !== undefined; [first] = left) {
    const expected: Expected = first.revision === 0 ? 'no-stream' : first.revision - 1;
    const events = left;
    const outcome = await retries.persist(`${target.name}’s log`, () =>
      target.log.append(first.stream, expected, events),
    );
    if (outcome.kind === 'appended') return;
    // An append whose answer was lost, of this copy or of one that was killed, may have stored some of these events.
    const stored = await retries.persist(`${target.name}’s log`, () => storedOf(target, events));
    if (stored === 0)
      throw new OperatorError(
        `Another process wrote to the target: ${first.stream} is not as this copy left it. Stop that process, and copy to an empty place.`,
      );
    left = events.slice(stored);
  }
};

/** How many of the events, from the first on, are already stored in the target. */
const storedOf = async ({ log }: LogSide, events: readonly RecordedEvent[]): Promise<number> => {
  const [first] = events;
  if (first === undefined) return 0;
  let count = 0;
  for await (const held of log.readStream(first.stream, { from: first.revision, limit: events.length })) {
    const event = events[count];
    if (event === undefined || !isSameEvent(event, held)) return 0;
    count++;
  }
  return count;
};

/** Limits of one append: small enough for a store’s deadline. A single larger event is appended alone. */
const MAX_BYTES = MAX_APPEND_BYTES / 2;
const MAX_EVENTS = 500;

/** Groups consecutive events of the same stream, up to the limits of one append. */
async function* batches(
  events: AsyncIterable<RecordedEvent>,
): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
  let batch: RecordedEvent[] = [];
  let bytes = 0;
  for await (const event of events) {
    const size = appendBytes([event]);
    const other = batch[0]?.stream !== event.stream;
    if (batch.length > 0 && (other || batch.length === MAX_EVENTS || bytes + size > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(event);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
