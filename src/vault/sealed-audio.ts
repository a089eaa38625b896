import { BrokenSeal, MissingKey, PersonErased, type PersonId } from '../core/vault/port.js';
import { decrypt, encryptInto, GCM_OVERHEAD } from '../core/vault/gcm.js';
import {
  assertAudioOf,
  assertAudioPlace,
  type AudioPlace,
  type ChunkStore,
  type SealedChunk,
} from './audio-chunks.js';
import type { AudioChunk, AudioOf, AudioState, AudioStore, Vault } from './port.js';

/** First byte of a sealed chunk: how the rest is to be read. */
const FORMAT = 1;
/** Before the PCM: flags (u8), the first frame's time and the gap (each f64, big-endian; no gap is NaN). */
const HEAD_BYTES = 17;
const END_OF_TURN = 1;

/** What sealing adds to the PCM's length. */
export const AUDIO_OVERHEAD = 1 + GCM_OVERHEAD + HEAD_BYTES;

/**
 * Audio under its person's key, whatever store the chunks lie in. Person, session and place are authenticated with
 * each chunk, so that none passes for another's, or for another part of the same session.
 */
export class SealedAudio implements AudioStore {
  constructor(
    private readonly keys: Vault['keys'],
    private readonly store: ChunkStore,
  ) {}

  async append(of: AudioOf, after: number, chunk: AudioChunk): Promise<boolean> {
    assertAudioOf(of);
    assertAudioPlace(chunk);
    if (chunk.firstSeq !== after + 1)
      throw new RangeError(`Audio that goes on after frame ${after} begins with the next one.`);
    const { turn, firstSeq, lastSeq } = chunk;
    const head = headOf(chunk);
    const sealed = seal(await this.keyOf(of.person), of, chunk, head);
    const outcome = await this.store.append(of, { turn, firstSeq, lastSeq, sealed });
    if (outcome === 'erased') throw new PersonErased(of.person);
    return outcome === 'appended';
  }

  async state(of: AudioOf): Promise<AudioState> {
    assertAudioOf(of);
    return { lastSeq: await this.store.end(of) };
  }

  async *read(of: AudioOf, turn: number): AsyncGenerator<AudioChunk, void, undefined> {
    assertAudioOf(of);
    // Asked before the first chunk, so that an erased person's audio is never taken for audio that was not kept.
    await this.keyOf(of.person);
    for await (const chunk of this.store.chunks(of, turn))
      yield opened(await this.keyOf(of.person), of, chunk);
  }

  async turns(of: AudioOf): Promise<ReadonlyMap<number, number>> {
    assertAudioOf(of);
    const turns = await this.store.turns(of);
    return new Map(
      turns.map(({ turn, chunks, sealedBytes }) => [turn, sealedBytes - chunks * AUDIO_OVERHEAD]),
    );
  }

  async discard(of: AudioOf, turn: number): Promise<void> {
    assertAudioOf(of);
    await this.store.discard(of, turn);
  }

  sessions(): AsyncIterable<AudioOf> {
    return this.store.sessions();
  }

  private async keyOf(person: PersonId): Promise<Buffer> {
    const told = this.keys.peek?.(person);
    const key = told === undefined ? await this.keys.get(person) : told;
    if (key === null) throw new MissingKey(person);
    if (key.kind === 'erased') throw new PersonErased(person);
    return key.key;
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

function seal(key: Buffer, of: AudioOf, chunk: AudioChunk, head: Buffer): Buffer {
  const sealed = Buffer.allocUnsafeSlow(AUDIO_OVERHEAD + chunk.pcm.byteLength);
  sealed[0] = FORMAT;
  encryptInto(sealed.subarray(1), key, [head, chunk.pcm], bound(of, chunk));
  return sealed;
}

function opened(key: Buffer, of: AudioOf, { sealed, ...place }: SealedChunk): AudioChunk {
  const plain = sealed[0] === FORMAT ? decrypt(key, sealed.subarray(1), bound(of, place)) : null;
  if (plain === null || plain.length < HEAD_BYTES) throw new BrokenSeal(of.person);
  const gap = plain.readDoubleBE(9);
  return {
    turn: place.turn,
    firstSeq: place.firstSeq,
    lastSeq: place.lastSeq,
    timestampMs: plain.readDoubleBE(1),
    endOfTurn: (plain.readUInt8(0) & END_OF_TURN) !== 0,
    answerGapMs: Number.isNaN(gap) ? null : gap,
    pcm: plain.subarray(HEAD_BYTES),
  };
}

/** Ids have no space in them, and no person's id alone looks like it: what `Sealer` seals never passes for audio. */
const bound = ({ person, trialSessionId }: AudioOf, { turn, firstSeq, lastSeq }: AudioPlace): Buffer =>
  Buffer.from(`audio ${person} ${trialSessionId} ${turn} ${firstSeq} ${lastSeq}`);
