/** The part of a log record that is kept in memory: the place of its bytes, and what appends and reads check. */
export interface Entry {
  /** Its number in the log, from 0 without a gap. Clients never see it. */
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
  /** Readers no longer see lower revisions. The deletion of a stream sets it to `DELETED`. */
  truncateBefore: number;
  maxCount: number;
  tombstoned: boolean;
}

/** Higher than every revision: a stream that is truncated here is empty until the next append. */
export const DELETED = Number.MAX_SAFE_INTEGER;

/** The revision of the record that deletes its stream permanently. */
export const TOMBSTONE = 2n ** 63n - 1n;

/** An event as a client proposes it. */
export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** A writer's expectation of a stream: its last revision, or one of the looser names. */
export type Expectation = bigint | 'any' | 'no_stream' | 'stream_exists';

/** The outcome of an append or delete. Positions are those of the last event. */
export type Outcome =
  | { readonly kind: 'written'; readonly revision: number; readonly position: number }
  | { readonly kind: 'wrong-expected-version'; readonly current: number }
  | { readonly kind: 'stream-deleted' }
  /** A repeated append before the first one was committed: it is dropped, and its writer gets a timeout. */
  | { readonly kind: 'not-ready' };
