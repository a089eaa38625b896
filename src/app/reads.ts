import type { EventStore, Position } from '../event-store/port.js';
import type { Found, FoundPage, PageQuery, ViewReader } from '../projection-engine/reads.js';
import { encodeToken, parseToken } from '../projection-engine/tokens.js';
import type { ListQuery } from './http/list-query.js';
import type { AnyView, DocumentOf } from '../projection-engine/view.js';

/** The part of a request that says how fresh its read must be. */
export interface Freshness {
  /** The `Consistency-Token` header as it was sent. */
  readonly consistencyToken: string | null;
}

/** Reads of views for controllers: in terms of requests and their consistency tokens. */
export class Reads {
  constructor(
    private readonly reader: ViewReader,
    private readonly eventStore: EventStore,
  ) {}

  get<V extends AnyView>(view: V, id: string, freshness: Freshness): Promise<Found<DocumentOf<V>> | null> {
    return this.reader.get(view, id, { token: this.positionOf(freshness) });
  }

  /** As `get`, with `personal` as `null`: cheaper, for whoever needs nothing of it. */
  outline<V extends AnyView>(
    view: V,
    id: string,
    freshness: Freshness,
  ): Promise<Found<DocumentOf<V>> | null> {
    return this.reader.outline(view, id, { token: this.positionOf(freshness) });
  }

  getMany<V extends AnyView>(
    view: V,
    ids: readonly string[],
    freshness: Freshness,
  ): Promise<ReadonlyMap<string, Found<DocumentOf<V>>>> {
    return this.reader.getMany(view, ids, { token: this.positionOf(freshness) });
  }

  page<V extends AnyView>(
    view: V,
    query: PageQuery,
    freshness: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>> {
    return this.reader.page(view, query, { token: this.positionOf(freshness) });
  }

  /** For answers composed of several views: also as fresh as `position`, where another view's document stands. */
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
    { limit, cursor }: ListQuery,
    freshness: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>> {
    return this.page(view, { index, prefix, limit, ...(cursor !== null && { cursor }) }, freshness);
  }

  /** As `list`, from the index's end. */
  newest<V extends AnyView>(
    view: V,
    index: string,
    prefix: readonly string[],
    { limit, cursor }: ListQuery,
    freshness: Freshness,
  ): Promise<FoundPage<DocumentOf<V>>> {
    const query = { index, prefix, limit, reverse: true, ...(cursor !== null && { cursor }) };
    return this.page(view, query, freshness);
  }

  /** The one document that an index has under a key. */
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
   * For commands: looks, and where there is nothing, looks again once the views have come to the log's present end,
   * so that "not found" is never said of something that was acknowledged before.
   */
  async settled<T>(views: readonly AnyView[], look: () => Promise<T | null>): Promise<T | null> {
    const found = await look();
    if (found !== null) return found;
    await this.waitFor(views, await this.eventStore.head());
    return look();
  }

  /** Waits until the views have come to a position, 2 s at most. */
  waitFor(views: readonly AnyView[], position: Position): Promise<void> {
    return this.reader.waitFor(views, position);
  }

  /** The position that a request wants seen; `null` where it names none that can be read. */
  positionOf({ consistencyToken }: Freshness): Position | null {
    return parseToken(consistencyToken ?? undefined, this.eventStore.logId);
  }

  private laterOf(position: Position, freshness: Freshness): Position {
    const wanted = this.positionOf(freshness);
    return wanted !== null && wanted > position ? wanted : position;
  }

  /** What a command's answer carries as `Consistency-Token`. */
  tokenOf(position: Position): string {
    return encodeToken(this.eventStore.logId, position);
  }
}
