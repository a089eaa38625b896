import type { Position } from '../../src/core/event-store.js';
import type { Stored } from '../../src/core/event.js';
import type { FoundPage, Found, ViewReader } from '../../src/engine/reads/reads.js';
import type { AnyView, DocumentOf } from '../../src/engine/view.js';
import { foldView, type Folded } from './given-view.js';

/** Reads of views as the pure fold of a log leaves them, without anything of the engine. */
export const foldedReader = (log: readonly Stored[]): ViewReader => {
  const position = log.at(-1)?.position ?? ('' as Position);
  const known = new Map<AnyView, ReadonlyMap<string, Folded<object>>>();
  const documents = <V extends AnyView>(view: V): ReadonlyMap<string, Folded<DocumentOf<V>>> => {
    let folded = known.get(view);
    if (!folded) known.set(view, (folded = foldView(view, log)));
    return folded as ReadonlyMap<string, Folded<DocumentOf<V>>>;
  };
  const found = <V extends AnyView>(view: V, id: string): Found<DocumentOf<V>> | null => {
    const folded = documents(view).get(id);
    return folded && !folded.removed ? { id, document: folded.document, position } : null;
  };
  const page = <V extends AnyView>(view: V, index: string, prefix: readonly unknown[]) => {
    const items = [...documents(view)]
      .filter(([, { keys }]) => prefix.every((part, place) => keys[index]?.[place] === part))
      .sort(([, a], [, b]) => ((a.keys[index]?.at(-1) ?? 0) < (b.keys[index]?.at(-1) ?? 0) ? -1 : 1))
      .map(([id, { document }]) => ({ id, document, position }));
    return { items, nextCursor: null } satisfies FoundPage<DocumentOf<V>>;
  };
  return {
    get: async (view, id) => found(view, id),
    outline: async (view, id) => found(view, id),
    getMany: async (view, ids) =>
      new Map(ids.flatMap((id) => [found(view, id)].flatMap((one) => (one ? [[id, one]] : [])))),
    stamps: async () => new Map(),
    page: async (view, { index, prefix }) => page(view, index, prefix),
    count: async (view, { index, prefix, limit }) => Math.min(page(view, index, prefix).items.length, limit),
    hasReached: async () => true,
    waitFor: async () => undefined,
  };
};
