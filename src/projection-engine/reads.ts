import type { EventStore, Position } from '../event-store/port.js';
import type {
  Generation,
  IndexKey,
  Json,
  ReadStore,
  StoredDocument,
  ViewCollection,
} from '../read-store/port.js';
import { pause } from './backoff.js';
import { ReadModelBehind, ViewParked } from './errors.js';
import { checkpointNames } from './generations.js';
import { LiveGenerations, type Serving } from './live-generations.js';
import { progressOf } from './progress.js';
import type { DocumentSealer } from './sealer.js';
import { segmentName, segmentOf } from './segments.js';
import { Unfed } from './unfed.js';
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
/** For segments worked on by other processes, first and at most; those of this one wake their readers. */
const POLL_MS = 10;
const MOST_POLL_MS = 50;
/** A segment that never moves: there is nothing to be woken by but the poll. */
const NOT_YET = '';

/** What a read has come to so far. */
class Patience {
  readonly #until: number;
  #tries = 0;

  /** Nothing was waited for yet. */
  get isFresh(): boolean {
    return this.#tries === 0;
  }

  constructor(deadlineMs = DEADLINE_MS) {
    this.#until = performance.now() + deadlineMs;
  }

  /** How long to wait until the next try; 0: no longer. */
  next(): number {
    const poll = Math.min(MOST_POLL_MS, POLL_MS * 2 ** this.#tries++);
    return Math.max(0, Math.min(poll, this.#until - performance.now()));
  }
}

/**
 * Reads begin with the generation that the view's pointer named last, and ask the pointer after it: where it is still
 * the same turn, that generation has served all the while. While another one is about to serve, the pointer names a
 * barrier, which that one has passed by then: whoever was shown nothing beyond it never sees a view go back in time.
 */
export function createViewReader(options: {
  readonly eventStore: Pick<EventStore, 'logId'>;
  readonly readStore: ReadStore;
  readonly sealer: DocumentSealer;
}): ViewReader {
  const { eventStore, readStore, sealer } = options;
  const progress = progressOf(readStore);
  const generations = new LiveGenerations(readStore, eventStore.logId);
  const unfed = new Unfed({ leases: readStore.leases });

  async function stands(name: string, position: Position): Promise<boolean> {
    if (progress.has(name, position)) return true;
    const checkpoint = await readStore.checkpoints.get(name);
    return checkpoint !== null && checkpoint >= position;
  }

  /**
   * @param segments those of the generation that are not there yet
   * @throws {ReadModelBehind} the deadline has passed, or nobody feeds them that could be waited for
   */
  async function nextTry(
    view: AnyView,
    patience: Patience,
    generation: Generation | null,
    segments: readonly string[],
    token: Position,
  ): Promise<void> {
    if (generation !== null && patience.isFresh && (await unfed.isAny(view, generation, segments)))
      throw new ReadModelBehind(view.name);
    const ms = patience.next();
    if (ms === 0) throw new ReadModelBehind(view.name);
    await progress.reached(segments, token, ms);
  }

  /** The generation whose segments concerned stand at the token; the pointer is asked in each try. */
  async function reached(
    view: AnyView,
    token: Position,
    patience: Patience,
    segments: (generation: Generation) => readonly string[],
  ): Promise<Serving> {
    const standing = new Set<string>();
    const look = async (name: string): Promise<void> => {
      if (!standing.has(name) && (await stands(name, token))) standing.add(name);
    };
    for (;;) {
      const guess = generations.last(view)?.generation ?? null;
      const [serving] = await Promise.all([
        generations.pointed(view),
        ...(guess === null ? [] : segments(guess).map(look)),
      ]);
      const names = serving === null ? null : segments(serving.generation);
      if (names !== null && serving?.generation.name !== guess?.name) await Promise.all(names.map(look));
      if (serving !== null && names?.every((name) => standing.has(name))) return serving;
      const missing = names?.filter((name) => !standing.has(name));
      await nextTry(view, patience, serving?.generation ?? null, missing ?? [NOT_YET], token);
    }
  }

  /** A generation to read from, which the pointer must still name afterwards. */
  function readable(
    view: AnyView,
    token: Position | null | undefined,
    patience: Patience,
    segments: (generation: Generation) => readonly string[],
  ): Serving | Promise<Serving> {
    const guess = generations.last(view);
    if (token == null) return guess ?? generations.live(view);
    const isThere = guess !== null && segments(guess.generation).every((name) => progress.has(name, token));
    return isThere ? guess : reached(view, token, patience, segments);
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

  const outlined = (body: Json): ViewDocument | Promise<ViewDocument> => {
    if (sealer.outline) return sealer.outline(body);
    const opened = sealer.open(body);
    const outline = (document: ViewDocument): ViewDocument => ({ ...document, personal: null });
    return opened instanceof Promise ? opened.then(outline) : outline(opened);
  };

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
    openBody?: DocumentSealer['open'],
  ): Promise<Found<DocumentOf<V>> | null> {
    const patience = new Patience(deadlineMs);
    let standing: string | null = null;
    for (;;) {
      const serving = generations.last(view) ?? (await generations.pointed(view));
      if (serving === null) {
        if (token == null) throw new ReadModelBehind(view.name);
        await nextTry(view, patience, null, [NOT_YET], token);
        continue;
      }
      const { generation } = serving;
      const segment = segmentOfDocument(generation, id);
      // A document that stands at the token says so itself.
      const unsure = token != null && segment !== standing && !progress.has(segment, token) ? token : null;
      const [stored, isThere] = await Promise.all([
        generations.collection(view, generation).get(id),
        unsure === null || stands(segment, unsure),
      ]);
      // Behind the document: what is missing may have been dropped under the read, what is there be frozen.
      const now = await generations.pointed(view);
      if (now?.turn !== serving.turn) continue;
      if (unsure !== null && (stored === null || stored.position < unsure)) {
        // It may have been read before the checkpoint was.
        if (isThere) standing = segment;
        else await nextTry(view, patience, generation, [segment], unsure);
        continue;
      }
      if (stored === null) return null;
      if (isBeyond(now, stored)) {
        await heldUp(view, patience);
        continue;
      }
      const opened = open(view, stored, token, openBody);
      return opened instanceof Promise ? await opened : opened;
    }
  }

  /** Several documents; the pointer is asked after they were read. */
  async function several<T>(
    view: AnyView,
    { token, deadlineMs }: Freshness,
    segments: (generation: Generation) => readonly string[],
    read: (from: ViewCollection) => Promise<T>,
    mayBeShown: (answer: T, now: Serving) => boolean,
  ): Promise<T> {
    const patience = new Patience(deadlineMs);
    for (;;) {
      const { generation, turn } = await readable(view, token, patience, segments);
      const answer = await read(generations.collection(view, generation));
      const now = await generations.live(view);
      if (now.turn !== turn) continue;
      if (mayBeShown(answer, now)) return answer;
      await heldUp(view, patience);
    }
  }

  return {
    get: (view, id, freshness = {}) => one(view, id, freshness),

    outline: (view, id, freshness = {}) => one(view, id, freshness, outlined),

    getMany: async (view, ids, freshness = {}) => {
      const segments = (generation: Generation): readonly string[] => [
        ...new Set(ids.map((id) => segmentOfDocument(generation, id))),
      ];
      const stored = await several(
        view,
        freshness,
        segments,
        (from) => from.getMany(ids),
        (found, now) => ![...found.values()].some((document) => isBeyond(now, document)),
      );
      const opened = await Promise.all(
        [...stored.values()].map(async (document) => open(view, document, freshness.token)),
      );
      return new Map(opened.flatMap((found) => (found === null ? [] : [[found.id, found] as const])));
    },

    page: async (view, query, freshness = {}) => {
      const { index, prefix, limit, cursor, reverse, upTo } = query;
      const page = await several(
        view,
        freshness,
        checkpointNames,
        (from) =>
          from.page({
            index,
            prefix,
            limit,
            ...(cursor !== undefined && { cursor }),
            ...(reverse !== undefined && { reverse }),
            ...(upTo !== undefined && { upTo }),
          }),
        // What a list leaves out shows as well, and nothing tells where it stands.
        (_, { barrier }) => barrier === null,
      );
      const items = await Promise.all(
        page.items.map(async (document) => open(view, document, freshness.token)),
      );
      return { items: items.flatMap((found) => found ?? []), nextCursor: page.next };
    },

    waitFor: async (views, token, deadlineMs) => {
      await Promise.all(views.map((view) => reached(view, token, new Patience(deadlineMs), checkpointNames)));
    },
  };
}

const isBeyond = ({ barrier }: Serving, { position }: StoredDocument): boolean =>
  barrier !== null && position > barrier;

const segmentOfDocument = ({ name, segments }: Generation, id: string): string =>
  segmentName(name, segmentOf(id, segments), segments);
