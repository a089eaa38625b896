import { Inject, Injectable } from '@nestjs/common';
import type { EventStore, Position } from '../core/event-store.js';
import type { Found, FoundPage, PageQuery, ViewReader } from '../engine/reads/reads.js';
import { ConsistencyTokens } from '../engine/reads/tokens.js';
import type { AnyView, DocumentOf } from '../engine/view.js';
import { EVENT_STORE, VIEW_READER } from './tokens.js';

/** The page that a request asks for. */
export interface ListQuery {
  readonly limit: number;
  /** The `nextCursor` of the page before; `null`: the first page. */
  readonly cursor: string | null;
}

/** Maximum bytes of the documents of a page, as the read store keeps them: a page ends before it has more. */
export const MAX_PAGE_BYTES = 1024 * 1024;

/** Which part of an index a list shows, and in which direction. */
export type ListPart = Pick<PageQuery, 'index' | 'prefix' | 'from' | 'upTo' | 'startsWith' | 'reverse'>;

/** The largest count of a list: if it is reached, there may be more. */
export const MAX_COUNTED = 100_000;

/**
 * The part of a view's list that some of its fields narrow; `null` narrows nothing. The index is named by the fields, in
 * their order in the key: `byOrganisationRoleStatus`.
 * @param order the end of the index's name, if the list is not ordered by time behind the fields
 */
export const narrowedTo = (
  fields: Readonly<Record<string, string | null>>,
  order = '',
): Pick<ListPart, 'index' | 'prefix'> => {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== null);
  const names = given.map(([name]) => name).join('');
  return { index: `by${names}${order}`, prefix: given.map(([, value]) => value) };
};

/** How fresh the read of a request must be. */
export interface Freshness {
  /** The `Consistency-Token` header as it was sent; `null`: there was none, so the read shows what the view has now. */
  readonly consistencyToken: string | null;
}

/** Reads views for controllers, as fresh as the `Consistency-Token` of their request asks. */
@Injectable()
export class Reads {
  constructor(
    @Inject(VIEW_READER) private readonly reader: ViewReader,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly tokens: ConsistencyTokens,
  ) {}

  /** The same over other views. */
  over(reader: ViewReader): Reads {
    return new Reads(reader, this.eventStore, this.tokens);
  }

  /** A document; `null`: there is none. Each read throws what `ViewReader` throws. */
  get<V extends AnyView>(view: V, id: string, freshness: Freshness): Promise<Found<DocumentOf<V>> | null> {
    return this.reader.get(view, id, { token: this.positionOf(freshness) });
  }

  /** As `get`, with `personal` as `null`: cheaper, for callers that need nothing of it. */
  outline<V extends AnyView>(
    view: V,
    id: string,
    freshness: Freshness,
  ): Promise<Found<DocumentOf<V>> | null> {
    return this.reader.outline(view, id, { token: this.positionOf(freshness) });
  }

  /** The documents that exist of these ids. */
  getMany<V extends AnyView>(
    view: V,
    ids: readonly string[],
    freshness: Freshness,
  ): Promise<ReadonlyMap<string, Found<DocumentOf<V>>>> {
    return this.reader.getMany(view, ids, { token: this.positionOf(freshness) });
  }

  /** A page of a list, as the read store cuts it. */
  page<V extends AnyView>(
    view: V,
    query: PageQuery,
    freshness: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>> {
    return this.reader.page(view, query, { token: this.positionOf(freshness) });
  }

  /**
   * A document as `get` finds it, for answers composed of several views: also as fresh as `position`, that of another
   * view's document. `null`: there is none.
   */
  getAt<V extends AnyView>(
    view: V,
    id: string,
    position: Position,
    freshness: Freshness,
  ): Promise<Found<DocumentOf<V>> | null> {
    return this.reader.get(view, id, { token: this.laterOf(position, freshness) });
  }

  /** As `getAt`, with `personal` as `null`. */
  outlineAt<V extends AnyView>(
    view: V,
    id: string,
    position: Position,
    freshness: Freshness,
  ): Promise<Found<DocumentOf<V>> | null> {
    return this.reader.outline(view, id, { token: this.laterOf(position, freshness) });
  }

  /** The stamps of those that exist, by id, as fresh as `position`. A document with the same stamp is unchanged. */
  stampsAt(
    view: AnyView,
    ids: readonly string[],
    position: Position,
    freshness: Freshness,
  ): Promise<ReadonlyMap<string, string>> {
    return this.reader.stamps(view, ids, { token: this.laterOf(position, freshness) });
  }

  /** As `list`, and as fresh as `position`. */
  listAt<V extends AnyView>(
    view: V,
    index: string,
    prefix: readonly string[],
    { limit, cursor }: ListQuery,
    position: Position,
    freshness: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>> {
    return this.reader.page(
      view,
      { index, prefix, limit, ...(cursor !== null && { cursor }) },
      { token: this.laterOf(position, freshness) },
    );
  }

  /** A page of a list in the order of an index, as `?limit` and `?cursor` ask for it. */
  list<V extends AnyView>(
    view: V,
    index: string,
    prefix: readonly string[],
    list: ListQuery,
    freshness: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>> {
    return this.listed(view, { index, prefix }, list, freshness);
  }

  /** As `list`, from the index's end. */
  newest<V extends AnyView>(
    view: V,
    index: string,
    prefix: readonly string[],
    list: ListQuery,
    freshness: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>> {
    return this.listed(view, { index, prefix, reverse: true }, list, freshness);
  }

  /** A page of any part of an index. It may have fewer than `limit` documents if they are large: see `nextCursor`. */
  listed<V extends AnyView>(
    view: V,
    part: ListPart,
    { limit, cursor }: ListQuery,
    freshness: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>> {
    // Field by field: a spread of objects of several shapes takes as long as all else that finds a kept page.
    const { index, prefix, from, upTo, startsWith, reverse } = part;
    const query = { index, prefix, from, upTo, startsWith, reverse, limit, maxBytes: MAX_PAGE_BYTES };
    const asked = cursor === null ? query : { ...query, cursor };
    return this.reader.page(view, asked, { token: this.positionOf(freshness) });
  }

  /** The number of documents in a part of a list, `MAX_COUNTED` at most. */
  count(view: AnyView, { index, prefix, from, upTo }: ListPart, freshness: Freshness): Promise<number> {
    const query = { index, prefix, from, upTo, limit: MAX_COUNTED };
    return this.reader.count(view, query, { token: this.positionOf(freshness) });
  }

  /** Every document that an index has under a prefix, in its order, a page at a time. @param limit of a page */
  async *pages<V extends AnyView>(
    view: V,
    index: string,
    prefix: readonly string[],
    limit: number,
    freshness: Freshness,
  ): AsyncGenerator<readonly Found<DocumentOf<V>>[]> {
    let list: ListQuery = { limit, cursor: null };
    do {
      const page = await this.list(view, index, prefix, list, freshness);
      yield page.items;
      list = { limit, cursor: page.nextCursor };
    } while (list.cursor !== null);
  }

  /** The one document that an index has under a key; `null`: there is none. */
  async only<V extends AnyView>(
    view: V,
    index: string,
    key: readonly string[],
    freshness: Freshness,
  ): Promise<Found<DocumentOf<V>> | null> {
    const { items } = await this.page(view, { index, prefix: key, limit: 1 }, freshness);
    return items[0] ?? null;
  }

  /**
   * Finds the record of a command. If there is none, it waits until the views have reached the log's end as of now, and
   * tries again, so that a record which was acknowledged before is never "not found".
   */
  async findCaughtUp<T>(views: readonly AnyView[], find: () => Promise<T | null>): Promise<T | null> {
    const found = await find();
    if (found !== null) return found;
    await this.waitFor(views, await this.eventStore.head());
    return find();
  }

  /** Waits until the views have reached a position, 2 s at most. */
  waitFor(views: readonly AnyView[], position: Position): Promise<void> {
    return this.reader.waitFor(views, position);
  }

  /** The position that a read must show; `null`: the request names none, or not in a way that can be read. */
  positionOf({ consistencyToken }: Freshness): Position | null {
    return this.tokens.decode(consistencyToken);
  }

  private laterOf(position: Position, freshness: Freshness): Position {
    const wanted = this.positionOf(freshness);
    return wanted !== null && wanted > position ? wanted : position;
  }

  /** The token of the log's end, for an answer whose commands recorded nothing. */
  async tokenOfEnd(): Promise<string> {
    return this.tokenOf(await this.eventStore.head());
  }

  /** The `Consistency-Token` of a position. */
  tokenOf(position: Position): string {
    return this.tokens.encode(position);
  }
}
