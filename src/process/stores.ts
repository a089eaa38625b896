import { join } from 'node:path';
import { eventRegistry } from '../domain/event-registry.js';
import type { Configuration } from './config.js';
import { serviceKeys, type ServiceKeys } from './secret-files.js';
import { createCodec, type Codec } from '../core/codec.js';
import { CommandStreams } from '../core/handle.js';
import { evidenceKeys } from '../core/signing/evidence-keys.js';
import type { TrustedKeys } from '../core/signing/trusted-keys.js';
import type { EventStore } from '../core/event-store.js';
import { OPERATOR_STREAM } from './operations/operations.js';
import { ConsistencyTokens } from '../engine/tokens.js';
import { createViewReader, type ViewReader } from '../engine/reads.js';
import type { ReadStore } from '../stores/read-store.js';
import { DocumentSealer } from '../vault/documents.js';
import { KeyedHasher } from '../core/vault/keyed-hash.js';
import type { Vault } from '../core/vault/port.js';
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

// An adapter is loaded where it is used: the servers' drivers would triple the start of whoever needs none of them.

/** As `openWriteSide` opens it. */
export const openVault = async (
  { dataDir, servers }: Pick<Configuration, 'dataDir' | 'servers'>,
  { dataKey, dataKeyPrevious }: Pick<ServiceKeys, 'dataKey' | 'dataKeyPrevious'>,
): Promise<Vault> => {
  const options = dataKeyPrevious ? { previousDataKey: dataKeyPrevious } : {};
  if (servers) {
    const { openMongoVault } = await import('../vault/mongodb/open.js');
    return openMongoVault(servers.mongodbUrl, dataKey, options);
  }
  const { openEmbeddedVault } = await import('../vault/lmdb/vault.js');
  return openEmbeddedVault(join(dataDir, 'vault'), dataKey, options);
};

const openLog = async (
  { dataDir, servers }: Configuration,
  onTrouble: (sentence: string) => void,
): Promise<EventStore> => {
  if (servers) {
    const { openEventStoreDb } = await import('../stores/eventstoredb/open.js');
    return openEventStoreDb(servers.eventStoreUrl, { onTrouble });
  }
  const { openEmbeddedLog } = await import('../stores/lmdb/log/open.js');
  // An operator can make room, if only what is asked for can be stored.
  return openEmbeddedLog(join(dataDir, 'log'), { usesKeptBack: (stream) => stream === OPERATOR_STREAM });
};

const openReadStore = async ({ dataDir, servers }: Configuration): Promise<ReadStore> => {
  if (servers) {
    const { openMongoReadStore } = await import('../stores/mongodb/views/open.js');
    return openMongoReadStore(servers.mongodbUrl);
  }
  const { openEmbeddedReadStore } = await import('../stores/lmdb/views/open.js');
  return openEmbeddedReadStore(join(dataDir, 'views'));
};

const silent = (): void => undefined;

/**
 * Opens log and vault, on servers or below DATA_DIR.
 * @param onTrouble hears of troubles that no call fails for: of a server, or of a key that others could read
 * @throws {StoreUnusable} with a sentence for the operator
 * @throws {StoreUnavailable | VaultUnavailable} a server does not answer: try again
 */
export const openWriteSide = async (
  configuration: Configuration,
  onTrouble?: (sentence: string) => void,
): Promise<WriteSide> => {
  const keys = await serviceKeys(configuration, onTrouble);
  const vault = await openVault(configuration, keys);
  let eventStore: EventStore | null = null;
  try {
    eventStore = await openLog(configuration, onTrouble ?? silent);
    const hasher = await KeyedHasher.of(vault);
    const sealer = new Sealer(vault);
    const { signer, trusted } = evidenceKeys(keys.signingKey, configuration.formerSigningKeys);
    const codec = createCodec(eventRegistry, sealer, signer);
    const streams = new CommandStreams(eventStore, codec);
    const log = eventStore;
    const tokens = new ConsistencyTokens(log.logId, (...parts) => hasher.hmac(...parts));
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
 * @param onTrouble hears of troubles that no call fails for: of a server, or of a key that others could read
 * @throws {StoreUnusable} with a sentence for the operator
 * @throws {StoreUnavailable | VaultUnavailable | ReadStoreUnavailable} a server does not answer: try again
 */
export const openStores = async (
  configuration: Configuration,
  onTrouble?: (sentence: string) => void,
): Promise<Stores> => {
  const write = await openWriteSide(configuration, onTrouble);
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
