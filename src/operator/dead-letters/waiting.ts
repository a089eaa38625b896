import { CannotFold } from '../../engine/documents/errors.js';
import { ownEvents, type FoldStores } from '../../engine/documents/own-events.js';
import type { AnyView } from '../../engine/view.js';
import type { Parked } from './parked.js';

/**
 * How many events wait behind the one that each document is parked at, by the document's id; one read of the log from
 * the first of those events on. `null`: an event on the way cannot be read or assigned, so nobody can say.
 * @param documents of one generation
 * @param skipped ids of the events that the view's folds leave out, which wait for nothing
 */
export async function waitingBehind(
  stores: Pick<FoldStores, 'eventStore' | 'codec'>,
  view: AnyView,
  documents: readonly Parked['document'][],
  skipped: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number> | null> {
  const [first] = documents;
  if (first === undefined) return new Map();
  const counts = new Map(documents.map(({ id }) => [id, 0]));
  const byId = new Map(documents.map((document) => [document.id, document]));
  const after = documents.reduce((a, { parkedAt: b }) => (a < b ? a : b), first.parkedAt);
  const upTo = documents.reduce((a, { position: b }) => (a > b ? a : b), first.position);
  try {
    for await (const page of ownEvents(stores, view, { after, upTo }, { skipped, signal })) {
      for (const [id, events] of page) {
        const document = byId.get(id);
        if (document === undefined) continue;
        const { parkedAt, position } = document;
        const behind = events.filter((event) => event.position > parkedAt && event.position <= position);
        counts.set(id, (counts.get(id) ?? 0) + behind.length);
      }
    }
    return counts;
  } catch (error) {
    if (error instanceof CannotFold) return null;
    throw error;
  }
}
