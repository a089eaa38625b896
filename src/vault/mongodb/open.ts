import { connectMongo, isUnavailable, type MongoConnection } from '../../stores/mongodb/connection.js';
import { parseMongoUrl } from '../../stores/mongodb/url.js';
import type { ArchivableVault } from '../archive.js';
import { StoredVault } from '../vault.js';
import { WrappingKey } from '../wrapping.js';
import { away, Calls, refused } from './calls.js';
import { collectionsOf, makeIndexes } from './collections.js';
import { claim } from './data-key.js';
import { AudioDocuments } from './audio-documents.js';
import { MongoKeys } from './keys.js';
import { StoredKeys } from './stored-keys.js';
import { tablesOn } from './tables.js';
import { Tombstones } from './tombstones.js';

/** Indexes are made once, and then found. */
const INDEXES_MS = 10_000;

export interface MongoVaultOptions {
  /** DATA_KEY_PREVIOUS: everything still wrapped by it is wrapped afresh before this answers. */
  readonly previousDataKey?: Buffer;
}

/**
 * Opens the vault in a MongoDB database, made where there is none; any number of processes at once, on any topology.
 *
 * No transactions: every step is a write to one document, and the order of the steps is what makes them safe. Reads
 * and writes are majority ones; a call is answered or given up within 3 s.
 * @param url the database is its path, `assay` without one
 * @param dataKey DATA_KEY, 32 bytes
 * @throws {VaultUnavailable} MongoDB is away: try again
 * @throws {StoreUnusable} MongoDB refuses us, or the vault has another DATA_KEY, is a newer version's or damaged;
 *   nothing was written
 */
export async function openMongoVault(
  url: string,
  dataKey: Buffer,
  options: MongoVaultOptions = {},
): Promise<ArchivableVault> {
  const current = new WrappingKey(dataKey);
  const former = options.previousDataKey && new WrappingKey(options.previousDataKey, 'DATA_KEY_PREVIOUS');
  const connection = await connected(url);
  const calls = new Calls(connection);
  const collections = collectionsOf(connection.db);
  const tombstones = new Tombstones(collections.erased);
  const stored = new StoredKeys(calls, collections, tombstones, current);
  const keys = new MongoKeys(calls, collections, tombstones, stored);
  const close = async (): Promise<void> => {
    keys.forgetAll();
    await calls.close();
  };
  try {
    await claim(calls, collections, current, former ?? null);
    await calls.run(() => makeIndexes(collections), INDEXES_MS);
    await keys.finishErasures();
    await keys.sweep();
  } catch (error) {
    await close();
    throw refused(error);
  }
  return new StoredVault({
    wrapping: current,
    keys,
    tables: tablesOn(calls, collections, tombstones),
    chunks: new AudioDocuments(calls, collections.audio, tombstones),
    run: (work) => calls.run(work),
    assertOpen: () => calls.assertOpen(),
    assertCurrent: () => stored.assertCurrent(),
    close,
  });
}

async function connected(url: string): Promise<MongoConnection> {
  try {
    return await connectMongo(url, { appName: 'assay-vault' });
  } catch (error) {
    throw isUnavailable(error) ? away(error, parseMongoUrl(url).shown) : error;
  }
}
