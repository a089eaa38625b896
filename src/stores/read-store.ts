/*
 * The read store's port: documents written under a guard, checkpoints, leases and generation pointers, each moved by
 * compare-and-set. Nothing here is atomic across two documents, so that any document store can implement it.
 *
 * The engine reads a view's pointer first, then the collection and the checkpoints of a generation that it names. Every
 * call throws {ReadStoreUnavailable} if the store does not answer in time or is closed: a write may then have taken
 * effect.
 */
import type { LogId, Position } from '../core/event-store.js';

/** A value as JSON is parsed. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** `<view>.v<version>.g<generation>` (a view's name is letters, digits and `-`): never used again once given. */
export type GenerationName = string & { readonly __brand: 'GenerationName' };

/** The values by which lists select and sort documents, by name. */
export type Keys = Readonly<Record<string, string | number>>;

/** Index name to the names of the values that it sorts by, at most 5. It lists the documents that have them all. */
export type Indexes = Readonly<Record<string, readonly string[]>>;

/**
 * The first of the values that an index sorts by, or all; strings order by UTF-8 bytes, numbers (safe integers)
 * numerically before strings. Strings with the same first 255 bytes are still distinct, in an arbitrary, fixed order.
 */
export type IndexKey = readonly (string | number)[];

/**
 * A stored document. `body` is plain JSON with personal parts sealed: `undefined`, -0, dates and the like are not
 * allowed, since each store would change them in its own way. It is immutable: readers may share one object. The id is
 * any non-empty text.
 */
export interface StoredDocument {
  readonly id: string;
  /** Position of the last event that was assigned to this document, whether it changed the body or not. */
  readonly position: Position;
  /** Where the fold failed: later events only move `position`. `null`: it is not parked. */
  readonly parkedAt: Position | null;
  /** A removed document stays as a tombstone with its position, outside every index. */
  readonly deleted: boolean;
  /** `null`: no event was folded into it. */
  readonly body: Json;
  /**
   * How often a repair replayed it at its position; absent: never. Later folds keep the number, so that a writer that
   * read the content before a repair cannot overwrite the repaired one.
   */
  readonly repairs?: number;
}

/**
 * One guarded write: it takes effect only if the document is at exactly `expected` (`null`: no document) and was repaired
 * exactly `expectedRepairs` times (default: 0). A repair keeps the position and adds one to `repairs`; every other write
 * raises the position and keeps `repairs`.
 */
export interface GuardedWrite {
  readonly expected: Position | null;
  readonly expectedRepairs?: number;
  readonly document: StoredDocument;
  /** The values that the document is listed by. */
  readonly keys: Keys;
}

/**
 * `written`; or refused because the stored document is at the write's position or beyond (`ahead`), or before it
 * (`behind`). If the document was repaired meanwhile, or a repair finds other content than it read, the result is
 * `behind` at any position: the writer has to read again.
 */
export type WriteResult = 'written' | 'ahead' | 'behind';

/** Identifies a document's content: no other content within the generation has the same position and repairs. */
export interface DocumentHead {
  readonly position: Position;
  /** 0: it was never repaired. */
  readonly repairs: number;
}

/** A page of documents. */
export interface Page {
  readonly items: readonly StoredDocument[];
  /** Where the next page begins, `null` at the end. Opaque to callers, stable over restarts. */
  readonly next: string | null;
}

/** Which part of an index is counted. `limit`: counting stops there. */
export type CountOptions = Pick<PageOptions, 'index' | 'prefix' | 'from' | 'upTo' | 'limit'>;

/** Which part of an index a page is read from. */
export interface PageOptions {
  readonly index: string;
  /** Only keys that begin with these values. */
  readonly prefix: IndexKey;
  /** The most documents of a page. */
  readonly limit: number;
  /** A former page's `next`, of the same view, index, prefix, `startsWith` and direction. Default: the first page. */
  readonly cursor?: string | undefined;
  /** Whether the keys descend. Default: they ascend. */
  readonly reverse?: boolean | undefined;
  /** Lower bound for the value after the prefix, inclusive. Not together with `startsWith`. */
  readonly from?: string | number | undefined;
  /** Upper bound for the value after the prefix, inclusive. Not together with `startsWith`. */
  readonly upTo?: string | number | undefined;
  /** Only keys whose value after the prefix is a string that begins with this one. Not with `from` or `upTo`. */
  readonly startsWith?: string | undefined;
  /**
   * Ends the page before a document that would make it larger, in bytes of stored documents. Every page but the last
   * holds at least one document. By default only `limit` ends it.
   */
  readonly maxBytes?: number | undefined;
}

/** The documents of a generation. */
export interface ViewCollection {
  /** A removed document is returned as its tombstone; `null`: there was never one of that id. */
  get(id: string): Promise<StoredDocument | null>;
  /** As `get`, by id: only those that exist, tombstones included. */
  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>>;
  /** As `getMany`, without the bodies: only of ids that exist, tombstones included. */
  heads(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentHead>>;
  /**
   * Documents whose key in `index` begins with `prefix`, in key order, ties by id; never a deleted one.
   * @throws {BadCursor} the cursor is of another list
   * @throws {TypeError} invalid options, or `startsWith` has more than 255 bytes
   */
  page(options: PageOptions): Promise<Page>;
  /**
   * How many documents the pages of these options have, `limit` at most.
   * @throws {TypeError} invalid options
   */
  count(options: CountOptions): Promise<number>;
  /**
   * Applies each write on its own; the results are in the order of the batch. Ids in one batch are distinct.
   * @throws {TypeError} invalid batch: an id twice, an undeclared index, a number of repairs that does not follow
   * @throws {DocumentTooLarge} one of them is over 16 MiB; nothing of the batch was written
   * @throws {ReadStoreUnavailable} any of them may have been written
   */
  apply(batch: readonly GuardedWrite[]): Promise<readonly WriteResult[]>;
  /**
   * Creates the collection's indexes before the first read; absent if the store needs no preparation.
   * @throws {StoreUnusable} an unusable index has the name or the fields of one
   */
  prepare?(): Promise<void>;
  /** Every document in id order, tombstones included. */
  all(): AsyncIterable<StoredDocument>;
}

/**
 * The process that works on a segment. The owner raises `counter` to renew the lease. Another process takes it over
 * once the counter has not changed for long enough by its own clock: no clocks are compared.
 */
export interface Lease {
  readonly owner: string;
  readonly counter: number;
}

/** One build of a view, with documents and checkpoints of its own. */
export interface Generation {
  readonly name: GenerationName;
  /** Counted from 1 within the view, and part of the name. */
  readonly number: number;
  /** The view's, which the code raises with each change of its fold. */
  readonly version: number;
  /** The log it is folded from. */
  readonly log: LogId;
  /** Fingerprint of the code that folds it. */
  readonly fingerprint: string;
  /** How many processes can share the work on it. */
  readonly segments: number;
  /** Reads wait until it has reached this position, since it replaces a lost generation; absent: they do not wait. */
  readonly readableFrom?: Position;
}

/** Why a strict fold has stopped. */
export interface FoldFailure {
  readonly eventId: string;
  readonly eventType: string;
  readonly position: Position;
  /** `null`: the event could not be assigned to any. */
  readonly documentId: string | null;
  readonly message: string;
}

/** The store cannot use the generation's collection: `message` says what an operator has to do. */
export interface UnusableGeneration {
  readonly eventId: null;
  readonly message: string;
}

/** Why a build has stopped. */
export type BuildFailure = FoldFailure | UnusableGeneration;

/** The generation that is built beside the live one. */
export interface Building {
  readonly generation: Generation;
  /** The operation that requested it; `null`: changed code. */
  readonly operation: string | null;
  /** Only an operator promotes it. */
  readonly hold: boolean;
  /** Whether it has reached the log's end once: since then feeding it costs as little as feeding the live one. */
  readonly ready: boolean;
  /** Why the build has stopped; `null`: it has not. */
  readonly failure: BuildFailure | null;
}

/** The generation that was live before. It is still fed, so that an operator can roll back to it. */
export interface Former {
  readonly generation: Generation;
  /** When another one became live, RFC 3339, by the clock of the process that swapped. */
  readonly since: string;
}

/** Another generation is about to become live: until then reads show nothing beyond the barrier. */
export interface Freeze {
  readonly to: GenerationName;
  /** The log's end, read after the freeze was stored; `null`: not read yet. */
  readonly barrier: Position | null;
}

/** A view's generations and their changes under way: one small record, changed by compare-and-set on its revision. */
export interface Pointer {
  /** Raised by one with every change, from 1. */
  readonly revision: number;
  /** The generation that readers read. */
  readonly live: Generation;
  /** Raised by one with each promotion: whenever another generation becomes live. */
  readonly turn: number;
  /** The operation that promoted the live generation; `null`: none did. */
  readonly operation: string | null;
  /** `null`: none is being built. */
  readonly next: Building | null;
  /** `null`: no generation was live before, or it was dropped. */
  readonly former: Former | null;
  /** `null`: no promotion is under way. */
  readonly freeze: Freeze | null;
  /**
   * Fingerprint of code that an operator rolled back, or whose own rebuild was dropped: it starts no rebuild by itself.
   * `null`: there is none.
   */
  readonly declined: string | null;
}

/** How long a wall clock has advanced at the rate of a monotonic clock. */
export interface ClockRun {
  /** The wall clock at the last comparison, in milliseconds since 1970. */
  readonly at: number;
  /** For how long both have agreed, in milliseconds, an hour at most. */
  readonly alikeMs: number;
}

/** The time as running processes have recorded it. */
export interface Heartbeat extends ClockRun {
  /** Raised by one with every change, from 1. */
  readonly revision: number;
  /** A clock that does not continue from `at`, as it may be wrong; `null`: there is none. */
  readonly doubted: ClockRun | null;
}

/** One handle on a read store. */
export interface ReadStore {
  /** A generation's documents. Declares its indexes: only these can be paged. */
  collection(name: GenerationName, indexes: Indexes): ViewCollection;
  /**
   * Removes a generation's documents, checkpoints and leases for good. Only for one that no pointer names. Repeatable:
   * after a crash in the middle, another call removes the rest.
   */
  drop(name: GenerationName): Promise<void>;
  /** Names of every generation that has documents, checkpoints or leases. */
  generations(): Promise<readonly GenerationName[]>;

  readonly checkpoints: {
    /** `null`: the segment has none yet, or its generation was dropped. */
    get(name: string): Promise<Position | null>;
    /**
     * Moves the checkpoint from exactly `from` (`null`: no checkpoint yet); false if it is at another position.
     * @param eventId id of the event at `to`; by default it is not known
     */
    advance(name: string, from: Position | null, to: Position, eventId?: string | null): Promise<boolean>;
  };

  /** The id of the event at a checkpoint: if the log has another event there, it is another log. `null`: unknown. */
  checkpointEvent(name: string): Promise<string | null>;

  /** Leases only save work; correctness does not depend on them. */
  readonly leases: {
    /** `null`: no process has it. */
    get(name: string): Promise<Lease | null>;
    /** Compare-and-set on owner and counter (`null`: no lease); `next: null` releases it. */
    swap(name: string, expected: Lease | null, next: Lease | null): Promise<boolean>;
  };

  readonly pointers: {
    /** `null`: the view was never built. */
    get(view: string): Promise<Pointer | null>;
    /**
     * Compare-and-set on the revision (`null`: no pointer yet); durable when it answers true.
     * @throws {TypeError} `next.revision` is not the one that follows `expected`
     */
    swap(view: string, expected: number | null, next: Pointer): Promise<boolean>;
    /** The number of the view's next generation, never returned before; durable when it answers. */
    nextNumber(view: string): Promise<number>;
  };

  readonly clock: {
    /** The last recorded heartbeat; `null`: none yet. */
    heartbeat(): Promise<Heartbeat | null>;
    /** Compare-and-set on the revision (`null`: none yet). */
    record(expected: number | null, next: Heartbeat): Promise<boolean>;
    /** The clock of the store's server, in milliseconds since 1970; `null`: it has none of its own, or reports none. */
    serverTime(): Promise<number | null>;
  };

  close(): Promise<void>;
}
