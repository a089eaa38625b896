/*
 * reads/: documents and lists for those who ask. It promises that a read with a token shows everything up to it, that
 * what it shows comes from one generation, and that nothing parked is shown as whole. It may assume that a pointer names
 * a generation of this log, and that a segment's checkpoint, or its progress in this process, never goes back. Order:
 * take the generation that served last (`live-generations`), wait until its segments have come to the token
 * (`token-waits`), read, ask the pointer again, open the documents. `tokens` makes and checks the tokens.
 */
import { START, type EventStore, type Position } from '../../core/event-store.js';
import type {
  Generation,
  Json,
  Page,
  PageOptions,
  ReadStore,
  StoredDocument,
  ViewCollection,
} from '../../stores/read-store.js';
import { pause } from '../../core/backoff.js';
import { type MaybePromise, whenThere } from '../../core/vault/sealing.js';
import { ReadModelBehind, ViewParked } from '../errors.js';
import { checkpointNames } from '../generations/generations.js';
import { LiveGenerations, type Serving } from './live-generations.js';
import type { DocumentSealer, AnyView, DocumentOf, ViewDocument } from '../view.js';
import { segmentName, segmentOf } from '../segments.js';
import { NOT_YET, Patience, TokenWaits, wantedOf, type Freshness } from './token-waits.js';

export type { Freshness } from './token-waits.js';

export interface Found<D> {
  readonly id: string;
  /** With its personal parts opened. */
  readonly document: D;
  readonly position: Position;
  /** Two with the same one have the same stored content. Left out of what is read from no store. */
  readonly stamp?: string;
}

export interface FoundPage<D> {
  readonly items: readonly Found<D>[];
  readonly nextCursor: string | null;
}

export interface PageQuery extends PageOptions {
  /**
   * Parked documents are listed as they were before: for work that is decided by its stream, so that one of them holds
   * up no other. Without it a page that holds one is refused.
   */
  readonly evenParked?: boolean | undefined;
}

/** Most documents of a page where all are read. */
const PAGE = 200;

/** All that an index has, in its order, a page at a time; parked documents as they were before. */
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
 * Reads of views. A read with a token waits until what it reads has come that far, then it takes checkpoint and
 * documents from one generation.
 * All throw `ReadModelBehind` (not there yet, or not built at all), `ViewParked` where a document of the answer is
 * parked, whatever the token, and what the read store throws.
 */
export interface ViewReader {
  /** `null`: there is no such document, or it was removed. */
  get<V extends AnyView>(view: V, id: string, freshness?: Freshness): Promise<Found<DocumentOf<V>> | null>;
  /**
   * As `get`, with `personal` as `null`: for callers that do not need it: opening it costs more than the read.
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
  /** The `stamp` of those that exist, removed ones included, as `getMany` would read them now. */
  stamps(view: AnyView, ids: readonly string[], freshness?: Freshness): Promise<ReadonlyMap<string, string>>;
  /** One page of an index in key order. @throws {BadCursor} */
  page<V extends AnyView>(
    view: V,
    query: PageQuery,
    freshness?: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>>;
  /** Whether the view shows everything up to `position`, whichever process feeds it. */
  hasReached(view: AnyView, position: Position): Promise<boolean>;
  /**
   * Waits until all these views have come to `position`: for answers composed of several.
   * @param deadlineMs the longest wait; as for a read with a token unless said
   * @throws {ReadModelBehind} one of them has not come that far by then
   */
  waitFor(views: readonly AnyView[], position: Position, deadlineMs?: number): Promise<void>;
}

interface OpenOptions {
  /** What is parked as it was before. */
  readonly evenParked?: boolean;
  readonly openBody?: DocumentSealer['open'];
}

/**
 * Reads begin with the generation that the view's pointer named last, and ask the pointer after it: where it is still
 * the same turn, that generation has served all the while. While another one is about to serve, the pointer names a
 * barrier, which that one has passed by then: a reader that was shown nothing beyond it never sees a view go back in
 * time.
 */
export function createViewReader(options: {
  readonly eventStore: Pick<EventStore, 'life' | 'head'>;
  readonly readStore: ReadStore;
  readonly sealer: DocumentSealer;
}): ViewReader {
  const { eventStore, readStore, sealer } = options;
  const generations = new LiveGenerations(readStore, eventStore.life);
  const waits = new TokenWaits({ readStore }, generations);

  /** A generation to read from, which the pointer must still name afterwards. */
  function readable(
    view: AnyView,
    token: Position | null | undefined,
    patience: Patience,
    segments: (generation: Generation) => readonly string[],
  ): Serving | Promise<Serving> {
    const isKnown = ({ generation }: Serving): boolean => {
      const wanted = wantedOf(generation, token);
      return segments(generation).every((name) => waits.isKnown(name, wanted));
    };
    const guess = generations.last(view);
    if (guess !== null && isKnown(guess)) return guess;
    if (token != null || guess !== null) return waits.reached(view, token ?? START, patience, segments);
    return generations
      .live(view)
      .then((live) => (isKnown(live) ? live : waits.reached(view, START, patience, segments)));
  }

  type Opened<V extends AnyView> = Found<DocumentOf<V>> | null;

  /** Without a promise where the sealer needs none. @throws {ViewParked} unless `evenParked` */
  function open<V extends AnyView>(
    view: V,
    { name }: Generation,
    stored: StoredDocument,
    { evenParked = false, openBody = (sealed) => sealer.open(sealed) }: OpenOptions = {},
  ): MaybePromise<Opened<V>> {
    const { id, position, parkedAt, deleted, body } = stored;
    if (parkedAt !== null && !evenParked) throw new ViewParked(view.name, id);
    // Parked before it had any content: there is nothing that could be done with it.
    if (deleted || body === null) return null;
    const stamp = stampOf(name, stored);
    const finish = (opened: ViewDocument) => ({ id, document: opened as DocumentOf<V>, position, stamp });
    return whenThere(openBody(body), finish);
  }

  const outlined = (body: Json): MaybePromise<ViewDocument> =>
    sealer.outline?.(body) ?? whenThere(sealer.open(body), (document) => ({ ...document, personal: null }));

  /** Pages that need no key and hold nothing parked, as they were opened: the store hands out the same one again. */
  const opened = new WeakMap<Page, FoundPage<ViewDocument>>();

  async function openPage<V extends AnyView>(
    view: V,
    generation: Generation,
    page: Page,
    evenParked: boolean,
  ): Promise<FoundPage<DocumentOf<V>>> {
    const opening = page.items.map((document) => open(view, generation, document, { evenParked }));
    const items = (await Promise.all(opening.map(async (one) => one))).flatMap((found) => found ?? []);
    const found = { items, nextCursor: page.next };
    // What a sealer hands back as it is stored needed no key: anything else would outlive an erasure here.
    const bodies = new Set<unknown>(page.items.map(({ body }) => body));
    if (!evenParked && items.every(({ document }) => bodies.has(document))) opened.set(page, found);
    return found;
  }

  /** Waits for the swap that a barrier announces. @throws {ReadModelBehind} the deadline has passed */
  async function heldUp(view: AnyView, patience: Patience): Promise<void> {
    const ms = patience.next();
    if (ms === 0) throw new ReadModelBehind(view.name);
    await pause(ms);
    await generations.heldUp(view);
  }

  /** One document, with the checkpoint beside it where it may not be there yet. */
  async function one<V extends AnyView>(
    view: V,
    id: string,
    { token, deadlineMs }: Freshness,
    openBody: DocumentSealer['open'] = (body) => sealer.open(body),
  ): Promise<Found<DocumentOf<V>> | null> {
    const patience = new Patience(deadlineMs);
    let waitedFor: string | null = null;
    for (;;) {
      const serving = generations.last(view) ?? (await generations.pointed(view));
      if (serving === null) {
        if (token == null) throw new ReadModelBehind(view.name);
        await waits.nextTry(view, patience, null, [NOT_YET], token);
        continue;
      }
      const { generation } = serving;
      const segment = segmentOfDocument(generation, id);
      // A document's own position may prove that the token is reached.
      const wanted = wantedOf(generation, token);
      const unsure = segment !== waitedFor && !waits.isKnown(segment, wanted) ? wanted : null;
      const [stored, isThere] = await Promise.all([
        generations.collection(view, generation).get(id),
        unsure === null || waits.isThere(segment, unsure),
      ]);
      // Behind the document: what is missing may have been dropped under the read, what is there be frozen.
      const now = await generations.pointed(view);
      if (now?.turn !== serving.turn) continue;
      if (unsure !== null && (stored === null || stored.position < unsure)) {
        // It may have been read before the checkpoint was.
        if (isThere) waitedFor = segment;
        else await waits.nextTry(view, patience, generation, [segment], unsure);
        continue;
      }
      if (stored === null) return null;
      if (isBeyond(now, stored)) {
        await heldUp(view, patience);
        continue;
      }
      const opened = open(view, generation, stored, { openBody });
      return opened instanceof Promise ? await opened : opened;
    }
  }

  /** Nothing was stored since the freeze: what was read before this was asked for cannot lie beyond the barrier. */
  const endsAt = async (barrier: Position): Promise<boolean> => (await eventStore.head()) <= barrier;

  /** Several documents, and the generation that they are of; the pointer is asked after they were read. */
  async function several<T>(
    view: AnyView,
    { token, deadlineMs, partly = false }: Freshness & { readonly partly?: boolean },
    segments: (generation: Generation) => readonly string[],
    read: (from: ViewCollection) => Promise<T>,
    mayBeShown: (answer: T, now: Serving) => boolean | Promise<boolean>,
  ): Promise<{ readonly answer: T; readonly generation: Generation }> {
    const patience = new Patience(deadlineMs);
    for (;;) {
      const any = partly && token == null;
      const { generation, turn } = await (any
        ? (generations.last(view) ?? generations.live(view))
        : readable(view, token, patience, segments));
      const answer = await read(generations.collection(view, generation));
      const now = await generations.live(view);
      if (now.turn !== turn) continue;
      if (await mayBeShown(answer, now)) return { answer, generation };
      await heldUp(view, patience);
    }
  }

  /** Those of a collection that have these ids. */
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
      const { answer, generation } = await several(
        view,
        // What is decided by its stream may begin with what is folded so far.
        { ...freshness, partly: query.evenParked ?? false },
        checkpointNames,
        (from) => from.page(query),
        // Documents that the list leaves out matter as well, and their positions are not known.
        (_, { barrier }) => barrier === null || endsAt(barrier),
      );
      return (
        (opened.get(answer) as FoundPage<DocumentOf<typeof view>> | undefined) ??
        (await openPage(view, generation, answer, query.evenParked ?? false))
      );
    },

    hasReached: async (view, position) => {
      const { generation } = generations.last(view) ?? (await generations.live(view));
      const segments = checkpointNames(generation).map((name) => waits.isThere(name, position));
      return (await Promise.all(segments)).every((isThere) => isThere);
    },

    waitFor: async (views, token, deadlineMs) => {
      await Promise.all(
        views.map((view) => waits.reached(view, token, new Patience(deadlineMs), checkpointNames)),
      );
    },
  };
}

/** No name of a generation is used again, and within one no two contents have the same position and repairs. */
const stampOf = (
  generation: Generation['name'],
  { position, repairs = 0 }: Pick<StoredDocument, 'position' | 'repairs'>,
): string => `${generation} ${position} ${repairs}`;

const isBeyond = ({ barrier }: Serving, { position }: Pick<StoredDocument, 'position'>): boolean =>
  barrier !== null && position > barrier;

const segmentOfDocument = ({ name, segments }: Generation, id: string): string =>
  segmentName(name, segmentOf(id, segments), segments);
