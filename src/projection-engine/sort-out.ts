import type { Stored } from '../event-store/event.js';
import type { Position } from '../event-store/port.js';
import { VaultUnavailable } from '../vault/errors.js';
import { reasonOf } from './errors.js';
import type { Batch } from './feed.js';
import { segmentOf, type Segment } from './segments.js';
import type { AnyView } from './view.js';

/** What a segment has to do about a batch. */
export interface Work {
  /** Their own events by document, in log order. */
  readonly documents: ReadonlyMap<string, readonly Stored[]>;
  readonly events: number;
  /** Where the segment stands once they are folded: short of the batch's end where an event is in the way. */
  readonly position: Position;
  readonly blocked: {
    readonly kind: 'stopped';
    readonly reason: 'newer event' | 'unreadable event';
    readonly message: string;
  } | null;
}

/** The segment's part of a batch. Events it ignores count too: the checkpoint must pass them. */
export async function sortOut(segment: Segment, batch: Batch, from: Position): Promise<Work> {
  const { view, handled } = segment;
  const documents = new Map<string, Stored[]>();
  let events = 0;
  let position = from;
  const stop = (reason: 'newer event' | 'unreadable event', message: string): Work => ({
    documents,
    events,
    position,
    blocked: { kind: 'stopped', reason, message },
  });
  for (const shared of batch.events) {
    if (shared.mayBe(handled)) {
      try {
        const decoding = shared.decode();
        const decoded = decoding instanceof Promise ? await decoding : decoding;
        if (decoded.kind === 'event') {
          const id = handled.has(decoded.event.type) ? documentIdOf(view, decoded.event) : null;
          if (id !== null && segmentOf(id, segment.count) === segment.index) {
            const own = documents.get(id);
            if (own === undefined) documents.set(id, [decoded.event]);
            else own.push(decoded.event);
            events++;
          }
        } else if (handled.has(decoded.type)) {
          return stop('newer event', `A ${decoded.type} event was written by a newer version.`);
        }
      } catch (error) {
        // The event can be read as soon as its key can: that is a pass to be repeated, and no event in the way.
        if (error instanceof VaultUnavailable) throw error;
        return stop('unreadable event', `A ${shared.storedType} event cannot be read: ${reasonOf(error)}`);
      }
    }
    position = shared.position;
  }
  return { documents, events, position: batch.position, blocked: null };
}

/** Without a document there is nothing to park: an event that cannot be assigned stops the segment. */
function documentIdOf(view: AnyView, event: Stored): string | null {
  const id = view.documentId(event);
  if (id === '' || (id !== null && typeof id !== 'string')) {
    throw new TypeError(`The view "${view.name}" gives it no usable document id.`);
  }
  return id;
}
