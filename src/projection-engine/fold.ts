import type { Stored } from '../event-store/event.js';
import type { Position } from '../event-store/port.js';
import { assertIndexKey } from '../read-store/index-key.js';
import type { GuardedWrite, IndexKey, StoredDocument } from '../read-store/port.js';
import { IndexFailed, reasonOf } from './errors.js';
import { settle } from './json.js';
import type { DocumentSealer } from './sealer.js';
import type { AnyView, ViewDocument } from './view.js';

/** Lists parked documents, so that health finds them after a restart. Declared on every collection. */
export const PARKED_INDEX = 'engineParked';

export interface Parked {
  readonly documentId: string;
  readonly position: Position;
  readonly reason: string;
}

export interface FoldedDocument {
  readonly write: GuardedWrite;
  /** Where this fold has parked the document. */
  readonly parked: Parked | null;
}

/**
 * Brings one document from where it stands to the last of `events`, all of which are its own, in log order.
 * @param before as read, `null` where there is none yet
 * @returns `null` where it stands there already
 * Throws what sealing throws.
 */
export async function foldDocument(
  view: AnyView,
  sealer: DocumentSealer,
  id: string,
  before: StoredDocument | null,
  events: readonly Stored[],
): Promise<FoldedDocument | null> {
  const fresh = before === null ? events : events.filter((event) => event.position > before.position);
  const last = fresh.at(-1);
  if (last === undefined) return null;
  let content = await contentOf(sealer, before);
  let parkedAt = before?.parkedAt ?? null;
  let parked: Parked | null = null;
  let listing: Listing | null = null;
  for (const event of parkedAt === null ? fresh : []) {
    try {
      const next = settle(view.evolve(content ?? settle(view.initial(id)), event));
      // After each event, not at the page's end: where a document parks must not depend on the pages.
      listing = listingOf(view, id, next);
      content = next;
    } catch (error) {
      parkedAt = event.position;
      parked = { documentId: id, position: event.position, reason: reasonOf(error) };
      break;
    }
  }
  const write = await describe(view, sealer, id, {
    before,
    content,
    listing,
    parkedAt,
    position: last.position,
  });
  return { write, parked };
}

/** Parks a document at an event after which it could not be stored; its content stays as it was. */
export async function parkDocument(
  view: AnyView,
  sealer: DocumentSealer,
  id: string,
  before: StoredDocument | null,
  event: Stored,
  reason: unknown,
): Promise<FoldedDocument> {
  const content = await contentOf(sealer, before);
  const { position } = event;
  const write = await describe(view, sealer, id, {
    before,
    content,
    listing: null,
    parkedAt: position,
    position,
  });
  return { write, parked: { documentId: id, position, reason: reasonOf(reason) } };
}

/** `null`: it has none yet, or was parked before it had any. */
async function contentOf(
  sealer: DocumentSealer,
  stored: StoredDocument | null,
): Promise<ViewDocument | null> {
  if (stored === null || stored.body === null) return null;
  return settle(sealer.openNow?.(stored.body) ?? (await sealer.open(stored.body)));
}

interface Outcome {
  readonly before: StoredDocument | null;
  /** `null`: it was parked before it had any. */
  readonly content: ViewDocument | null;
  /** The content's, where it is known already. */
  readonly listing: Listing | null;
  readonly parkedAt: Position | null;
  readonly position: Position;
}

async function describe(
  view: AnyView,
  sealer: DocumentSealer,
  id: string,
  { before, content, listing, parkedAt, position }: Outcome,
): Promise<GuardedWrite> {
  const { removed, keys } = listing ?? listingOf(view, id, content);
  const document: StoredDocument = {
    id,
    position,
    parkedAt,
    // A parked one stays listed among the parked; readers ask the view whether its content is a removed one.
    deleted: removed && parkedAt === null,
    body: content === null ? null : (sealer.sealNow?.(content) ?? (await sealer.seal(content))),
  };
  return {
    expected: before?.position ?? null,
    document,
    keys: parkedAt === null ? keys : { ...keys, [PARKED_INDEX]: [parkedAt] },
  };
}

interface Listing {
  readonly removed: boolean;
  readonly keys: Readonly<Record<string, IndexKey>>;
}

const UNLISTED: Listing = { removed: false, keys: {} };

/** @throws {IndexFailed} the view's own functions fail, or give what is no key */
function listingOf(view: AnyView, id: string, content: ViewDocument | null): Listing {
  if (content === null) return UNLISTED;
  try {
    if (view.removed?.(content)) return { removed: true, keys: {} };
    if (view.indexes === undefined) return UNLISTED;
    const keys: Record<string, IndexKey> = {};
    for (const name in view.indexes) {
      const key = view.indexes[name]?.(content, id) ?? null;
      if (key === null) continue;
      assertIndexKey(key);
      keys[name] = key;
    }
    return { removed: false, keys };
  } catch (error) {
    throw new IndexFailed(`The index keys of document ${id} cannot be made: ${reasonOf(error)}`);
  }
}
