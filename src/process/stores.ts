import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { views } from '../../projections/index.js';
import type { LinkSigner } from '../core/chain.js';
import { createCodec, type Codec } from '../core/codec.js';
import { StoreUnusable } from '../core/errors.js';
import { type EventStore, START } from '../core/event-store.js';
import { CommandStreams } from '../core/handle.js';
import { JustWrittenEvents } from '../core/just-written-events.js';
import { KeyedHasher } from '../core/keyed-hash.js';
import { Sealer } from '../core/sealing.js';
import { evidenceKeys, TrustedKeys } from '../core/signing.js';
import { eventRegistry } from '../domain/event-registry.js';
import { createViewReader, type ViewReader } from '../engine/reads/reads.js';
import { ConsistencyTokens } from '../engine/reads/tokens.js';
import type { ReadStore } from '../stores/read-store.js';
import { DocumentSealer } from '../vault/documents.js';
import type { Vault } from '../vault/port.js';
import { logPlace, NoLog, openLog, openReadStore, openVault, type Places, viewsPlace } from './adapters.js';
import type { Configuration } from './config.js';
import { OPERATOR_STREAM } from './operations/operations.js';
import { existingKeys, serviceKeys } from './secret-files.js';

/** What commands need: the log, the vault, and the parts that depend on them. */
export interface WriteSide {
  readonly eventStore: EventStore;
  readonly vault: Vault;
  readonly hasher: KeyedHasher;
  readonly sealer: Sealer;
  readonly codec: Codec;
  readonly streams: CommandStreams;
  /** Equal in all processes with this vault and log. */
  readonly tokens: ConsistencyTokens;
  /** The keys by which signatures of results are checked. */
  readonly trustedKeys: TrustedKeys;
  close(): Promise<void>;
}

/** All stores of a service, and the parts that depend on them. */
export interface Stores extends WriteSide {
  readonly readStore: ReadStore;
  readonly documents: DocumentSealer;
  readonly reader: ViewReader;
}

/** Options of opening stores. */
export interface Opening {
  /** Waits some seconds for servers that cannot be reached. Default: no. */
  readonly patient?: boolean;
  /** Begins a log, and makes keys, if there are none. Default: yes. */
  readonly begins?: boolean;
}

/**
 * Opens log and vault, on servers or below DATA_DIR.
 * @param onTrouble called with a sentence for the operator that is no error, such as that other users could read a key
 *   file, or that a log is begun. Default: what concerns a key's file is on standard error, all else is dropped
 * @throws {StoreUnusable} an operator must change something; the message says what
 * @throws {StoreUnavailable | VaultUnavailable} a server does not answer: try again
 */
export const openWriteSide = async (
  configuration: Configuration,
  onTrouble?: (sentence: string) => void,
  { patient = false, begins = true }: Opening = {},
): Promise<WriteSide> => {
  // Checked before the vault is opened, which would make one.
  if (!begins && !configuration.servers && !existsSync(join(configuration.dataDir, 'log', 'data.mdb')))
    throw new NoLog(configuration);
  const keys = begins ? await serviceKeys(configuration, onTrouble) : await existingKeys(configuration);
  const vault = await openVault(configuration, keys, { ...(onTrouble && { onTrouble }), patient });
  let eventStore: EventStore | null = null;
  try {
    eventStore = await openLog(configuration, {
      // Operators' requests are stored even if the disk is almost full, since they can make room.
      reserveFor: OPERATOR_STREAM,
      patient,
      onBegin: async () => {
        if (!begins) throw new NoLog(configuration);
        await assertNoViews(configuration);
        if (configuration.servers) onTrouble?.(`A new event log is begun at ${logPlace(configuration)}.`);
      },
      ...(onTrouble && { onTrouble }),
    });
    const hasher = await KeyedHasher.of(vault);
    const sealer = new Sealer(vault);
    const { signer, trusted } = signingOf(keys.signingKey, configuration.formerSigningKeys);
    // Without a projector, this process does not read the events that it writes.
    const justWritten = configuration.projector === 'embedded' ? new JustWrittenEvents() : null;
    const codec = createCodec(eventRegistry, sealer, signer, justWritten);
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

/** @param signingKey `null`: this process signs nothing */
const signingOf = (
  signingKey: Buffer | null,
  former: readonly string[],
): { readonly signer: LinkSigner | null; readonly trusted: TrustedKeys } =>
  signingKey === null ? { signer: null, trusted: new TrustedKeys(former) } : evidenceKeys(signingKey, former);

/**
 * Opens all three stores.
 * @param onTrouble as for `openWriteSide`
 * @throws {StoreUnusable} an operator must change something; the message says what
 * @throws {StoreUnavailable | VaultUnavailable | ReadStoreUnavailable} a server does not answer: try again
 */
export const openStores = async (
  configuration: Configuration,
  onTrouble?: (sentence: string) => void,
  opening: Opening = {},
): Promise<Stores> => {
  const write = await openWriteSide(configuration, onTrouble, opening);
  const { eventStore, sealer } = write;
  let readStore: ReadStore | null = null;
  try {
    readStore = await openReadStore(configuration, { patient: opening.patient === true });
    await assertOwnViews({ eventStore, readStore }, configuration);
    const documents = new DocumentSealer(sealer);
    const reader = createViewReader({ eventStore, readStore, sealer: documents });
    const opened = readStore;
    const close = async () => {
      await opened.close();
      await write.close();
    };
    return { ...write, readStore, documents, reader, close };
  } catch (error) {
    await readStore?.close();
    await write.close();
    throw error;
  }
};

/**
 * Called before a log is begun. If there are views already, the log's address is mistyped or the log is lost, and a new
 * log would become a second, empty service.
 * @throws {StoreUnusable} there are views; the message names both places
 */
const assertNoViews = async (places: Places): Promise<void> => {
  // Checked before opening, which would create what is missing.
  if (!places.servers && !existsSync(join(places.dataDir, 'views', 'data.mdb'))) return;
  const readStore = await openReadStore(places);
  try {
    if (await hasViewsOfOther(readStore, null)) throw misplaced(places, 'There is no event log');
  } finally {
    await readStore.close();
  }
};

/**
 * Called for an opened log. If the log has no events but the views are of another log, an address is mistyped or events
 * are lost. If the log has events, such as after a restore, the engine replaces such views.
 * @throws {StoreUnusable} the views are of another log
 */
const assertOwnViews = async (
  { eventStore, readStore }: { readonly eventStore: EventStore; readonly readStore: ReadStore },
  places: Places,
): Promise<void> => {
  if ((await eventStore.head()) !== START) return;
  if (await hasViewsOfOther(readStore, eventStore)) throw misplaced(places, 'There are no events');
};

const hasViewsOfOther = async (
  { pointers }: ReadStore,
  log: Pick<EventStore, 'life'> | null,
): Promise<boolean> => {
  const named = await Promise.all(views.map(({ name }) => pointers.get(name)));
  return named.some((pointer) => pointer !== null && pointer.live.log !== log?.life);
};

const misplaced = (places: Places, what: string): StoreUnusable => {
  const remedy = places.servers
    ? 'Check EVENTSTORE_URL and MONGODB_URL: one of them is mistyped, or the log is lost and must be restored. A new service needs a database of its own.'
    : 'Check DATA_DIR: the log is lost and must be restored from a backup. A new service needs an empty folder.';
  return new StoreUnusable(
    `${what} at ${logPlace(places)}, but the views at ${viewsPlace(places)} were made from another log. Nothing was begun. ${remedy}`,
  );
};
