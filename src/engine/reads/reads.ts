/*
 * reads/: documents and lists of views, for the rest of the service. It promises that a read with a token shows
 * everything up to it, that one read comes from one generation, and that a parked document is never shown as complete.
 * It may assume that a pointer names a generation of this log, and that a segment's checkpoint, or its progress in this
 * process, never goes back. Order: take the generation that the pointer named last (`live-generations`), wait until its
 * segments have reached the token (`tokens`), read the documents, read the pointer again, open the documents.
 */
import { pause } from '../../core/backoff.js';
import { isPromise, type MaybePromise, whenThere } from '../../core/concurrency.js';
import { START, type EventStore, type Position } from '../../core/event-store.js';
import type {
  CountOptions,
  Generation,
  Json,
  Page,
  PageOptions,
  ReadStore,
  StoredDocument,
  ViewCollection,
} from '../../stores/read-store.js';
import { ReadModelBehind, ViewParked } from '../errors.js';
import { checkpointNames } from '../generations/generations.js';
import { segmentName, segmentOf } from '../segments.js';
import type { DocumentSealer, AnyView, DocumentOf, ViewDocument } from '../view.js';
import { LiveGenerations, type LiveGeneration } from './live-generations.js';
import { NOT_YET, Deadline, TokenWaits, wantedOf, type Freshness } from './tokens.js';

export type { Freshness } from './tokens.js';

/** A document that a read found. */
export interface Found<D> {
  readonly id: string;
  /** The document with its personal part opened. */
  readonly document: D;
  readonly position: Position;
  /** The same stamp means the same stored content. Absent if it was not read from a store. */
  readonly stamp?: string;
}

export interface FoundPage<D> {
  readonly items: readonly Found<D>[];
  /** The `cursor` of the next page; `null`: this is the last one. */
  readonly nextCursor: string | null;
}

export interface PageQuery extends PageOptions {
  /**
   * Lists parked documents too, with the content before their failing event, and does not wait for `readableFrom`: for
   * background work, whose commands decide by the stream itself. Default: a parked document throws `ViewParked`.
   */
  readonly evenParked?: boolean | undefined;
  /** Whether documents have `personal` as `null`, as from `outline` for one document. */
  readonly outlined?: boolean | undefined;
}

/** Documents of a page of `allOf`. */
const PAGE = 200;

/** All documents of an index in its order, read page by page; parked ones with the content before their failing event. */
export async function* allOf<V extends AnyView>(
  reader: Pick<ViewReader, 'page'>,
  view: V,
  query: Omit<PageQuery, 'limit' | 'cursor' | 'evenParked'>,
): AsyncGenerator<Found<DocumentOf<V>>, void, undefined> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const asked = { ...query, limit: PAGE, cursor, evenParked: true };
    const page: FoundPage<DocumentOf<V>> = await reader.page(view, asked);
    yield* page.items;
    cursor = page.nextCursor;
  }
}

/**
 * Reads of views. A read with a token waits until the segments that it needs have reached the token; it reads
 * checkpoints and documents of one generation. All throw `ReadModelBehind` (not caught up yet, or not built at all),
 * `ViewParked` if a document of the answer is parked, whatever the token, and what the read store throws. Without
 * `freshness`, `get`, `outline`, `getMany`, `stamps`, `page` and `count` wait for no token.
 */
export interface ViewReader {
  /** `null`: there is no such document, or it was removed. */
  get<V extends AnyView>(view: V, id: string, freshness?: Freshness): Promise<Found<DocumentOf<V>> | null>;
  /** As `get`, with `personal` as `null`, for callers that do not need it: opening it costs more than the read. */
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
  /** The `stamp` of those that exist, removed ones included, as `getMany` would read them now. */
  stamps(view: AnyView, ids: readonly string[], freshness?: Freshness): Promise<ReadonlyMap<string, string>>;
  /** One page of an index in key order. @throws {BadCursor} */
  page<V extends AnyView>(
    view: V,
    query: PageQuery,
    freshness?: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>>;
  /** How many documents a part of an index has, parked ones included, `limit` at most. */
  count(view: AnyView, query: CountOptions, freshness?: Freshness): Promise<number>;
  /** Whether the view shows everything up to `position`, whichever process feeds it. */
  hasReached(view: AnyView, position: Position): Promise<boolean>;
  /**
   * Waits until all these views have reached `position`: for answers composed of several.
   * @param deadlineMs the longest wait. Default: that of a read with a token
   * @throws {ReadModelBehind} one of them has not reached it by then
   */
  waitFor(views: readonly AnyView[], position: Position, deadlineMs?: number): Promise<void>;
}

interface OpenOptions {
  /** Also opens parked documents. */
  readonly evenParked?: boolean;
  readonly openBody?: DocumentSealer['open'];
}

/**
 * A read takes the generation that the view's pointer named last, and reads the pointer after the documents: if the
 * turn is the same, that generation was live all the time. Before a swap, the pointer names a barrier that the next
 * generation has passed: reads show nothing beyond it until the swap, so no view goes back in time.
 */
export function createViewReader(options: {
  readonly eventStore: Pick<EventStore, 'life' | 'head'>;
  readonly readStore: ReadStore;
  readonly sealer: DocumentSealer;
}): ViewReader {
  const { eventStore, readStore, sealer } = options;
  const generations = new LiveGenerations(readStore, eventStore.life);
  const waits = new TokenWaits({ readStore }, generations);

  /** A generation to read from. After the read, the pointer must still name it. */
  function readable(
    view: AnyView,
    token: Position | null | undefined,
    deadline: Deadline,
    segments: (generation: Generation) => readonly string[],
  ): LiveGeneration | Promise<LiveGeneration> {
    const isKnown = ({ generation }: LiveGeneration): boolean => {
      const wanted = wantedOf(generation, token);
      return segments(generation).every((name) => waits.isKnown(name, wanted));
    };
    const guess = generations.last(view);
    if (guess !== null && isKnown(guess)) return guess;
    if (token != null || guess !== null) return waits.reached(view, token ?? START, deadline, segments);
    return generations
      .live(view)
      .then((live) => (isKnown(live) ? live : waits.reached(view, START, deadline, segments)));
  }

  type Opened<V extends AnyView> = Found<DocumentOf<V>> | null;

  /** Without a promise if the sealer needs none. @throws {ViewParked} unless `evenParked` */
  function open<V extends AnyView>(
    view: V,
    { name }: Generation,
    stored: StoredDocument,
    { evenParked = false, openBody = (sealed) => sealer.open(sealed) }: OpenOptions = {},
  ): MaybePromise<Opened<V>> {
    const { id, position, parkedAt, deleted, body } = stored;
    if (parkedAt !== null && !evenParked) throw new ViewParked(view.name, id);
    // A document that was parked before its first event was folded.
    if (deleted || body === null) return null;
    const stamp = stampOf(name, stored);
    const finish = (opened: ViewDocument) => ({ id, document: opened as DocumentOf<V>, position, stamp });
    return whenThere(openBody(body), finish);
  }

  const outlined = (body: Json): MaybePromise<ViewDocument> =>
    sealer.outline?.(body) ?? whenThere(sealer.open(body), (document) => ({ ...document, personal: null }));

  /** Opened pages without personal parts or parked documents, by the page object: a store returns the same one again. */
  const opened = new WeakMap<Page, FoundPage<ViewDocument>>();

  async function openPage<V extends AnyView>(
    view: V,
    generation: Generation,
    page: Page,
    { evenParked = false, outlined: isOutlined = false }: Pick<PageQuery, 'evenParked' | 'outlined'>,
  ): Promise<FoundPage<DocumentOf<V>>> {
    const options = { evenParked, ...(isOutlined && { openBody: outlined }) };
    const opening = page.items.map((document) => open(view, generation, document, options));
    const items = (await Promise.all(opening.map(async (one) => one))).flatMap((found) => found ?? []);
    const found = { items, nextCursor: page.next };
    // If the sealer returned the stored body itself, it needed no key. Any other page would outlive an erasure here.
    const bodies = new Set<unknown>(page.items.map(({ body }) => body));
    if (!evenParked && items.every(({ document }) => bodies.has(document))) opened.set(page, found);
    return found;
  }

  /**
   * Waits for one poll interval for the swap that a barrier announces, then ends a freeze that lasts too long.
   * @throws {ReadModelBehind} the deadline has passed
   */
  async function waitForSwap(view: AnyView, deadline: Deadline): Promise<void> {
    const ms = deadline.next();
    if (ms === 0) throw new ReadModelBehind(view.name);
    await pause(ms);
    await generations.thawIfStuck(view);
  }

  /** Reads one document, and its segment's checkpoint at the same time if the token may not be reached yet. */
  async function one<V extends AnyView>(
    view: V,
    id: string,
    { token, deadlineMs }: Freshness,
    openBody: DocumentSealer['open'] = (body) => sealer.open(body),
  ): Promise<Found<DocumentOf<V>> | null> {
    const deadline = new Deadline(deadlineMs);
    for (;;) {
      const serving = generations.last(view) ?? (await generations.fromPointer(view));
      if (serving === null) {
        if (token == null) throw new ReadModelBehind(view.name);
        await waits.nextTry(view, deadline, null, [NOT_YET], token);
        continue;
      }
      const { generation } = serving;
      const segment = segmentOfDocument(generation, id);
      // The document's own position may show that the token is reached.
      const wanted = wantedOf(generation, token);
      const toConfirm = waits.isKnown(segment, wanted) ? null : wanted;
      const [stored, isThere] = await Promise.all([
        serving.collection.get(id),
        toConfirm === null || waits.isThere(segment, toConfirm),
      ]);
      // After the document: its generation may have been dropped or frozen while it was read.
      const now = await generations.fromPointer(view);
      if (now?.turn !== serving.turn) continue;
      if (toConfirm !== null && (stored === null || stored.position < toConfirm)) {
        // The document may have been read before the checkpoint: read it once more. The checkpoint is known by then.
        if (!isThere) await waits.nextTry(view, deadline, generation, [segment], toConfirm);
        continue;
      }
      if (stored === null) return null;
      if (isBeyond(now, stored)) {
        await waitForSwap(view, deadline);
        continue;
      }
      const opened = open(view, generation, stored, { openBody });
      return isPromise(opened) ? await opened : opened;
    }
  }

  /** Reads several documents of one generation, and the pointer after them. */
  async function several<T>(
    view: AnyView,
    { token, deadlineMs, partly = false }: Freshness & { readonly partly?: boolean },
    segments: (generation: Generation) => readonly string[],
    read: (from: ViewCollection) => Promise<T>,
    mayBeShown: (answer: T, now: LiveGeneration) => boolean | Promise<boolean>,
  ): Promise<{ readonly answer: T; readonly generation: Generation }> {
    const deadline = new Deadline(deadlineMs);
    for (;;) {
      const any = partly && token == null;
      const { generation, turn, collection } = await (any
        ? (generations.last(view) ?? generations.live(view))
        : readable(view, token, deadline, segments));
      const answer = await read(collection);
      const now = await generations.live(view);
      if (now.turn !== turn) continue;
      if (await mayBeShown(answer, now)) return { answer, generation };
      await waitForSwap(view, deadline);
    }
  }

  /** The documents of these ids. */
  const severalById = <T extends Pick<StoredDocument, 'position'>>(
    view: AnyView,
    ids: readonly string[],
    freshness: Freshness,
    read: (from: ViewCollection) => Promise<ReadonlyMap<string, T>>,
  ) =>
    several(
      view,
      freshness,
      (generation) => [...new Set(ids.map((id) => segmentOfDocument(generation, id)))],
      read,
      (found, now) => ![...found.values()].some((document) => isBeyond(now, document)),
    );

  /** A document that left the list may be beyond the barrier too: nothing may be stored since the freeze. */
  const showsAll = async (_: unknown, { barrier }: LiveGeneration): Promise<boolean> =>
    barrier === null || (await eventStore.head()) <= barrier;

  return {
    get: (view, id, freshness = {}) => one(view, id, freshness),

    outline: (view, id, freshness = {}) => one(view, id, freshness, outlined),

    getMany: async (view, ids, freshness = {}) => {
      const { answer, generation } = await severalById(view, ids, freshness, (from) => from.getMany(ids));
      const opened = await Promise.all(
        [...answer.values()].map(async (document) => open(view, generation, document)),
      );
      return new Map(opened.flatMap((found) => (found === null ? [] : [[found.id, found] as const])));
    },

    stamps: async (view, ids, freshness = {}) => {
      const { answer, generation } = await severalById(view, ids, freshness, (from) => from.heads(ids));
      return new Map([...answer].map(([id, head]) => [id, stampOf(generation.name, head)]));
    },

    page: async (view, query, freshness = {}) => {
      // Background work may begin before the view has caught up.
      const partly = query.evenParked ?? false;
      const asked = { ...freshness, partly };
      const read = (from: ViewCollection) => from.page(query);
      const { answer, generation } = await several(view, asked, checkpointNames, read, showsAll);
      const known = opened.get(answer) as FoundPage<DocumentOf<typeof view>> | undefined;
      return known ?? (await openPage(view, generation, answer, query));
    },

    count: async (view, query, freshness = {}) => {
      const read = (from: ViewCollection) => from.count(query);
      return (await several(view, freshness, checkpointNames, read, showsAll)).answer;
    },

    hasReached: async (view, position) => {
      const { generation } = generations.last(view) ?? (await generations.live(view));
      const segments = checkpointNames(generation).map((name) => waits.isThere(name, position));
      return (await Promise.all(segments)).every((isThere) => isThere);
    },

    waitFor: async (views, token, deadlineMs) => {
      await Promise.all(
        views.map((view) => waits.reached(view, token, new Deadline(deadlineMs), checkpointNames)),
      );
    },
  };
}

/** Names of generations are never used again, and within one no two contents have the same position and repairs. */
const stampOf = (
  generation: Generation['name'],
  { position, repairs = 0 }: Pick<StoredDocument, 'position' | 'repairs'>,
): string => `${generation} ${position} ${repairs}`;

const isBeyond = ({ barrier }: LiveGeneration, { position }: Pick<StoredDocument, 'position'>): boolean =>
  barrier !== null && position > barrier;

const segmentOfDocument = ({ name, segments }: Generation, id: string): string =>
  segmentName(name, segmentOf(id, segments), segments);
