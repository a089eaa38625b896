import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnusable } from '../../core/errors.js';
import { makeFileOnce, PRIVATE_FILE } from '../../stores/lmdb/folder.js';
import { syncFolderNow } from './durable-files.js';

/** Bytes of a bucket key’s id. */
export const ID_BYTES = 8;
const KEY_BYTES = 32;
const SLOT_BYTES = 64;
/** A bucket has room for two keys, in one disk sector: the one that seals it now, and the next or the former one. */
const BUCKET_BYTES = 2 * SLOT_BYTES;

/** A key that seals a bucket. */
export interface BucketKey {
  readonly id: Buffer;
  readonly key: Buffer;
}

/**
 * The keys of the buckets, in a file that is overwritten in place; LMDB's pages are not. They are stored unwrapped and
 * protect nothing by themselves: once a key is destroyed, no copy of a bucket that it sealed can be opened.
 */
export class BucketKeys {
  private readonly known = new Map<number, BucketKey>();

  private constructor(private readonly file: number) {}

  /** Opens the file, made if there is none, unless it is only read. @throws {StoreUnusable} lost or cut short */
  static open(path: string, buckets: number, readOnly: boolean): BucketKeys {
    if (!readOnly) {
      if (!existsSync(path)) make(path, buckets);
      chmodSync(path, PRIVATE_FILE);
    } else if (!existsSync(path))
      throw new StoreUnusable(`${path} is lost: restore the vault from its backup.`);
    const keys = new BucketKeys(openSync(path, readOnly ? 'r' : 'r+'));
    try {
      if (keys.slots(buckets - 1) !== null) return keys;
      throw new StoreUnusable(`${path} is cut short: restore the vault from its backup.`);
    } catch (error) {
      keys.close();
      throw error;
    }
  }

  /** A bucket's key; `null`: it was destroyed, or was never made. */
  byId(bucket: number, id: Buffer): BucketKey | null {
    const known = this.known.get(bucket);
    if (known?.id.equals(id)) return known;
    const found = this.keysOf(bucket).find((slot) => slot.id.equals(id)) ?? null;
    if (found) this.known.set(bucket, found);
    return found;
  }

  /** The key for a bucket that was never sealed. Call it under the write lock. */
  first(bucket: number): BucketKey {
    const [current] = this.keysOf(bucket);
    return current ?? this.renew(bucket, null);
  }

  /**
   * A new key beside the one that seals the bucket. Call it under the write lock; `sync` makes the key durable.
   * @param current id of the key that the bucket is sealed by
   */
  renew(bucket: number, current: Buffer | null): BucketKey {
    const [first] = this.slots(bucket) ?? [];
    const place = current !== null && first?.id.equals(current) ? 1 : 0;
    const fresh = { id: randomBytes(ID_BYTES), key: randomBytes(KEY_BYTES) };
    this.write(bucket, place, Buffer.concat([fresh.id, fresh.key]));
    return fresh;
  }

  /** Makes renewed keys durable. */
  sync(): void {
    fsyncSync(this.file);
  }

  /**
   * Destroys every key except those that seal buckets. Call it under the write lock.
   * @param committedId returns the committed id of the key that a bucket is sealed by
   */
  keepOnly(buckets: number, committedId: (bucket: number) => Buffer | null): void {
    let changed = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      if (this.keysOf(bucket).length < 2) continue;
      const id = committedId(bucket);
      (this.slots(bucket) ?? []).forEach((slot, place) => {
        if (id?.equals(slot.id)) return;
        this.write(bucket, place, Buffer.alloc(SLOT_BYTES));
        changed++;
      });
      this.known.delete(bucket);
    }
    if (changed > 0) this.sync();
  }

  close(): void {
    closeSync(this.file);
  }

  private keysOf(bucket: number): readonly BucketKey[] {
    return (this.slots(bucket) ?? []).filter(({ id }) => id.some((byte) => byte !== 0));
  }

  private slots(bucket: number): readonly BucketKey[] | null {
    const bytes = Buffer.alloc(BUCKET_BYTES);
    if (readSync(this.file, bytes, 0, BUCKET_BYTES, bucket * BUCKET_BYTES) < BUCKET_BYTES) return null;
    return [0, SLOT_BYTES].map((at) => ({
      id: bytes.subarray(at, at + ID_BYTES),
      key: bytes.subarray(at + ID_BYTES, at + ID_BYTES + KEY_BYTES),
    }));
  }

  private write(bucket: number, place: number, bytes: Buffer): void {
    writeSync(this.file, bytes, 0, bytes.length, bucket * BUCKET_BYTES + place * SLOT_BYTES);
  }
}

function make(path: string, buckets: number): void {
  const size = ID_BYTES + KEY_BYTES;
  const keys = randomBytes(buckets * size);
  const file = Buffer.alloc(buckets * BUCKET_BYTES);
  for (let bucket = 0; bucket < buckets; bucket++)
    keys.copy(file, bucket * BUCKET_BYTES, bucket * size, (bucket + 1) * size);
  makeFileOnce(path, file);
  syncFolderNow(dirname(path));
}
