import { ReadStoreUnavailable } from '../../errors.js';
import type { Environment, WriteOptions } from './environment.js';
import { translated } from './faults.js';

/** One handle on the folder: what its collections and registers read and write through. */
export class Session {
  #closed = false;

  constructor(
    readonly environment: Environment,
    readonly deadline: number,
  ) {}

  /** Runs synchronous reads on the newest committed state: all of them see one snapshot. */
  read<T>(reads: () => T): T {
    this.#assertOpen();
    try {
      this.environment.refresh();
      return reads();
    } catch (error) {
      throw translated(this.environment.folder, error);
    }
  }

  /** Number of the newest committed transaction, by whatever process. */
  lastCommit(): number {
    this.#assertOpen();
    try {
      return this.environment.lastCommit();
    } catch (error) {
      throw translated(this.environment.folder, error);
    }
  }

  async write<T>(effect: () => T, options: WriteOptions = {}): Promise<T> {
    this.#assertOpen();
    if (this.environment.readOnly) throw new TypeError('This read store was opened for reading only.');
    return this.environment.transact(effect, this.deadline, options);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.environment.release(this.deadline);
  }

  #assertOpen(): void {
    if (this.#closed) throw new ReadStoreUnavailable('The read store is closed.');
  }
}
