import { randomBytes } from 'node:crypto';
import type { KeyedHash } from '../../src/core/keyed-hash.js';
import type { PersonId, PersonKey } from '../../src/core/vault/port.js';
import type {
  PersonRef,
  ShortLived,
  SweepCursor,
  Vault,
  ReadEntry,
  ReadPlace,
} from '../../src/vault/port.js';
import { SealedAudio } from '../../src/vault/sealed-audio.js';
import type { ChunksOf, ChunkStore, SealedChunk } from '../../src/vault/sealed-chunks.js';
import { SealedFiles } from '../../src/vault/sealed-files.js';

/** A vault in memory. `waits`: it returns keys only by promises, never at once. */
export class MemoryVault implements Vault {
  readonly known = new Map<PersonId, PersonKey>();
  private readonly hashes = new Map<KeyedHash, PersonId>();
  private readonly refs = new Map<KeyedHash, PersonRef[]>();
  private readonly claimed = new Map<KeyedHash, PersonId>();
  private readonly readBy = new Map<string, ReadEntry>();
  private readonly secrets = new Map<string, Buffer>();
  readonly passing = new Map<KeyedHash, ShortLived>();
  readonly chunks = new MemoryChunks((person) => this.isErased(person));
  readonly pieces = new MemoryChunks((person) => this.isErased(person));

  constructor(waits = false) {
    if (!waits) this.keys.peek = (person) => this.known.get(person) ?? null;
  }

  readonly keys: { -readonly [Name in keyof Vault['keys']]: Vault['keys'][Name] } = {
    create: async (person) => {
      const key = this.known.get(person) ?? { kind: 'key', key: randomBytes(32) };
      this.known.set(person, key);
      return key;
    },
    get: async (person) => this.known.get(person) ?? null,
    erase: async (person) => {
      this.known.set(person, { kind: 'erased' });
      for (const [hash, id] of this.hashes) if (id === person) this.hashes.delete(hash);
      for (const [hash, refs] of this.refs)
        this.refs.set(
          hash,
          refs.filter((ref) => ref.person !== person),
        );
      this.chunks.erase(person);
      this.pieces.erase(person);
    },
  };

  private isErased(person: PersonId): boolean {
    return this.known.get(person)?.kind === 'erased';
  }

  readonly identities: Vault['identities'] = {
    get: async (hash) => this.hashes.get(hash) ?? null,
    swap: async (hash, expected, person) => {
      if ((this.hashes.get(hash) ?? null) !== expected || this.isErased(person)) return false;
      this.hashes.set(hash, person);
      return true;
    },
  };

  readonly carriers: Vault['carriers'] = {
    list: async (hash) => this.refs.get(hash) ?? [],
    add: async (hash, ref) => {
      const refs = this.refs.get(hash) ?? [];
      if (this.isErased(ref.person) || refs.some(({ person }) => person === ref.person)) return;
      this.refs.set(hash, [...refs, ref]);
    },
  };

  readonly claims: Vault['claims'] = {
    claim: async (hash, person) => {
      const standing = this.claimed.get(hash) ?? person;
      this.claimed.set(hash, standing);
      return standing;
    },
    move: async (hash, from, to) => {
      if (this.claimed.get(hash) !== from) return false;
      this.claimed.set(hash, to);
      return true;
    },
  };

  /** In the order of their recording. */
  get readEntries(): readonly ReadEntry[] {
    return [...this.readBy.values()];
  }

  readonly reads: Vault['reads'] = {
    record: async (entries) => {
      for (const entry of entries) {
        const key = `${entry.evaluationId} ${placeOf(entry)}`;
        if (!this.readBy.has(key)) this.readBy.set(key, structuredClone(entry));
      }
    },
    list: async (evaluationId, { limit, before }) =>
      this.readEntries
        .filter((one) => one.evaluationId === evaluationId && (!before || placeOf(one) < placeOf(before)))
        .sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1))
        .slice(0, limit),
  };

  readonly shortLived: Vault['shortLived'] = {
    get: async (hash) => this.passing.get(hash) ?? null,
    swap: async (hash, expected, entry) => {
      if (JSON.stringify(this.passing.get(hash) ?? null) !== JSON.stringify(expected)) return false;
      if (entry) this.passing.set(hash, entry);
      else this.passing.delete(hash);
      return true;
    },
    sweep: async (now) => {
      const expired = [...this.passing].filter(([, { expiresAt }]) => expiresAt <= now);
      for (const [hash] of expired) this.passing.delete(hash);
      return expired.length;
    },
  };

  readonly cursors = new Map<string, SweepCursor>();

  readonly sweeps: Vault['sweeps'] = {
    cursor: async (name) => this.cursors.get(name) ?? null,
    move: async (name, expected, cursor) => {
      if (JSON.stringify(this.cursors.get(name) ?? null) !== JSON.stringify(expected)) return false;
      this.cursors.set(name, cursor);
      return true;
    },
    erased: async () => null,
  };

  readonly audio = new SealedAudio(this.keys, this.chunks);
  readonly files = new SealedFiles(this.keys, this.pieces);

  async secret(name: string, make: () => Buffer): Promise<Buffer> {
    const secret = this.secrets.get(name) ?? make();
    this.secrets.set(name, secret);
    return Buffer.from(secret);
  }

  async close(): Promise<void> {}
}

const placeOf = ({ at, id }: ReadPlace): string => `${at} ${id}`;

/** Sealed chunks of one kind in memory. */
class MemoryChunks implements ChunkStore {
  /** In the order of their appending. */
  kept: SealedChunk[] = [];
  private readonly ends = new Map<string, number>();

  constructor(private readonly isErased: (person: PersonId) => boolean) {}

  append: ChunkStore['append'] = async (chunk) => {
    if (this.isErased(chunk.person)) return 'erased';
    if ((this.ends.get(keyOf(chunk)) ?? 0) !== chunk.firstSeq - 1) return 'elsewhere';
    this.ends.set(keyOf(chunk), chunk.lastSeq);
    this.kept.push(chunk);
    return 'appended';
  };

  async end(of: ChunksOf): Promise<number> {
    return this.ends.get(keyOf(of)) ?? 0;
  }

  async *chunks(of: ChunksOf, part: number): AsyncGenerator<SealedChunk, void, undefined> {
    yield* this.of(of).filter((chunk) => chunk.part === part);
  }

  sizes: ChunkStore['sizes'] = async (of) => {
    const chunks = this.of(of).map(({ part, sealed }) => ({ part, bytes: sealed.byteLength }));
    return chunks.sort((one, other) => one.part - other.part);
  };

  async discard(of: ChunksOf, part: number): Promise<void> {
    const gone = new Set(this.of(of).filter((chunk) => chunk.part === part));
    this.kept = this.kept.filter((chunk) => !gone.has(chunk));
  }

  async remove(of: ChunksOf): Promise<void> {
    this.kept = this.kept.filter((chunk) => keyOf(chunk) !== keyOf(of));
    this.ends.delete(keyOf(of));
  }

  async *logs(after?: ChunksOf): AsyncGenerator<ChunksOf, void, undefined> {
    const logs = new Map(this.kept.map(({ person, log }) => [keyOf({ person, log }), { person, log }]));
    for (const key of [...logs.keys()].sort()) if (!after || key > keyOf(after)) yield logs.get(key)!;
  }

  erase(person: PersonId): void {
    this.kept = this.kept.filter((chunk) => chunk.person !== person);
    for (const key of this.ends.keys()) if (key.startsWith(`${person} `)) this.ends.delete(key);
  }

  private of(of: ChunksOf): readonly SealedChunk[] {
    return this.kept.filter(({ person, log }) => person === of.person && log === of.log);
  }
}

const keyOf = ({ person, log }: ChunksOf): string => `${person} ${log}`;
