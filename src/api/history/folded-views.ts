import { START, type Position } from '../../core/event-store.js';
import { type FoldStores, ownEvents } from '../../engine/documents/reading.js';
import { type ReplayedDocument, Replay } from '../../engine/documents/replay.js';
import { ViewParked } from '../../engine/errors.js';
import type { Found, FoundPage, PageQuery, ViewReader } from '../../engine/reads/reads.js';
import type { AnyView, DocumentOf } from '../../engine/view.js';
import { BadCursor } from '../../stores/errors.js';
import { encodeId, encodeKey, indexKeyOf } from '../../stores/index-key.js';
import type { CountOptions, IndexKey } from '../../stores/read-store.js';
import type { PastEvents } from './past.js';

/** Ids of the events that every fold of a view leaves out. */
export type Skips = (view: string) => ReadonlySet<string>;

type Documents = ReadonlyMap<string, ReplayedDocument>;

/**
 * Views in memory, each folded from the given events when it is first read. Code that composes an answer of live views
 * can also compose it of these. They never lag, so the tokens of reads are ignored.
 * All reads throw `ViewParked` if a document of the answer could not take an event, and `CannotFold`.
 */
export class FoldedViews implements ViewReader {
  readonly #folded = new Map<AnyView, Promise<Documents>>();

  /** @param events of all documents that will be read */
  constructor(
    private readonly stores: FoldStores,
    private readonly events: PastEvents,
    private readonly skips: Skips,
  ) {}

  async get<V extends AnyView>(view: V, id: string): Promise<Found<DocumentOf<V>> | null> {
    const document = (await this.#documents(view)).get(id);
    return document ? foundIn(view, document) : null;
  }

  async outline<V extends AnyView>(view: V, id: string): Promise<Found<DocumentOf<V>> | null> {
    const found = await this.get(view, id);
    return found && { ...found, document: { ...found.document, personal: null } };
  }

  async getMany<V extends AnyView>(
    view: V,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Found<DocumentOf<V>>>> {
    const found = await Promise.all([...new Set(ids)].map((id) => this.get(view, id)));
    return new Map(found.flatMap((one) => (one === null ? [] : [[one.id, one] as const])));
  }

  /** None: these views are dropped after one answer. */
  stamps(): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map());
  }

  async page<V extends AnyView>(view: V, query: PageQuery): Promise<FoundPage<DocumentOf<V>>> {
    const { limit, cursor, reverse = false } = query;
    const from = cursor === undefined ? 0 : Number(cursor);
    if (!Number.isSafeInteger(from)) throw new BadCursor('This is not a cursor of a folded view.');
    const listed = await this.#listed(view, query);
    listed.sort((a, b) => Buffer.compare(a.order, b.order));
    if (reverse) listed.reverse();
    const shown = listed.slice(from, from + limit);
    const next = from + shown.length;
    const items = shown.flatMap(({ document }) => foundIn(view, document) ?? []);
    return { items, nextCursor: next < listed.length ? `${next}` : null };
  }

  async count(view: AnyView, query: CountOptions): Promise<number> {
    return Math.min((await this.#listed(view, query)).length, query.limit);
  }

  hasReached(): Promise<boolean> {
    return Promise.resolve(true);
  }

  waitFor(): Promise<void> {
    return Promise.resolve();
  }

  async #listed(
    view: AnyView,
    query: CountOptions,
  ): Promise<{ readonly document: ReplayedDocument; readonly order: Buffer }[]> {
    const names = view.indexes?.[query.index];
    return [...(await this.#documents(view)).values()].flatMap((document) => {
      const key = names && indexKeyOf(names, document.listing.keys);
      return key && lists(query, key) ? [{ document, order: orderOf(key, document.id) }] : [];
    });
  }

  #documents(view: AnyView): Promise<Documents> {
    let folded = this.#folded.get(view);
    if (folded === undefined) this.#folded.set(view, (folded = this.#fold(view)));
    return folded;
  }

  async #fold(view: AnyView): Promise<Documents> {
    const folds = new Replay(view, this.stores.sealer);
    const { events } = this;
    const options = {
      skipped: this.skips(view.name),
      events: (after: Position) => events.after(after),
    };
    for await (const page of ownEvents(this.stores, view, { after: START, upTo: events.last }, options)) {
      for (const [id, events] of page) folds.take(id, events);
      await folds.fold();
    }
    return folds.documents;
  }
}

/** @throws {ViewParked} as a read with a token */
const foundIn = <V extends AnyView>(
  view: V,
  { id, content, listing, parked, position }: ReplayedDocument,
): Found<DocumentOf<V>> | null => {
  if (parked) throw new ViewParked(view.name, id);
  if (listing.removed || content === null) return null;
  return { id, document: content as DocumentOf<V>, position };
};

const lists = ({ prefix, from, upTo }: CountOptions, key: IndexKey): boolean => {
  if (!prefix.every((part, place) => key[place] === part)) return false;
  const part = key[prefix.length];
  if (part === undefined) return true;
  return (from === undefined || compare(from, part) <= 0) && (upTo === undefined || compare(part, upTo) <= 0);
};

const compare = (a: string | number, b: string | number): number =>
  Buffer.compare(encodeKey([a]), encodeKey([b]));

const orderOf = (key: IndexKey, id: string): Buffer => Buffer.concat([encodeKey(key), encodeId(id)]);
