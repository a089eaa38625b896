import { closeSync, fchmodSync, type FSWatcher, futimesSync, openSync, watch } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../folder.js';

/**
 * An empty file beside the log, whose time each process sets after it has appended: the others can sleep until then. A
 * notice may be missing, where a process was killed before it gave it, so nothing may rest on one.
 */
export class AppendNotice {
  readonly #path: string;
  /** `null`: it could not be made, so that no notice is given. */
  #file: number | null;
  #watcher: FSWatcher | null = null;

  constructor(folder: string, readOnly: boolean) {
    this.#path = join(folder, 'appended');
    this.#file = readOnly ? null : opened(this.#path);
  }

  give(): void {
    if (this.#file === null) return;
    try {
      const now = new Date();
      futimesSync(this.#file, now, now);
    } catch {
      // The others look for themselves, only later.
    }
  }

  /**
   * Calls `told` after each notice, of this process too, until `close`.
   * @param deaf called where the file cannot be watched
   */
  watch(told: () => void, deaf: () => void): void {
    try {
      this.#watcher = watch(this.#path, { persistent: false }, told).on('error', deaf);
    } catch {
      deaf();
    }
  }

  close(): void {
    this.#watcher?.close();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

const opened = (path: string): number | null => {
  try {
    const file = openSync(path, 'a', PRIVATE_FILE);
    fchmodSync(file, PRIVATE_FILE);
    return file;
  } catch {
    return null;
  }
};
