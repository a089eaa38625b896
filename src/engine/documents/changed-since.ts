import type { Position } from '../../core/event-store.js';
import type { AnyView } from '../view.js';
import { ownEvents, type FoldStores, type ReadingOptions } from './own-events.js';

/**
 * The documents that events of a stretch of the log belong to.
 * @param views of both generations: changed code may assign an event elsewhere
 * @param stretch `after` is exclusive, `upTo` inclusive
 * Throws what `ownEvents` throws.
 */
export async function changedSince(
  stores: Pick<FoldStores, 'eventStore' | 'codec'>,
  views: readonly AnyView[],
  stretch: { readonly after: Position; readonly upTo: Position },
  options: ReadingOptions,
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const view of new Set(views))
    for await (const page of ownEvents(stores, view, stretch, options))
      for (const id of page.keys()) changed.add(id);
  return changed;
}
