import type { PersonId } from '../../core/vault/port.js';
import type { Cost } from '../../stores/lmdb/growing-file.js';
import type { ChunkArchive } from '../driver.js';
import type { ChunkPlace, ChunksEnd, ChunksOf, SealedChunk, SealedSize } from '../sealed-chunks.js';
import {
  type Environment,
  type Inside,
  FROM_RESERVE,
  type KeyPart,
  type TransactionOptions,
} from './environment.js';

type Chunks = Environment<Buffer, KeyPart>;

const EMPTY = Buffer.alloc(0);
/** Removes a log's or a person's chunks. Their keys are neighbours, so that many are on few pages. */
const REMOVAL: TransactionOptions = { ...FROM_RESERVE, cost: { changes: 128, bytes: 0 } };

/**
 * First parts of keys, and how many chunks are copied from the store at once: a chunk is half a second of audio, or up
 * to 128 KiB of a file. The keys of audio have no prefix, since former builds had no files.
 */
const KINDS = {
  audio: { end: ['end'], chunk: ['chunk'], page: 16 },
  files: { end: ['file_end'], chunk: ['file'], page: 4 },
};

/**
 * Keys of the environment for audio and files. A key has everything except the chunk's content, so that most reads need
 * no value. Audio has `end` and `chunk`, files have `file_end` and `file`:
 *
 *     end <person> <log>                                    the last frame or byte ever appended (u32, big-endian)
 *     chunk <person> <log> <part> <first> <last> <bytes>    sealed
 *     erased <person>                                       no chunk of the person is stored any more
 */
export class ChunkEntries implements ChunkArchive {
  /** @param environment throws `VaultUnavailable` once the vault is closed */
  constructor(
    private readonly kind: keyof typeof KINDS,
    private readonly environment: () => Chunks,
  ) {}

  append(chunk: SealedChunk): Promise<'appended' | 'elsewhere' | 'erased'> {
    const effect = ({ get, put }: Inside<Buffer, KeyPart>): 'appended' | 'elsewhere' | 'erased' => {
      if (get(['erased', chunk.person])) return 'erased';
      if (endIn(get(this.endKey(chunk))) !== chunk.firstSeq - 1) return 'elsewhere';
      put(this.chunkKey(chunk), chunk.sealed);
      put(this.endKey(chunk), endOf(chunk.lastSeq));
      return 'appended';
    };
    return this.environment().transact(effect, { cost: costOf(chunk) });
  }

  async end(of: ChunksOf): Promise<number> {
    return endIn(this.environment().get(this.endKey(of)));
  }

  async *chunks(of: ChunksOf, part: number): AsyncGenerator<SealedChunk, void, undefined> {
    for (const { key, value } of this.environment().walk(
      [...this.chunksOf(of), part],
      KINDS[this.kind].page,
    )) {
      yield { ...placeIn(key), sealed: value };
      // Throws if the vault was closed while the reader handled the chunk.
      this.environment();
    }
  }

  async sizes(of: ChunksOf): Promise<readonly SealedSize[]> {
    const keys = this.environment().keys(this.chunksOf(of));
    return keys.map(([, , , part, , , bytes]) => ({ part: Number(part), bytes: Number(bytes) }));
  }

  async discard(of: ChunksOf, part: number): Promise<void> {
    await this.environment().transact(({ keys, remove }) => {
      for (const key of keys([...this.chunksOf(of), part])) remove(key);
    }, REMOVAL);
  }

  async remove(of: ChunksOf): Promise<void> {
    await this.environment().transact(({ keys, remove }) => {
      for (const key of keys(this.chunksOf(of))) remove(key);
      remove(this.endKey(of));
    }, REMOVAL);
  }

  async *logs(after?: ChunksOf): AsyncGenerator<ChunksOf, void, undefined> {
    const { chunk } = KINDS[this.kind];
    for (const key of this.environment().beginnings(chunk, 3, after && this.chunksOf(after))) {
      yield ownerIn(key);
      this.environment();
    }
  }

  async *ends(): AsyncGenerator<ChunksEnd, void, undefined> {
    for (const { key, value } of this.environment().walk(KINDS[this.kind].end))
      yield { ...ownerIn(key), lastSeq: endIn(value) };
  }

  async *all(): AsyncGenerator<SealedChunk, void, undefined> {
    for (const { key, value } of this.environment().walk(KINDS[this.kind].chunk, KINDS[this.kind].page))
      yield { ...placeIn(key), sealed: value };
  }

  put(chunk: SealedChunk): Promise<Buffer | null> {
    const effect = (inside: Inside<Buffer, KeyPart>): Buffer | null => {
      if (inside.get(['erased', chunk.person])) return null;
      const [stored] = inside.keys([...this.chunksOf(chunk), chunk.part, chunk.firstSeq]);
      if (stored) return inside.get(stored) ?? EMPTY;
      inside.put(this.chunkKey(chunk), chunk.sealed);
      this.raise(inside, chunk);
      return chunk.sealed;
    };
    return this.environment().transact(effect, { cost: costOf(chunk) });
  }

  putEnd(end: ChunksEnd): Promise<number | null> {
    return this.environment().transact((inside) =>
      inside.get(['erased', end.person]) ? null : this.raise(inside, end),
    );
  }

  /** @returns where it ended before */
  private raise({ get, put }: Inside<Buffer, KeyPart>, end: ChunksEnd): number {
    const before = endIn(get(this.endKey(end)));
    if (before < end.lastSeq) put(this.endKey(end), endOf(end.lastSeq));
    return before;
  }

  private endKey({ person, log }: ChunksOf): KeyPart[] {
    return [...KINDS[this.kind].end, person, log];
  }

  private chunksOf({ person, log }: ChunksOf): KeyPart[] {
    return [...KINDS[this.kind].chunk, person, log];
  }

  private chunkKey(chunk: SealedChunk): KeyPart[] {
    const { part, firstSeq, lastSeq, sealed } = chunk;
    return [...this.chunksOf(chunk), part, firstSeq, lastSeq, sealed.byteLength];
  }
}

/** Erasures of chunks of every kind, once for each person. */
export class ChunkErasures {
  constructor(private readonly environment: () => Chunks) {}

  /** Removes the person's chunks and refuses new ones from now on. */
  async erase(person: PersonId): Promise<void> {
    await this.environment().transact((inside) => {
      removeAll(inside, person);
      inside.put(['erased', person], EMPTY);
    }, REMOVAL);
  }

  /** Whether `erase` was called for the person, by any process. */
  isErased(person: PersonId): boolean {
    return this.environment().get(['erased', person]) !== undefined;
  }

  /** Removes the remaining chunks of an erased person: an older build erases only the kinds of chunk that it has. */
  async sweep(person: PersonId): Promise<void> {
    const environment = this.environment();
    if (prefixesOf(person).some((prefix) => environment.keys(prefix).length > 0))
      await environment.transact((inside) => removeAll(inside, person), REMOVAL);
  }
}

const prefixesOf = (person: PersonId): KeyPart[][] =>
  Object.values(KINDS).flatMap(({ end, chunk }) => [
    [...end, person],
    [...chunk, person],
  ]);

function removeAll({ keys, remove }: Inside<Buffer, KeyPart>, person: PersonId): void {
  for (const prefix of prefixesOf(person)) for (const key of keys(prefix)) remove(key);
}

const costOf = ({ sealed }: SealedChunk): Cost => ({ changes: 2, bytes: sealed.byteLength });

function endOf(lastSeq: number): Buffer {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(lastSeq);
  return value;
}
const endIn = (value: Buffer | undefined): number => value?.readUInt32BE() ?? 0;

const ownerIn = ([, person, log]: KeyPart[]): ChunksOf => ({
  person: String(person) as PersonId,
  log: String(log),
});

/** The owner and the place of a chunk, from its key. */
const placeIn = (key: KeyPart[]): ChunksOf & ChunkPlace => {
  const [part = 0, firstSeq = 0, lastSeq = 0] = key.slice(3).map(Number);
  return { ...ownerIn(key), part, firstSeq, lastSeq };
};
