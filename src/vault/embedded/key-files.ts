import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { link, mkdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreUnusable } from '../../event-store/errors.js';
import type { PersonId, PersonKey } from '../port.js';
import { isMissing, isTaken, overwriteNow, syncFolder, syncFolderNow, using } from './durable-files.js';
import { WRAPPING_OVERHEAD, type WrappingKey } from './wrapping.js';

const KEY_BYTES = 32;
const WRAPPED_BYTES = KEY_BYTES + WRAPPING_OVERHEAD;
/** A key file has room for two wrapped forms, each in a disk sector of its own, so that one is whole at any moment. */
const SLOTS = [0, 512] as const;
const FILE_BYTES = SLOTS[1] + WRAPPED_BYTES;

const SHARDS = Array.from({ length: 256 }, (_, shard) => shard.toString(16).padStart(2, '0'));
const PERSON_ID = /^[A-Za-z0-9_-]{1,128}$/;
/** A file that was being made when its process died. */
const STALE_MS = 3_600_000;

/**
 * One small file per wrapped person key: unlike a database, a file system lets what it holds be overwritten.
 *
 *     keys/<shard>/<person>     the wrapped key
 *     erased/<shard>/<person>   the tombstone: empty, there for good, stronger than any key
 *     made/                     keys on their way to their name
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

  /** Makes whatever folders are missing, durably, and clears away what was never finished. */
  prepare(): void {
    for (const kind of ['keys', 'erased', 'made'])
      mkdirSync(join(this.folder, kind), { recursive: true, mode: 0o700 });
    syncFolderNow(this.folder);
    for (const name of readdirSync(this.made)) {
      const path = join(this.made, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat && Date.now() - stat.mtimeMs > STALE_MS) unlinkSync(path);
    }
  }

  /** Whether a key or a tombstone was ever made in the folder. */
  static anyIn(folder: string): boolean {
    return ['keys', 'erased'].some((kind) =>
      SHARDS.some((shard) => namesIn(join(folder, kind, shard)).length > 0),
    );
  }

  /** Reads at once: two system calls on a local disk cost less than a promise. */
  read(person: PersonId): PersonKey | null {
    if (this.isErased(person)) return { kind: 'erased' };
    try {
      const key = unwrap(readFileSync(this.keyPath(person)), person, this.wrapping);
      if (key) return { kind: 'key', key };
    } catch (error) {
      if (!isMissing(error)) throw error;
      // It may have been erased between the two looks.
      return this.isErased(person) ? { kind: 'erased' } : null;
    }
    if (this.isErased(person)) return { kind: 'erased' };
    throw new StoreUnusable(
      `The key of person ${person} cannot be unwrapped: its file is damaged, or DATA_KEY was changed by another process. Restart with the current DATA_KEY, or restore the vault from its backup.`,
    );
  }

  /** Makes a key if there is neither one nor a tombstone; what stands is durable then. */
  async create(person: PersonId): Promise<void> {
    if (this.isErased(person)) return;
    const target = this.keyPath(person);
    const shard = await this.madeShard(target);
    if (isThere(target)) return syncFolder(shard);
    const path = join(this.made, randomUUID());
    const content = Buffer.alloc(FILE_BYTES);
    this.wrapping.wrap(randomBytes(KEY_BYTES), person).copy(content, SLOTS[0]);
    await using(path, 'wx', async (file) => {
      await file.writeFile(content);
      await file.sync();
    });
    try {
      // Whole or not at all, and never over another: no reader sees a key that is half written.
      await link(path, target);
    } catch (error) {
      if (!isTaken(error)) throw error;
    } finally {
      await unlink(path);
    }
    // Also where another process was first: its name need not be durable yet.
    await syncFolder(shard);
    // An erasure that ran meanwhile has either seen the key or is seen here.
    if (this.isErased(person)) await this.destroy(person);
  }

  /** From here on the person is erased, whatever becomes of the key's file. Again: the same. */
  async entomb(person: PersonId): Promise<void> {
    const path = this.tombstonePath(person);
    const shard = await this.madeShard(path);
    await using(path, 'a', (file) => file.sync());
    await syncFolder(shard);
  }

  /** Overwrites and removes the key's file, if it is still there. */
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
      if (!isMissing(error)) throw error;
    }
  }

  /** Every person with a key file, shard by shard. */
  *persons(): Iterable<PersonId> {
    for (const shard of SHARDS) yield* namesIn(join(this.folder, 'keys', shard)) as PersonId[];
  }

  /**
   * Wraps one key afresh if it is still wrapped by `former`: the new form beside the old, then the old overwritten,
   * so that it is readable at every moment. One process at a time.
   * @throws {StoreUnusable} wrapped by neither
   */
  rewrap(person: PersonId, former: WrappingKey): void {
    try {
      this.rewrapStanding(person, former);
    } catch (error) {
      // Erased or being erased: there is nothing left to keep readable.
      if (!this.isErased(person)) throw error;
    }
  }

  private rewrapStanding(person: PersonId, former: WrappingKey): void {
    const path = this.keyPath(person);
    const content = readFileSync(path);
    const key = unwrap(content, person, former);
    if (key && !unwrap(content, person, this.wrapping)) {
      const free = former.unwrap(slot(content, SLOTS[0]), person) ? SLOTS[1] : SLOTS[0];
      overwriteNow(path, this.wrapping.wrap(key, person), free);
    }
    const renewed = key ? readFileSync(path) : content;
    const standing = SLOTS.find((at) => this.wrapping.unwrap(slot(renewed, at), person));
    if (standing === undefined)
      throw new StoreUnusable(
        `The key of person ${person} is wrapped neither by DATA_KEY nor by DATA_KEY_PREVIOUS, or its file is damaged: restore it from the vault's backup.`,
      );
    const other = standing === SLOTS[0] ? SLOTS[1] : SLOTS[0];
    if (slot(renewed, other).some((byte) => byte !== 0))
      overwriteNow(path, Buffer.alloc(WRAPPED_BYTES), other);
  }

  /** Makes a file's folder. Where another process was first, that need not be durable yet: each sees to it once. */
  private async madeShard(path: string): Promise<string> {
    const shard = dirname(path);
    if (this.shards.has(shard)) return shard;
    await mkdir(shard, { recursive: true, mode: 0o700 });
    await syncFolder(dirname(shard));
    this.shards.add(shard);
    return shard;
  }

  private isErased(person: PersonId): boolean {
    return isThere(this.tombstonePath(person));
  }

  private keyPath(person: PersonId): string {
    return join(this.folder, 'keys', shardOf(person), person);
  }

  private tombstonePath(person: PersonId): string {
    return join(this.folder, 'erased', shardOf(person), person);
  }
}

/** By hash, since ids may share their beginnings. Refuses what could name another file than its own. */
function shardOf(person: PersonId): string {
  if (!PERSON_ID.test(person))
    throw new RangeError('A person id has 1 to 128 characters of A-Z, a-z, 0-9, _ and -.');
  return createHash('sha256').update(person).digest('hex').slice(0, 2);
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

const slot = (content: Buffer, at: number): Buffer => content.subarray(at, at + WRAPPED_BYTES);

function unwrap(content: Buffer, person: PersonId, wrapping: WrappingKey): Buffer | null {
  for (const at of SLOTS) {
    const key = wrapping.unwrap(slot(content, at), person);
    if (key) return key;
  }
  return null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
