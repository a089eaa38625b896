import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartProblem } from '../../src/process/start.js';
import { processesWith } from '../../src/stores/lmdb/claim.js';

/** A file in each folder that a demo has made, so that no other data is removed. */
const MARK = 'made-by-the-demo';

/**
 * Makes an empty folder for the demo: what is in it is removed, if a demo has made it.
 * @throws {StartProblem} it has other data, or a running service has it open
 */
export const remakeFolder = (folder: string): void => {
  const isOther = existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, MARK));
  if (isOther)
    throw new StartProblem(
      `${folder} has data that no demo has made: nothing was removed. Name a new folder by --folder.`,
    );
  const [pid] = processesWith(join(folder, 'log'));
  if (pid !== undefined)
    throw new StartProblem(
      `The process ${pid} serves ${folder}: stop it, or name another folder by --folder. Nothing was removed.`,
    );
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  // Before anything is removed, and it stays: a demo that is ended in the middle leaves a folder that the next one empties.
  writeFileSync(join(folder, MARK), '');
  for (const name of readdirSync(folder))
    if (name !== MARK) rmSync(join(folder, name), { recursive: true, force: true });
};
