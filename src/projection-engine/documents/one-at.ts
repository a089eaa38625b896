import { START, type Position } from '../../event-store/port.js';
import type { AnyView } from '../view.js';
import { foldAfresh, type FreshDocument } from './afresh.js';
import { Budget, type ReadLimits } from './limits.js';
import type { FoldStores, ReadingOptions } from './own-events.js';
import { wholeLog } from './sources.js';

/**
 * One document as it stood at a position of the log, folded on demand; `null`: it had no event by then. A removed one
 * is there, its `listing` says so; one that could not take an event says so in `parked`.
 * @param limits of what is read; `events` counts every event of the source, folded or not
 * @param options `events`: where the document's events are known to stand (`streamsOf`), in place of the whole log
 * @throws {TooFar} past the limits
 * @throws {CannotFold} an event is in the way
 */
export async function foldOneAt(
  stores: FoldStores,
  view: AnyView,
  id: string,
  upTo: Position,
  limits: ReadLimits,
  options: ReadingOptions,
): Promise<FreshDocument | null> {
  if (upTo === START) return null;
  const budget = new Budget(limits, `The history of ${id} in "${view.name}"`);
  const events = options.events ?? wholeLog(stores.eventStore);
  const within = budget.over(events);
  const folded = await foldAfresh(stores, view, new Map([[id, upTo]]), { ...options, events: within });
  return folded.get(id) ?? null;
}
