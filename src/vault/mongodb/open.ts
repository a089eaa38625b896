/*
 * vault/mongodb/: the vault in a MongoDB database. Order: `openMongoVault` opens a session, rewraps keys and secrets if
 * DATA_KEY is changed (`data-key`), makes indexes (`collections`) and completes erasures (`keys`). Keys are read in
 * shared queries (`key-reader`) from the database (`stored-keys`); look-ups are in `tables`, audio and files in
 * `chunk-documents`.
 */
import { VaultUnavailable } from '../../core/errors.js';
import type { MongoOptions } from '../../stores/mongodb/connection.js';
import { Session } from '../../stores/mongodb/session.js';
import type { ArchivableVault } from '../archive.js';
import { type DataKeyOptions, wrappingKeys } from '../data-key.js';
import type { VaultDriver } from '../driver.js';
import { StoredVault } from '../vault.js';
import { ChunkDocuments } from './chunk-documents.js';
import { collectionsOf, makeIndexes, Tombstones } from './collections.js';
import { ensureWrapped } from './data-key.js';
import { MongoKeys } from './keys.js';
import { StoredKeys } from './stored-keys.js';
import { tablesOn } from './tables.js';

const VAULT = { name: 'vault', Unavailable: VaultUnavailable };

/**
 * Timeout of making the indexes, in milliseconds: longer than that of a call, since the first opening has to build
 * them.
 */
const INDEXES_MS = 10_000;

/**
 * Opens the vault in a MongoDB database, or makes it. Any number of processes may have it open, on any topology.
 *
 * There are no transactions: every step is a write to one document, and the order of the steps makes them safe. Reads
 * and writes have majority concern; a call ends within 3 s.
 * @param url its path names the database; default: `assay`
 * @param dataKey DATA_KEY, 32 bytes
 * @throws {VaultUnavailable} MongoDB is unreachable: try again
 * @throws {StoreUnusable} MongoDB refuses this user, or the vault has another DATA_KEY, is of a newer version or
 *   damaged; nothing was written
 */
export async function openMongoVault(
  url: string,
  dataKey: Buffer,
  options: DataKeyOptions & Pick<MongoOptions, 'timeoutMs' | 'patient'> = {},
): Promise<ArchivableVault> {
  const { current, former } = wrappingKeys(dataKey, options);
  const driverOn = async (session: Session): Promise<VaultDriver> => {
    const collections = collectionsOf(session.db);
    const tombstones = new Tombstones(collections.erased);
    const stored = new StoredKeys(session, collections, tombstones, current);
    const keys = new MongoKeys(session, collections, tombstones, stored);
    const changed = await ensureWrapped(session, collections, current, former);
    if (former) options.onChanged?.(changed ? 'now' : 'before');
    await session.call(() => makeIndexes(collections), INDEXES_MS);
    await keys.finishErasures();
    return {
      wrapping: current,
      keys,
      tables: tablesOn(session, collections, tombstones),
      audio: new ChunkDocuments(session, collections.audio, tombstones, { areRemoved: false }),
      files: new ChunkDocuments(session, collections.files, tombstones, { areRemoved: true }),
      run: (work) => session.call(work),
      assertOpen: () => session.assertOpen(),
      assertCurrent: () => stored.assertCurrent(),
      close: async () => {
        await session.close();
        keys.forgetAll();
      },
    };
  };
  return new StoredVault(await Session.open(url, VAULT, { ...options, appName: 'assay-vault' }, driverOn));
}
