import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE } from '../../stores/lmdb/folder.js';
import { StoreUnusable } from '../../core/errors.js';
import { isTaken, syncFolderNow } from './durable-files.js';

export const ID_BYTES = 8;
const KEY_BYTES = 32;
const SLOT_BYTES = 64;
/** A bucket has room for two keys, in one disk sector: the one that it is sealed by, and the next or the former one. */
const BUCKET_BYTES = 2 * SLOT_BYTES;

/** A key that a bucket is sealed by. */
export interface BucketKey {
  readonly id: Buffer;
  readonly key: Buffer;
}

/**
 * The keys of the buckets, in a file that is written over in place, which LMDB's pages are not. They keep no secret:
 * they are there to be destroyed. What only they open is gone then, wherever a copy of it lies.
 */
export class BucketKeys {
  private readonly known = new Map<number, BucketKey>();

  private constructor(private readonly file: number) {}

  /** Opens the file, made if there is none. @throws {StoreUnusable} it is cut short */
  static open(path: string, buckets: number): BucketKeys {
    if (!existsSync(path)) make(path, buckets);
    chmodSync(path, PRIVATE_FILE);
    const keys = new BucketKeys(openSync(path, 'r+'));
    if (keys.slots(buckets - 1) !== null) return keys;
    keys.close();
    throw new StoreUnusable(`${path} is cut short: restore the vault from its backup.`);
  }

  /** A bucket's key; `null`: it was destroyed, or never was. */
  byId(bucket: number, id: Buffer): BucketKey | null {
    const known = this.known.get(bucket);
    if (known?.id.equals(id)) return known;
    const found = this.standing(bucket).find((slot) => slot.id.equals(id)) ?? null;
    if (found) this.known.set(bucket, found);
    return found;
  }

  /** The key for a bucket that nothing was sealed in yet. Under the write lock. */
  first(bucket: number): BucketKey {
    const [standing] = this.standing(bucket);
    return standing ?? this.renew(bucket, null);
  }

  /** A new key beside the one that the bucket is sealed by. Under the write lock, to be settled. */
  renew(bucket: number, standing: Buffer | null): BucketKey {
    const [first] = this.slots(bucket) ?? [];
    const place = standing !== null && first?.id.equals(standing) ? 1 : 0;
    const fresh = { id: randomBytes(ID_BYTES), key: randomBytes(KEY_BYTES) };
    this.write(bucket, place, Buffer.concat([fresh.id, fresh.key]));
    return fresh;
  }

  /** What was renewed stands after a power cut. */
  settle(): void {
    fsyncSync(this.file);
  }

  /**
   * Destroys every key but those that buckets are sealed by. Under the write lock.
   * @param idOf of the key that a bucket is sealed by, as it was committed
   */
  keepOnly(buckets: number, idOf: (bucket: number) => Buffer | null): void {
    let changed = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      if (this.standing(bucket).length < 2) continue;
      const id = idOf(bucket);
      (this.slots(bucket) ?? []).forEach((slot, place) => {
        if (id?.equals(slot.id)) return;
        this.write(bucket, place, Buffer.alloc(SLOT_BYTES));
        changed++;
      });
      this.known.delete(bucket);
    }
    if (changed > 0) this.settle();
  }

  close(): void {
    closeSync(this.file);
  }

  private standing(bucket: number): readonly BucketKey[] {
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

/** Whole or not at all, and never over another process's. */
function make(path: string, buckets: number): void {
  const slots = Array.from({ length: buckets }, () => [
    randomBytes(ID_BYTES + KEY_BYTES),
    Buffer.alloc(BUCKET_BYTES - ID_BYTES - KEY_BYTES),
  ]);
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, Buffer.concat(slots.flat()), { mode: PRIVATE_FILE, flush: true });
    linkSync(draft, path);
  } catch (error) {
    if (!isTaken(error)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolderNow(dirname(path));
}
