import type { Expected, Position, RecordedEvent } from '../../core/event-store.js';
import { OperatorError } from '../program.js';
import { batches } from './batches.js';
import { isSameEvent } from './log-digest.js';
import type { Patience } from './patience.js';
import { ahead, readOn, type Side } from './side.js';

/** Appends made up ahead of the one in flight, each of at most half a MiB. */
const AHEAD = 32;

/**
 * Copies the source's events after a position, up to and with another. One append is in flight at a time: each event
 * is sent only once all before it stand in the target, whoever sent them, so that the order comes out the same.
 */
export const copyEvents = async (
  { source, target }: { readonly source: Side; readonly target: Side },
  { after, upTo }: { readonly after: Position; readonly upTo: Position },
  patience: Patience,
  copied: (events: number) => void,
): Promise<void> => {
  const wanted = (over: AbortSignal) => batches(until(readOn(source, after, patience, over), upTo));
  for await (const batch of ahead(wanted, AHEAD)) {
    await append(target, batch, patience);
    copied(batch.length);
  }
};

async function* until(
  events: AsyncIterable<RecordedEvent>,
  last: Position,
): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const event of events) {
    yield event;
    if (event.position === last) return;
  }
}

const append = async (target: Side, batch: readonly RecordedEvent[], patience: Patience): Promise<void> => {
  let left = batch;
  for (let [first] = left; first !== undefined; [first] = left) {
    const expected: Expected = first.revision === 0 ? 'no-stream' : first.revision - 1;
    const events = left;
    const outcome = await patience.persist(`${target.name}’s log`, () =>
      target.log.append(first.stream, expected, events),
    );
    if (outcome.kind === 'appended') return;
    // An append of a copy that was killed may arrive late, and end elsewhere than this one.
    const standing = await patience.persist(`${target.name}’s log`, () => standingOf(target, events));
    if (standing === 0)
      throw new OperatorError(
        `The target was written to by something else: ${first.stream} does not stand where this copy has left it. Stop whatever writes there, and copy to an empty place.`,
      );
    left = events.slice(standing);
  }
};

/** How many of the events, from the first on, stand in the target where they belong. */
const standingOf = async ({ log }: Side, events: readonly RecordedEvent[]): Promise<number> => {
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
