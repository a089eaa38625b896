import { MAX_APPEND_BYTES, type RecordedEvent } from '../../core/event-store.js';
import { appendBytes } from '../../core/prepare.js';

/** Small enough for a store's deadline; a single larger event goes alone. */
const MAX_BYTES = MAX_APPEND_BYTES / 2;
const MAX_EVENTS = 500;

/** Neighbours of one stream, as many as go in one append. */
export async function* batches(
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
