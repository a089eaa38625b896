import { assertPersonId, BrokenSeal, MissingKey, PersonErased, type PersonId } from '../core/vault/port.js';
import { decrypt, encryptInto, GCM_OVERHEAD } from '../core/vault/gcm.js';
import { isStorableTurn, MAX_FRAMES, MAX_TURNS } from './late-turns.js';
import type { AudioChunk, AudioOf, AudioState, AudioStore, Vault } from './port.js';

/** Where a sealed chunk lies; nothing here reveals what was spoken. */
export interface AudioPlace {
  readonly turn: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** A chunk as a store keeps it, with whose it is. */
export interface SealedChunk extends AudioOf, AudioPlace {
  readonly sealed: Buffer;
}

export interface SealedSize {
  readonly turn: number;
  readonly bytes: number;
}

/** How far a session's audio goes, with whose it is. */
export interface AudioEnd extends AudioOf {
  readonly lastSeq: number;
}

/** Where sealed chunks lie: what an adapter is to provide, and nothing about keys. */
export interface ChunkStore {
  /**
   * Puts a chunk where the session's audio ends right before it, durably. `elsewhere`: it ends at another place.
   * `erased`: the person was erased, and nothing of theirs is kept.
   */
  append(chunk: SealedChunk): Promise<'appended' | 'elsewhere' | 'erased'>;
  /** The last `lastSeq` ever appended, 0 before the first. */
  end(of: AudioOf): Promise<number>;
  /** In their order, a few in memory at a time. */
  chunks(of: AudioOf, turn: number): AsyncIterable<SealedChunk>;
  /** Each chunk's turn, in their order, and the length of its seal. */
  sizes(of: AudioOf): Promise<readonly SealedSize[]>;
  /** Removes a turn's chunks; the end stays where it is. */
  discard(of: AudioOf, turn: number): Promise<void>;
  /** Sessions with chunks, by person and then by session, from the first one after `after`. */
  sessions(after?: AudioOf): AsyncIterable<AudioOf>;
}

const SESSION_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Refuses what could name anything else than a session of a person. @throws {RangeError} */
export function assertAudioOf({ person, trialSessionId }: AudioOf): void {
  assertPersonId(person);
  if (!SESSION_ID.test(trialSessionId))
    throw new RangeError('A session id has 1 to 128 characters of A-Z, a-z, 0-9, _ and -.');
}

/** Refuses what has no place in a session. @throws {RangeError} */
export function assertAudioPlace({ turn, firstSeq, lastSeq }: AudioPlace): void {
  if (!isStorableTurn(turn)) throw new RangeError(`A turn is a number from 1 to ${MAX_TURNS}.`);
  if (!isFrame(firstSeq) || !isFrame(lastSeq) || lastSeq < firstSeq)
    throw new RangeError('A chunk of audio goes from one frame to the same or a later one, counted from 1.');
}

const isFrame = (seq: number): boolean => Number.isInteger(seq) && seq >= 1 && seq <= MAX_FRAMES;

/** First byte of a sealed chunk: how the rest is to be read. */
const FORMAT = 1;
/** Before the PCM: flags (u8), the first frame's time and the gap (each f64, big-endian; no gap is NaN). */
const HEAD_BYTES = 17;
const END_OF_TURN = 1;

/** What sealing adds to the PCM's length. */
const AUDIO_OVERHEAD = 1 + GCM_OVERHEAD + HEAD_BYTES;

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
    const outcome = await this.store.append({ ...of, turn, firstSeq, lastSeq, sealed });
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
    for await (const chunk of this.store.chunks(of, turn)) yield opened(await this.keyOf(of.person), chunk);
  }

  async turns(of: AudioOf): Promise<ReadonlyMap<number, number>> {
    assertAudioOf(of);
    const turns = new Map<number, number>();
    for (const { turn, bytes } of await this.store.sizes(of))
      turns.set(turn, (turns.get(turn) ?? 0) + bytes - AUDIO_OVERHEAD);
    return turns;
  }

  async discard(of: AudioOf, turn: number): Promise<void> {
    assertAudioOf(of);
    await this.store.discard(of, turn);
  }

  sessions(after?: AudioOf): AsyncIterable<AudioOf> {
    return this.store.sessions(after);
  }

  private async keyOf(person: PersonId): Promise<Buffer> {
    const key = await this.keys.get(person);
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

function opened(key: Buffer, chunk: SealedChunk): AudioChunk {
  const { person, turn, firstSeq, lastSeq, sealed } = chunk;
  const plain = sealed[0] === FORMAT ? decrypt(key, sealed.subarray(1), bound(chunk, chunk)) : null;
  if (plain === null || plain.length < HEAD_BYTES) throw new BrokenSeal(person);
  const gap = plain.readDoubleBE(9);
  return {
    turn,
    firstSeq,
    lastSeq,
    timestampMs: plain.readDoubleBE(1),
    endOfTurn: (plain.readUInt8(0) & END_OF_TURN) !== 0,
    answerGapMs: Number.isNaN(gap) ? null : gap,
    pcm: plain.subarray(HEAD_BYTES),
  };
}

/** Ids have no space in them, and no person's id alone looks like it: what `Sealer` seals never passes for audio. */
const bound = ({ person, trialSessionId }: AudioOf, { turn, firstSeq, lastSeq }: AudioPlace): Buffer =>
  Buffer.from(`audio ${person} ${trialSessionId} ${turn} ${firstSeq} ${lastSeq}`);
