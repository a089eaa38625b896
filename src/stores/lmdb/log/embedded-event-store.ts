import type { EventStore } from '../../../core/event-store.js';

/** The event store in a folder, and what only a log at hand can do. */
export interface EmbeddedEventStore extends EventStore {
  /** The folder's real path. */
  readonly folder: string;
  /**
   * Compares every event with its checksum and with the index of streams.
   * @throws {StoreUnusable} something was changed behind the log's back
   */
  verify(): Promise<{ readonly events: number }>;
}
