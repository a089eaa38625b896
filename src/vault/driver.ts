import { VaultUnavailable } from '../core/errors.js';
import type { PersonId } from '../core/vault/port.js';
import type { WrappingKey } from './data-key.js';
import {
  type PersonRef,
  type ShortLived,
  type SweepCursor,
  type Vault,
  assertReadEntry,
  type ReadEntry,
  type ReadPlace,
} from './port.js';
import type { ChunksEnd, ChunkStore, SealedChunk } from './sealed-chunks.js';

/** The parts of an entry's key: none is empty or has a space or a NUL. */
export type TableKey = readonly string[];

export interface TableEntry<V> {
  readonly key: TableKey;
  readonly value: V;
}

/**
 * Values under keys. Each write changes one entry in one step and is durable when it resolves. The entries of some
 * tables belong to a person: an erasure removes them, those of an erased person count as absent, and none is stored.
 */
export interface Table<V> {
  /** `null`: the key has none, or its person was erased. */
  get(key: TableKey): Promise<V | null>;
  /** The values of a short list: those whose keys begin with `prefix`, in key order. */
  list(prefix: TableKey): Promise<readonly V[]>;
  /** The last values whose keys begin with `prefix`, last first; only those before `before` if it is given. */
  last(prefix: TableKey, limit: number, before: TableKey | null): Promise<readonly V[]>;
  /** Stores the value if the key has none. `erased`: its person was erased. */
  insert(key: TableKey, value: V): Promise<'inserted' | 'taken' | 'erased'>;
  /** Stores each value whose key has none. */
  insertMany(entries: readonly TableEntry<V>[]): Promise<void>;
  /** Stores the value if the key has exactly `expected`. False otherwise, and for an erased person. */
  replace(key: TableKey, expected: V, value: V): Promise<boolean>;
  /** Removes the entry if the key has exactly `expected`. False otherwise. */
  remove(key: TableKey, expected: V): Promise<boolean>;
  /** All entries in key order, page by page; possibly some of persons being erased. */
  scan(): AsyncIterable<readonly TableEntry<V>[]>;
}

/** If the key has an entry, an erasure may remove it before it is read: then the value is inserted again. */
const ATTEMPTS = 3;

/** Stores the value if the key has none; returns the stored one, or `null` if the value's person was erased. */
export async function insertIfAbsent<V>(table: Table<V>, key: TableKey, value: V): Promise<V | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const outcome = await table.insert(key, value);
    if (outcome === 'inserted') return value;
    if (outcome === 'erased') return null;
    const stored = await table.get(key);
    if (stored !== null) return stored;
  }
  throw new VaultUnavailable(
    'An entry of the vault vanished again and again while it was stored: try again.',
  );
}

/** The vault's tables, with the form of their keys. */
export interface Tables {
  /** `<hash>`; belongs to the person. */
  readonly identities: Table<PersonId>;
  /** `<hash> <person>`; belongs to the person. */
  readonly carriers: Table<PersonRef>;
  /** `<hash>`. */
  readonly claims: Table<PersonId>;
  /** `<evaluation> <time> <id>`. */
  readonly reads: Table<ReadEntry>;
  /** `<name>`: wrapped. */
  readonly secrets: Table<Buffer>;
  /** `<hash>`. */
  readonly shortLived: Table<ShortLived>;
  /** Removes the expired entries of `shortLived`, by an index. If it is absent, the table is scanned. */
  removeExpired?(now: number): Promise<number>;
  /** `<name>`. */
  readonly sweeps: Table<SweepCursor>;
}

/** The key of a read in its table: by evaluation, then in order of time. */
export const keyOfRead = (evaluationId: string, { at, id }: ReadPlace): TableKey => [evaluationId, at, id];

/** @throws {RangeError} the read has no place among those of its evaluation */
export function entryOfRead(value: ReadEntry): TableEntry<ReadEntry> {
  assertReadEntry(value);
  return { key: keyOfRead(value.evaluationId, value), value };
}

/** A person's key, encrypted with DATA_KEY. */
export interface WrappedKey {
  readonly person: PersonId;
  readonly wrapped: Buffer;
}

type Keys = Required<Vault['keys']>;

/** Keys and tombstones. Each store has its own way to destroy a key for good. */
export interface KeyStore extends Keys {
  /** Whether an erasure of the person is complete. */
  isErasureComplete(person: PersonId): Promise<boolean>;
  /** The erased ones of `persons`. */
  erasedAmong(persons: readonly PersonId[]): Promise<ReadonlySet<PersonId>>;
  /** As `Sweeps.erased`: `null` for the first part, and once the last one is done. */
  sweep(after: string | null, signal: AbortSignal): Promise<string | null>;
  /** Every erased person, in their order. */
  erased(): AsyncIterable<PersonId>;
  /**
   * The keys of all persons that are not erased, in the order of persons.
   * @throws {StoreUnusable} one cannot be unwrapped
   */
  scan(): AsyncIterable<WrappedKey>;
  /** Stores a wrapped key if there is none; returns the stored one, or `null` if the person was erased. */
  insertIfAbsent(person: PersonId, wrapped: Buffer): Promise<Buffer | null>;
  /** Replaces `stored`, if it is unchanged, by the same key in another wrapping. */
  replace(person: PersonId, stored: Buffer, wrapped: Buffer): Promise<void>;
}

/** Chunks of one kind, with the calls that copy them to another vault. */
export interface ChunkArchive extends ChunkStore {
  /** Every log's end. */
  ends(): AsyncIterable<ChunksEnd>;
  /** Every chunk, those of a part in their order. */
  all(): AsyncIterable<SealedChunk>;
  /** Stores a chunk if its place is free; returns the stored one, `null` for an erased person. */
  put(chunk: SealedChunk): Promise<Buffer | null>;
  /** Raises a log's end to this one; returns the former end, `null` for an erased person. */
  putEnd(end: ChunksEnd): Promise<number | null>;
}

/** The parts that a store provides for the vault. */
export interface VaultDriver {
  readonly wrapping: WrappingKey;
  readonly keys: KeyStore;
  readonly tables: Tables;
  /** Logs of sessions. */
  readonly audio: ChunkArchive;
  /** Logs of files. */
  readonly files: ChunkArchive;
  /** Runs one call of the vault, under a deadline if the store is remote. @throws {VaultUnavailable} also once closed */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** @throws {VaultUnavailable} the vault is closed */
  assertOpen(): void;
  /** @throws {StoreUnusable} DATA_KEY was changed: the value that was just wrapped is wrapped by the former one */
  assertCurrent(): Promise<void>;
  close(): Promise<void>;
}
