import type { PersonId } from './person-id.js';

/** A session's audio, sealed under its candidate's key. */
export interface AudioOf {
  readonly person: PersonId;
  readonly trialSessionId: string;
}

/** Consecutive frames of one turn. */
export interface AudioChunk {
  readonly turn: number;
  /** Of its frames, in the order of the whole session. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The first frame's, by the candidate's clock. */
  readonly timestampMs: number;
  /** Whether its last frame ends the turn. */
  readonly endOfTurn: boolean;
  /** Where the answer's first voiced frame lies in it: the gap before the answer, in milliseconds; else `null`. */
  readonly answerGapMs: number | null;
  /** Empty where it was acknowledged and is not kept. */
  readonly pcm: Uint8Array;
}

/** How far a session's audio goes. */
export interface AudioState {
  /** Of the last frame that is durable, 0 before the first. It never goes back, also once audio is discarded. */
  readonly lastSeq: number;
}

/**
 * A candidate's speech, kept until its turn is transcribed, or for good where the organisation records it. An
 * append-only log for each session: two processes that both believe they hold a session's line cannot both append.
 */
export interface AudioStore {
  /**
   * Appends where the session's audio goes to exactly `after`; durable when it answers. False where it goes
   * elsewhere: nothing was stored. Once it has answered, the chunk's PCM is the caller's to write over.
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   * @throws {RangeError} the chunk does not begin right after `after`, or ends before it begins
   */
  append(of: AudioOf, after: number, chunk: AudioChunk): Promise<boolean>;
  /** Of an erased person: as before the first. @throws {VaultUnavailable} */
  state(of: AudioOf): Promise<AudioState>;
  /**
   * A turn's chunks in order, those that are kept, a few in memory at a time.
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   * @throws {BrokenSeal} changed in the store
   */
  read(of: AudioOf, turn: number): AsyncIterable<AudioChunk>;
  /** Which turns have chunks, in the order of their numbers, and how many bytes of PCM each. */
  turns(of: AudioOf): Promise<ReadonlyMap<number, number>>;
  /** Destroys what is kept of a turn; `state` stays as it is. Again: the same. */
  discard(of: AudioOf, turn: number): Promise<void>;
  /** Every session with chunks that are kept, for whoever tidies up. */
  sessions(): AsyncIterable<AudioOf>;
}
