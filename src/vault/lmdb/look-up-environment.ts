import { createHash } from 'node:crypto';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment as LmdbEnvironment } from '../../stores/lmdb/environment.js';
import { StoreUnusable, VaultUnavailable } from '../../core/errors.js';
import { decrypt, encrypt } from '../../core/gcm.js';
import { type BucketKey, BucketKeys, ID_BYTES } from './bucket-keys.js';
import { Environment, type Inside, LOOK_UPS, type TransactionOptions } from './environment.js';

/** Entries that an erasure or a change of DATA_KEY has to take away so that no copy of them can be read. */
const SEALED: ReadonlySet<string> = new Set(['identity', 'carrier', 'person', 'secret']);
/** The fewer there are, the less a changed bucket tells; the more, the smaller each is. */
const SPREAD = 1024;
/** All secrets together. */
const SECRETS = SPREAD;
const BUCKETS = SPREAD + 1;
const KEYS_FILE = 'keys';
const ATTEMPTS = 50;
/** Between two of its parts, of which none holds it, in a key of a bucket's content. */
const SEPARATOR = '\0';

type Content = ReadonlyMap<string, unknown>;

/** A bucket in the course of a transaction. */
interface Bucket {
  /** Of the key that it is sealed by; `null`: nothing was sealed in it yet. */
  readonly id: Buffer | null;
  readonly content: Map<string, unknown>;
  changed: boolean;
}

/**
 * The vault's look-ups and wrapped secrets. LMDB keeps what it frees, so entries that must be erasable lie in buckets,
 * each sealed by a key in a file that is overwritten in place. An erasure seals the buckets afresh and destroys the keys
 * that they were sealed by before. Everything else is stored as it is.
 *
 *     bucket <number>      key's id, sealed entries: JSON, in base64
 */
export class LookUpEnvironment extends Environment {
  private readonly bucketKeys: BucketKeys;

  private constructor(lmdb: LmdbEnvironment<unknown, string[]>) {
    super(lmdb);
    this.bucketKeys = BucketKeys.open(join(lmdb.folder, KEYS_FILE), BUCKETS);
  }

  /** @param vault its folder. @throws {StoreUnusable} damaged, or no LMDB environment */
  static async openIn(vault: string): Promise<LookUpEnvironment> {
    const lmdb = Environment.openLmdb<unknown, string>(vault, LOOK_UPS);
    try {
      return new LookUpEnvironment(lmdb);
    } catch (error) {
      await lmdb.close();
      throw error;
    }
  }

  override get(key: string[]): unknown {
    return isSealed(key) ? this.bucket(bucketOf(key)).get(nameOf(key)) : super.get(key);
  }

  override *walk(
    prefix: string[],
    size?: number,
  ): Iterable<{ readonly key: string[]; readonly value: unknown }> {
    if (!isSealed(prefix)) {
      yield* super.walk(prefix, size);
      return;
    }
    const isAnywhere = prefix.length === 1 && prefix[0] !== 'secret';
    const buckets = isAnywhere ? Array.from({ length: SPREAD }, (_, bucket) => bucket) : [bucketOf(prefix)];
    const found = buckets.flatMap((bucket) => within(this.bucket(bucket), prefix));
    found.sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [name, value] of found) yield { key: name.split(SEPARATOR), value };
  }

  override transact<T>(effect: (inside: Inside) => T, options: TransactionOptions = {}): Promise<T> {
    return super.transact((inside) => this.staged(inside, effect, options), options);
  }

  override transactNow<T>(effect: (inside: Inside) => T, options: TransactionOptions = {}): T {
    return super.transactNow((inside) => this.staged(inside, effect, options), options);
  }

  /** As `Environment.copyTo`, with the keys of the same moment. */
  override async copyTo(target: string): Promise<void> {
    const file = join(this.folder, KEYS_FILE);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = await readFile(file);
      await super.copyTo(target);
      await copyFile(file, join(target, KEYS_FILE));
      // Keys that were renewed or destroyed meanwhile may be others than those of the buckets copied.
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

  /** Runs `effect` on the opened buckets, and puts what it did at its end. */
  private staged<T>(raw: Inside, effect: (inside: Inside) => T, { renews = false }: TransactionOptions): T {
    const buckets = new Map<number, Bucket>();
    const later: (() => void)[] = [];
    const opened = (key: string[]): Bucket => {
      const number = bucketOf(key);
      const bucket = buckets.get(number) ?? this.unsealed(number, raw.get(keyOf(number)));
      if (!bucket) throw lost(number);
      buckets.set(number, bucket);
      return bucket;
    };
    const change = (key: string[], apply: (content: Bucket['content']) => void): void => {
      const bucket = opened(key);
      apply(bucket.content);
      bucket.changed = true;
    };
    const result = effect({
      get: (key) => (isSealed(key) ? opened(key).content.get(nameOf(key)) : raw.get(key)),
      keys: (prefix) => {
        if (!isSealed(prefix)) return raw.keys(prefix);
        return within(opened(prefix).content, prefix).map(([name]) => name.split(SEPARATOR));
      },
      put: (key, value) => {
        if (isSealed(key)) change(key, (content) => content.set(nameOf(key), value));
        else later.push(() => raw.put(key, value));
      },
      remove: (key) => {
        if (isSealed(key)) change(key, (content) => content.delete(nameOf(key)));
        else later.push(() => raw.remove(key));
      },
      destroyFormer: () => {
        this.bucketKeys.keepOnly(BUCKETS, (number) => idIn(raw.get(keyOf(number))));
      },
      makeRoom: raw.makeRoom,
    });
    const changed = [...buckets].filter(([, bucket]) => bucket.changed);
    // All at once: a bucket on its own would tell that a person is in it.
    if (changed.length > 0 && raw.get(keyOf(0)) === undefined)
      for (let number = 0; number < BUCKETS; number++)
        if (!buckets.get(number)?.changed) changed.push([number, EMPTY]);
    const sealed = changed.map(([number, bucket]) => [number, this.sealed(number, bucket, renews)] as const);
    if (renews && changed.length > 0) this.bucketKeys.sync();
    raw.makeRoom({
      changes: sealed.length + later.length,
      bytes: sealed.reduce((sum, [, value]) => sum + value.length, 1024 * later.length),
    });
    for (const put of later) put();
    for (const [number, value] of sealed) raw.put(keyOf(number), value);
    return result;
  }

  private sealed(number: number, { id, content }: Bucket, renews: boolean): string {
    const key = renews ? this.bucketKeys.renew(number, id) : this.currentKey(number, id);
    const text = Buffer.from(JSON.stringify([...content]));
    return Buffer.concat([key.id, encrypt(key.key, text, authenticated(number))]).toString('base64');
  }

  private currentKey(number: number, id: Buffer | null): BucketKey {
    const key = id === null ? this.bucketKeys.first(number) : this.bucketKeys.byId(number, id);
    if (!key) throw lost(number);
    return key;
  }

  private bucket(number: number): Content {
    for (let attempt = 1; ; attempt++) {
      const bucket = this.unsealed(number, super.get(keyOf(number)));
      if (bucket) return bucket.content;
      // Between the two looks it may have been sealed afresh, and its former key destroyed.
      if (attempt === ATTEMPTS) throw lost(number);
    }
  }

  /** `null`: its key is not there. */
  private unsealed(number: number, stored: unknown): Bucket | null {
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

const isSealed = ([kind = '']: string[]): boolean => SEALED.has(kind);

/** By hash, since ids may share their beginnings. */
function bucketOf([kind, owner = '']: string[]): number {
  if (kind === 'secret') return SECRETS;
  return createHash('sha256').update(owner).digest().readUInt16BE() % SPREAD;
}

const keyOf = (bucket: number): string[] => ['bucket', bucket.toString().padStart(4, '0')];
const nameOf = (key: string[]): string => key.join(SEPARATOR);

const within = (content: Content, prefix: string[]): [string, unknown][] => {
  const start = nameOf(prefix) + SEPARATOR;
  return [...content]
    .filter(([name]) => name.startsWith(start))
    .sort(([one], [other]) => (one < other ? -1 : 1));
};

const idIn = (stored: unknown): Buffer | null =>
  stored === undefined ? null : Buffer.from(stored as string, 'base64').subarray(0, ID_BYTES);

const authenticated = (bucket: number): Buffer => Buffer.from(`bucket ${bucket}`);

const lost = (bucket: number): StoreUnusable =>
  new StoreUnusable(
    `Bucket ${bucket} of the vault's look-ups cannot be opened: restore the vault from its backup.`,
  );
