import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../core/errors.js';

/**
 * Makes a folder and those that it lies in, readable by their owner alone; one that is there is left as it is.
 * Node's own `recursive` never ends where a folder that is there can hold no other, such as below /proc.
 */
export const makeFolder = async (path: string): Promise<void> => {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make().catch(async (error: unknown) => {
      if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
      await makeFolder(dirname(path));
      await make();
    });
  } catch (error) {
    // It may have been there, or another process was faster.
    if (!hasCode(error, 'EEXIST') || !(await stat(path)).isDirectory()) throw error;
  }
};
