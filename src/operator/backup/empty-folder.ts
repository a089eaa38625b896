import { existsSync, readdirSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../vault/lmdb/durable-files.js';
import { OperatorError } from '../program.js';
import { unfinishedName } from './folders.js';

/**
 * Takes away what a killed restore has left in a folder.
 * @returns whether the folder is there
 * @throws {OperatorError} something else lies in it
 */
export const emptied = async (dataDir: string): Promise<boolean> => {
  if (!existsSync(dataDir)) return false;
  if (!statSync(dataDir).isDirectory()) throw new OperatorError(`DATA_DIR, ${dataDir}, is no folder.`);
  // A volume's own folder says nothing.
  const names = readdirSync(dataDir).filter((name) => name !== 'lost+found');
  const left = names.filter((name) => name.startsWith(unfinishedName('restore', dataDir)));
  if (left.length < names.length)
    throw new OperatorError(
      `DATA_DIR, ${dataDir}, is not empty: a backup is restored into an empty folder or one that is not there yet. Move aside what lies there, and name it with --tombstones where it is the former data folder.`,
    );
  for (const name of left) await rm(join(dataDir, name), { recursive: true, force: true });
  return true;
};

/**
 * A data folder may be a volume, over which no other can be renamed. So its parts are, and the look-ups last: a vault
 * with keys and without look-ups is opened by nobody, so a restore that is cut off here starts no service.
 */
export const moveIn = async (made: string, dataDir: string, keys: readonly string[]): Promise<void> => {
  const lookUps = join('vault', 'look-ups');
  await rename(join(made, lookUps), join(made, 'look-ups'));
  for (const name of ['vault', 'log', ...keys]) await rename(join(made, name), join(dataDir, name));
  await syncFolder(dataDir);
  await rename(join(made, 'look-ups'), join(dataDir, lookUps));
  for (const path of ['log', 'vault', lookUps, join('vault', 'audio'), '.'])
    await syncFolder(join(dataDir, path));
};
