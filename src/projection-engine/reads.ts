import type { EventStore, Position } from '../event-store/port.js';
import type {
  Generation,
  IndexKey,
  Json,
  ReadStore,
  StoredDocument,
  ViewCollection,
} from '../read-store/port.js';
import { ReadModelBehind, ViewParked } from './errors.js';
import { checkpointNames, collectionOf } from './generations.js';
import { progressOf } from './progress.js';
import type { DocumentSealer } from './sealer.js';
import { segmentName, segmentOf } from './segments.js';
import type { AnyView, DocumentOf, ViewDocument } from './view.js';

export interface Found<D> {
  readonly id: string;
  /** With its personal parts opened. */
  readonly document: D;
  readonly position: Position;
}

export interface FoundPage<D> {
  readonly items: readonly Found<D>[];
  readonly nextCursor: string | null;
}

export interface Freshness {
  /** What the read must have seen, from a consistency token; none: whatever stands. */
  readonly token?: Position | null | undefined;
  /** How long it may wait for that, in milliseconds. */
  readonly deadlineMs?: number | undefined;
}

export interface PageQuery {
  readonly index: string;
  readonly prefix: IndexKey;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly reverse?: boolean | undefined;
  readonly upTo?: string | number | undefined;
}

/**
 * Reads of views. A read with a token waits until what it reads has come that far, then it takes checkpoint and
 * documents from one generation.
 * All throw `ReadModelBehind` (not there yet, or not built at all) and what the read store throws; reads with a token
 * also `ViewParked`, where a document of the answer is parked at or before it.
 */
export interface ViewReader {
  /** `null`: there is no such document, or it was removed. */
  get<V extends AnyView>(view: V, id: string, freshness?: Freshness): Promise<Found<DocumentOf<V>> | null>;
  /**
   * As `get`, with `personal` as `null`: for whoever needs nothing of it, since opening it costs more than the read.
   */
  outline<V extends AnyView>(
    view: V,
    id: string,
    freshness?: Freshness,
  ): Promise<Found<DocumentOf<V>> | null>;
  /** Those that exist, in no order. */
  getMany<V extends AnyView>(
    view: V,
    ids: readonly string[],
    freshness?: Freshness,
  ): Promise<ReadonlyMap<string, Found<DocumentOf<V>>>>;
  /** One page of an index in key order. @throws {BadCursor} */
  page<V extends AnyView>(
    view: V,
    query: PageQuery,
    freshness?: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>>;
  /** Waits until all these views have come to `position`: for answers composed of several. */
  waitFor(views: readonly AnyView[], position: Position, deadlineMs?: number): Promise<void>;
}

const DEADLINE_MS = 2000;
/** For segments worked on by other processes; those of this one wake their readers. */
const POLL_MS = 10;
/** A segment that never moves: there is nothing to be woken by but the poll. */
const NOT_YET = '';

export function createViewReader(options: {
  readonly eventStore: Pick<EventStore, 'logId'>;
  readonly readStore: ReadStore;
  readonly sealer: DocumentSealer;
}): ViewReader {
  const { eventStore, readStore, sealer } = options;
  const progress = progressOf(readStore);
  /** The handle of each view's newest generation seen. */
  const handles = new Map<string, { generation: Generation; collection: ViewCollection }>();

  async function live(view: AnyView): Promise<Generation> {
    const generation = await readStore.pointers.get(view.name);
    // One of another log is about to be thrown away: its documents are of another world.
    if (generation?.log !== eventStore.logId) throw new ReadModelBehind(view.name);
    return generation;
  }

  function collection(view: AnyView, generation: Generation): ViewCollection {
    let handle = handles.get(view.name);
    if (handle?.generation.name !== generation.name) {
      handle = { generation, collection: collectionOf(readStore, view, generation) };
      handles.set(view.name, handle);
    }
    return handle.collection;
  }

  async function stands(name: string, position: Position): Promise<boolean> {
    if (progress.has(name, position)) return true;
    const checkpoint = await readStore.checkpoints.get(name);
    return checkpoint !== null && checkpoint.position >= position;
  }

  /** The generation to read from: the live one, once the segments concerned stand at the token. */
  function fresh(
    view: AnyView,
    { token, deadlineMs = DEADLINE_MS }: Freshness,
    segments: (generation: Generation) => readonly string[],
  ): Promise<Generation> {
    return token == null ? live(view) : reached(view, token, deadlineMs, segments);
  }

  async function reached(
    view: AnyView,
    token: Position,
    deadlineMs: number,
    segments: (generation: Generation) => readonly string[],
  ): Promise<Generation> {
    const deadline = performance.now() + deadlineMs;
    for (;;) {
      // Anew each time: a promotion meanwhile may bring a generation that is further, or not as far.
      const generation = await readStore.pointers.get(view.name);
      const names = generation?.log === eventStore.logId ? segments(generation) : null;
      if (generation !== null && names !== null) {
        const standing = await Promise.all(names.map((name) => stands(name, token)));
        if (standing.every(Boolean)) return generation;
      }
      const left = deadline - performance.now();
      if (left <= 0) throw new ReadModelBehind(view.name);
      await progress.reached(names ?? [NOT_YET], token, Math.min(POLL_MS, left));
    }
  }

  /** Without a promise where the sealer needs none. */
  function open<V extends AnyView>(
    view: V,
    stored: StoredDocument,
    token: Position | null | undefined,
    openBody: DocumentSealer['open'] = (body) => sealer.open(body),
  ): Found<DocumentOf<V>> | null | Promise<Found<DocumentOf<V>> | null> {
    if (token != null && stored.parkedAt !== null && stored.parkedAt <= token) {
      throw new ViewParked(view.name, stored.id);
    }
    // Parked before it had any content: to readers it does not exist yet.
    if (stored.deleted || stored.body === null) return null;
    const finish = (opened: ViewDocument): Found<DocumentOf<V>> | null => {
      if (stored.parkedAt !== null && view.removed?.(opened)) return null;
      return { id: stored.id, document: opened as DocumentOf<V>, position: stored.position };
    };
    const opened = openBody(stored.body);
    return opened instanceof Promise ? opened.then(finish) : finish(opened);
  }

  /** Reads again where the generation may have been dropped under the read: what was missing may only have moved. */
  async function settled<T>(
    view: AnyView,
    read: () => Promise<{ generation: Generation; answer: T; complete: boolean }>,
  ): Promise<T> {
    for (;;) {
      const { generation, answer, complete } = await read();
      if (complete || (await live(view)).name === generation.name) return answer;
    }
  }

  const outlined = (body: Json): ViewDocument | Promise<ViewDocument> => {
    if (sealer.outline) return sealer.outline(body);
    const opened = sealer.open(body);
    const outline = (document: ViewDocument): ViewDocument => ({ ...document, personal: null });
    return opened instanceof Promise ? opened.then(outline) : outline(opened);
  };

  function one<V extends AnyView>(
    view: V,
    id: string,
    freshness: Freshness,
    openBody?: DocumentSealer['open'],
  ): Promise<Found<DocumentOf<V>> | null> {
    return settled(view, async () => {
      const generation = await fresh(view, freshness, (of) => [segmentOfDocument(of, id)]);
      const stored = await collection(view, generation).get(id);
      const opened = stored && open(view, stored, freshness.token, openBody);
      const answer = opened instanceof Promise ? await opened : opened;
      return { generation, answer, complete: stored !== null };
    });
  }

  return {
    get: (view, id, freshness = {}) => one(view, id, freshness),

    outline: (view, id, freshness = {}) => one(view, id, freshness, outlined),

    getMany: (view, ids, freshness = {}) =>
      settled(view, async () => {
        const generation = await fresh(view, freshness, (of) => [
          ...new Set(ids.map((id) => segmentOfDocument(of, id))),
        ]);
        const stored = await collection(view, generation).getMany(ids);
        const opened = await Promise.all(
          [...stored.values()].map(async (document) => open(view, document, freshness.token)),
        );
        const answer = new Map(
          opened.flatMap((found) => (found === null ? [] : [[found.id, found] as const])),
        );
        return { generation, answer, complete: stored.size === new Set(ids).size };
      }),

    page: (view, query, freshness = {}) =>
      settled(view, async () => {
        const generation = await fresh(view, freshness, checkpointNames);
        const { index, prefix, limit, cursor, reverse, upTo } = query;
        const page = await collection(view, generation).page({
          index,
          prefix,
          limit,
          ...(cursor !== undefined && { cursor }),
          ...(reverse !== undefined && { reverse }),
          ...(upTo !== undefined && { upTo }),
        });
        const items = await Promise.all(
          page.items.map(async (document) => open(view, document, freshness.token)),
        );
        const answer = { items: items.flatMap((found) => found ?? []), nextCursor: page.next };
        return { generation, answer, complete: false };
      }),

    waitFor: async (views, token, deadlineMs) => {
      await Promise.all(views.map((view) => fresh(view, { token, deadlineMs }, checkpointNames)));
    },
  };
}

const segmentOfDocument = ({ name, segments }: Generation, id: string): string =>
  segmentName(name, segmentOf(id, segments), segments);
