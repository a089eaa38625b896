import type { AnyEvent, Metadata, Stored } from './event.js';
import type { EncodedEvent, RecordedEvent } from './port.js';

/** What an event read back turns out to be. `newer`: written by newer code than this; `unknown`: no such type here. */
export type Decoded =
  | { readonly kind: 'event'; readonly event: Stored }
  | { readonly kind: 'newer'; readonly type: string; readonly schemaVersion: number }
  | { readonly kind: 'unknown'; readonly type: string };

/** Between domain events and the store's bytes: literal names, schema versions, upcasters, sealed personal parts. */
export interface Codec {
  /**
   * @param metadata of all the events; each gets its type's schema version
   * @param chain for evidence streams: the hash the first event goes on from, `null` at a chain's beginning
   * @returns the bytes, and the last event's hash where they are chained
   */
  encode(
    events: readonly AnyEvent[],
    metadata: Omit<Metadata, 'schemaVersion'>,
    chain?: { readonly previousHash: string | null },
  ): Promise<{ readonly encoded: readonly EncodedEvent[]; readonly lastHash: string | null }>;

  /** @throws {MissingKey} the personal part's key is neither there nor erased: a fault, never to be folded over */
  decode(event: RecordedEvent): Promise<Decoded>;
}
