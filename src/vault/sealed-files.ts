import { BrokenSeal } from '../core/vault/port.js';
import type { FileOf, FileStore, Vault } from './port.js';
import {
  assertChunkPlace,
  assertChunksOf,
  type ChunksOf,
  type ChunkStore,
  SealedChunks,
} from './sealed-chunks.js';

/** A file is a log with this one part. Its first byte has the sequence number 1. */
const PART = 1;

/** Files as logs of sealed chunks. */
export class SealedFiles implements FileStore {
  private readonly sealed: SealedChunks;

  constructor(
    keys: Vault['keys'],
    private readonly store: ChunkStore,
  ) {
    this.sealed = new SealedChunks('file', keys, store);
  }

  async append(of: FileOf, offset: number, bytes: Uint8Array): Promise<boolean> {
    const place = { part: PART, firstSeq: offset + 1, lastSeq: offset + bytes.byteLength };
    const log = logOf(of);
    assertChunkPlace(place);
    return this.sealed.append(log, place, [bytes]);
  }

  async size(of: FileOf): Promise<number> {
    return this.store.end(logOf(of));
  }

  async *read(of: FileOf): AsyncGenerator<Buffer, void, undefined> {
    let end = 0;
    for await (const { firstSeq, lastSeq, plain } of this.sealed.read(logOf(of), PART)) {
      // Each chunk is sealed by itself, so only the numbers reveal that one is missing.
      if (firstSeq !== end + 1) throw new BrokenSeal(of.person);
      end = lastSeq;
      yield plain;
    }
  }

  async discard(of: FileOf): Promise<void> {
    await this.store.remove(logOf(of));
  }

  async *files(after?: FileOf): AsyncGenerator<FileOf, void, undefined> {
    for await (const { person, log } of this.store.logs(after && logOf(after))) yield { person, fileId: log };
  }
}

/** @throws {RangeError} an id that is not valid as part of a key or file name */
function logOf({ person, fileId }: FileOf): ChunksOf {
  const of = { person, log: fileId };
  assertChunksOf(of);
  return of;
}
