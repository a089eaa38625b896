import { KeyFiles } from '../../src/vault/lmdb/key-files.js';
import { ErasureMarks } from '../../src/vault/lmdb/keys.js';

/**
 * Preloaded (`node --import`): this process is killed in the middle of the first erasure, as by a power cut.
 * KILLED_BEFORE says where: `key`, with the erasure recorded and nothing of it done, or `file`, with the tombstone made
 * and the key's file still there.
 */
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('Killed.');
};

if (process.env.KILLED_BEFORE === 'key') ErasureMarks.prototype.begin = die;
if (process.env.KILLED_BEFORE === 'file') KeyFiles.prototype.destroy = die;
