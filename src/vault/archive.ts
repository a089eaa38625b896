import { StoreUnusable } from '../core/errors.js';
import type { KeyedHash } from '../core/keyed-hash.js';
import { assertPersonId, type PersonId } from '../core/vault/port.js';
import { unreadable } from './data-key.js';
import {
  type ChunkArchive,
  entryOfRead,
  insertIfAbsent,
  type TableEntry,
  type VaultDriver,
} from './driver.js';
import type { PersonRef, Vault, ReadEntry } from './port.js';
import {
  assertChunkPlace,
  assertChunksOf,
  type ChunksEnd,
  type ChunksOf,
  type SealedChunk,
} from './sealed-chunks.js';
import { secretOwner, type Secrets } from './secrets.js';

/**
 * An entry of a vault in the form in which it is copied to another vault. Wrapped content stays wrapped by DATA_KEY, so
 * both vaults must be opened with the same one.
 */
export type VaultEntry =
  | { readonly kind: 'key'; readonly person: PersonId; readonly wrapped: Buffer }
  /** The tombstone of an erased person: stronger than any key. */
  | { readonly kind: 'erased'; readonly person: PersonId }
  | { readonly kind: 'identity'; readonly hash: KeyedHash; readonly person: PersonId }
  | { readonly kind: 'carrier'; readonly hash: KeyedHash; readonly person: PersonRef }
  /** Reveals nothing of the person, and outlives an erasure. */
  | { readonly kind: 'claim'; readonly hash: KeyedHash; readonly person: PersonId }
  | { readonly kind: 'secret'; readonly name: string; readonly wrapped: Buffer }
  | { readonly kind: 'read'; readonly entry: ReadEntry }
  /** Where a session's audio ends, discarded parts included. */
  | ({ readonly kind: 'audio_end' } & ChunksEnd)
  /** A chunk of audio, sealed under its person's key. */
  | ({ readonly kind: 'audio' } & SealedChunk)
  /** A piece of a file, sealed under its owner's key. The file ends with its last piece. */
  | ({ readonly kind: 'file' } & SealedChunk);

/** A vault whose whole content can be copied to another one, also from an embedded store to a server or back. */
export interface ArchivableVault extends Vault {
  /**
   * All entries except short-lived ones, each once, in an order that depends on the content alone: tombstones first;
   * chunks of audio and pieces of files last, those of a turn or a file together. They are never all in memory.
   */
  entries(): AsyncIterable<VaultEntry>;
  /**
   * Adds an entry unchanged. Idempotent. An erased person stays erased: later keys, look-ups, audio and files of them
   * are skipped; claims of commands and reads of evaluations are added. Durable when it resolves.
   * @throws {StoreUnusable} another entry is stored in its place (another key of this person, another secret)
   */
  put(entry: VaultEntry): Promise<void>;
}

/** A wrapped key or secret from another vault. */
interface Wrapped {
  /** Its name in messages. */
  readonly what: string;
  readonly owner: string;
  readonly wrapped: Buffer;
}

/** Reads a vault's whole content page by page, and adds entries of another vault. */
export class Archive {
  constructor(
    private readonly driver: VaultDriver,
    private readonly secrets: Secrets,
  ) {}

  /** All entries that another vault needs, erasures first. */
  async *entries(): AsyncGenerator<VaultEntry, void, undefined> {
    const { keys, tables, audio, files, wrapping } = this.driver;
    for await (const person of keys.erased()) yield { kind: 'erased', person };
    for await (const { person, wrapped } of keys.scan()) yield { kind: 'key', person, wrapped };
    for await (const page of tables.identities.scan())
      for (const { key, value: person } of await this.ofLiving(page, ({ value }) => value))
        yield { kind: 'identity', hash: hashIn(key), person };
    for await (const page of tables.carriers.scan())
      for (const { key, value: person } of await this.ofLiving(page, ({ value }) => value.person))
        yield { kind: 'carrier', hash: hashIn(key), person };
    for await (const page of tables.claims.scan())
      for (const { key, value: person } of page) yield { kind: 'claim', hash: hashIn(key), person };
    for await (const page of tables.secrets.scan())
      for (const { key, value: wrapped } of page) {
        const [name = ''] = key;
        if (!wrapping.unwrap(wrapped, secretOwner(name))) throw unreadable(`The server's secret ${name}`);
        yield { kind: 'secret', name, wrapped };
      }
    for await (const page of tables.reads.scan())
      for (const { value: entry } of page) yield { kind: 'read', entry };
    for await (const end of this.chunksOfLiving(audio.ends())) yield { kind: 'audio_end', ...end };
    for await (const chunk of this.chunksOfLiving(audio.all())) yield { kind: 'audio', ...chunk };
    for await (const chunk of this.chunksOfLiving(files.all())) yield { kind: 'file', ...chunk };
  }

  /** @throws {StoreUnusable} another entry is stored in its place */
  async put(entry: VaultEntry): Promise<void> {
    const { keys, tables, audio, files } = this.driver;
    switch (entry.kind) {
      case 'erased':
        assertPersonId(entry.person);
        if (!(await keys.isErasureComplete(entry.person))) await keys.erase(entry.person);
        return;
      case 'key': {
        const { person, wrapped } = entry;
        assertPersonId(person);
        return this.putWrapped(
          { what: `key of person ${person}`, owner: person, wrapped },
          () => keys.insertIfAbsent(person, wrapped),
          (stored) => keys.replace(person, stored, wrapped),
        );
      }
      case 'secret': {
        const { name, wrapped } = entry;
        return this.putWrapped(
          { what: `secret ${name}`, owner: secretOwner(name), wrapped },
          () => this.secrets.insertIfAbsent(name, wrapped),
          (stored) => tables.secrets.replace([name], stored, wrapped),
        );
      }
      case 'identity': {
        const { hash, person } = entry;
        const stored = await insertIfAbsent(tables.identities, [hash], person);
        assertSame(stored === null || stored === person, `person under the hash ${hash}`);
        return;
      }
      case 'carrier': {
        const { hash, person: ref } = entry;
        const stored = await insertIfAbsent(tables.carriers, [hash, ref.person], ref);
        assertSame(
          stored === null || isSameRef(ref, stored),
          `description of person ${ref.person} under the hash ${hash}`,
        );
        return;
      }
      case 'claim': {
        const { hash, person } = entry;
        const stored = await insertIfAbsent(tables.claims, [hash], person);
        assertSame(stored === person, `person for the command of the hash ${hash}`);
        return;
      }
      case 'read': {
        const { entry: read } = entry;
        const stored = await insertIfAbsent(tables.reads, entryOfRead(read).key, read);
        assertSame(isSameRead(read, stored), `read of evaluation ${read.evaluationId}`);
        return;
      }
      case 'audio_end': {
        assertChunksOf(entry);
        const end = (await audio.putEnd(entry)) ?? 0;
        assertSame(end <= entry.lastSeq, `audio of session ${entry.log}, and more of it`);
        return;
      }
      case 'audio':
        return putChunk(audio, entry, `audio of session ${entry.log}`);
      case 'file':
        return putChunk(files, entry, `content of file ${entry.log}`);
    }
  }

  /** The stored key or secret may be the same one in another wrapping, as after a change of DATA_KEY in each vault. */
  private async putWrapped(
    { what, owner, wrapped }: Wrapped,
    insert: () => Promise<Buffer | null>,
    replace: (stored: Buffer) => Promise<unknown>,
  ): Promise<void> {
    const { wrapping } = this.driver;
    const plain = wrapping.unwrap(wrapped, owner);
    if (!plain)
      throw new StoreUnusable(
        `The ${what} to be copied is not wrapped by this vault's DATA_KEY, or is damaged: open both vaults with the same DATA_KEY.`,
      );
    const stored = await insert();
    if (stored === null || stored.equals(wrapped)) return;
    assertSame(wrapping.unwrap(stored, owner)?.equals(plain) ?? false, what);
    await replace(stored);
  }

  /** Skips the entries of erased persons. A person's entries are consecutive, so each person is looked up once. */
  private async *chunksOfLiving<T extends ChunksOf>(
    entries: AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    let last = null as { readonly person: PersonId; readonly isErased: boolean } | null;
    for await (const entry of entries) {
      const { person } = entry;
      if (last?.person !== person) last = { person, isErased: (await this.erased([person])).has(person) };
      if (!last.isErased) yield entry;
    }
  }

  /** The page without entries of erased persons: an erasure under way may not have removed them yet. */
  private async ofLiving<V>(
    page: readonly TableEntry<V>[],
    personOf: (entry: TableEntry<V>) => PersonId,
  ): Promise<readonly TableEntry<V>[]> {
    const erased = await this.erased([...new Set(page.map(personOf))]);
    return page.filter((entry) => !erased.has(personOf(entry)));
  }

  private erased(persons: readonly PersonId[]): Promise<ReadonlySet<PersonId>> {
    return this.driver.run(() => this.driver.keys.erasedAmong(persons));
  }
}

/** @throws {StoreUnusable} another chunk is stored in its place */
async function putChunk(chunks: ChunkArchive, chunk: SealedChunk, what: string): Promise<void> {
  assertChunksOf(chunk);
  assertChunkPlace(chunk);
  const stored = await chunks.put(chunk);
  assertSame(stored?.equals(chunk.sealed) ?? true, what);
}

const hashIn = ([hash = '']: readonly string[]): KeyedHash => hash as KeyedHash;

/** Compared field by field: a decoded object may have another prototype than the one that was put. */
const isSameRef = (one: PersonRef, other: PersonRef): boolean =>
  one.person === other.person && one.kind === other.kind && one.organisationId === other.organisationId;

const isSameRead = (one: ReadEntry, other: ReadEntry | null): boolean =>
  one.organisationId === other?.organisationId &&
  one.actor.type === other.actor.type &&
  one.actor.id === other.actor.id;

/** @throws {StoreUnusable} */
function assertSame(isSame: boolean, what: string): void {
  if (!isSame)
    throw new StoreUnusable(`The vault to copy into holds another ${what}: copy into an empty one.`);
}
