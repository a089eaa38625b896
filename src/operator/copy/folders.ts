import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { assertDataFolder } from '../data-folder.js';
import { OperatorError } from '../program.js';
import type { Place } from './place.js';

export const SAME_PLACE = 'The source and the target are the same place: nothing was copied.';

/**
 * Looks at the folders before anything is opened, since opening makes what is missing.
 * @throws {OperatorError} both are one (servers that are one are known by the log's identity, once open), the source
 *   is no data folder, or the target is somebody's other folder
 */
export const assertFolders = (source: Place, target: Place): void => {
  if (source.kind === 'folder') assertSource(source.folder);
  if (target.kind === 'folder') assertFree(target.folder);
  if (source.kind !== 'folder' || target.kind !== 'folder') return;
  if (real(source.folder) === real(target.folder)) throw new OperatorError(SAME_PLACE);
};

const real = (folder: string): string => (existsSync(folder) ? realpathSync(folder) : folder);

const assertSource = (folder: string): void => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new OperatorError(`There is no folder ${folder} to copy from.`);
  assertDataFolder(folder);
};

/** What may lie in a folder that is yet to become a data folder. */
const BEFOREHAND = ['data.key', 'signing.key', 'development-issuer.json'];

/** Somebody's other folder is not written to. */
const assertFree = (folder: string): void => {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) throw new OperatorError(`${folder} is no folder that could be copied to.`);
  const names = readdirSync(folder);
  if (names.includes('log') || names.every((name) => BEFOREHAND.includes(name))) return;
  throw new OperatorError(
    `${folder} holds other things and no event log: copy to an empty folder, or to one that is not there yet.`,
  );
};
