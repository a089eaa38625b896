/*
 * live/: the events that were just stored, for all views of a process. It promises one order without a gap, each event
 * decoded once, and that no view waits for a slow one. It may assume that the store delivers from the requested
 * position, and that a repeated item has a position that was delivered before. Order: the subscription passes an item
 * to the segments that are caught up, adds it to the ring (both in `ring`), and wakes waiting segments and reads; a
 * segment pulls what follows its position, folds in the next round (`rounds`), publishes its position (`progress`) and
 * follows the feed again, while its checkpoint follows (`rounds`). A segment of a build worker that is far behind is
 * slowed by `throttle`.
 */
import { LRUCache } from 'lru-cache';
import { backoff, pause } from '../../core/backoff.js';
import { isPromise } from '../../core/concurrency.js';
import type { EventStore, Position } from '../../core/event-store.js';
import { longLived } from '../../core/signals.js';
import { reasonOf } from '../errors.js';
import { silentLog, type EngineLog } from '../log.js';
import { Progress } from './progress.js';
import {
  type CaughtUpSegment,
  CaughtUpSegments,
  Ring,
  type Batch,
  SharedEvent,
  type EventDecoder,
} from './ring.js';
import { CheckpointFlusher, FoldScheduler } from './rounds.js';
import type { Throttle } from './throttle.js';
import { TruncatedStreams } from './truncated-streams.js';

export type { Batch } from './ring.js';

export interface FeedOptions {
  readonly eventStore: EventStore;
  readonly codec: EventDecoder;
  /** By default nothing is logged. */
  readonly log?: EngineLog;
  /** How many of the newest events are kept, 8 MiB at most, for views that are nearly caught up. Default: 1,024. */
  readonly ringEvents?: number;
  /**
   * How long decoded events are kept, in milliseconds (default: a minute): personal data must not stay in memory until
   * the next event comes.
   */
  readonly keptMs?: number;
  /** Most events of a page of the log. Default: 1,000. */
  readonly pageEvents?: number;
  /** A page also ends with the event that makes it this large, in bytes. Default: 4 MiB. */
  readonly pageBytes?: number;
  /**
   * Slows views that are far behind, never those at the log's end: readers may be waiting for them. Without it no view
   * is slowed.
   */
  readonly throttle?: Pick<Throttle, 'wait'>;
  /** Notified of each movement of the feed. Default: one of its own, which no reader sees. */
  readonly progress?: Progress;
}

/**
 * More events than usually separate the views of a process. A checkpoint further back is stored without the id of its
 * event.
 */
const REMEMBERED_IDS = 5_000;
/** Most bytes of the newest events that are kept. */
const RING_BYTES = 8 << 20;
/** Full pages kept for other views that catch up over the same stretch. */
const KEPT_PAGES = 4;

/**
 * One live subscription for all views of a process. Views pull what follows their own position: from the ring of the
 * newest events if it reaches back that far, else from pages of the log until the two meet. No view waits for a slow one.
 * It subscribes when it is constructed, again after a failure, and until `close`.
 */
export class Feed {
  readonly #options: Required<Omit<FeedOptions, 'log' | 'throttle' | 'progress'>>;
  readonly #log: EngineLog;
  readonly #throttle: FeedOptions['throttle'];
  readonly #abort = longLived();
  readonly #wakers = new Set<() => void>();
  readonly #pages = new Map<Position, Promise<Batch>>();
  readonly #running: Promise<void>;
  readonly #progress: Progress;
  readonly #truncated: TruncatedStreams;
  /** Ids of the newest events. */
  readonly #ids = new LRUCache<Position, string>({ max: REMEMBERED_IDS });
  /** Writes the checkpoints of all segments that pull from this feed. */
  readonly checkpoints = new CheckpointFlusher();
  /** When the segments that follow the log's end fold what has arrived. */
  readonly rounds: FoldScheduler;
  #ring: Ring | null = null;
  #caughtUp: CaughtUpSegments | null = null;
  /** Whether a page was requested since the last event. */
  #pagesAsked = false;
  /** When a page was last requested. */
  #pagesAskedAt = 0;
  readonly #forgetTimer: NodeJS.Timeout;

  constructor(options: FeedOptions) {
    this.#options = {
      ringEvents: 1024,
      keptMs: 60_000,
      pageEvents: 1000,
      pageBytes: 4 << 20,
      ...options,
    };
    this.#log = options.log ?? silentLog;
    this.#throttle = options.throttle;
    this.#progress = options.progress ?? new Progress();
    this.#truncated = new TruncatedStreams(options.eventStore, this.#progress.truncated, this.#log);
    this.rounds = new FoldScheduler(this.#progress);
    this.#forgetTimer = setInterval(() => this.#forget(), this.#options.keptMs / 4).unref();
    this.#running = this.#keepSubscribed();
  }

  /** The newest position that the subscription delivered; `null` before it has begun. */
  get position(): Position | null {
    return this.#ring?.position ?? null;
  }

  /**
   * The id of the event at a position that a segment has reached; `null`: there is none, or it is no longer in memory.
   */
  eventIdAt(position: Position): string | null {
    return this.#ids.get(position) ?? null;
  }

  /** What follows `after`, as much as one batch holds; empty at the log's end. @throws what the event store throws */
  async pull(after: Position): Promise<Batch> {
    const following = this.#ring?.following(after, this.#options.pageEvents);
    if (following) return following;
    await this.#throttle?.wait();
    return this.#page(after);
  }

  /**
   * Reads the page after `after` and decodes the events that may be of these types, for the next pull, while the store
   * is busy writing. The pull throws what fails here.
   */
  prefetch(after: Position, types: ReadonlySet<string>): void {
    if (this.#ring?.following(after, 1)) return;
    void this.#page(after).then(
      ({ events }) => {
        for (const event of events) if (event.mayBe(types)) prefetchDecoded(event);
      },
      () => undefined,
    );
  }

  /**
   * From now on, moves a segment that has folded everything up to the feed's position along with the feed.
   * @param handled the types that end this
   * @returns `null`: the feed is at another position
   */
  follow(position: Position, handled: ReadonlySet<string>): CaughtUpSegment | null {
    if (this.#ring?.position !== position || this.#abort.signal.aborted) return null;
    return this.#caughtUp?.add(handled) ?? null;
  }

  /** Resolves once there is an event after `after`, when the signal or the feed ends, or after `ms` milliseconds. */
  changed(after: Position, signal: AbortSignal, ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        const arrived = this.#ring !== null && this.#ring.position > after;
        if (arrived || signal.aborted || this.#abort.signal.aborted) done();
      };
      const done = (): void => {
        clearTimeout(timer);
        this.#wakers.delete(check);
        signal.removeEventListener('abort', check);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(done, ms);
      this.#wakers.add(check);
      signal.addEventListener('abort', check);
      check();
    });
  }

  /** Ends the subscription, and all waits for it. Pulls that are under way are not interrupted. */
  async close(): Promise<void> {
    this.#abort.abort();
    this.rounds.close();
    this.#progress.feedEnded();
    clearInterval(this.#forgetTimer);
    this.#caughtUp?.end();
    this.checkpoints.close();
    this.#wake();
    await this.#running;
  }

  async #keepSubscribed(): Promise<void> {
    const { signal } = this.#abort;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await this.#subscribe(signal, () => (failures = 0));
      } catch (error) {
        this.#log.warn({ reason: reasonOf(error) }, 'The live feed broke off; it is taken up again.');
      }
      await pause(backoff(failures), signal);
    }
  }

  async #subscribe(signal: AbortSignal, onItem: () => void): Promise<void> {
    const { eventStore, codec, ringEvents } = this.#options;
    // Views read events before the ring's beginning from pages.
    if (this.#ring === null) {
      this.#ring = new Ring(await eventStore.head(), ringEvents, RING_BYTES);
      this.#progress.feedBegan(this.#ring.position);
    }
    const ring = this.#ring;
    const caughtUp = (this.#caughtUp ??= new CaughtUpSegments(ring));
    this.#wake();
    for await (const item of eventStore.subscribeToAll({ after: ring.position, signal })) {
      onItem();
      if (item.kind === 'live') continue;
      const event = item.kind === 'event' ? new SharedEvent(item.event, codec) : null;
      caughtUp.before(item, event === null ? [] : event.types);
      ring.add(item, event);
      if (event !== null) this.#ids.set(event.position, event.id);
      this.checkpoints.moved();
      this.#freePages();
      this.#progress.moved();
      if (event !== null) this.#progress.arrived(event);
      this.#wake();
    }
  }

  #wake(): void {
    for (const check of this.#wakers) check();
  }

  #page(after: Position): Promise<Batch> {
    this.#pagesAsked = true;
    this.#pagesAskedAt = performance.now();
    let page = this.#pages.get(after);
    if (page === undefined) {
      page = this.#read(after).then((batch) => {
        // A full page never changes, the log's end does.
        if (!batch.more) this.#pages.delete(after);
        return batch;
      });
      page.catch(() => this.#pages.delete(after));
      this.#pages.set(after, page);
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= KEPT_PAGES) break;
        this.#pages.delete(oldest);
      }
    }
    return page;
  }

  async #read(after: Position): Promise<Batch> {
    const { eventStore, codec, pageEvents, pageBytes } = this.#options;
    const events: SharedEvent[] = [];
    let bytes = 0;
    const reading = this.#truncated.isFromStart(after);
    for await (const recorded of eventStore.readAll({ after, limit: pageEvents })) {
      if (reading) await this.#truncated.check(recorded);
      const event = new SharedEvent(recorded, codec);
      events.push(event);
      this.#ids.set(event.position, event.id);
      bytes += event.bytes;
      if (bytes >= pageBytes) break;
    }
    if (reading) this.#truncated.checkedUpTo(events.at(-1)?.position ?? after);
    const more = events.length >= pageEvents || bytes >= pageBytes;
    return { events, position: events.at(-1)?.position ?? after, more };
  }

  #forget(): void {
    const before = performance.now() - this.#options.keptMs;
    this.#ring?.forget(before);
    if (this.#pagesAskedAt < before) this.#pages.clear();
  }

  /** Frees the kept pages once no view reads pages any more. */
  #freePages(): void {
    if (!this.#pagesAsked) this.#pages.clear();
    this.#pagesAsked = false;
  }
}

function prefetchDecoded(event: SharedEvent): void {
  try {
    const decoding = event.decode();
    if (isPromise(decoding)) decoding.catch(() => undefined);
  } catch {
    // The pass that needs it decodes it again and reports the error.
  }
}
