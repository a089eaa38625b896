import type { EventStore, Position, RecordedEvent } from '../../core/event-store.js';
import type { Stores } from '../../process/stores.js';
import { recordedAtOf, shownEvent, type ShownEvent } from '../streams/shown-event.js';
import type { Parked } from './parked.js';
import { whyParked, type Why } from './why.js';

/** A parked document as an operator sees it. */
export interface DeadLetter {
  readonly view: string;
  readonly generation: string;
  readonly role: Parked['role'];
  readonly document: string;
  /** Of the event that could not be folded. */
  readonly position: Position;
  /** As it is stored; `null`: the log holds none there. */
  readonly event: ShownEvent | null;
  /** When that event was recorded; `null`: it does not say. */
  readonly since: string | null;
  readonly why: Why;
}

type Needed = Pick<Stores, 'eventStore' | 'codec' | 'documents'>;

/** @param skipped ids of the events that the view's folds leave out */
export async function deadLetter(
  { eventStore, codec, documents }: Needed,
  parked: Parked,
  skipped: ReadonlySet<string>,
): Promise<DeadLetter> {
  const { view, generation, role, document } = parked;
  const event = await eventAt(eventStore, document.parkedAt);
  const shown = event && shownEvent(event);
  const since = shown && recordedAtOf(shown);
  return {
    ...{ view, role, since },
    generation: generation.name,
    document: document.id,
    position: document.parkedAt,
    event: shown,
    why: await whyParked({ codec, sealer: documents }, parked, event, skipped),
  };
}

async function eventAt(
  eventStore: Pick<EventStore, 'readAll'>,
  position: Position,
): Promise<RecordedEvent | null> {
  for await (const event of eventStore.readAll({ from: position, limit: 1 }))
    return event.position === position ? event : null;
  return null;
}
