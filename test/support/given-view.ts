import { expect } from '@jest/globals';
import type { Stored } from '../../src/core/event.js';
import { freezeJson } from '../../src/core/json.js';
import { keysOf } from '../../src/engine/fold/folding.js';
import type { AnyView, DocumentOf } from '../../src/engine/view.js';
import { indexKeyOf } from '../../src/stores/index-key.js';
import { storedEvents, type Given } from './stored-events.js';

export { storedEvents, type Given } from './stored-events.js';

/** One document as the pure fold of a log leaves it. `keys` are its index entries; a removed one has none. */
export interface Folded<D> {
  readonly document: D;
  readonly removed: boolean;
  readonly keys: Readonly<Record<string, readonly (string | number)[]>>;
}

/**
 * The pure fold of a view over a log, independent of the engine: what every run of the engine must come to. Each
 * document is frozen before each fold and, every `page` events, sent through JSON as a store would.
 */
export function foldView<V extends AnyView>(
  view: V,
  events: readonly Stored[],
  page = Infinity,
): Map<string, Folded<DocumentOf<V>>> {
  const documents = new Map<string, DocumentOf<V>>();
  const handled = new Set<string>(view.handles);
  events.forEach((event, index) => {
    if (handled.has(event.type)) {
      const given = freezeJson(structuredClone(event));
      const id = view.documentId(given);
      if (id !== null) {
        const before = documents.get(id) ?? (view.initial(id) as DocumentOf<V>);
        documents.set(id, freezeJson(view.evolve(freezeJson(before), given)) as DocumentOf<V>);
      }
    }
    if ((index + 1) % page === 0) {
      for (const [id, document] of documents) {
        documents.set(id, JSON.parse(JSON.stringify(document)) as DocumentOf<V>);
      }
    }
  });
  return new Map([...documents].map(([id, document]) => [id, describeDocument(view, id, document)]));
}

function describeDocument<V extends AnyView>(
  view: V,
  id: string,
  document: DocumentOf<V>,
): Folded<DocumentOf<V>> {
  const removed = view.removed?.(document) ?? false;
  const listed = removed ? {} : keysOf(view, document, id);
  const keys = Object.entries(view.indexes ?? {}).flatMap(([index, names]) => {
    const key = indexKeyOf(names, listed);
    return key === null ? [] : [[index, key] as const];
  });
  return { document, removed, keys: Object.fromEntries(keys) };
}

/** given events / then document: `givenView(view, [...]).then('id', {...})`. */
export function givenView<V extends AnyView>(view: V, given: readonly Given[]) {
  const events = storedEvents(given);
  const folded = foldView(view, events);
  const chain = {
    /** The document equals `document`; `null`: there is none, or it was removed. */
    then(id: string, document: DocumentOf<V> | null) {
      const found = folded.get(id);
      expect(found === undefined || found.removed ? null : found.document).toEqual(document);
      return chain;
    },
    /** The document has at least these fields. */
    thenMatches(id: string, fields: Partial<DocumentOf<V>>) {
      expect(folded.get(id)?.document).toMatchObject(fields);
      return chain;
    },
    /** The document's key in an index; `undefined`: it is not listed there. */
    thenKey(id: string, index: string, key: readonly (string | number)[] | undefined) {
      expect(folded.get(id)?.keys[index]).toEqual(key);
      return chain;
    },
    /** Exactly these documents exist, removed ones left out. */
    thenIds(...ids: string[]) {
      const present = [...folded].filter(([, { removed }]) => !removed).map(([id]) => id);
      expect(present.sort()).toEqual([...ids].sort());
      return chain;
    },
    /** The same bytes whatever the pages, and no event or document changed on the way. */
    sameWhateverThePages() {
      expectSameWhateverThePages(view, events);
      return chain;
    },
    documents: new Map([...folded].map(([id, { document }]) => [id, document])),
    events,
  };
  return chain;
}

/** Every view's law: pages of 1, 2, 7 and all fold to equal bytes (personal parts included). */
export function expectSameWhateverThePages(view: AnyView, events: readonly Stored[]): void {
  const all = bytes(foldView(view, events));
  for (const page of [1, 2, 7]) expect(bytes(foldView(view, events, page))).toEqual(all);
}

/** Documents by id as text; the order of keys is part of it. */
function bytes(folded: ReadonlyMap<string, Folded<object>>): string[] {
  return [...folded].sort(([a], [b]) => (a < b ? -1 : 1)).map((entry) => JSON.stringify(entry));
}
