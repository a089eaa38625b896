import type { StreamName } from '../../../core/event-store.js';
import type { Failpoint } from './append-transaction.js';
import { EmbeddedLog, type EmbeddedEventStore, SharedLog } from './log.js';
import { logFolder, openTables } from './tables.js';

export interface EmbeddedLogOptions {
  /** For an operator's reads beside a running service: never takes the write lock, refuses to append. */
  readonly readOnly?: boolean;
  /** How long an append may take before it is given up with `StoreUnavailable`, in milliseconds. Default 5,000. */
  readonly deadlineMs?: number;
  /** Streams that may be appended to where the disk is as good as full. Default: none. */
  readonly usesKeptBack?: (stream: StreamName) => boolean;
  /** Called at every step of an append; for tests. Only the first handle of a process on a folder can set it. */
  readonly failpoint?: Failpoint;
}

const DEFAULT_DEADLINE_MS = 5_000;
const none = (): boolean => false;

/**
 * Opens the event log that lives in one folder, made if there is none. Every process opens it so, the operator's
 * included; any number of them on one host may have it open at once.
 * @throws {StoreUnusable} the folder is damaged, of a newer version, not ours, or cannot be made
 */
export async function openEmbeddedLog(
  folder: string,
  options: EmbeddedLogOptions = {},
): Promise<EmbeddedEventStore> {
  const { readOnly = false, deadlineMs = DEFAULT_DEADLINE_MS, usesKeptBack = none, failpoint } = options;
  return new EmbeddedLog(SharedLog.acquire(folder, readOnly, failpoint), {
    readOnly,
    deadlineMs,
    usesKeptBack,
  });
}

/**
 * Copies a log's data file as of one moment, beside any writer.
 * @param folder the log's, which this process has not open
 * @param target an empty folder
 * @throws {StoreUnusable} there is no log, or it is damaged
 * @throws Error of the system, if the target cannot be written
 */
export async function copyLog(folder: string, target: string): Promise<void> {
  const { environment } = openTables(logFolder(folder, true), true);
  try {
    await environment.copyTo(target);
  } finally {
    await environment.close();
  }
}
