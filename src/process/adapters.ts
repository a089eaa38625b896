import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnusable } from '../core/errors.js';
import type { EventStore } from '../core/event-store.js';
import type { EmbeddedLogOptions } from '../stores/lmdb/log/log.js';
import type { ReadStore } from '../stores/read-store.js';
import type { ArchivableVault } from '../vault/archive.js';
import type { Configuration } from './config.js';
import type { ServiceKeys } from './secret-files.js';

/** Where a service's data is: on servers, or in a data folder. */
export type Places = Pick<Configuration, 'dataDir' | 'servers'>;

// Each adapter is loaded when it is used: the servers' drivers would triple the start of a process without servers.

/** How long calls wait for a leader, in milliseconds: longer than a cluster takes to elect one. */
const PATIENT_MS = 10_000;
/** Options to wait for a MongoDB that cannot be reached. */
const PATIENT = { patient: true, timeoutMs: PATIENT_MS };

interface LogOptions extends EmbeddedLogOptions {
  /** Called with a sentence about a problem that does not make a call fail. */
  readonly onTrouble?: (sentence: string) => void;
  /** Waits some seconds for a server that cannot be reached: for operators' commands. */
  readonly patient?: boolean;
  /** Called before a log is begun. If it throws, none is begun. With `readOnly` no log is ever begun. */
  readonly onBegin?: () => Promise<void>;
}

/**
 * Opens the log, or begins it if there is none.
 * @throws {StoreUnusable | StoreUnavailable} and what `onBegin` throws
 */
export const openLog = async (
  places: Places,
  { onTrouble, patient = false, onBegin, ...embedded }: LogOptions = {},
): Promise<EventStore> => {
  const { dataDir, servers } = places;
  if (servers) {
    const { openEventStoreDb } = await import('../stores/eventstoredb/open.js');
    return openEventStoreDb(servers.eventStoreUrl, {
      onBegin: async () => {
        if (embedded.readOnly) throw new NoLog(places);
        await onBegin?.();
      },
      ...(onTrouble && { onTrouble }),
      ...(patient && { patient, deadlineMs: PATIENT_MS }),
    });
  }
  const { openEmbeddedLog } = await import('../stores/lmdb/log/log.js');
  const folder = join(dataDir, 'log');
  const isThere = (): boolean => existsSync(join(folder, 'data.mdb'));
  if (!embedded.readOnly && !isThere())
    await onBegin?.().catch((error: unknown) => {
      // Another process may have begun it meanwhile.
      if (!isThere()) throw error;
    });
  return openEmbeddedLog(folder, embedded);
};

/** Where the log is, without credentials, for messages. */
export const logPlace = ({ dataDir, servers }: Places): string =>
  servers ? withoutCredentials(servers.eventStoreUrl) : join(dataDir, 'log');

/** Where the views are, without credentials, for messages. */
export const viewsPlace = ({ dataDir, servers }: Places): string =>
  servers ? withoutCredentials(servers.mongodbUrl) : join(dataDir, 'views');

const withoutCredentials = (url: string): string => {
  const [address = ''] = url.split('?');
  const [scheme = '', place = ''] = address.split('://');
  return `${scheme}://${place.slice(place.lastIndexOf('@') + 1)}`;
};

/** There is no log, and a process that only reads, or an operator’s command, does not begin one. */
export class NoLog extends StoreUnusable {
  constructor(places: Places) {
    super(
      `There is no event log at ${logPlace(places)}: ${places.servers ? 'EVENTSTORE_URL' : 'DATA_DIR'} is mistyped, or the service was never started. Its first start begins the log.`,
    );
  }
}

/**
 * Opens the vault, or makes it if there is none. With `dataKeyPrevious` it changes the key: all that is wrapped by the
 * former one is wrapped by `dataKey`.
 * @throws {StoreUnusable | VaultUnavailable}
 */
export const openVault = async (
  { dataDir, servers }: Places,
  { dataKey, dataKeyPrevious }: Pick<ServiceKeys, 'dataKey' | 'dataKeyPrevious'>,
  { onTrouble, patient = false }: Pick<LogOptions, 'onTrouble' | 'patient'> = {},
): Promise<ArchivableVault> => {
  const onChanged = (when: 'now' | 'before'): void => onTrouble?.(changedSentence(when, dataDir));
  const options = dataKeyPrevious ? { previousDataKey: dataKeyPrevious, onChanged } : {};
  if (servers) {
    const { openMongoVault } = await import('../vault/mongodb/open.js');
    return openMongoVault(servers.mongodbUrl, dataKey, { ...options, ...(patient && PATIENT) });
  }
  const { openEmbeddedVault } = await import('../vault/lmdb/vault.js');
  return openEmbeddedVault(join(dataDir, 'vault'), dataKey, options);
};

const changedSentence = (when: 'now' | 'before', dataDir: string): string => {
  const file = join(dataDir, 'data.key');
  const done =
    when === 'now'
      ? 'DATA_KEY is changed: everything in the vault is wrapped by the new key.'
      : 'DATA_KEY was changed before: nothing in the vault is wrapped by DATA_KEY_PREVIOUS.';
  const left = existsSync(file)
    ? ` ${file} is not needed any more either: if it holds the former key, keep it elsewhere, only as long as backups from its time, and remove it here.`
    : ' Keep the former key only as long as backups from its time.';
  return `${done} Remove DATA_KEY_PREVIOUS from the settings.${left}`;
};

/**
 * Opens the views, or makes a store for them if there is none.
 * @param options `patient` as of the log. `readOnly`, for a folder only: none is made, and there is no lock that a running
 *   service would wait for
 * @throws {StoreUnusable | ReadStoreUnavailable}
 */
export const openReadStore = async (
  { dataDir, servers }: Places,
  { patient = false, ...options }: { readonly readOnly?: boolean; readonly patient?: boolean } = {},
): Promise<ReadStore> => {
  if (servers) {
    const { openMongoReadStore } = await import('../stores/mongodb/views/open.js');
    return openMongoReadStore(servers.mongodbUrl, patient ? PATIENT : {});
  }
  const { openEmbeddedReadStore } = await import('../stores/lmdb/views/open.js');
  return openEmbeddedReadStore(join(dataDir, 'views'), options);
};
