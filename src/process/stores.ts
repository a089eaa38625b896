import { eventRegistry } from '../domain/event-registry.js';
import type { Configuration } from './config.js';
import { serviceKeys } from './secret-files.js';
import { openLog, openReadStore, openVault } from './adapters.js';
import { createCodec, type Codec } from '../core/codec.js';
import { CommandStreams } from '../core/handle.js';
import { evidenceKeys, type TrustedKeys } from '../core/signing.js';
import type { EventStore } from '../core/event-store.js';
import { OPERATOR_STREAM } from './operations/operations.js';
import { ConsistencyTokens } from '../engine/tokens.js';
import { createViewReader, type ViewReader } from '../engine/reads.js';
import type { ReadStore } from '../stores/read-store.js';
import { DocumentSealer } from '../vault/documents.js';
import { KeyedHasher } from '../core/keyed-hash.js';
import type { Vault } from '../vault/port.js';
import { Sealer } from '../core/vault/sealing.js';

/** Everything that a serving process works with. */
export interface Stores {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  readonly readStore: ReadStore;
  readonly hasher: KeyedHasher;
  readonly sealer: Sealer;
  readonly documents: DocumentSealer;
  readonly codec: Codec;
  readonly streams: CommandStreams;
  readonly reader: ViewReader;
  /** The same for every process on this vault and log. */
  readonly tokens: ConsistencyTokens;
  /** Check the signatures of results. */
  readonly trustedKeys: TrustedKeys;
  close(): Promise<void>;
}

/**
 * Opens all three stores, on servers or below DATA_DIR.
 * @param onTrouble called for trouble that fails no call, such as a key that other users could read
 * @throws {StoreUnusable} with a sentence for the operator
 * @throws {Unavailable} a server does not answer: try again
 */
export const openStores = async (
  configuration: Configuration,
  onTrouble?: (sentence: string) => void,
): Promise<Stores> => {
  const keys = await serviceKeys(configuration, onTrouble);
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const store of opened.reverse()) await store.close();
  };
  const open = async <T extends { close(): Promise<void> }>(store: Promise<T>): Promise<T> => {
    opened.push(await store);
    return store;
  };
  try {
    const vault = await open(openVault(configuration, keys));
    // Operators' requests are stored even if the disk is full: they can free space.
    const usesKeptBack = (stream: string) => stream === OPERATOR_STREAM;
    const eventStore = await open(openLog(configuration, { usesKeptBack, ...(onTrouble && { onTrouble }) }));
    const readStore = await open(openReadStore(configuration));
    const hasher = await KeyedHasher.of(vault);
    const sealer = new Sealer(vault);
    const documents = new DocumentSealer(sealer);
    const { signer, trusted: trustedKeys } = evidenceKeys(keys.signingKey, configuration.formerSigningKeys);
    const codec = createCodec(eventRegistry, sealer, signer);
    return {
      eventStore,
      vault,
      readStore,
      hasher,
      sealer,
      documents,
      codec,
      streams: new CommandStreams(eventStore, codec),
      reader: createViewReader({ eventStore, readStore, sealer: documents }),
      tokens: new ConsistencyTokens(eventStore.logId, (...parts) => hasher.hmac(...parts)),
      trustedKeys,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
