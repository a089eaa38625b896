import { createHash } from 'node:crypto';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreUnusable, VaultUnavailable } from '../../core/errors.js';
import { decrypt, encrypt } from '../../core/gcm.js';
import type { Environment as LmdbEnvironment } from '../../stores/lmdb/environment.js';
import { type BucketKey, BucketKeys, ID_BYTES } from './bucket-keys.js';
import { type Access, Environment, type Inside, LOOK_UPS, type TransactionOptions } from './environment.js';

/**
 * Kinds of entries, by the first part of their keys, that are in buckets: once an entry is removed, no copy of it may
 * be readable.
 */
const BUCKETED: ReadonlySet<string> = new Set(['identity', 'carrier', 'person', 'secret']);
/**
 * The number of buckets of entries about persons. With fewer buckets a change reveals less about the person; with more
 * buckets each is smaller.
 */
const PERSON_BUCKETS = 1024;
/** The number of the bucket that has all secrets. */
const SECRETS = PERSON_BUCKETS;
const BUCKETS = PERSON_BUCKETS + 1;
const KEYS_FILE = 'keys';
/** How often a bucket or copy is read again if an erasure has changed it meanwhile. */
const ATTEMPTS = 50;
/** Room for the change of an entry that is in no bucket, in bytes: such entries are small. */
const ENTRY_BYTES = 1024;
/** Joins the parts of an entry's key to its name in a bucket. No part contains it. */
const SEPARATOR = '\0';

/** A bucket's entries by name. */
type Content = ReadonlyMap<string, unknown>;

/** An opened bucket. */
interface Bucket {
  /** The id of the key that it is sealed by; `null`: it was never sealed. */
  readonly id: Buffer | null;
  readonly content: Map<string, unknown>;
  changed: boolean;
}

/**
 * The vault's look-ups and wrapped secrets. LMDB does not wipe what it frees, so entries that must be erasable are in
 * buckets, each sealed by a key in a file that is overwritten in place. An erasure is two transactions: one with
 * `renews` seals the changed buckets by new keys, and one calls `destroyFormerKeys`. Everything else is stored
 * unsealed. `get`, `walk` and transactions open buckets; `keys`, `last` and `beginnings` find only what is outside.
 *
 *     bucket <number>      key's id, sealed entries: JSON, in base64
 */
export class LookUpEnvironment extends Environment {
  private readonly bucketKeys: BucketKeys;

  private constructor(lmdb: LmdbEnvironment<unknown, string[]>) {
    super(lmdb);
    this.bucketKeys = BucketKeys.open(join(lmdb.folder, KEYS_FILE), BUCKETS, lmdb.readOnly);
  }

  /** @param vault its folder. @throws {StoreUnusable} damaged, or no LMDB environment */
  static async openIn(vault: string, access: Access = {}): Promise<LookUpEnvironment> {
    const lmdb = Environment.openLmdb<unknown, string>(vault, LOOK_UPS, access);
    try {
      return new LookUpEnvironment(lmdb);
    } catch (error) {
      await lmdb.close();
      throw error;
    }
  }

  override get(key: string[]): unknown {
    return isInBucket(key) ? this.contentOf(bucketOf(key)).get(nameOf(key)) : super.get(key);
  }

  override *walk(
    prefix: string[],
    size?: number,
  ): Iterable<{ readonly key: string[]; readonly value: unknown }> {
    if (!isInBucket(prefix)) {
      yield* super.walk(prefix, size);
      return;
    }
    const isOfAllPersons = prefix.length === 1 && prefix[0] !== 'secret';
    const buckets = isOfAllPersons ? [...Array(PERSON_BUCKETS).keys()] : [bucketOf(prefix)];
    const found = buckets.flatMap((bucket) => within(this.contentOf(bucket), prefix));
    found.sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [name, value] of found) yield { key: name.split(SEPARATOR), value };
  }

  override transact<T>(effect: (inside: Inside) => T, options: TransactionOptions = {}): Promise<T> {
    return super.transact((inside) => this.inBuckets(inside, effect, options), options);
  }

  override transactNow<T>(effect: (inside: Inside) => T, options: TransactionOptions = {}): T {
    return super.transactNow((inside) => this.inBuckets(inside, effect, options), options);
  }

  /** As `Environment.copyTo`, with the keys of the same moment. */
  override async copyTo(target: string): Promise<void> {
    const file = join(this.folder, KEYS_FILE);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = await readFile(file);
      await super.copyTo(target);
      await copyFile(file, join(target, KEYS_FILE));
      // If keys were renewed or destroyed meanwhile, they may not be those of the copied buckets.
      if (before.equals(await readFile(join(target, KEYS_FILE)))) return;
      await rm(join(target, 'data.mdb'), { force: true });
    }
    throw new VaultUnavailable(
      'The vault could not be copied, since so many people are being erased: try again.',
    );
  }

  override async close(): Promise<void> {
    await super.close();
    this.bucketKeys.close();
  }

  /**
   * Runs `effect` on opened buckets, and writes its changes once it has ended: if it throws, nothing is written.
   * `effect` does not read its own changes of entries outside buckets. Its `keys` opens one bucket, so a prefix of
   * entries about persons needs the part after the kind too.
   */
  private inBuckets<T>(
    raw: Inside,
    effect: (inside: Inside) => T,
    { renews = false }: TransactionOptions,
  ): T {
    const buckets = new Map<number, Bucket>();
    const otherChanges: (() => void)[] = [];
    const bucketWith = (key: string[]): Bucket => {
      const number = bucketOf(key);
      const bucket = buckets.get(number) ?? this.openBucket(number, raw.get(keyOf(number)));
      if (!bucket) throw lost(number);
      buckets.set(number, bucket);
      return bucket;
    };
    const change = (key: string[], apply: (content: Bucket['content']) => void): void => {
      const bucket = bucketWith(key);
      apply(bucket.content);
      bucket.changed = true;
    };
    const result = effect({
      get: (key) => (isInBucket(key) ? bucketWith(key).content.get(nameOf(key)) : raw.get(key)),
      keys: (prefix) => {
        if (!isInBucket(prefix)) return raw.keys(prefix);
        return within(bucketWith(prefix).content, prefix).map(([name]) => name.split(SEPARATOR));
      },
      put: (key, value) => {
        if (isInBucket(key)) change(key, (content) => content.set(nameOf(key), value));
        else otherChanges.push(() => raw.put(key, value));
      },
      remove: (key) => {
        if (isInBucket(key)) change(key, (content) => content.delete(nameOf(key)));
        else otherChanges.push(() => raw.remove(key));
      },
      destroyFormerKeys: () => {
        this.bucketKeys.keepOnly(BUCKETS, (number) => idIn(raw.get(keyOf(number))));
      },
      makeRoom: raw.makeRoom,
    });
    const changed = [...buckets].filter(([, bucket]) => bucket.changed);
    // The first change makes all buckets: a single bucket would reveal that a person is in it.
    if (changed.length > 0 && raw.get(keyOf(0)) === undefined)
      for (let number = 0; number < BUCKETS; number++)
        if (!buckets.get(number)?.changed) changed.push([number, EMPTY]);
    const sealed = changed.map(
      ([number, bucket]) => [number, this.sealBucket(number, bucket, renews)] as const,
    );
    if (renews && changed.length > 0) this.bucketKeys.sync();
    raw.makeRoom({
      changes: sealed.length + otherChanges.length,
      bytes: sealed.reduce((sum, [, value]) => sum + value.length, ENTRY_BYTES * otherChanges.length),
    });
    for (const change of otherChanges) change();
    for (const [number, value] of sealed) raw.put(keyOf(number), value);
    return result;
  }

  private sealBucket(number: number, { id, content }: Bucket, renews: boolean): string {
    const key = renews ? this.bucketKeys.renew(number, id) : this.currentKey(number, id);
    const text = Buffer.from(JSON.stringify([...content]));
    return Buffer.concat([key.id, encrypt(key.key, text, authenticated(number))]).toString('base64');
  }

  private currentKey(number: number, id: Buffer | null): BucketKey {
    const key = id === null ? this.bucketKeys.first(number) : this.bucketKeys.byId(number, id);
    if (!key) throw lost(number);
    return key;
  }

  private contentOf(number: number): Content {
    for (let attempt = 1; ; attempt++) {
      const bucket = this.openBucket(number, super.get(keyOf(number)));
      if (bucket) return bucket.content;
      // After the read, an erasure may have sealed it by another key and destroyed the former one.
      if (attempt === ATTEMPTS) throw lost(number);
    }
  }

  /** @returns `null`: its key was destroyed */
  private openBucket(number: number, stored: unknown): Bucket | null {
    if (stored === undefined) return { id: null, content: new Map(), changed: false };
    const bytes = Buffer.from(stored as string, 'base64');
    const id = bytes.subarray(0, ID_BYTES);
    const key = this.bucketKeys.byId(number, id);
    if (!key) return null;
    const text = decrypt(key.key, bytes.subarray(ID_BYTES), authenticated(number));
    if (!text) throw lost(number);
    const content = new Map(JSON.parse(text.toString()) as [string, unknown][]);
    return { id, content, changed: false };
  }
}

const EMPTY: Bucket = { id: null, content: new Map(), changed: false };

const isInBucket = ([kind = '']: string[]): boolean => BUCKETED.has(kind);

/** The number of an entry's bucket: that of the person, by a hash of the id, since ids may share their beginnings. */
function bucketOf([kind, owner = '']: string[]): number {
  if (kind === 'secret') return SECRETS;
  return createHash('sha256').update(owner).digest().readUInt16BE() % PERSON_BUCKETS;
}

const keyOf = (bucket: number): string[] => ['bucket', bucket.toString().padStart(4, '0')];
const nameOf = (key: string[]): string => key.join(SEPARATOR);

/** The entries whose keys begin with the prefix, sorted by name. */
const within = (content: Content, prefix: string[]): [string, unknown][] => {
  const start = nameOf(prefix) + SEPARATOR;
  return [...content]
    .filter(([name]) => name.startsWith(start))
    .sort(([one], [other]) => (one < other ? -1 : 1));
};

/** The id of the key that a stored bucket is sealed by. */
const idIn = (stored: unknown): Buffer | null =>
  stored === undefined ? null : Buffer.from(stored as string, 'base64').subarray(0, ID_BYTES);

const authenticated = (bucket: number): Buffer => Buffer.from(`bucket ${bucket}`);

const lost = (bucket: number): StoreUnusable =>
  new StoreUnusable(
    `Bucket ${bucket} of the vault's look-ups cannot be opened: restore the vault from its backup.`,
  );
