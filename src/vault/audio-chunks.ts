import type { AudioOf } from './port.js';
import { assertPersonId } from '../core/vault/port.js';

/** Where a sealed chunk lies; nothing here reveals what was spoken. */
export interface AudioPlace {
  readonly turn: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** A chunk as a store keeps it. */
export interface SealedChunk extends AudioPlace {
  readonly sealed: Buffer;
}

/** What is kept of a turn. */
export interface SealedTurn {
  readonly turn: number;
  readonly chunks: number;
  /** Of all its sealed chunks together. */
  readonly sealedBytes: number;
}

/** A chunk with whose it is. */
export interface OwnedChunk extends AudioOf, SealedChunk {}

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
  append(of: AudioOf, chunk: SealedChunk): Promise<'appended' | 'elsewhere' | 'erased'>;
  /** The last `lastSeq` ever appended, 0 before the first. */
  end(of: AudioOf): Promise<number>;
  /** In their order, a few in memory at a time. */
  chunks(of: AudioOf, turn: number): AsyncIterable<SealedChunk>;
  /** In the order of their numbers. */
  turns(of: AudioOf): Promise<readonly SealedTurn[]>;
  /** Removes a turn's chunks; the end stays where it is. */
  discard(of: AudioOf, turn: number): Promise<void>;
  /** Sessions with chunks, by person and then by session. */
  sessions(): AsyncIterable<AudioOf>;
}

/** What is kept of each turn. @param chunks in their order */
export function countTurns(
  chunks: Iterable<{ readonly place: AudioPlace; readonly bytes: number }>,
): readonly SealedTurn[] {
  const turns = new Map<number, SealedTurn>();
  for (const { place, bytes } of chunks) {
    const { turn } = place;
    const known = turns.get(turn) ?? { turn, chunks: 0, sealedBytes: 0 };
    turns.set(turn, { turn, chunks: known.chunks + 1, sealedBytes: known.sealedBytes + bytes });
  }
  return [...turns.values()];
}

const SESSION_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Refuses what could name anything else than a session of a person. @throws {RangeError} */
export function assertAudioOf({ person, trialSessionId }: AudioOf): void {
  assertPersonId(person);
  if (!SESSION_ID.test(trialSessionId))
    throw new RangeError('A session id has 1 to 128 characters of A-Z, a-z, 0-9, _ and -.');
}

/** Turns are counted in 16 bits on the wire, and frames in 32. */
const MOST_TURNS = 0xffff;
const MOST_FRAMES = 0xffff_ffff;

/** Refuses what has no place in a session. @throws {RangeError} */
export function assertAudioPlace({ turn, firstSeq, lastSeq }: AudioPlace): void {
  if (!isCount(turn, MOST_TURNS)) throw new RangeError(`A turn is a number from 1 to ${MOST_TURNS}.`);
  if (!isCount(firstSeq, MOST_FRAMES) || !isCount(lastSeq, MOST_FRAMES) || lastSeq < firstSeq)
    throw new RangeError('A chunk of audio goes from one frame to the same or a later one, counted from 1.');
}

const isCount = (value: number, most: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= most;
