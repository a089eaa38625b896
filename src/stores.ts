import { join } from 'node:path';
import { eventRegistry } from './app/event-registry.js';
import type { Configuration } from './app/config.js';
import { serviceKeys } from './app/secret-files.js';
import { createCodec, type Codec } from './event-store/codec.js';
import { openEmbeddedLog } from './event-store/embedded/open.js';
import { CommandStreams } from './event-store/handle.js';
import type { EventStore } from './event-store/port.js';
import { createViewReader, type ViewReader } from './projection-engine/reads.js';
import { openEmbeddedReadStore } from './read-store/embedded/open.js';
import type { ReadStore } from './read-store/port.js';
import { DocumentSealer } from './vault/documents.js';
import { openEmbeddedVault } from './vault/embedded/vault.js';
import { KeyedHasher } from './vault/keyed-hash.js';
import type { Vault } from './vault/port.js';
import { Sealer } from './vault/sealing.js';

/** What commands need: the log, the vault, and what works on them. */
export interface WriteSide {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  readonly hasher: KeyedHasher;
  readonly sealer: Sealer;
  readonly codec: Codec;
  readonly streams: CommandStreams;
  close(): Promise<void>;
}

/** Everything that a serving process works with. */
export interface Stores extends WriteSide {
  readonly readStore: ReadStore;
  readonly documents: DocumentSealer;
  readonly reader: ViewReader;
}

/**
 * Opens log and vault below DATA_DIR.
 * @throws {StoreUnusable} with a sentence for the operator
 */
export const openWriteSide = async (configuration: Configuration): Promise<WriteSide> => {
  const { dataDir } = configuration;
  const { dataKey, dataKeyPrevious } = await serviceKeys(configuration);
  const vault = await openEmbeddedVault(
    join(dataDir, 'vault'),
    dataKey,
    dataKeyPrevious ? { previousDataKey: dataKeyPrevious } : {},
  );
  try {
    const eventStore = await openEmbeddedLog(join(dataDir, 'log'));
    const hasher = await KeyedHasher.of(vault);
    const sealer = new Sealer(vault);
    const codec = createCodec(eventRegistry, sealer);
    const streams = new CommandStreams(eventStore, codec);
    const close = async () => {
      await eventStore.close();
      await vault.close();
    };
    return { eventStore, vault, hasher, sealer, codec, streams, close };
  } catch (error) {
    await vault.close();
    throw error;
  }
};

/** Opens everything below DATA_DIR. @throws {StoreUnusable} with a sentence for the operator */
export const openStores = async (configuration: Configuration): Promise<Stores> => {
  const write = await openWriteSide(configuration);
  const { eventStore, sealer } = write;
  try {
    const readStore = await openEmbeddedReadStore(join(configuration.dataDir, 'views'));
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
