import { randomUUID } from 'node:crypto';
import type { Decoded } from '../../src/core/codec.js';
import type { EventStore, Position, RecordedEvent, StreamName } from '../../src/core/event-store.js';
import type { EventDecoder } from '../../src/engine/live/ring.js';
import type { FoundPage, Freshness, PageQuery, ViewReader } from '../../src/engine/reads/reads.js';
import type { AnyView, DocumentOf, DocumentSealer, View, ViewDocument } from '../../src/engine/view.js';
import type { Json } from '../../src/stores/read-store.js';
import { storedEvents, type Given } from './stored-events.js';

/** An event for `record`. A `schemaVersion` above 1 is newer than the code; `sealed`: its key is lost. */
export interface Recorded extends Given {
  readonly schemaVersion?: number;
  readonly sealed?: boolean;
}

/** Appends events to one stream, one at a time. @returns their positions */
export async function record(store: EventStore, ...events: Recorded[]): Promise<Position[]> {
  const positions: Position[] = [];
  for (const given of events) {
    const stream = (given.stream ?? 'test-1') as StreamName;
    let revision = -1;
    for await (const last of store.readStream(stream, { direction: 'backward', limit: 1 }))
      revision = last.revision;
    const [stored] = storedEvents([given]);
    const recordedAt = given.at ?? stored?.metadata.recordedAt;
    const result = await store.append(stream, revision === -1 ? 'no-stream' : revision, [
      {
        id: randomUUID(),
        type: given.type,
        data: Buffer.from(JSON.stringify({ data: given.data, sealed: given.sealed ?? false })),
        metadata: Buffer.from(JSON.stringify({ recordedAt, schemaVersion: given.schemaVersion ?? 1 })),
      },
    ]);
    if (result.kind === 'conflict') throw new Error('Somebody else appended to the stream.');
    positions.push(result.position);
  }
  return positions;
}

/** A codec without a vault. `decodes` counts its calls; events of type `former` are upcast to `added`. */
export function plainCodec(): EventDecoder & { decodes: number } {
  const codec = {
    decodes: 0,
    decode: async (recorded: RecordedEvent): Promise<Decoded> => {
      codec.decodes++;
      const { data, sealed } = JSON.parse(Buffer.from(recorded.data).toString()) as {
        data: object;
        sealed: boolean;
      };
      const { schemaVersion } = JSON.parse(Buffer.from(recorded.metadata).toString()) as {
        schemaVersion: number;
      };
      if (sealed) throw new Error('The vault holds no key for it.');
      const type = recorded.type === 'former' ? 'added' : recorded.type;
      if (schemaVersion > 1) return { kind: 'newer', type, schemaVersion };
      const [event] = storedEvents([{ type, data, stream: recorded.stream, revision: recorded.revision }]);
      if (event === undefined) throw new Error('unreachable');
      return { kind: 'event', event: { ...event, id: recorded.id, position: recorded.position } };
    },
  };
  return codec;
}

/** The store with some methods replaced. */
export const wrapEventStore = (store: EventStore, replaced: Partial<EventStore> = {}): EventStore => ({
  logId: store.logId,
  life: store.life,
  append: (...of) => store.append(...of),
  readStream: (...of) => store.readStream(...of),
  readAll: (...of) => store.readAll(...of),
  subscribeToAll: (...of) => store.subscribeToAll(...of),
  head: () => store.head(),
  ordinal: (position) => store.ordinal(position),
  ordinalUnit: store.ordinalUnit,
  close: () => store.close(),
  ...replaced,
});

/** A sealer that only marks documents, so that a test sees a body that was not sealed. */
export const markingSealer: DocumentSealer = {
  seal: (document) => ({ sealed: document as unknown as Json }),
  open: (body) => structuredClone((body as unknown as { sealed: ViewDocument }).sealed),
};

export interface Account extends ViewDocument {
  readonly total: number;
  readonly entries: readonly number[];
  readonly closed: boolean;
  readonly owner?: string;
}

/**
 * A view that sums up `added {account, amount}`. An amount of 13 cannot be folded, `odd` gives a document that is no JSON,
 * `closed` removes the account.
 */
export const accounts: View<Account> = {
  name: 'accounts',
  version: 1,
  fingerprint: 'accounts',
  handles: ['added', 'odd', 'closed'],
  documentId: ({ data }) => (data as { account: string | null }).account,
  initial: () => ({ total: 0, entries: [], closed: false }),
  evolve: (account, event) => {
    const { amount, owner } = event.data as { amount: number; owner?: string };
    if (event.type === 'closed') return { ...account, closed: true };
    if (event.type === 'odd') return { ...account, total: odd(amount) };
    if (amount === 13) throw new Error('Thirteen cannot be added.');
    return {
      total: account.total + amount,
      entries: [...account.entries, amount],
      closed: false,
      ...(owner !== undefined && { owner }),
    };
  },
  removed: ({ closed }) => closed,
  keys: { total: ({ total }) => total, large: ({ total }, id) => (total >= 100 ? id : null) },
  indexes: { byTotal: ['total'], large: ['large'] },
};

function odd(amount: number): number {
  const values: unknown[] = [
    undefined,
    NaN,
    new Date(0),
    () => 1,
    new Map(),
    Symbol('odd'),
    1n,
    -0,
    new Array(2),
  ];
  return values[amount] as number;
}

export const added = (account: string | null, amount: number): Recorded => ({
  type: 'added',
  data: { account, amount },
});

interface LaggingReader extends Pick<ViewReader, 'page' | 'hasReached'> {
  /** The names of the indexes that were read, in order. */
  readonly asked: string[];
}

/** A reader whose views never advance: each page is answered as it was at its first read. */
export const laggingReader = (reader: Pick<ViewReader, 'page' | 'hasReached'>): LaggingReader => {
  const pages = new Map<string, Promise<unknown>>();
  const asked: string[] = [];
  const page = <V extends AnyView>(
    view: V,
    query: PageQuery,
    freshness?: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>> => {
    const { index, prefix, cursor = null } = query;
    asked.push(index);
    const key = JSON.stringify([view.name, index, prefix, cursor]);
    const known = pages.get(key) ?? reader.page(view, query, freshness);
    pages.set(key, known);
    return known as Promise<FoundPage<DocumentOf<V>>>;
  };
  return { asked, page, hasReached: (...given) => reader.hasReached(...given) };
};
