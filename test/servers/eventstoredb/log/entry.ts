/** One record of the log, as far as it is kept in memory: where its bytes lie and what decides about it. */
export interface Entry {
  /** Its place in the log, counted from 0 without a gap. Never leaves the server. */
  readonly ordinal: number;
  /** Commit and prepare position: sparse, growing by the record's size. */
  readonly position: number;
  readonly stream: Stream;
  /** `TOMBSTONE` for the record that deletes a stream for good. */
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  readonly batch: Batch;
  readonly offset: number;
  readonly length: number;
}

/** The records of one append: encoded, stored and cached together. */
export interface Batch {
  /** Revision of its first part in the journal. */
  readonly first: number;
  readonly parts: number;
}

export interface Stream {
  readonly name: string;
  /** By revision. */
  readonly entries: Entry[];
  /** Revisions below are gone for readers; the deletion of a stream sets it to `DELETED`. */
  truncateBefore: number;
  maxCount: number;
  tombstoned: boolean;
}

/** Stands above every revision: nothing of a stream that is truncated so is left, until it is written to again. */
export const DELETED = Number.MAX_SAFE_INTEGER;

/** The revision of a record that deletes its stream for good. */
export const TOMBSTONE = 2n ** 63n - 1n;

/** An event as a client proposes it. */
export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** What a writer expects of a stream: its last revision, or one of the looser words. */
export type Expectation = bigint | 'any' | 'no_stream' | 'stream_exists';

/** How an append or delete ended. Positions are those of the last event. */
export type Outcome =
  | { readonly kind: 'written'; readonly revision: number; readonly position: number }
  | { readonly kind: 'wrong-expected-version'; readonly current: number }
  | { readonly kind: 'stream-deleted' }
  /** Sent again before the first was committed: dropped, and its writer hears of a timeout. */
  | { readonly kind: 'not-ready' };
