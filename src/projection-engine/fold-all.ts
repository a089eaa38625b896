import type { Stored } from '../event-store/event.js';
import { DocumentTooLarge } from '../read-store/errors.js';
import type { StoredDocument, ViewCollection, WriteResult } from '../read-store/port.js';
import { foldDocument, parkDocument, type FoldedDocument, type Parked } from './fold.js';
import type { DocumentSealer } from './sealer.js';
import type { Segment } from './segments.js';
import type { Work } from './sort-out.js';
import type { AnyView } from './view.js';

/**
 * Folds events into their documents, and writes each one where it stands as it was read.
 * @param stillThere asked, beside reading the documents, before anything is written
 * @returns what was parked; `behind`: a document was read too old; `moved`: `stillThere` said no
 */
export async function foldAll(
  sealer: DocumentSealer,
  segment: Segment,
  documents: Work['documents'],
  stillThere: (() => Promise<boolean>) | null,
): Promise<readonly Parked[] | 'behind' | 'moved'> {
  if (documents.size === 0) return [];
  try {
    return await foldTogether(sealer, segment, documents, stillThere);
  } catch (error) {
    if (!(error instanceof DocumentTooLarge)) throw error;
    return await foldOneByOne(sealer, segment, documents);
  }
}

async function foldTogether(
  sealer: DocumentSealer,
  { view, collection }: Segment,
  documents: Work['documents'],
  stillThere: (() => Promise<boolean>) | null,
): Promise<readonly Parked[] | 'behind' | 'moved'> {
  const ids = [...documents.keys()];
  const [standing, unmoved] = await Promise.all([readStanding(collection, ids), stillThere?.() ?? true]);
  if (!unmoved) return 'moved';
  const folded: FoldedDocument[] = [];
  for (const [id, events] of documents) {
    const next = await foldDocument(view, sealer, id, standing.get(id) ?? null, events);
    if (next !== null) folded.push(next);
  }
  const results = folded.length === 0 ? [] : await collection.apply(folded.map(({ write }) => write));
  return results.some(isBehind) ? 'behind' : folded.flatMap(({ parked }) => parked ?? []);
}

/**
 * The same, an event at a time: the only way to know after which one a document could no longer be stored, and thus
 * to park it at the same event whatever the pages.
 */
async function foldOneByOne(
  sealer: DocumentSealer,
  { view, collection }: Segment,
  documents: Work['documents'],
): Promise<readonly Parked[] | 'behind'> {
  const parked: Parked[] = [];
  for (const [id, events] of documents) {
    let before: StoredDocument | null = await collection.get(id);
    for (const event of events) {
      const next = await storeOne(sealer, view, collection, id, before, event);
      if (next === null) continue;
      // Somebody else is at it: whether they dealt with the later events too is not known here.
      if (next.result !== 'written') return 'behind';
      before = next.folded.write.document;
      if (next.folded.parked !== null) parked.push(next.folded.parked);
    }
  }
  return parked;
}

async function storeOne(
  sealer: DocumentSealer,
  view: AnyView,
  collection: ViewCollection,
  id: string,
  before: StoredDocument | null,
  event: Stored,
): Promise<{ folded: FoldedDocument; result: WriteResult | undefined } | null> {
  const apply = async (folded: FoldedDocument) => ({
    folded,
    result: (await collection.apply([folded.write]))[0],
  });
  try {
    const folded = await foldDocument(view, sealer, id, before, [event]);
    return folded && (await apply(folded));
  } catch (error) {
    if (!(error instanceof DocumentTooLarge)) throw error;
    return await apply(await parkDocument(view, sealer, id, before, event, error));
  }
}

async function readStanding(
  collection: ViewCollection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const [only] = ids;
  if (ids.length !== 1 || only === undefined) return await collection.getMany(ids);
  const document = await collection.get(only);
  return new Map(document === null ? [] : [[only, document]]);
}

const isBehind = (result: WriteResult): boolean => result === 'behind';
