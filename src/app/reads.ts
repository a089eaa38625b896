import type { EventStore, Position } from '../event-store/port.js';
import type { Found, FoundPage, PageQuery, ViewReader } from '../projection-engine/reads.js';
import { encodeToken, parseToken } from '../projection-engine/tokens.js';
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

  getMany<V extends AnyView>(
    view: V,
    ids: readonly string[],
    freshness: Freshness,
  ): Promise<ReadonlyMap<string, Found<DocumentOf<V>>>> {
    return this.reader.getMany(view, ids, { token: this.positionOf(freshness) });
  }

  page<V extends AnyView>(view: V, query: PageQuery, freshness: Freshness): Promise<FoundPage<DocumentOf<V>>> {
    return this.reader.page(view, query, { token: this.positionOf(freshness) });
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

  /** What a command's answer carries as `Consistency-Token`. */
  tokenOf(position: Position): string {
    return encodeToken(this.eventStore.logId, position);
  }
}
