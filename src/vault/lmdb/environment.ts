import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { assertRoom, DiskFull } from '../../stores/lmdb/disk-room.js';
import { type Cost, GrowingFile, SMALL } from '../../stores/lmdb/growing-file.js';
import { makeLockFile } from '../../stores/lmdb/lock-file.js';
import { privateFolder, privateStore } from '../../stores/lmdb/private.js';
import { guarded } from '../../stores/lmdb/store-lost.js';
import { StoreUnusable } from '../../core/errors.js';
import { VaultUnavailable } from '../../core/vault/errors.js';
import { assertWhole, restoreLength } from './data-file.js';

const WRITE_DEADLINE_MS = 5_000;
const PAGE = 500;

/** A part of a key. Numbers come before texts, in their order. */
export type KeyPart = string | number;

/** One of the vault's environments: its folder, its name in a sentence, and how its values lie. */
export interface Kind {
  readonly folder: string;
  readonly what: string;
  readonly encoding: 'json' | 'binary';
}

export const LOOK_UPS: Kind = { folder: 'look-ups', what: "The vault's look-ups", encoding: 'json' };
const AUDIO: Kind = { folder: 'audio', what: "The vault's audio", encoding: 'binary' };

const dataFile = (folder: string, kind: Kind): string => join(folder, kind.folder, 'data.mdb');

export interface TransactionOptions {
  /** What is put and removed, at most. */
  readonly cost?: Cost;
  /** What is changed must become unreadable as it was: to be gone through with by `destroyFormer`. */
  readonly renews?: boolean;
  /** `free`: not where the disk is as good as full. */
  readonly room?: 'free' | 'kept back';
}

/** For what removes, and for what reading leaves: neither ends because the disk is as good as full. */
export const KEPT_BACK: TransactionOptions = { room: 'kept back' };

/** Values under keys of several parts, in an LMDB environment. LMDB does not wipe what it frees. */
export class Environment<Value = unknown, Part extends KeyPart = string> {
  private readonly file: GrowingFile;

  protected constructor(
    private readonly root: RootDatabase<Value, Part[]>,
    protected readonly folder: string,
  ) {
    this.file = new GrowingFile(join(folder, 'data.mdb'));
  }

  /** Whether look-ups were ever stored in the vault's folder. */
  static existsIn(folder: string): boolean {
    return existsSync(dataFile(folder, LOOK_UPS));
  }

  /** Sealed audio, as bytes. @throws {StoreUnusable} damaged, or no LMDB environment */
  static openAudio(folder: string): Environment<Buffer, KeyPart> {
    const { root, path } = Environment.openRoot<Buffer, KeyPart>(folder, AUDIO);
    return new Environment(root, path);
  }

  /** Every process opens it here, since LMDB's settings belong to the environment and not to a process. */
  protected static openRoot<Value, Part extends KeyPart>(
    folder: string,
    kind: Kind,
  ): { readonly root: RootDatabase<Value, Part[]>; readonly path: string } {
    const path = join(folder, kind.folder);
    const file = dataFile(folder, kind);
    privateFolder(path);
    assertWhole(file, kind.what);
    try {
      makeLockFile(path);
      // Without overlapping sync a write is seen by nobody before it is durable.
      const root = open<Value, Part[]>({ path, encoding: kind.encoding, overlappingSync: false });
      root.transactionSync(() => restoreLength(file));
      privateStore(path);
      return { root, path };
    } catch (error) {
      if (error instanceof DiskFull) throw new StoreUnusable(error.message, { cause: error });
      throw new StoreUnusable(
        `${kind.what} in ${path} cannot be opened: restore the vault from its backup.`,
        { cause: error },
      );
    }
  }

  /** What stands now, written by whichever process. */
  get(key: Part[]): Value | undefined {
    this.root.resetReadTxn();
    return this.root.get(key);
  }

  /** Values of every key that begins with `prefix`, in key order. */
  list(prefix: Part[]): Value[] {
    this.root.resetReadTxn();
    return [...this.root.getRange(within(prefix))].map(({ value }) => value);
  }

  /** Keys and values of every key that begins with `prefix`, in key order, read page by page as they are asked for. */
  *walk(prefix: Part[], size = PAGE): Iterable<{ readonly key: Part[]; readonly value: Value }> {
    const { end } = within(prefix);
    let start = prefix;
    for (let first = true; ; first = false) {
      this.root.resetReadTxn();
      const range = { start, end, exclusiveStart: !first, limit: size };
      const page = [...this.root.getRange(range)];
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < size) return;
      start = last.key;
    }
  }

  /** The last so many keys that begin with `prefix`, with their values, last first; those before `before` alone. */
  last(prefix: Part[], limit: number, before?: Part[]): { readonly key: Part[]; readonly value: Value }[] {
    const { start, end } = within(prefix);
    this.root.resetReadTxn();
    const range = { reverse: true, start: before ?? end, exclusiveStart: true, end: start, limit };
    return [...this.root.getRange(range)];
  }

  /** Every key that begins with `prefix`, in key order; values are not looked at. */
  keys(prefix: Part[]): Part[][] {
    this.root.resetReadTxn();
    return [...this.root.getKeys(within(prefix))];
  }

  /**
   * The beginnings, of so many parts, of the keys that begin with `prefix`: each once, in their order, found without
   * walking over the keys that share it.
   */
  *beginnings(prefix: Part[], parts: number): Iterable<Part[]> {
    const { end } = within(prefix);
    for (let start: KeyPart[] = prefix; ;) {
      this.root.resetReadTxn();
      const [next] = [...this.root.getKeys({ start: start as Part[], end, limit: 1 })];
      if (!next) return;
      const found = next.slice(0, parts);
      yield found;
      start = within(found).end;
    }
  }

  /**
   * Runs `effect` alone among all processes; its writes are durable when this answers. It must not throw once it has
   * written: LMDB keeps what was put.
   * @throws {VaultUnavailable} the disk is full; or the outcome is unknown: a process stopped inside a transaction
   * holds up every writer
   */
  async transact<T>(
    effect: (inside: Inside<Value, Part>) => T,
    { cost = SMALL, room = 'free' }: TransactionOptions = {},
  ): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new VaultUnavailable('The vault did not store within 5 seconds: try again.')),
        WRITE_DEADLINE_MS,
      );
    });
    try {
      if (room === 'free') assertRoom(this.folder);
      const commit = this.root.transaction(() => {
        this.file.makeRoom(cost);
        return effect(this.inside());
      });
      return await Promise.race([guarded(this.folder, commit), deadline]);
    } catch (error) {
      if (error instanceof VaultUnavailable) throw error;
      const why = error instanceof DiskFull ? error.message : 'its disk may be failing.';
      throw new VaultUnavailable(`The vault could not store: ${why}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** As `transact`, holding up this process: for a start that nothing else waits for. */
  transactNow<T>(effect: (inside: Inside<Value, Part>) => T, { cost = SMALL }: TransactionOptions = {}): T {
    return this.root.transactionSync(() => {
      this.file.makeRoom(cost);
      return effect(this.inside());
    });
  }

  /** Copies the data file as it stands at one moment, beside whoever writes. @param target an empty folder */
  copyTo(target: string): Promise<void> {
    return this.root.backup(target, false);
  }

  async close(): Promise<void> {
    await this.root.close();
    this.file.close();
  }

  private inside(): Inside<Value, Part> {
    const { root } = this;
    return {
      get: (key) => root.get(key),
      keys: (prefix) => [...root.getKeys(within(prefix))],
      put: (key, value) => void root.put(key, value),
      remove: (key) => void root.remove(key),
      destroyFormer: () => undefined,
      makeRoom: (cost) => this.file.makeRoom(cost),
    };
  }
}

/** Reads and writes of one transaction. */
export interface Inside<Value = unknown, Part extends KeyPart = string> {
  readonly get: (key: Part[]) => Value | undefined;
  readonly keys: (prefix: Part[]) => Part[][];
  readonly put: (key: Part[], value: Value) => void;
  readonly remove: (key: Part[]) => void;
  /** Makes what was renewed before unreadable in every copy of it, as far as this environment seals anything. */
  readonly destroyFormer: () => void;
  /** Before the first put: for more than the transaction's cost. */
  readonly makeRoom: (cost: Cost) => void;
}

/** No part of a key begins with the last code point there is. */
const within = <Part extends KeyPart>(prefix: Part[]): { start: Part[]; end: Part[] } => ({
  start: prefix,
  end: [...prefix, '\u{10ffff}' as Part],
});
