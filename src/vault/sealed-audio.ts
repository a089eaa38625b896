import { BrokenSeal } from '../core/vault/port.js';
import type { AudioChunk, AudioOf, AudioState, AudioStore, Vault } from './port.js';
import {
  assertChunkPlace,
  assertChunksOf,
  type ChunksOf,
  type ChunkStore,
  SEAL_BYTES,
  SealedChunks,
} from './sealed-chunks.js';

/**
 * The header before the PCM: flags (u8), the first frame's time and the gap before the answer (each f64, big-endian, in
 * milliseconds; NaN: no gap).
 */
const HEAD_BYTES = 17;
/** The flag of the last chunk of a turn. */
const END_OF_TURN = 1;

/**
 * Candidates' speech: a log of sealed chunks for each session, in it a part for each turn. The interview appends and
 * reads; `append` returns false, and stores nothing, if another process has appended since `after`. The sizes of `turns`
 * are bytes of PCM. `AudioStore` has the errors of each method.
 */
export class SealedAudio implements AudioStore {
  private readonly sealed: SealedChunks;

  constructor(
    keys: Vault['keys'],
    private readonly store: ChunkStore,
  ) {
    this.sealed = new SealedChunks('audio', keys, store);
  }

  async append(of: AudioOf, after: number, chunk: AudioChunk): Promise<boolean> {
    const log = logOf(of);
    const place = { part: chunk.turn, firstSeq: chunk.firstSeq, lastSeq: chunk.lastSeq };
    assertChunkPlace(place);
    if (chunk.firstSeq !== after + 1)
      throw new RangeError(`Audio that goes on after frame ${after} begins with the next one.`);
    return this.sealed.append(log, place, [headOf(chunk), chunk.pcm]);
  }

  async state(of: AudioOf): Promise<AudioState> {
    return { lastSeq: await this.store.end(logOf(of)) };
  }

  async *read(of: AudioOf, turn: number): AsyncGenerator<AudioChunk, void, undefined> {
    for await (const { part, firstSeq, lastSeq, plain } of this.sealed.read(logOf(of), turn)) {
      if (plain.length < HEAD_BYTES) throw new BrokenSeal(of.person);
      const gap = plain.readDoubleBE(9);
      yield {
        turn: part,
        firstSeq,
        lastSeq,
        timestampMs: plain.readDoubleBE(1),
        endOfTurn: (plain.readUInt8(0) & END_OF_TURN) !== 0,
        answerGapMs: Number.isNaN(gap) ? null : gap,
        pcm: plain.subarray(HEAD_BYTES),
      };
    }
  }

  async turns(of: AudioOf): Promise<ReadonlyMap<number, number>> {
    const turns = new Map<number, number>();
    for (const { part, bytes } of await this.store.sizes(logOf(of)))
      turns.set(part, (turns.get(part) ?? 0) + bytes - SEAL_BYTES - HEAD_BYTES);
    return turns;
  }

  async discard(of: AudioOf, turn: number): Promise<void> {
    await this.store.discard(logOf(of), turn);
  }

  async *sessions(after?: AudioOf): AsyncGenerator<AudioOf, void, undefined> {
    for await (const { person, log } of this.store.logs(after && logOf(after)))
      yield { person, trialSessionId: log };
  }
}

function headOf({ timestampMs, endOfTurn, answerGapMs }: AudioChunk): Buffer {
  if (!Number.isFinite(timestampMs) || (answerGapMs !== null && !Number.isFinite(answerGapMs)))
    throw new RangeError('A chunk of audio has times in milliseconds.');
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt8(endOfTurn ? END_OF_TURN : 0, 0);
  head.writeDoubleBE(timestampMs, 1);
  head.writeDoubleBE(answerGapMs ?? NaN, 9);
  return head;
}

/** @throws {RangeError} one of the ids is not valid */
function logOf({ person, trialSessionId }: AudioOf): ChunksOf {
  const of = { person, log: trialSessionId };
  assertChunksOf(of);
  return of;
}
