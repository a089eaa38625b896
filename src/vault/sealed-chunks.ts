import { decrypt, encryptInto, GCM_OVERHEAD } from '../core/gcm.js';
import { assertPersonId, BrokenSeal, MissingKey, PersonErased, type PersonId } from '../core/vault/port.js';
import { isStorableTurn, MAX_FRAMES, MAX_TURNS } from './late-turns.js';
import type { Vault } from './port.js';

/** A log of sealed chunks under its owner's key: a session's audio, or a file. */
export interface ChunksOf {
  readonly person: PersonId;
  /** The session's id, or the file's. */
  readonly log: string;
}

/** The place of a sealed chunk in its log; it reveals nothing of the content. */
export interface ChunkPlace {
  /** Audio: the number of its turn, or of a stretch of late speech (`lateNumber`). A file has only the part 1. */
  readonly part: number;
  /** Counted from 1: frames of audio, bytes of a file. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** A stored chunk, with its owner and place. */
export interface SealedChunk extends ChunksOf, ChunkPlace {
  readonly sealed: Buffer;
}

/** A sealed chunk's part, and its length with the seal. */
export interface SealedSize {
  readonly part: number;
  readonly bytes: number;
}

/** A log's end, with its owner. */
export interface ChunksEnd extends ChunksOf {
  readonly lastSeq: number;
}

/** The store of sealed chunks that an adapter provides; it never gets a key. */
export interface ChunkStore {
  /**
   * Appends a chunk durably, if its log ends right before the chunk's `firstSeq`. `elsewhere`: it ends at another
   * place. `erased`: the person was erased, so that nothing of theirs is stored. In both cases nothing was stored.
   */
  append(chunk: SealedChunk): Promise<'appended' | 'elsewhere' | 'erased'>;
  /** The last `lastSeq` ever appended, 0 before the first. */
  end(of: ChunksOf): Promise<number>;
  /** A part's chunks in their order, a few in memory at a time. */
  chunks(of: ChunksOf, part: number): AsyncIterable<SealedChunk>;
  /** The sizes of a log's chunks, in their order. */
  sizes(of: ChunksOf): Promise<readonly SealedSize[]>;
  /** Removes a part's chunks; the end stays where it is. */
  discard(of: ChunksOf, part: number): Promise<void>;
  /** Removes the log with its end: it is as before its first chunk. */
  remove(of: ChunksOf): Promise<void>;
  /** Logs with chunks, by person and then by log, from the first one after `after`; by default all. */
  logs(after?: ChunksOf): AsyncIterable<ChunksOf>;
}

const LOG_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Refuses ids that are not valid as parts of a key or file name. @throws {RangeError} */
export function assertChunksOf({ person, log }: ChunksOf): void {
  assertPersonId(person);
  if (!LOG_ID.test(log))
    throw new RangeError('The id of a session or a file has 1 to 128 characters of A-Z, a-z, 0-9, _ and -.');
}

/** Refuses an invalid place in a log. @throws {RangeError} */
export function assertChunkPlace({ part, firstSeq, lastSeq }: ChunkPlace): void {
  if (!isStorableTurn(part)) throw new RangeError(`A turn is a number from 1 to ${MAX_TURNS}.`);
  if (!isSeq(firstSeq) || !isSeq(lastSeq) || lastSeq < firstSeq)
    throw new RangeError('A chunk goes from one frame or byte to the same or a later one, counted from 1.');
}

const isSeq = (seq: number): boolean => Number.isInteger(seq) && seq >= 1 && seq <= MAX_FRAMES;

/** First byte of a sealed chunk: how the rest is to be read. */
const FORMAT = 1;

/** The number of bytes that sealing adds to a chunk. */
export const SEAL_BYTES = 1 + GCM_OVERHEAD;

/** A chunk that was opened. */
export interface OpenedChunk extends ChunkPlace {
  readonly plain: Buffer;
}

/**
 * Seals chunks under their person's key, for any store. Purpose, person, log and place are authenticated with each
 * chunk, so that a chunk cannot be used as one of another log or of another place.
 */
export class SealedChunks {
  constructor(
    private readonly purpose: 'audio' | 'file',
    private readonly keys: Vault['keys'],
    private readonly store: ChunkStore,
  ) {}

  /**
   * @param plain in parts, whose buffers the caller may reuse once this has resolved
   * @returns false if the log does not end right before the place: nothing was stored
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   */
  async append(of: ChunksOf, place: ChunkPlace, plain: readonly Uint8Array[]): Promise<boolean> {
    const { person, log } = of;
    const { part, firstSeq, lastSeq } = place;
    const key = await this.keyOf(person);
    const length = plain.reduce((total, { byteLength }) => total + byteLength, 0);
    const sealed = Buffer.allocUnsafeSlow(SEAL_BYTES + length);
    sealed[0] = FORMAT;
    encryptInto(sealed.subarray(1), key, plain, this.authenticated(of, place));
    const outcome = await this.store.append({ person, log, part, firstSeq, lastSeq, sealed });
    if (outcome === 'erased') throw new PersonErased(person);
    return outcome === 'appended';
  }

  /** @throws {PersonErased | MissingKey | VaultUnavailable | BrokenSeal} */
  async *read(of: ChunksOf, part: number): AsyncGenerator<OpenedChunk, void, undefined> {
    // Before the first chunk, so that an erased log throws: without chunks it would look like a log that never existed.
    await this.keyOf(of.person);
    for await (const chunk of this.store.chunks(of, part)) {
      const { firstSeq, lastSeq, sealed } = chunk;
      const key = await this.keyOf(of.person);
      const plain =
        sealed[0] === FORMAT ? decrypt(key, sealed.subarray(1), this.authenticated(chunk, chunk)) : null;
      if (plain === null) throw new BrokenSeal(of.person);
      yield { part: chunk.part, firstSeq, lastSeq, plain };
    }
  }

  private async keyOf(person: PersonId): Promise<Buffer> {
    const key = await this.keys.get(person);
    if (key === null) throw new MissingKey(person);
    if (key.kind === 'erased') throw new PersonErased(person);
    return key.key;
  }

  /**
   * The additional authenticated data. It has spaces, which ids do not have: `Sealer` uses the person's id alone, so
   * its results cannot be used as chunks.
   */
  private authenticated({ person, log }: ChunksOf, { part, firstSeq, lastSeq }: ChunkPlace): Buffer {
    return Buffer.from(`${this.purpose} ${person} ${log} ${part} ${firstSeq} ${lastSeq}`);
  }
}
