import { metadataText } from '../../src/core/codec-stored.js';
import type { Codec } from '../../src/core/codec.js';
import {
  type Position,
  type EventStore,
  type LogId,
  type RecordedEvent,
  START,
} from '../../src/core/event-store.js';
import type { Stored } from '../../src/core/event.js';
import type { FoundPage, Found, ViewReader } from '../../src/engine/reads/reads.js';
import type { AnyView, DocumentOf } from '../../src/engine/view.js';
import { foldView, type Folded } from './given-view.js';

/** A reader of views whose documents are folded from a log by `foldView`, without the engine. */
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

/** A read-only log of a test's events, and the codec that decodes it. */
export const recordedLog = (events: readonly Stored[]): { eventStore: EventStore; codec: Codec } => {
  const byId = new Map(events.map((event) => [event.id, event]));
  const recorded = events.map((event): RecordedEvent => {
    const { id, type, stream, revision, position } = event;
    const metadata = Buffer.from(metadataText(event.metadata, { person: null, personal: null, chain: null }));
    return { id, type, stream, revision, position, data: Buffer.of(), metadata };
  });
  const eventStore = {
    life: 'log' as LogId,
    head: async () => recorded.at(-1)?.position ?? START,
    async *readStream(stream, { direction = 'forward', from, limit = Infinity } = {}) {
      const own = recorded.filter((event) => event.stream === stream);
      const forward = direction === 'forward';
      const there = own.filter(
        ({ revision }) => from === undefined || (forward ? revision >= from : revision <= from),
      );
      yield* (forward ? there : there.reverse()).slice(0, limit);
    },
  } as Pick<EventStore, 'life' | 'head' | 'readStream'> as EventStore;
  const codec = {
    decode: ({ id }) => ({ kind: 'event', event: byId.get(id)! }),
    latestTypes: (type) => [type],
  } as Pick<Codec, 'decode' | 'latestTypes'> as Codec;
  return { eventStore, codec };
};
