import { join } from 'node:path';
import { StoreUnavailable, StoreUnusable } from '../../core/errors.js';
import { START, type EventStore } from '../../core/event-store.js';
import type { ArchivableVault } from '../../vault/archive.js';
import { VaultUnavailable } from '../../core/vault/errors.js';
import { OperatorError } from '../program.js';
import { SAME_PLACE } from './folders.js';
import type { Place } from './place.js';
import type { Side } from './side.js';

/** A side whose files or connections are open. */
export interface OpenSide extends Side {
  close(): Promise<void>;
}

/** @throws {OperatorError} it cannot be opened, or holds no events */
export const openSource = async (place: Place, dataKey: Buffer): Promise<OpenSide> => {
  const source = await openSide('The source', place, dataKey, true);
  try {
    if ((await source.log.head()) !== START) return source;
    throw new OperatorError('The source holds no events: there is nothing to copy.');
  } catch (error) {
    await source.close();
    throw sentenceFor('The source', error);
  }
};

/** Opens the target; a folder is made where there is none. @throws {OperatorError} it cannot be opened, or is the source */
export const openTarget = async (place: Place, dataKey: Buffer, source: Side): Promise<OpenSide> => {
  const target = await openSide('The target', place, dataKey, false);
  if (place.kind === 'folder' || target.log.logId !== source.log.logId) return target;
  await target.close();
  throw new OperatorError(SAME_PLACE);
};

const openSide = async (
  name: Side['name'],
  place: Place,
  dataKey: Buffer,
  readOnly: boolean,
): Promise<OpenSide> => {
  let log: EventStore | null = null;
  try {
    const opened = (log = await openLog(place, readOnly));
    const vault = await openVault(place, dataKey);
    const close = async () => {
      await Promise.all([opened.close(), vault.close()]);
    };
    return { name, log: opened, vault, close };
  } catch (error) {
    await log?.close();
    throw sentenceFor(name, error);
  }
};

// An adapter is loaded where it is used, as the service does it.

const openLog = async (place: Place, readOnly: boolean): Promise<EventStore> => {
  if (place.kind === 'servers') {
    const { openEventStoreDb } = await import('../../stores/eventstoredb/open.js');
    return openEventStoreDb(place.eventStoreUrl);
  }
  const { openEmbeddedLog } = await import('../../stores/lmdb/log/open.js');
  return openEmbeddedLog(join(place.folder, 'log'), { readOnly });
};

const openVault = async (place: Place, dataKey: Buffer): Promise<ArchivableVault> => {
  if (place.kind === 'servers') {
    const { openMongoVault } = await import('../../vault/mongodb/open.js');
    return openMongoVault(place.mongoUrl, dataKey);
  }
  const { openEmbeddedVault } = await import('../../vault/lmdb/vault.js');
  return openEmbeddedVault(join(place.folder, 'vault'), dataKey);
};

const sentenceFor = (name: string, error: unknown): unknown =>
  error instanceof StoreUnusable || error instanceof StoreUnavailable || error instanceof VaultUnavailable
    ? new OperatorError(`${name} cannot be opened: ${error.message}`, { cause: error })
    : error;
