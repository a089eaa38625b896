import { formerViews, views } from '../../../projections/index.js';
import type { Position } from '../../core/event-store.js';
import { PARKED, PARKED_INDEX } from '../../engine/fold/fold.js';
import type { AnyView } from '../../engine/view.js';
import type { Generation, ReadStore, StoredDocument, ViewCollection } from '../../stores/read-store.js';

/** A document with an event that could not be folded into it. */
export interface Parked {
  readonly view: string;
  readonly generation: Generation;
  readonly role: 'live' | 'former';
  /** This program's code for the generation's version; `null`: it has none. */
  readonly code: AnyView | null;
  readonly document: StoredDocument & { readonly parkedAt: Position };
}

const CODES: readonly AnyView[] = [...views, ...formerViews];
const PAGE = 100;

/**
 * The view's parked documents of the live generation, then of the former, each in log order.
 * @param codes the code of views by which they are read. Default: that of this program
 */
export async function* parkedOf(
  readStore: ReadStore,
  view: string,
  codes: readonly AnyView[] = CODES,
): AsyncGenerator<Parked, void, undefined> {
  for (const served of await servedOf(readStore, view, codes)) {
    let cursor: string | null = null;
    do {
      const page = await served.collection.page({
        index: PARKED_INDEX,
        prefix: [],
        limit: PAGE,
        ...(cursor !== null && { cursor }),
      });
      for (const document of page.items) if (isParked(document)) yield { ...served, view, document };
      cursor = page.next;
    } while (cursor !== null);
  }
}

/** A parked document of the view, in the live generation or else in the former one. */
export async function parkedDocument(
  readStore: ReadStore,
  view: string,
  id: string,
  codes: readonly AnyView[] = CODES,
): Promise<Parked | null> {
  for (const served of await servedOf(readStore, view, codes)) {
    const document = await served.collection.get(id);
    if (document !== null && isParked(document)) return { ...served, view, document };
  }
  return null;
}

/** A generation that may have parked documents. */
interface Served extends Pick<Parked, 'generation' | 'role' | 'code'> {
  readonly collection: ViewCollection;
}

/** The live and the former generation. One that is being built parks nothing, since its rebuild stops. */
async function servedOf(
  readStore: ReadStore,
  view: string,
  codes: readonly AnyView[],
): Promise<readonly Served[]> {
  const pointer = await readStore.pointers.get(view);
  if (pointer === null) return [];
  const serve = (generation: Generation, role: Parked['role']): Served => ({
    generation,
    role,
    code: codes.find((code) => code.name === view && code.version === generation.version) ?? null,
    collection: readStore.collection(generation.name, PARKED),
  });
  const { live, former } = pointer;
  return [serve(live, 'live'), ...(former ? [serve(former.generation, 'former')] : [])];
}

const isParked = (document: StoredDocument): document is Parked['document'] => document.parkedAt !== null;
