import { eventRegistry } from '../domain/event-registry.js';
import type { Configuration } from './config.js';
import { serviceKeys } from './secret-files.js';
import { openLog, openReadStore, openVault } from './adapters.js';
import { createCodec, type Codec } from '../core/codec.js';
import { OwnWrites } from '../core/own-writes.js';
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

/** What commands need: the log, the vault, and what works on them. */
export interface WriteSide {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  readonly hasher: KeyedHasher;
  readonly sealer: Sealer;
  readonly codec: Codec;
  readonly streams: CommandStreams;
  /** The same for every process on this vault and log. */
  readonly tokens: ConsistencyTokens;
  /** What the signatures of results are checked by. */
  readonly trustedKeys: TrustedKeys;
  close(): Promise<void>;
}

/** Everything that a serving process works with. */
export interface Stores extends WriteSide {
  readonly readStore: ReadStore;
  readonly documents: DocumentSealer;
  readonly reader: ViewReader;
}

/**
 * Opens log and vault, on servers or below DATA_DIR.
 * @param onTrouble called for trouble that fails no call, such as a key that other users could read
 * @param patient whether to wait some seconds for servers that cannot be reached at the moment
 * @throws {StoreUnusable} with a sentence for the operator
 * @throws {StoreUnavailable | VaultUnavailable} a server does not answer: try again
 */
export const openWriteSide = async (
  configuration: Configuration,
  onTrouble?: (sentence: string) => void,
  patient = false,
): Promise<WriteSide> => {
  const keys = await serviceKeys(configuration, onTrouble);
  const vault = await openVault(configuration, keys, onTrouble);
  let eventStore: EventStore | null = null;
  try {
    eventStore = await openLog(configuration, {
      // Operators' requests are stored even if the disk is full: they can make room.
      usesKeptBack: (stream) => stream === OPERATOR_STREAM,
      patient,
      ...(onTrouble && { onTrouble }),
    });
    const hasher = await KeyedHasher.of(vault);
    const sealer = new Sealer(vault);
    const { signer, trusted } = evidenceKeys(keys.signingKey, configuration.formerSigningKeys);
    const ownWrites = configuration.projector === 'embedded' ? new OwnWrites() : null;
    const codec = createCodec(eventRegistry, sealer, signer, ownWrites);
    const streams = new CommandStreams(eventStore, codec);
    const log = eventStore;
    const tokens = new ConsistencyTokens(log.life, (...parts) => hasher.hmac(...parts));
    const close = async () => {
      await log.close();
      await vault.close();
    };
    return { eventStore, vault, hasher, sealer, codec, streams, tokens, trustedKeys: trusted, close };
  } catch (error) {
    await eventStore?.close();
    await vault.close();
    throw error;
  }
};

/**
 * Opens all three stores.
 * @param onTrouble called for trouble that fails no call, such as a key that other users could read
 * @param patient whether to wait some seconds for servers that cannot be reached at the moment
 * @param patient as `openWriteSide` has it
 * @throws {StoreUnusable} with a sentence for the operator
 * @throws {StoreUnavailable | VaultUnavailable | ReadStoreUnavailable} a server does not answer: try again
 */
export const openStores = async (
  configuration: Configuration,
  onTrouble?: (sentence: string) => void,
  patient = false,
): Promise<Stores> => {
  const write = await openWriteSide(configuration, onTrouble, patient);
  const { eventStore, sealer } = write;
  try {
    const readStore = await openReadStore(configuration);
    const documents = new DocumentSealer(sealer);
    const reader = createViewReader({ eventStore, readStore, sealer: documents });
    const close = async () => {
      await readStore.close();
      await write.close();
    };
    return { ...write, readStore, documents, reader, close };
  } catch (error) {
    await write.close();
    throw error;
  }
};
