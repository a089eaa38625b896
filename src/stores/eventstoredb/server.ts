import { StoreUnavailable, StoreUnusable } from '../../core/errors.js';
import type { LogId, Position } from '../../core/event-store.js';
import type { Connection } from './connection.js';
import { asClientError, describeFault } from './describe.js';
import type { Head } from './head.js';
import type { LogNames } from './names.js';
import type { Limits } from './options.js';

/** What all parts of one open store share. */
export interface Server {
  readonly logId: LogId;
  /** For an error's sentence. */
  readonly address: string;
  readonly names: LogNames;
  readonly limits: Limits;
  /** Of the log's identity: nothing of the log stands before it. */
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

export const closedError = (address: string): StoreUnavailable =>
  new StoreUnavailable(`The event store at ${address} was closed.`);

/**
 * A failed call of an open store as one of the port's errors. What is final at the start may pass while the store
 * runs, so that it is unavailable; only a deleted stream never comes back.
 */
export function storeFault({ address, closing }: Pick<Server, 'address' | 'closing'>, error: unknown): Error {
  if (error instanceof StoreUnavailable || error instanceof StoreUnusable || error instanceof RangeError) {
    return error;
  }
  if (closing.aborted) return closedError(address);
  const { sentence } = describeFault(error, address);
  return asClientError(error).type === 'stream-deleted'
    ? new StoreUnusable(sentence, { cause: error })
    : new StoreUnavailable(sentence, { cause: error });
}
