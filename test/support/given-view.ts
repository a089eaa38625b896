import { expect } from '@jest/globals';
import type { Stored } from '../../src/core/event.js';
import { freezeJson } from '../../src/core/json.js';
import { keysOf } from '../../src/engine/fold/folding.js';
import type { AnyView, DocumentOf } from '../../src/engine/view.js';
import { indexKeyOf } from '../../src/stores/index-key.js';
import { storedEvents, type Given } from './stored-events.js';

export { storedEvents, type Given } from './stored-events.js';

/** A folded document. `keys` are its index entries; a removed one has none. */
export interface Folded<D> {
  readonly document: D;
  readonly removed: boolean;
  readonly keys: Readonly<Record<string, readonly (string | number)[]>>;
}

/**
 * Folds a log into a view's documents, without the engine: every run of the engine must give the same. Each document is
 * frozen before each fold and passes through JSON every `page` events, as in a store.
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

/** Expectations of a view's documents after these events: `givenView(view, [...]).then('id', {...})`. */
export function givenView<V extends AnyView>(view: V, given: readonly Given[]) {
  const events = storedEvents(given);
  const folded = foldView(view, events);
  const chain = {
    /** Expects this document; `null`: there is none, or it was removed. */
    then(id: string, document: DocumentOf<V> | null) {
      const found = folded.get(id);
      expect(found === undefined || found.removed ? null : found.document).toEqual(document);
      return chain;
    },
    /** Expects at least these fields of the document. */
    thenMatches(id: string, fields: Partial<DocumentOf<V>>) {
      expect(folded.get(id)?.document).toMatchObject(fields);
      return chain;
    },
    /** Expects this key of the document in an index; `undefined`: the index does not list it. */
    thenKey(id: string, index: string, key: readonly (string | number)[] | undefined) {
      expect(folded.get(id)?.keys[index]).toEqual(key);
      return chain;
    },
    /** Expects exactly these documents, removed ones not counted. */
    thenIds(...ids: string[]) {
      const present = [...folded].filter(([, { removed }]) => !removed).map(([id]) => id);
      expect(present.sort()).toEqual([...ids].sort());
      return chain;
    },
    /** Expects the same bytes for any page size, and that no fold changes an event or a document. */
    sameWhateverThePages() {
      expectSameWhateverThePages(view, events);
      return chain;
    },
    documents: new Map([...folded].map(([id, { document }]) => [id, document])),
    events,
  };
  return chain;
}

/** Expects of a view that pages of 1, 2, 7 and all events fold to equal bytes, personal parts included. */
export function expectSameWhateverThePages(view: AnyView, events: readonly Stored[]): void {
  const all = bytes(foldView(view, events));
  for (const page of [1, 2, 7]) expect(bytes(foldView(view, events, page))).toEqual(all);
}

/** The documents by id as text; the order of keys counts. */
function bytes(folded: ReadonlyMap<string, Folded<object>>): string[] {
  return [...folded].sort(([a], [b]) => (a < b ? -1 : 1)).map((entry) => JSON.stringify(entry));
}
