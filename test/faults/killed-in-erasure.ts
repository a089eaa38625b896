import { KeyFiles } from '../../src/vault/lmdb/key-files.js';
import { ErasureMarks } from '../../src/vault/lmdb/keys.js';

/**
 * Preloaded (`node --import`): kills this process during the first erasure, as a power cut would. KILLED_BEFORE sets
 * the place: `key`, after the erasure is recorded and before anything of it is done; `file`, after the tombstone is
 * written and before the key's file is removed.
 */
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('Killed.');
};

if (process.env.KILLED_BEFORE === 'key') ErasureMarks.prototype.begin = die;
if (process.env.KILLED_BEFORE === 'file') KeyFiles.prototype.destroy = die;
