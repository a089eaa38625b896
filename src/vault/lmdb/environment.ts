import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VaultUnavailable } from '../../core/errors.js';
import {
  Environment as LmdbEnvironment,
  type OpenOptions,
  realFolder,
  type WriteOptions,
} from '../../stores/lmdb/environment.js';
import type { StoreKind } from '../../stores/lmdb/faults.js';
import { dataFile } from '../../stores/lmdb/folder.js';
import type { Cost } from '../../stores/lmdb/growing-file.js';

const PAGE = 500;

/** A part of a key. Numbers come before texts, in their order. */
export type KeyPart = string | number;

/** One of the vault's environments. */
interface Kind extends StoreKind {
  readonly folder: string;
  readonly encoding: 'json' | 'binary';
}

const kind = (folder: string, name: string, encoding: Kind['encoding']): Kind => ({
  folder,
  encoding,
  name,
  subject: `The vault's ${name}`,
  remedy: () => 'Stop every process that uses it, keep a copy of the folder, and restore the last backup.',
  mayBeForeign: false,
  Unavailable: VaultUnavailable,
});

export const LOOK_UPS = kind('look-ups', 'look-ups', 'json');
export const AUDIO = kind('audio', 'audio', 'binary');

/** Whether a folder has a vault: the look-ups are made first. */
export const isVault = (folder: string): boolean => existsSync(dataFile(join(folder, LOOK_UPS.folder)));

/** By default an environment is opened to be written to, and made if there is none. */
export type Access = Pick<OpenOptions, 'readOnly'>;

export interface TransactionOptions extends Pick<WriteOptions, 'cost' | 'room'> {
  /**
   * Seals each changed bucket by a new key. After a later transaction calls `destroyFormerKeys`, no old copy can be
   * read.
   */
  readonly renews?: boolean;
}

/**
 * Options of transactions that may use the reserve, such as removals and records of reads: they succeed on a nearly
 * full disk.
 */
export const FROM_RESERVE: TransactionOptions = { room: 'reserve' };

/** Values under keys of several parts, in an LMDB environment. LMDB does not wipe what it frees. */
export class Environment<Value = unknown, Part extends KeyPart = string> {
  protected constructor(private readonly lmdb: LmdbEnvironment<Value, Part[]>) {}

  protected get folder(): string {
    return this.lmdb.folder;
  }

  /** Sealed audio and files, as bytes. @throws {StoreUnusable} damaged, or no LMDB environment */
  static openChunks(folder: string, access: Access = {}): Environment<Buffer, KeyPart> {
    return new Environment(Environment.openLmdb<Buffer, KeyPart>(folder, AUDIO, access));
  }

  /** @throws {StoreUnusable} */
  protected static openLmdb<Value, Part extends KeyPart>(
    folder: string,
    kind: Kind,
    { readOnly = false }: Access,
  ): LmdbEnvironment<Value, Part[]> {
    const path = realFolder(join(folder, kind.folder), kind, readOnly);
    return LmdbEnvironment.open(path, kind, { encoding: kind.encoding, readOnly });
  }

  /** The newest value that any process has committed; `undefined`: there is none. */
  get(key: Part[]): Value | undefined {
    return this.lmdb.read(() => this.root.get(key));
  }

  /** Keys and values of every key that begins with `prefix`, in key order, read page by page as the caller iterates. */
  *walk(prefix: Part[], size = PAGE): Iterable<{ readonly key: Part[]; readonly value: Value }> {
    const { end } = within(prefix);
    let start = prefix;
    for (let first = true; ; first = false) {
      const range = { start, end, exclusiveStart: !first, limit: size };
      const page = this.lmdb.read(() => [...this.root.getRange(range)]);
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < size) return;
      start = last.key;
    }
  }

  /** The last keys that begin with `prefix`, at most `limit`, with their values, last first; only those before `before`. */
  last(prefix: Part[], limit: number, before?: Part[]): { readonly key: Part[]; readonly value: Value }[] {
    const { start, end } = within(prefix);
    const range = { reverse: true, start: before ?? end, exclusiveStart: true, end: start, limit };
    return this.lmdb.read(() => [...this.root.getRange(range)]);
  }

  /** Every key that begins with `prefix`, in key order, without their values. */
  keys(prefix: Part[]): Part[][] {
    return this.lmdb.read(() => [...this.root.getKeys(within(prefix))]);
  }

  /**
   * The first `parts` parts of the keys that begin with `prefix`: each once, in their order, found without
   * walking over the keys that share it.
   * @param after only those after this beginning
   */
  *beginnings(prefix: Part[], parts: number, after?: Part[]): Iterable<Part[]> {
    const { end } = within(prefix);
    for (let start: KeyPart[] = after ? within(after).end : prefix; ;) {
      const range = { start: start as Part[], end, limit: 1 };
      const [next] = this.lmdb.read(() => [...this.root.getKeys(range)]);
      if (!next) return;
      const found = next.slice(0, parts);
      yield found;
      start = within(found).end;
    }
  }

  /**
   * Runs `effect` while no other process writes; its writes are durable when this resolves. It must not throw once it
   * has written: LMDB keeps what was put.
   * @throws {VaultUnavailable} the disk is full, or the outcome is unknown: a process that is suspended inside a
   *   transaction blocks all writers
   */
  async transact<T>(
    effect: (inside: Inside<Value, Part>) => T,
    { cost, room = 'free' }: TransactionOptions = {},
  ): Promise<T> {
    return this.lmdb.write(() => effect(this.inside()), { room, ...(cost && { cost }) });
  }

  /** As `transact`, blocking this process: for a start that nothing else waits for. */
  transactNow<T>(effect: (inside: Inside<Value, Part>) => T, { cost }: TransactionOptions = {}): T {
    return this.lmdb.writeNow(() => effect(this.inside()), cost);
  }

  /** Copies the data file as of one moment, beside any writer. @param target an empty folder */
  copyTo(target: string): Promise<void> {
    return this.lmdb.copyTo(target);
  }

  async close(): Promise<void> {
    await this.lmdb.close();
  }

  private get root(): LmdbEnvironment<Value, Part[]>['root'] {
    return this.lmdb.root;
  }

  private inside(): Inside<Value, Part> {
    const { root } = this;
    return {
      get: (key) => root.get(key),
      keys: (prefix) => [...root.getKeys(within(prefix))],
      put: (key, value) => void root.put(key, value),
      remove: (key) => void root.remove(key),
      destroyFormerKeys: () => undefined,
      makeRoom: (cost) => this.lmdb.makeRoom(cost),
    };
  }
}

/** Reads and writes of one transaction. */
export interface Inside<Value = unknown, Part extends KeyPart = string> {
  readonly get: (key: Part[]) => Value | undefined;
  readonly keys: (prefix: Part[]) => Part[][];
  readonly put: (key: Part[], value: Value) => void;
  readonly remove: (key: Part[]) => void;
  /** Destroys the keys that former transactions have replaced (`renews`). Has no effect if the environment seals nothing. */
  readonly destroyFormerKeys: () => void;
  /** Call it before the first put if the transaction takes more room than its `cost` says. */
  readonly makeRoom: (cost: Cost) => void;
}

/** No part of a key begins with the last code point. */
const within = <Part extends KeyPart>(prefix: Part[]): { start: Part[]; end: Part[] } => ({
  start: prefix,
  end: [...prefix, '\u{10ffff}' as Part],
});
