import type { EventStore, Position } from '../../core/event-store.js';
import { recordedAtOf, shownEvent } from './shown-event.js';

/** A stream as its first and its last event show it. */
export interface ListedStream {
  readonly stream: string;
  readonly events: number;
  readonly firstType: string;
  readonly firstAt: string | null;
  readonly lastType: string;
  readonly lastAt: string | null;
  /** Of its first event: where the list goes on. */
  readonly position: Position;
}

export interface ListOptions {
  /** Beginning of the streams' names; '': all. */
  readonly prefix: string;
  /** Only streams that begin after this one's first event. */
  readonly after?: Position;
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Hears how many events were looked at. */
  readonly onLooked?: (events: number) => void;
}

/**
 * The log's streams in the order that they began. The log keeps no list of them, so it is read from its beginning;
 * every stream has one event of revision 0, so that nothing has to be remembered meanwhile.
 */
export async function* listStreams(
  log: Pick<EventStore, 'readAll' | 'readStream'>,
  { prefix, after, limit, signal, onLooked }: ListOptions,
): AsyncGenerator<ListedStream, void, undefined> {
  let looked = 0;
  let left = limit;
  for await (const event of log.readAll(after === undefined ? {} : { after })) {
    if (signal.aborted) return;
    onLooked?.(++looked);
    if (event.revision !== 0 || !event.stream.startsWith(prefix)) continue;
    for await (const last of log.readStream(event.stream, { direction: 'backward', limit: 1 })) {
      yield {
        stream: event.stream,
        events: last.revision + 1,
        firstType: event.type,
        firstAt: recordedAtOf(shownEvent(event)),
        lastType: last.type,
        lastAt: recordedAtOf(shownEvent(last)),
        position: event.position,
      };
    }
    if (--left === 0) return;
  }
}
