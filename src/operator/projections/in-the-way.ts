import { START, type Position } from '../../core/event-store.js';
import type { Batch } from '../../engine/feed.js';
import { SharedEvent } from '../../engine/shared-event.js';
import { sortOut } from '../../engine/sort-out.js';
import type { AnyView } from '../../engine/view.js';
import type { Stores } from '../../process/stores.js';

/**
 * What keeps a segment that stands at `position` from going on, by the code of this program: an event of a newer
 * version, one that cannot be read, or one that belongs to no document. Nothing is skipped, so that it waits there.
 * A sentence; `null`: nothing does. Throws what the stores throw.
 */
export const inTheWayOf = async (
  { eventStore, codec }: Pick<Stores, 'eventStore' | 'codec'>,
  view: AnyView,
  position: Position,
  skipped: ReadonlySet<string>,
): Promise<string | null> => {
  const after = position === START ? {} : { after: position };
  for await (const recorded of eventStore.readAll({ ...after, limit: 1 })) {
    const event = new SharedEvent(recorded, codec);
    const batch: Batch = { events: [event], position: event.position, more: false };
    const share = { view, handled: new Set(view.handles), index: 0, count: 1 };
    const rules = { strict: false, skipped: () => skipped };
    const { blocked } = await sortOut({ ...share, rules }, batch, position);
    if (blocked?.kind === 'stopped')
      return `It waits at the event ${event.id} (position ${event.position}): ${blocked.message}`;
  }
  return null;
};
