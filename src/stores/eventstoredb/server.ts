import type { LogId, Position } from '../../core/event-store.js';
import type { Connection } from './connection.js';
import type { Head } from './head.js';
import type { LogNames } from './record.js';

export interface EventStoreDbOptions {
  /** How long an append or a short read may take, in milliseconds. Default 3,000. */
  readonly deadlineMs?: number;
  /** How long a page of the whole log may take, in milliseconds. Default 10,000. */
  readonly pageDeadlineMs?: number;
  /** After how long a silence the server is asked for a sign of life, and how long it may take. Default 3,000. */
  readonly keepAliveMs?: number;
  /** What a live feed keeps for a consumer that is slower than the log, before it goes on by pages. */
  readonly bufferEvents?: number;
  readonly bufferBytes?: number;
  /** The longest pause before a broken feed is taken up again, in milliseconds. Default 1,000. */
  readonly longestPauseMs?: number;
  /** Called with a sentence for each trouble that no call fails for, such as a feed that broke off. */
  readonly onTrouble?: (sentence: string) => void;
}

export type Limits = Required<Omit<EventStoreDbOptions, 'onTrouble'>>;

export const limitsOf = (options: EventStoreDbOptions): Limits => ({
  deadlineMs: options.deadlineMs ?? 3_000,
  pageDeadlineMs: options.pageDeadlineMs ?? 10_000,
  keepAliveMs: options.keepAliveMs ?? 3_000,
  bufferEvents: options.bufferEvents ?? 2_048,
  bufferBytes: options.bufferBytes ?? 8 << 20,
  longestPauseMs: options.longestPauseMs ?? 1_000,
});

/** What all parts of one open store share. */
export interface Server {
  readonly logId: LogId;
  /** For an error's sentence. */
  readonly address: string;
  readonly names: LogNames;
  readonly limits: Limits;
  /** Of the log's identity: nothing of the log lies before it. */
  readonly origin: Position;
  /** For appends, short reads and the live subscription. */
  readonly near: Connection;
  /** For pages of the whole log, a few at a time. */
  readonly far: Connection;
  readonly head: Head;
  /** Aborts when the store is closed. */
  readonly closing: AbortSignal;
  readonly onTrouble: (sentence: string) => void;
}
