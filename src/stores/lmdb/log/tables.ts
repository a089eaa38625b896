import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { DiskFull } from '../disk-room.js';
import { privateFolder, privateStore } from '../private.js';
import { makeLockFile } from '../lock-file.js';
import { StoreUnusable } from '../../../core/errors.js';
import type { LogId, Revision, StreamName } from '../../../core/event-store.js';
import { assertSoundDataFile } from './data-file.js';
import { damaged, notOurs, sentence } from './faults.js';
import type { Sequence } from './position.js';

/** Raised with every change of how the log lies in its tables. */
const FORMAT = 1;

/** The log's LMDB environment: every event once, by its sequence, and an index of streams into it. */
export interface Tables {
  readonly folder: string;
  readonly logId: LogId;
  readonly root: RootDatabase;
  readonly events: Database<Buffer, Sequence>;
  /** Revisions are gapless, so the last entry of a stream is its head. */
  readonly streams: Database<Sequence, [StreamName, Revision]>;
}

type Meta = Database<string, string>;

/**
 * Opens the log's files as every process must: without overlapping flushes, or a process would see another one's
 * event before it is durable, and a view could stand beyond the log after a power cut.
 * @throws {StoreUnusable} the folder cannot be used: the sentence says why and what to do
 */
export function openTables(folder: string, readOnly: boolean): Tables {
  let root: RootDatabase | undefined;
  try {
    assertSoundDataFile(folder);
    if (!readOnly) makeLockFile(folder);
    root = open({
      path: folder,
      noSubdir: false,
      readOnly,
      overlappingSync: false,
      // The queue makes its own batches; lmdb's begin with a write whose failure nobody can hear.
      eventTurnBatching: false,
      maxDbs: 8,
      maxReaders: 254,
    });
    if (!readOnly) privateStore(folder);
    const known = new Set([...root.getKeys()].map(String));
    if (known.size > 0 && !known.has('meta')) throw notOurs(folder, 'its tables are others');
    const meta = root.openDB<string, string>({ name: 'meta', encoding: 'string' });
    const logId = readOnly ? identityOf(folder, meta) : identify(folder, root, meta);
    return {
      folder,
      logId,
      root,
      events: root.openDB<Buffer, Sequence>({ name: 'events', encoding: 'binary' }),
      streams: root.openDB<Sequence, [StreamName, Revision]>({ name: 'streams', encoding: 'ordered-binary' }),
    };
  } catch (error) {
    root?.close().catch(() => undefined);
    if (error instanceof StoreUnusable) throw error;
    if (error instanceof DiskFull) throw new StoreUnusable(error.message, { cause: error });
    throw openFault(folder, error);
  }
}

/** The real path of the log's folder, which is made unless it is only read. */
export function logFolder(folder: string, readOnly: boolean): string {
  if (readOnly && !existsSync(join(folder, 'data.mdb'))) {
    throw new StoreUnusable(`There is no event log in ${folder}.`);
  }
  try {
    if (!readOnly) privateFolder(folder);
    return realpathSync(folder);
  } catch (error) {
    throw new StoreUnusable(`The folder ${folder} for the event log cannot be made (${sentence(error)}).`, {
      cause: error,
    });
  }
}

/** Two processes may begin one log at once: whoever gets the write lock first names it. */
function identify(folder: string, root: RootDatabase, meta: Meta): LogId {
  if (!meta.doesExist('format')) {
    root.transactionSync(() => {
      if (meta.doesExist('format')) return;
      meta.putSync('log', randomUUID());
      meta.putSync('format', String(FORMAT));
    });
  }
  return identityOf(folder, meta);
}

function identityOf(folder: string, meta: Meta): LogId {
  const format = Number(meta.get('format'));
  if (format > FORMAT) {
    throw new StoreUnusable(
      `The event log in ${folder} was written by a newer version (format ${format}, this one knows ${FORMAT}). Run that version or a later one.`,
    );
  }
  const log = meta.get('log');
  if (format !== FORMAT || log === undefined || !/^[0-9a-f-]{36}$/.test(log)) {
    throw notOurs(folder, 'it has no identity');
  }
  return log as LogId;
}

function openFault(folder: string, error: unknown): StoreUnusable {
  const said = sentence(error);
  if (/MDB_(?:INVALID|CORRUPTED|PAGE_NOTFOUND|PANIC|VERSION_MISMATCH)/.test(said)) {
    return damaged(folder, said, error);
  }
  return new StoreUnusable(
    `The event log in ${folder} cannot be opened (${said}). Check that the disk has room and that this user may write there.`,
    { cause: error },
  );
}
