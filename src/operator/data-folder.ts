import { statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from './program.js';

/** What a service's data folder is known by. */
const KNOWN_BY = [
  ['event log', join('log', 'data.mdb')],
  ['vault', join('vault', 'look-ups', 'data.mdb')],
] as const;

/**
 * To be asked before anything is opened, since opening makes what is missing: a folder misspelt would become a service's
 * own, with keys and all, and a vault that is lost an empty one.
 * @param named for the reader: what names the folder, `''` where that is plain
 * @throws {OperatorError} it holds no event log or no vault
 */
export const assertDataFolder = (folder: string, named = ''): void => {
  for (const [what, file] of KNOWN_BY) {
    if (statSync(join(folder, file), { throwIfNoEntry: false })) continue;
    const hint = named === '' ? '' : ` ${named} names the service’s data folder.`;
    throw new OperatorError(`${folder} is no data folder: it holds no ${what} (${file}).${hint}`);
  }
};
