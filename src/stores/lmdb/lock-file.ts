import { existsSync, linkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { hasCode } from '../../core/has-code.js';
import { asDiskFull, assertRoom } from './disk-room.js';
import { PRIVATE_FILE } from './private.js';

/** Room for over 300 readers. LMDB takes a longer file than it needs, and begins one of zeros anew. */
const BYTES = 20 * 1024;

/**
 * Makes an LMDB folder's lock file before LMDB does, which maps it without blocks: on a full disk, the first touch of
 * such a page ends the process by a signal.
 * @param folder is there
 * @throws {DiskFull} a new store is not begun on a disk that is as good as full
 */
export function makeLockFile(folder: string): void {
  const path = join(folder, 'lock.mdb');
  if (statSync(join(folder, 'data.mdb'), { throwIfNoEntry: false }) === undefined) assertRoom(folder);
  if (existsSync(path)) return;
  const draft = join(folder, `.lock.${randomUUID()}`);
  try {
    writeFileSync(draft, Buffer.alloc(BYTES), { mode: PRIVATE_FILE, flush: true });
    // Whole or not at all, and never over another process's.
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw asDiskFull(folder, error);
  } finally {
    rmSync(draft, { force: true });
  }
}
