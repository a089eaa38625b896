import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { StoreUnusable } from '../../event-store/errors.js';
import { VaultUnavailable } from '../errors.js';
import { assertWhole, restoreLength } from './data-file.js';
import { PRIVATE_FILE, privateFolder } from './durable-files.js';

const FOLDER = 'look-ups';
const WRITE_DEADLINE_MS = 5_000;
const PAGE = 500;

const dataFile = (folder: string): string => join(folder, FOLDER, 'data.mdb');

/** Look-ups and wrapped secrets: JSON values under keys of several parts. LMDB does not wipe what it frees. */
export class Environment {
  private constructor(private readonly root: RootDatabase<unknown, string[]>) {}

  static existsIn(folder: string): boolean {
    return existsSync(dataFile(folder));
  }

  /**
   * Every process opens it here, since LMDB's settings belong to the environment and not to a process.
   * @throws {StoreUnusable} damaged, or no LMDB environment
   */
  static open(folder: string): Environment {
    const path = join(folder, FOLDER);
    privateFolder(path);
    assertWhole(dataFile(folder));
    try {
      // Without overlapping sync a write is seen by nobody before it is durable.
      const root = open<unknown, string[]>({ path, encoding: 'json', overlappingSync: false });
      root.transactionSync(() => restoreLength(dataFile(folder)));
      chmodSync(dataFile(folder), PRIVATE_FILE);
      chmodSync(join(path, 'lock.mdb'), PRIVATE_FILE);
      return new Environment(root);
    } catch (error) {
      throw new StoreUnusable(
        `The vault's look-ups in ${path} cannot be opened: restore the vault from its backup.`,
        {
          cause: error,
        },
      );
    }
  }

  /** What stands now, written by whichever process. */
  get(key: string[]): unknown {
    this.root.resetReadTxn();
    return this.root.get(key);
  }

  /** Values of every key that begins with `prefix`, in key order. */
  list(prefix: string[]): unknown[] {
    this.root.resetReadTxn();
    return [...this.root.getRange(within(prefix))].map(({ value }) => value);
  }

  /** Keys and values of every key that begins with `prefix`, in key order, read page by page as they are asked for. */
  *walk(prefix: string[]): Iterable<{ readonly key: string[]; readonly value: unknown }> {
    const { end } = within(prefix);
    let start = prefix;
    for (let first = true; ; first = false) {
      this.root.resetReadTxn();
      const range = { start, end, exclusiveStart: !first, limit: PAGE };
      const page = [...this.root.getRange(range)];
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      start = last.key;
    }
  }

  /**
   * Runs `effect` alone among all processes; its writes are durable when this answers. It must not throw once it has
   * written: LMDB keeps what was put.
   * @throws {VaultUnavailable} the outcome is unknown: a process stopped inside a transaction holds up every writer
   */
  async transact<T>(effect: (inside: Inside) => T): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const commit = this.root.transaction(() => effect(this.inside()));
    // A failed commit rejects a second promise that hangs on its error; unheard, it would end the process.
    commit.catch((error: unknown) => {
      (error as { commitError?: Promise<unknown> }).commitError?.catch(() => undefined);
    });
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new VaultUnavailable('The vault did not store within 5 seconds: try again.')),
        WRITE_DEADLINE_MS,
      );
    });
    try {
      return await Promise.race([commit, deadline]);
    } catch (error) {
      if (error instanceof VaultUnavailable) throw error;
      throw new VaultUnavailable('The vault could not store: its disk may be full or failing.', {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** As `transact`, holding up this process: for a start that nothing else waits for. */
  transactNow<T>(effect: (inside: Inside) => T): T {
    return this.root.transactionSync(() => effect(this.inside()));
  }

  close(): Promise<void> {
    return this.root.close();
  }

  private inside(): Inside {
    const { root } = this;
    return {
      get: (key) => root.get(key),
      keys: (prefix) => [...root.getKeys(within(prefix))],
      put: (key, value) => void root.put(key, value),
      remove: (key) => void root.remove(key),
    };
  }
}

/** Reads and writes of one transaction. */
export interface Inside {
  readonly get: (key: string[]) => unknown;
  readonly keys: (prefix: string[]) => string[][];
  readonly put: (key: string[], value: unknown) => void;
  readonly remove: (key: string[]) => void;
}

/** No part of a key begins with the last code point there is. */
const within = (prefix: string[]) => ({ start: prefix, end: [...prefix, '\u{10ffff}'] });
