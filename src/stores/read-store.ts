import type { LogId, Position } from '../core/event-store.js';

/**
 * The read store's port: documents written under a guard, checkpoints, leases and generation pointers, each moved
 * by compare-and-set. Nothing here is atomic across two documents, so that every document store can serve.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** `<view>.v<version>.g<generation>` (a view's name is letters, digits and `-`): never used again once given. */
export type GenerationName = string & { readonly __brand: 'GenerationName' };

/** What lists narrow and sort documents by: a document's values, by name. */
export type Keys = Readonly<Record<string, string | number>>;

/** Index name to the names of the values that it sorts by, at most 5. It lists the documents that have them all. */
export type Indexes = Readonly<Record<string, readonly string[]>>;

/**
 * The first of the values that an index sorts by, or all; strings order by UTF-8 bytes, numbers (safe integers)
 * numerically before strings. Strings that agree in their first 255 bytes are told apart, in an order of the store's own.
 */
export type IndexKey = readonly (string | number)[];

/**
 * A document as the store keeps it. `body` is plain JSON, personal parts already sealed: `undefined`, -0, dates and
 * the like must not come here, since each store would change them in its own way. It is a value: what is read may be
 * shared with other readers, so it is never changed. The id is any text that is not empty.
 */
export interface StoredDocument {
  readonly id: string;
  /** Of the last event whose document this is, changed or not. */
  readonly position: Position;
  /** Where the fold failed: later events only move `position`. */
  readonly parkedAt: Position | null;
  /** A removed document stays as a tombstone with its position, outside every index. */
  readonly deleted: boolean;
  readonly body: Json;
  /**
   * How often it was folded afresh without moving on; left out where it never was. Folding on carries it along, so
   * that a writer that read the former content cannot overwrite the repaired one.
   */
  readonly repairs?: number;
}

/**
 * One guarded write: it takes effect only if the document is at exactly `expected` (`null`: no document) and
 * was repaired exactly `expectedRepairs` times (0 where left out). A repair writes over the very position `expected`
 * with one repair more; every other write goes on from there and carries as many as are expected.
 */
export interface GuardedWrite {
  readonly expected: Position | null;
  readonly expectedRepairs?: number;
  readonly document: StoredDocument;
  /** What the document is listed by. */
  readonly keys: Keys;
}

/**
 * `written`; or refused because the document is at our position or beyond (`ahead`), or behind it (`behind`). If it was
 * repaired meanwhile the answer is `behind` at any position: the writer has to read it again. A repair of what is no
 * longer as it was read is answered `behind` as well.
 */
export type WriteResult = 'written' | 'ahead' | 'behind';

/** What tells a document from any other content that it ever has within its generation. */
export interface DocumentHead {
  readonly position: Position;
  /** 0 where it never was folded afresh. */
  readonly repairs: number;
}

export interface Page {
  readonly items: readonly StoredDocument[];
  /** Where the next page begins, `null` at the end. Opaque to callers, stable over restarts. */
  readonly next: string | null;
}

/** Which part of an index a page is read from. */
export interface PageOptions {
  readonly index: string;
  /** Only keys that begin with these values. */
  readonly prefix: IndexKey;
  /** Most documents. */
  readonly limit: number;
  /** A former page's `next`, of the same view, index, prefix, `startsWith` and direction. */
  readonly cursor?: string | undefined;
  readonly reverse?: boolean | undefined;
  /** Upper bound for the value after the prefix, inclusive. */
  readonly upTo?: string | number | undefined;
  /** Only keys whose value after the prefix is a string that begins with this one. Not together with `upTo`. */
  readonly startsWith?: string | undefined;
  /**
   * Ends the page before a document with which it would be larger, in bytes as the store keeps documents. A page
   * that is not the last holds one document at least.
   */
  readonly maxBytes?: number | undefined;
}

export interface ViewCollection {
  get(id: string): Promise<StoredDocument | null>;
  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>>;
  /** Of those that exist, tombstones included: what `getMany` reads, without the bodies. */
  heads(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentHead>>;
  /**
   * Documents whose key in `index` begins with `prefix`, in key order, ties by id; never a deleted one.
   * @throws {BadCursor} the cursor is of another list
   * @throws {TypeError} the options are wrong in themselves; `startsWith` has more than 255 bytes
   */
  page(options: PageOptions): Promise<Page>;
  /**
   * Each write on its own; the results in the order of the batch. Ids in one batch are distinct.
   * @throws {TypeError} the batch is wrong in itself: an id twice, an undeclared index, repairs that do not follow
   * @throws {DocumentTooLarge} one of them is over 16 MiB; nothing of the batch was written
   * @throws {ReadStoreUnavailable} any of them may have been written
   */
  apply(batch: readonly GuardedWrite[]): Promise<readonly WriteResult[]>;
  /**
   * Makes what its pages need, as its first write does; where that takes nothing, it is left out.
   * @throws {StoreUnusable} something else is in the way
   */
  prepare?(): Promise<void>;
  /** Every document in id order, tombstones included. */
  all(): AsyncIterable<StoredDocument>;
}

/** Who works on a segment. Dead when `counter` has stood still long enough on the challenger's own clock. */
export interface Lease {
  readonly owner: string;
  readonly counter: number;
}

/** One building of a view: documents and checkpoints of its own. */
export interface Generation {
  readonly name: GenerationName;
  readonly number: number;
  readonly version: number;
  /** The log it is folded from. */
  readonly log: LogId;
  /** Fingerprint of the code that folds it. */
  readonly fingerprint: string;
  readonly segments: number;
  /** Nothing is read from it before it has come here, since it took the place of what is gone; left out: all is read. */
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

/** What a generation is kept in cannot be used: its sentence tells what an operator can do. */
export interface UnusableGeneration {
  readonly eventId: null;
  readonly message: string;
}

/** Why a build goes no further. */
export type BuildFailure = FoldFailure | UnusableGeneration;

/** The generation that is built beside the one that serves. */
export interface Building {
  readonly generation: Generation;
  /** The operation that asked for it; `null`: changed code. */
  readonly operation: string | null;
  /** It is not promoted before an operator does so. */
  readonly hold: boolean;
  /** It has come to the log's end once: from then on feeding it is as little work as feeding the live one. */
  readonly ready: boolean;
  /** It goes no further; `null`: it does. */
  readonly failure: BuildFailure | null;
}

/** The generation that served before, fed on so that it can serve again. */
export interface Former {
  readonly generation: Generation;
  /** When it ceased to serve, RFC 3339, by the clock of the process that swapped. */
  readonly since: string;
}

/** Another generation is about to serve: until then reads show nothing beyond the barrier. */
export interface Freeze {
  readonly to: GenerationName;
  /** The log's end after the freeze was there to be read; `null` before that is known. */
  readonly barrier: Position | null;
}

/** All there is to know of a view's generations: one small record, moved by compare-and-set on its revision. */
export interface Pointer {
  /** Raised by one with every change, from 1. */
  readonly revision: number;
  /** What readers read. */
  readonly live: Generation;
  /** Raised by one whenever another generation serves. */
  readonly turn: number;
  /** The operation that made it serve; `null`: none did. */
  readonly operation: string | null;
  readonly next: Building | null;
  readonly former: Former | null;
  readonly freeze: Freeze | null;
  /** Fingerprint of the code that an operator went back from, or whose own rebuild was given up: it begins none by itself. */
  readonly declined: string | null;
}

/** How long a wall clock has advanced as a monotonic clock did. */
export interface ClockRun {
  /** The wall clock when that was seen last, in milliseconds since 1970. */
  readonly at: number;
  /** In milliseconds, an hour at most. */
  readonly alikeMs: number;
}

/** The time as running processes have recorded it. */
export interface Heartbeat extends ClockRun {
  /** Raised by one with every change, from 1. */
  readonly revision: number;
  /** Of a clock that does not go on from `at`; `null`: there is none. */
  readonly doubted: ClockRun | null;
}

export interface ReadStore {
  /** A generation's documents. Declares its indexes: only these can be paged. */
  collection(name: GenerationName, indexes: Indexes): ViewCollection;
  /**
   * Removes a generation's documents, checkpoints and leases for good. Only for one that no pointer names; again,
   * also after a crash in the middle, it removes what is left.
   */
  drop(name: GenerationName): Promise<void>;
  /** Names of every generation that has documents, checkpoints or leases. */
  generations(): Promise<readonly GenerationName[]>;

  readonly checkpoints: {
    get(name: string): Promise<Position | null>;
    /**
     * Moves from exactly `from` (`null`: no checkpoint yet); false if it is elsewhere.
     * @param eventId of the event at `to`, if it is known
     */
    advance(name: string, from: Position | null, to: Position, eventId?: string | null): Promise<boolean>;
  };

  /** The id of the event at a checkpoint, by which another log is told from its own; `null`: not known. */
  checkpointEvent(name: string): Promise<string | null>;

  /** Leases save work; no correctness rests on them. */
  readonly leases: {
    get(name: string): Promise<Lease | null>;
    /** Compare-and-set on owner and counter (`null`: no lease); `next: null` gives it up. */
    swap(name: string, expected: Lease | null, next: Lease | null): Promise<boolean>;
  };

  readonly pointers: {
    get(view: string): Promise<Pointer | null>;
    /**
     * Compare-and-set on the revision (`null`: no pointer yet); durable when it answers true.
     * @throws {TypeError} `next.revision` is not the one that follows `expected`
     */
    swap(view: string, expected: number | null, next: Pointer): Promise<boolean>;
    /** A number never given before to this view, durable when it answers. */
    nextNumber(view: string): Promise<number>;
  };

  readonly clock: {
    /** `null`: none was recorded yet. */
    heartbeat(): Promise<Heartbeat | null>;
    /** Compare-and-set on the revision (`null`: none yet). */
    record(expected: number | null, next: Heartbeat): Promise<boolean>;
    /** The clock of the store's server, in milliseconds since 1970; `null`: it has none of its own, or does not tell it. */
    serverTime(): Promise<number | null>;
  };

  close(): Promise<void>;
}
