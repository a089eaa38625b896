import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { link, mkdir, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, VaultUnavailable } from '../../core/errors.js';
import { assertPersonId, type PersonId, type PersonKey } from '../../core/vault/port.js';
import { asDiskFull, assertRoom, DiskFull } from '../../stores/lmdb/disk-room.js';
import { PRIVATE_FILE, makePrivateFolder } from '../../stores/lmdb/folder.js';
import { unreadable, wrappedByNeither, WRAPPED_KEY_BYTES, type WrappingKey } from '../data-key.js';
import { overwriteNow, syncFolder, syncFolderNow, using } from './durable-files.js';

const SHARDS = Array.from({ length: 256 }, (_, shard) => shard.toString(16).padStart(2, '0'));
/**
 * A key file has room for two wrapped forms, each in a disk sector of its own, so that at any moment one of them is
 * intact.
 */
const SLOTS = [0, 512] as const;
const FILE_BYTES = SLOTS[1] + WRAPPED_KEY_BYTES;
/** Age of a draft, in milliseconds, from which the process that made it counts as dead. */
const STALE_MS = 3_600_000;

/**
 * One small file per wrapped person key: unlike a database's pages, a file can be overwritten in place.
 *
 *     keys/<shard>/<person>     the wrapped key
 *     erased/<shard>/<person>   the tombstone: empty, there for good, stronger than any key
 *     made/                     drafts of key files, before they get their name
 */
export class KeyFiles {
  private readonly made: string;
  private readonly shards = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly wrapping: WrappingKey,
  ) {
    this.made = join(folder, 'made');
  }

  /** Makes missing folders, durably, and removes drafts that were never finished. */
  prepare(): void {
    for (const kind of ['keys', 'erased', 'made']) makePrivateFolder(join(this.folder, kind));
    syncFolderNow(this.folder);
    for (const name of readdirSync(this.made)) {
      const path = join(this.made, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat && Date.now() - stat.mtimeMs > STALE_MS) unlinkSync(path);
    }
  }

  /** Whether a key or a tombstone was ever made in the folder. */
  static anyIn(folder: string): boolean {
    return ['keys', 'erased'].some((kind) => {
      const shards = join(folder, kind);
      const made = new Set(namesIn(shards));
      return SHARDS.some((shard) => made.has(shard) && namesIn(join(shards, shard)).length > 0);
    });
  }

  /**
   * The key or tombstone; `null`: neither. Synchronous: two system calls on a local disk cost less than a promise.
   * @throws {StoreUnusable} the key cannot be unwrapped
   */
  read(person: PersonId): PersonKey | null {
    const form = this.form(person);
    if (form === null || form === 'erased') return form && { kind: 'erased' };
    return { kind: 'key', key: form.key };
  }

  /** As `read`, but returns the wrapped key; `null`: neither key nor tombstone. @throws {StoreUnusable} as `read` */
  wrapped(person: PersonId): Buffer | 'erased' | null {
    const form = this.form(person);
    return form === null || form === 'erased' ? form : form.wrapped;
  }

  private form(person: PersonId): Form | 'erased' | null {
    if (this.isErased(person)) return 'erased';
    try {
      const form = formIn(readFileSync(this.keyPath(person)), person, this.wrapping);
      if (form) return form;
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
      // The person may have been erased between the two reads.
      return this.isErased(person) ? 'erased' : null;
    }
    if (this.isErased(person)) return 'erased';
    throw unreadable(`The key of person ${person}`);
  }

  /** Makes a key if there is neither one nor a tombstone; the stored key is durable when it resolves. */
  create(person: PersonId): Promise<void> {
    return this.insert(person, () => this.wrapping.wrapNew(person));
  }

  /** As `create`, with the wrapped key that `make` returns. */
  async insert(person: PersonId, make: () => Buffer): Promise<void> {
    if (this.isErased(person)) return this.destroy(person);
    await this.withRoom(async () => {
      assertRoom(this.folder);
      await this.insertFile(person, make);
    });
    // A concurrent erasure either finds the key's file, or this check finds its tombstone.
    if (this.isErased(person)) await this.destroy(person);
  }

  private async insertFile(person: PersonId, make: () => Buffer): Promise<void> {
    const target = this.keyPath(person);
    const shard = await this.madeShard(target);
    if (isThere(target)) return syncFolder(shard);
    const path = join(this.made, randomUUID());
    try {
      await writeFile(path, contentOf(make()), { flag: 'wx', mode: PRIVATE_FILE, flush: true });
      // Atomic, and it replaces no existing file: no reader sees a half-written key.
      await link(path, target);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    } finally {
      await rm(path, { force: true });
    }
    // Even if another process made the file first: its name may not be durable yet.
    await syncFolder(shard);
  }

  /** Makes the tombstone: from here on the person is erased, with or without a key file. Idempotent. */
  async makeTombstone(person: PersonId): Promise<void> {
    const path = this.tombstonePath(person);
    await this.withRoom(async () => {
      const shard = await this.madeShard(path);
      await using(path, 'a', (file) => file.sync());
      await syncFolder(shard);
    });
  }

  /** @throws {VaultUnavailable} the disk is full */
  private async withRoom(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const failure = asDiskFull(this.folder, error);
      if (!(failure instanceof DiskFull)) throw error;
      throw new VaultUnavailable(`The vault could not store: ${failure.message}`, { cause: failure });
    }
  }

  /** Overwrites and removes the key's file, if there is one. */
  async destroy(person: PersonId): Promise<void> {
    const path = this.keyPath(person);
    try {
      await using(path, 'r+', async (file) => {
        const { size } = await file.stat();
        await file.write(Buffer.alloc(Math.max(size, FILE_BYTES)), 0, undefined, 0);
        await file.sync();
      });
      await unlink(path);
      await syncFolder(dirname(path));
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }

  /** Every person with a key file, shard by shard. */
  persons(): Iterable<PersonId> {
    return this.named('keys');
  }

  /** Every person with a tombstone, shard by shard. */
  tombstones(): Iterable<PersonId> {
    return this.named('erased');
  }

  /** The tombstones of the first shard after `after` that has any, and its name; `null` if none follows. */
  tombstonesAfter(after: string | null): {
    readonly persons: readonly PersonId[];
    readonly end: string | null;
  } {
    for (const end of SHARDS.filter((shard) => after === null || shard > after)) {
      const persons = namesIn(join(this.folder, 'erased', end)) as PersonId[];
      if (persons.length > 0) return { persons, end };
    }
    return { persons: [], end: null };
  }

  private *named(kind: 'keys' | 'erased'): Iterable<PersonId> {
    for (const shard of SHARDS) yield* namesIn(join(this.folder, kind, shard)) as PersonId[];
  }

  /**
   * Rewraps a key that `former` still wraps: writes the new form beside the old one, then overwrites the old one, so
   * that the key is readable at every moment. One process at a time.
   * @throws {StoreUnusable} wrapped by neither
   */
  rewrap(person: PersonId, former: WrappingKey): void {
    try {
      const path = this.keyPath(person);
      const content = readFileSync(path);
      const old = formIn(content, person, former);
      if (old && !formIn(content, person, this.wrapping))
        writeBeside(path, old.wrapped, this.wrapping.wrap(old.key, person));
      const renewed = formIn(readFileSync(path), person, this.wrapping);
      if (!renewed) throw wrappedByNeither(`The key of person ${person}`);
      keepOnly(path, renewed.wrapped);
    } catch (error) {
      // The person is erased or being erased: the key need not stay readable.
      if (!this.isErased(person)) throw error;
    }
  }

  /** Replaces `stored`, if it is unchanged, by another wrapped form of the same key. One process at a time. */
  replace(person: PersonId, stored: Buffer, wrapped: Buffer): void {
    try {
      const path = this.keyPath(person);
      const current = formIn(readFileSync(path), person, this.wrapping);
      if (!current?.wrapped.equals(stored)) return;
      writeBeside(path, stored, wrapped);
      keepOnly(path, wrapped);
    } catch (error) {
      if (!this.isErased(person)) throw error;
    }
  }

  /**
   * Makes a file's folder. Syncs it once in each process, since another process's new folder may not be durable yet.
   */
  private async madeShard(path: string): Promise<string> {
    const shard = dirname(path);
    if (this.shards.has(shard)) return shard;
    await mkdir(shard, { recursive: true, mode: 0o700 });
    await syncFolder(dirname(shard));
    this.shards.add(shard);
    return shard;
  }

  /** Whether there is a tombstone. */
  isErased(person: PersonId): boolean {
    return isThere(this.tombstonePath(person));
  }

  private keyPath(person: PersonId): string {
    return join(this.folder, 'keys', shardOf(person), person);
  }

  private tombstonePath(person: PersonId): string {
    return join(this.folder, 'erased', shardOf(person), person);
  }
}

/**
 * The folder of a person's key, by hash, since ids may share their beginnings. Throws for an id that could name
 * another file.
 */
function shardOf(person: PersonId): string {
  assertPersonId(person);
  return createHash('sha256').update(person).digest('hex').slice(0, 2);
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** The file of a wrapped key. */
function contentOf(wrapped: Buffer): Buffer {
  const content = Buffer.alloc(FILE_BYTES);
  wrapped.copy(content, SLOTS[0]);
  return content;
}

/** A key's stored form. */
interface Form {
  readonly wrapped: Buffer;
  readonly key: Buffer;
}

/** The form that `wrapping` opens, if there is one. */
function formIn(content: Buffer, person: PersonId, wrapping: WrappingKey): Form | null {
  for (const at of SLOTS) {
    const wrapped = slot(content, at);
    const key = wrapping.unwrap(wrapped, person);
    if (key) return { wrapped, key };
  }
  return null;
}

/** Writes `wrapped` beside `current`, so that one of them is intact at any moment. One process at a time. */
function writeBeside(path: string, current: Buffer, wrapped: Buffer): void {
  overwriteNow(path, wrapped, otherThan(readFileSync(path), current));
}

/** Overwrites the form beside `current`. One process at a time. */
function keepOnly(path: string, current: Buffer): void {
  const content = readFileSync(path);
  const other = otherThan(content, current);
  if (slot(content, other).some((byte) => byte !== 0))
    overwriteNow(path, Buffer.alloc(WRAPPED_KEY_BYTES), other);
}

const slot = (content: Buffer, at: number): Buffer => content.subarray(at, at + WRAPPED_KEY_BYTES);

const otherThan = (content: Buffer, current: Buffer): number =>
  slot(content, SLOTS[0]).equals(current) ? SLOTS[1] : SLOTS[0];
