import { type EventStore, type Position, START } from '../../core/event-store.js';
import { Sealer } from '../../core/sealing.js';
import { openLog, openReadStore, openVault, type Places } from '../../process/adapters.js';
import { type Configuration, readConfiguration } from '../../process/config.js';
import { presentKeys } from '../../process/secret-files.js';
import { openStores, type Stores } from '../../process/stores.js';
import type { ReadStore } from '../../stores/read-store.js';
import type { FileStore } from '../../vault/port.js';
import { assertDataFolder } from './folders.js';
import type { Unit } from './progress.js';
import { OperatorRequests } from './requests.js';

/** Runs `work` on what was opened, and closes that at the end. */
export const closing = async <Opened extends { close(): Promise<void> }, T>(
  opening: Promise<Opened>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> => {
  const opened = await opening;
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
};

/** What commands about views need. */
export interface Engine {
  readonly configuration: Configuration;
  readonly stores: Stores;
  readonly requests: OperatorRequests;
  /** What the event store's ordinals count. */
  readonly unit: Unit;
}

/**
 * Runs `work` on the service's stores, which are opened as by the service.
 * @throws {OperatorError} DATA_DIR is not a data folder
 */
export const withEngine = async <T>(work: (engine: Engine) => Promise<T>): Promise<T> => {
  const configuration = configured();
  return closing(openStores(configuration, undefined, { patient: true, begins: false }), (stores) => {
    const requests = new OperatorRequests(stores.streams);
    return work({ configuration, stores, requests, unit: unitOf(configuration) });
  });
};

/** The log, to read, and the existing keys. */
export interface ReadableLog {
  readonly configuration: Configuration;
  readonly log: EventStore;
  /** 32 bytes; `null`: there is no SIGNING_KEY. */
  readonly signingKey: Buffer | null;
  /** Opens personal parts; `null`: there is no DATA_KEY. */
  readonly sealer: Sealer | null;
  /** What candidates handed in; `null`: there is no DATA_KEY. */
  readonly files: FileStore | null;
  /** As of `Engine`. */
  readonly unit: Unit;
}

/**
 * Runs `work` on the service's log, which is opened to read. Creates no key.
 * @throws {OperatorError} DATA_DIR is not a data folder
 */
export const withReadableLog = async <T>(work: (readable: ReadableLog) => Promise<T>): Promise<T> => {
  const configuration = configured();
  const { dataKey, signingKey } = await presentKeys(configuration);
  const { dataKeyPrevious } = configuration;
  const vault = dataKey && (await openVault(configuration, { dataKey, dataKeyPrevious }, { patient: true }));
  try {
    const sealer = vault && new Sealer(vault);
    return await withLog((log) =>
      work({
        configuration,
        log,
        signingKey,
        sealer,
        files: vault && vault.files,
        unit: unitOf(configuration),
      }),
    );
  } finally {
    await vault?.close();
  }
};

/** Runs `work` on the service's log, which is opened to read. Needs no key. */
export const withLog = async <T>(work: (log: EventStore) => Promise<T>): Promise<T> =>
  closing(openLogToRead(readConfiguration(process.env)), work);

/** Opens the log to read, without a lock that a running service would wait for. */
export const openLogToRead = (places: Places): Promise<EventStore> =>
  openLog(places, { readOnly: true, patient: true });

/** Opens the views to read, without a lock that a running service would wait for. */
export const openViewsToRead = (places: Places): Promise<ReadStore> =>
  openReadStore(places, { readOnly: true, patient: true });

/** Opens the log of a data folder, to write. */
export const logOf = (dataDir: string): Promise<EventStore> => openLog({ dataDir, servers: null });

/** The configuration of this process. @throws {OperatorError} DATA_DIR is not a data folder */
export const configured = (): Configuration => {
  const configuration = readConfiguration(process.env);
  if (configuration.servers === null) assertDataFolder(configuration.dataDir, 'DATA_DIR');
  return configuration;
};

const unitOf = ({ servers }: Places): Unit => (servers === null ? 'events' : 'bytes');

/** The size of the log up to a position, in the unit of the store's ordinals. */
export const amountOf = (eventStore: Pick<EventStore, 'ordinal'>, position: Position): number =>
  position === START ? 0 : eventStore.ordinal(position);

/** As `amountOf`, for the mean position of a generation's segments. */
export const meanAmountOf = (
  eventStore: Pick<EventStore, 'ordinal'>,
  positions: readonly Position[],
): number =>
  positions.reduce((sum, position) => sum + amountOf(eventStore, position), 0) /
  Math.max(1, positions.length);
