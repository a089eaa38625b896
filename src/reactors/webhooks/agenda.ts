import { LRUCache } from 'lru-cache';
import { deliveries, type DeliveryDocument } from '../../../projections/deliveries.js';
import { type WebhookDocument, webhooks } from '../../../projections/webhooks.js';
import { backoff } from '../../core/backoff.js';
import type { Position } from '../../core/event-store.js';
import { hasCome } from '../../core/timestamp.js';
import { MAX_AHEAD_MS } from '../../domain/webhook/delivery-decider.js';
import { allOf, type Found, type ViewReader } from '../../engine/reads/reads.js';
import type { Due } from './attempt.js';
import type { Lanes } from './lanes.js';

/** The result of the last read of a webhook's deliveries. */
interface Listing {
  readonly position: Position;
  /** When to read them again although nothing has changed, in milliseconds since 1970. */
  again: number;
}

/** A webhook's deliveries that are not ended, from one read. */
interface Pending {
  readonly items: readonly Found<DeliveryDocument>[];
  /** Whether there may be more of them than `items`. */
  readonly more: boolean;
}

/** Earlier attempts at a delivery whose document is still at `position`. */
interface Tried {
  readonly position: Position;
  readonly failures: number;
  /** Earliest next attempt, in milliseconds since 1970; `Infinity`: none until the document changes. */
  readonly notBefore: number;
}

/** Deliveries in a page: more than a webhook may have under way, so that a page also has others. */
const DELIVERIES = 50;
/** How many attempted deliveries are kept in memory. */
const REMEMBERED = 10_000;
const HELD_RETRY_MS = 60_000;
const RETRY_MS = { base: 1_000, cap: 60_000 };

/**
 * Finds due deliveries, by webhook. The worker polls it, and calls exactly one of `done`, `failed` and `held` for each
 * delivery that begins. A webhook's deliveries are read only if one has changed or has become due, so that many
 * deliveries to a dead receiver cost almost nothing.
 */
export class Agenda {
  readonly #listings = new Map<string, Listing>();
  /** Attempts of this process. If the cache drops an entry, its delivery's stream is read once more. */
  readonly #tried = new LRUCache<string, Tried>({ max: REMEMBERED });
  readonly #underWay = new Set<string>();
  #polledAt = 0;

  constructor(
    private readonly reader: Pick<ViewReader, 'page'>,
    private readonly lanes: Lanes,
    private readonly now: () => number,
  ) {}

  /**
   * Calls `begin` for each due delivery with a free place. Call `done`, `failed` or `held` for each.
   * @param mayGoOn returns false if another process has the lease, or the service stops: then no further delivery begins
   * @returns milliseconds until the next delivery is due; `Infinity`: none is known
   */
  async poll(begin: (due: Due) => void, mayGoOn: () => boolean): Promise<number> {
    // If the clock was set back, planned times may be years in the future.
    if (this.now() < this.#polledAt) {
      this.#listings.clear();
      this.#tried.clear();
    }
    this.#polledAt = this.now();
    const waiting = await this.waiting();
    const ids = new Set(waiting.map(({ id }) => id));
    this.lanes.forgetAllBut(ids);
    for (const id of this.#listings.keys()) if (!ids.has(id)) this.#listings.delete(id);
    for (const webhook of this.lanes.inTurn(waiting)) {
      if (this.lanes.free(webhook.id) === 0 || !this.isToLookInto(webhook)) continue;
      const pending = await this.pendingOf(webhook.id, webhook.position);
      if (!mayGoOn()) return 0;
      this.beginOn(webhook, pending, begin);
    }
    // Webhooks without a free place are left out: the end of an attempt frees one and wakes the worker.
    const open = [...this.#listings].filter(([id]) => this.lanes.free(id) > 0);
    const soonest = open.reduce((least, [, { again }]) => Math.min(least, again), Infinity);
    return Math.max(0, soonest - this.now());
  }

  /** Call it if the attempt was made and recorded, or none was due. */
  done({ deliveryId, position }: Due): void {
    this.#underWay.delete(deliveryId);
    this.#tried.set(deliveryId, { position, failures: 0, notBefore: Infinity });
  }

  /** Call it if the attempt could not be made or recorded: it is repeated. */
  failed({ deliveryId, webhookId, position }: Due): void {
    this.#underWay.delete(deliveryId);
    const former = this.#tried.get(deliveryId);
    const failures = former?.position === position ? former.failures : 0;
    const notBefore = this.now() + backoff(failures, RETRY_MS.base, RETRY_MS.cap);
    this.#tried.set(deliveryId, { position, failures: failures + 1, notBefore });
    this.#listings.delete(webhookId);
  }

  /**
   * Call it if an operator has to decide. The decision changes no document, so the delivery is tried again in a minute.
   */
  held({ deliveryId, webhookId, position }: Due): void {
    const notBefore = this.now() + HELD_RETRY_MS;
    this.#underWay.delete(deliveryId);
    this.#tried.set(deliveryId, { position, failures: 0, notBefore });
    const listing = this.#listings.get(webhookId);
    if (listing) listing.again = Math.min(listing.again, notBefore);
  }

  private async waiting(): Promise<readonly Found<WebhookDocument>[]> {
    const found: Found<WebhookDocument>[] = [];
    for await (const one of allOf(this.reader, webhooks, { index: 'waiting', prefix: [] })) found.push(one);
    return found;
  }

  private isToLookInto({ id, position }: Found<WebhookDocument>): boolean {
    const listing = this.#listings.get(id);
    return listing?.position !== position || listing.again <= this.now();
  }

  private beginOn(
    { id: webhookId, position }: Found<WebhookDocument>,
    { items, more }: Pending,
    begin: (due: Due) => void,
  ): void {
    let again = more ? this.now() : Infinity;
    for (const found of items) {
      const from = this.notBefore(found);
      if (from > this.now()) again = Math.min(again, from);
      else if (this.lanes.free(webhookId) > 0) {
        this.#underWay.add(found.id);
        this.lanes.begin(webhookId);
        const { organisationId } = found.document;
        begin({ organisationId, webhookId, deliveryId: found.id, position: found.position });
      }
      // The others wait for a place.
      else again = this.now();
    }
    this.#listings.set(webhookId, { position, again });
  }

  /** Reads pending deliveries, at least as fresh as the webhook's document, which counts them. */
  private async pendingOf(webhookId: string, token: Position): Promise<Pending> {
    const query = { index: 'due', prefix: [webhookId], limit: DELIVERIES, evenParked: true };
    const items: Found<DeliveryDocument>[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await this.reader.page(deliveries, { ...query, cursor }, { token });
      items.push(...page.items);
      // Held deliveries stay first in the index: continue to read until one is due.
      if (page.nextCursor === null) return { items, more: false };
      if (page.items.some((found) => this.notBefore(found) <= this.now())) return { items, more: true };
      cursor = page.nextCursor;
    }
  }

  private notBefore({ id, position, document }: Found<DeliveryDocument>): number {
    if (this.#underWay.has(id)) return Infinity;
    const tried = this.#tried.get(id);
    if (tried?.position === position) return tried.notBefore;
    const { nextAttemptAt } = document;
    return hasCome(nextAttemptAt, this.now(), MAX_AHEAD_MS) ? 0 : Date.parse(nextAttemptAt ?? '');
  }
}
