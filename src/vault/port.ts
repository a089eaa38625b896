import type { KeyedHash, Secrets } from '../core/keyed-hash.js';
import type { PersonId, PersonKeys } from '../core/vault/port.js';

/**
 * The vault: what is no event and cannot be folded again, which no rebuild or deletion of views touches.
 * Keys of personal data, look-ups from a keyed hash to persons, candidates' audio, files of candidates and tickets, who
 * read an evaluation, the server's wrapped secrets.
 */

/** A person as a look-up names it: enough to find its stream. */
export interface PersonRef {
  readonly person: PersonId;
  readonly kind: 'member' | 'candidate' | 'api_key';
  readonly organisationId: string;
}

export interface Vault extends Secrets {
  readonly keys: PersonKeys;

  /** From (organisation, e-mail) to its one person. */
  readonly identities: {
    get(hash: KeyedHash): Promise<PersonId | null>;
    /**
     * Compare-and-set from `expected` (`null`: none) to `person`; durable. False if anything else than `expected` is
     * stored (`person` itself included), and for an erased person, who gets no entries any more.
     */
    swap(hash: KeyedHash, expected: PersonId | null, person: PersonId): Promise<boolean>;
  };

  /**
   * From an e-mail, a subject or an API key's token to every person, of any organisation, that carries it. Hints: the
   * log decides.
   */
  readonly carriers: {
    list(hash: KeyedHash): Promise<readonly PersonRef[]>;
    /** Adds the person, durably. Idempotent; adds no erased person. An erasure removes the entry. */
    add(hash: KeyedHash, person: PersonRef): Promise<void>;
  };

  /**
   * From the keyed hash of a command's id to the person that the command was first sent for. A hash of an id reveals
   * nothing of a person, and an entry outlives the person's erasure: the command sent again finds its first answer.
   */
  readonly claims: {
    /** Inserts the person if absent; returns the stored one. Durable. */
    claim(hash: KeyedHash, person: PersonId): Promise<PersonId>;
    /** Compare-and-set from one person to another; durable. False if the stored one is not `from`, or there is none. */
    move(hash: KeyedHash, from: PersonId, to: PersonId): Promise<boolean>;
  };

  readonly audio: AudioStore;

  readonly files: FileStore;

  readonly reads: ReadLog;

  /** Entries that are needed for minutes or hours, such as sign-ins under way. They are not carried to another vault. */
  readonly shortLived: {
    /** As it is stored, expired or not. */
    get(hash: KeyedHash): Promise<ShortLived | null>;
    /** Compare-and-set, durable; `null` stands for no entry. False if anything else than `expected` is stored. */
    swap(hash: KeyedHash, expected: ShortLived | null, entry: ShortLived | null): Promise<boolean>;
    /** Removes the entries that have expired at `now`; returns how many. */
    sweep(now: number): Promise<number>;
  };

  readonly sweeps: Sweeps;

  close(): Promise<void>;
}

/**
 * Work on everything that the vault holds, done in the background and in parts. Nothing waits for it, and its cursor is
 * stored, so that the start of a process costs the same however much is held.
 */
export interface Sweeps {
  /** How far a sweep is; `null`: it was never made. */
  cursor(name: string): Promise<SweepCursor | null>;
  /** Compare-and-set; durable. False if anything else than `expected` is stored. */
  move(name: string, expected: SweepCursor | null, cursor: SweepCursor): Promise<boolean>;
  /**
   * Removes, of a part of the erased persons, what came back: from a backup, or from a process that ended between an
   * entry and its check of the tombstone. It counts as absent before, too.
   * @param after where the former part ended; `null`: the first one
   * @returns where this part ended; `null`: it was the last one
   */
  erased(after: string | null): Promise<string | null>;
}

/** How far a sweep is. */
export interface SweepCursor {
  /** Where the last part ended; `null`: the sweep has come to its end. */
  readonly after: string | null;
  /** When that part ended, in milliseconds since the epoch. */
  readonly at: number;
}

/** An entry that its writer has sealed. */
export interface ShortLived {
  /** Base64. */
  readonly sealed: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A session's audio, sealed under its candidate's key. */
export interface AudioOf {
  readonly person: PersonId;
  readonly trialSessionId: string;
}

/** Consecutive frames of one turn. */
export interface AudioChunk {
  /** Late speech has a number of its own (`lateNumber`). */
  readonly turn: number;
  /** The numbers of its first and its last frame, counted through the whole session. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The first frame's, by the candidate's clock. */
  readonly timestampMs: number;
  /** Whether its last frame ends the turn. */
  readonly endOfTurn: boolean;
  /** When the answer's first voiced frame came: the gap before the answer, in milliseconds; else `null`. */
  readonly answerGapMs: number | null;
  /** Empty if it was acknowledged and is not kept. */
  readonly pcm: Uint8Array;
}

/** How far a session's audio goes. */
export interface AudioState {
  /** Number of the last durable frame, 0 before the first. It never decreases, even if audio is discarded. */
  readonly lastSeq: number;
}

/**
 * A candidate's speech, kept until its turn is transcribed, or for good if the organisation records it. An
 * append-only log for each session: two processes that both serve a session cannot both append.
 */
export interface AudioStore {
  /**
   * Appends if the last durable frame is exactly `after`; durable when it resolves. False if another frame is the last:
   * nothing was stored. Once it has resolved, the caller may write over the chunk's PCM.
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   * @throws {RangeError} the chunk does not begin right after `after`, or ends before it begins
   */
  append(of: AudioOf, after: number, chunk: AudioChunk): Promise<boolean>;
  /** How far the audio goes; of an erased person as before the first frame. @throws {VaultUnavailable} */
  state(of: AudioOf): Promise<AudioState>;
  /**
   * A turn's chunks in order, those that are kept, a few in memory at a time.
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   * @throws {BrokenSeal} changed in the store
   */
  read(of: AudioOf, turn: number): AsyncIterable<AudioChunk>;
  /** Which turns have chunks, late speech included, and how many bytes of PCM each. */
  turns(of: AudioOf): Promise<ReadonlyMap<number, number>>;
  /** Destroys what is kept of a turn; `state` stays as it is. Idempotent. */
  discard(of: AudioOf, turn: number): Promise<void>;
  /**
   * Every session with chunks that are kept, for retention.
   * @param after goes on after this session
   */
  sessions(after?: AudioOf): AsyncIterable<AudioOf>;
}

/** A file under its owner's key. The owner is a candidate, a ticket or a logo; the latter two have keys of their own. */
export interface FileOf {
  readonly person: PersonId;
  readonly fileId: string;
}

/**
 * Files that grow at their end: what candidates hand in and what tickets bring with them. Two processes that append at
 * the same place cannot both succeed.
 */
export interface FileStore {
  /**
   * Appends at least one byte if the file ends at exactly `offset`; durable when it answers. False if it ends
   * elsewhere: nothing was stored.
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   * @throws {RangeError} no bytes, or no place in a file
   */
  append(of: FileOf, offset: number, bytes: Uint8Array): Promise<boolean>;
  /** Bytes that are durable, 0 before the first; of an erased person 0. @throws {VaultUnavailable} */
  size(of: FileOf): Promise<number>;
  /**
   * Its bytes in order, as they were appended, a few pieces in memory at a time.
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   * @throws {BrokenSeal} changed in the store, or a piece is missing before another
   */
  read(of: FileOf): AsyncIterable<Buffer>;
  /** Destroys what is kept: the file is as before its first byte. Idempotent. */
  discard(of: FileOf): Promise<void>;
  /**
   * Every file with content, by person and then by file, for sweeps.
   * @param after goes on after this file
   */
  files(after?: FileOf): AsyncIterable<FileOf>;
}

/** Who read: staff by subject, a candidate by person id, an API key or a share link by its id. */
export interface Reader {
  readonly type: 'staff' | 'api_key' | 'candidate' | 'operator' | 'share_link';
  readonly id: string;
}

/** The place of a read among those of its evaluation: in the order of time, and of ids within a millisecond. */
export interface ReadPlace {
  /** RFC 3339 UTC with milliseconds. */
  readonly at: string;
  /** UUID v7. */
  readonly id: string;
}

/** One read of an evaluation. It reveals nothing of the candidate, so it stays after their erasure. */
export interface ReadEntry extends ReadPlace {
  readonly evaluationId: string;
  readonly organisationId: string;
  readonly actor: Reader;
}

/** Part of an evaluation's reads. */
export interface ReadsPage {
  /** Most entries that are answered. */
  readonly limit: number;
  /** Only those before this one; `null`: from the newest on. */
  readonly before: ReadPlace | null;
}

/** Who read which evaluation. */
export interface ReadLog {
  /**
   * Adds the entries; durable when it answers. An entry that exists under the same id and time stays as it is, so
   * that a batch whose outcome is unknown may be sent again.
   * @throws {VaultUnavailable} any of them may be stored or not
   */
  record(entries: readonly ReadEntry[]): Promise<void>;
  /** An evaluation's, newest first. @throws {VaultUnavailable} */
  list(evaluationId: string, page: ReadsPage): Promise<readonly ReadEntry[]>;
}

const ID = /^[A-Za-z0-9_-]{1,128}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Refuses an entry that would be out of order among its evaluation's. @throws {RangeError} */
export function assertReadEntry(entry: ReadEntry): void {
  assertReadPlace(entry);
  assertEvaluationId(entry.evaluationId);
}

/** @throws {RangeError} no time as this service writes it, or no id */
export function assertReadPlace({ at, id }: ReadPlace): void {
  if (!TIME.test(at)) throw new RangeError('The time of a read is RFC 3339 UTC with milliseconds.');
  assertId(id);
}

/** @throws {RangeError} it could name anything else than an evaluation */
export function assertEvaluationId(evaluationId: string): void {
  assertId(evaluationId);
}

function assertId(id: string): void {
  if (!ID.test(id))
    throw new RangeError('The ids of a read have 1 to 128 characters of A-Z, a-z, 0-9, _ and -.');
}
