import type { KeyedHash, Secrets } from '../core/keyed-hash.js';
import type { PersonId, PersonKeys } from '../core/vault/port.js';

/**
 * The vault: data that is not in events, so that it cannot be rebuilt; deleting or rebuilding views does not change it.
 * It has the keys of personal data, look-ups from a keyed hash to persons, candidates' audio, files of candidates and
 * tickets, records of reads of evaluations, and the server's wrapped secrets.
 */

/** A look-up's reference to a person: enough to find its stream. */
export interface PersonRef {
  readonly person: PersonId;
  readonly kind: 'member' | 'candidate' | 'api_key';
  readonly organisationId: string;
}

/**
 * One handle on the vault, for any number of calls at once. Every call throws {VaultUnavailable} if the store does not
 * answer in time or the handle is closed.
 */
export interface Vault extends Secrets {
  readonly keys: PersonKeys;

  /** From (organisation, e-mail) to its one person. */
  readonly identities: {
    /** `null`: there is none, or the person was erased. */
    get(hash: KeyedHash): Promise<PersonId | null>;
    /**
     * Compare-and-set from `expected` (`null`: none) to `person`; durable. False if anything else than `expected` is
     * stored (`person` itself included), or if the person was erased.
     */
    swap(hash: KeyedHash, expected: PersonId | null, person: PersonId): Promise<boolean>;
  };

  /**
   * From an e-mail, a subject or an API key's token to every person, of any organisation, that carries it. The entries
   * are only hints: the log decides.
   */
  readonly carriers: {
    list(hash: KeyedHash): Promise<readonly PersonRef[]>;
    /** Adds the person, durably. Idempotent; adds no erased person. An erasure removes the entry. */
    add(hash: KeyedHash, person: PersonRef): Promise<void>;
  };

  /**
   * From the keyed hash of a command's id to the person that the command was first sent for. A hash of an id reveals
   * nothing of a person, and an entry outlives the person's erasure: a command that is sent again gets its first
   * answer.
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

  /** Entries that are needed for minutes or hours, such as sign-ins under way. They are not copied to another vault. */
  readonly shortLived: {
    /** The stored entry, expired or not; `null`: there is none, or a sweep has removed it. */
    get(hash: KeyedHash): Promise<ShortLived | null>;
    /** Compare-and-set, durable; `null` means no entry. False if anything else than `expected` is stored. */
    swap(hash: KeyedHash, expected: ShortLived | null, entry: ShortLived | null): Promise<boolean>;
    /** Removes the entries that have expired at `now`; returns how many. */
    sweep(now: number): Promise<number>;
  };

  readonly sweeps: Sweeps;

  close(): Promise<void>;
}

/**
 * Background work on all entries of the vault, done in parts. No request waits for it, and its cursor is stored, so
 * that the start of a process does not depend on the vault's size.
 */
export interface Sweeps {
  /** A sweep's cursor; `null`: it was never begun. */
  cursor(name: string): Promise<SweepCursor | null>;
  /** Compare-and-set; durable. False if anything else than `expected` is stored. */
  move(name: string, expected: SweepCursor | null, cursor: SweepCursor): Promise<boolean>;
  /**
   * Removes entries of a part of the erased persons that have reappeared: from a backup, or from a process that ended
   * between storing an entry and checking the tombstone. Reads already treat them as absent.
   * @param after where the former part ended; `null`: the first one
   * @param signal ends the part early, after the person at hand
   * @returns where this part ended, or began if it was ended early; `null`: it was the last one
   */
  erased(after: string | null, signal: AbortSignal): Promise<string | null>;
}

/** The progress of a sweep. */
export interface SweepCursor {
  /** Where the last part ended; `null`: the sweep is complete. */
  readonly after: string | null;
  /** When that part ended, in milliseconds since the epoch; 0: an entry of this or a former part has failed. */
  readonly at: number;
}

/** An entry sealed by its writer. */
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
  /** The turn's number; that of late speech is made by `lateNumber`. */
  readonly turn: number;
  /** The numbers of its first and its last frame, counted through the whole session. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The time of the first frame, by the candidate's clock. */
  readonly timestampMs: number;
  /** Whether its last frame ends the turn. */
  readonly endOfTurn: boolean;
  /** If the chunk has the answer's first voiced frame: the gap before the answer, in milliseconds; else `null`. */
  readonly answerGapMs: number | null;
  /** Empty if the audio was acknowledged but is not stored. */
  readonly pcm: Uint8Array;
}

/** Where a session's audio ends. */
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
   * nothing was stored. Once it has resolved, the caller may reuse the chunk's PCM buffer.
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   * @throws {RangeError} the chunk does not begin right after `after`, or ends before it begins
   */
  append(of: AudioOf, after: number, chunk: AudioChunk): Promise<boolean>;
  /** Where the audio ends; for an erased person as before the first frame. @throws {VaultUnavailable} */
  state(of: AudioOf): Promise<AudioState>;
  /**
   * A turn's stored chunks in order, a few in memory at a time.
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   * @throws {BrokenSeal} changed in the store
   */
  read(of: AudioOf, turn: number): AsyncIterable<AudioChunk>;
  /** Which turns have chunks, late speech included, and how many bytes of PCM each. */
  turns(of: AudioOf): Promise<ReadonlyMap<number, number>>;
  /** Destroys a turn's stored chunks; `state` does not change. Idempotent. */
  discard(of: AudioOf, turn: number): Promise<void>;
  /**
   * Every session with stored chunks, for retention.
   * @param after the session before the first returned one; absent: from the beginning
   */
  sessions(after?: AudioOf): AsyncIterable<AudioOf>;
}

/** A file under its owner's key. The owner is a candidate, a ticket or a logo; the latter two have keys of their own. */
export interface FileOf {
  readonly person: PersonId;
  readonly fileId: string;
}

/**
 * Append-only files: work samples of candidates, and attachments of tickets. Two processes that append at the same
 * place cannot both succeed.
 */
export interface FileStore {
  /**
   * Appends at least one byte if the file ends at exactly `offset`; durable when it resolves. False if the file ends
   * elsewhere: nothing was stored.
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   * @throws {RangeError} no bytes, or an invalid offset
   */
  append(of: FileOf, offset: number, bytes: Uint8Array): Promise<boolean>;
  /** The number of durable bytes; 0 for an erased person. @throws {VaultUnavailable} */
  size(of: FileOf): Promise<number>;
  /**
   * Its bytes in order, as they were appended, a few pieces in memory at a time.
   * @throws {PersonErased | MissingKey | VaultUnavailable}
   * @throws {BrokenSeal} changed in the store, or a piece is missing before another
   */
  read(of: FileOf): AsyncIterable<Buffer>;
  /** Destroys the content: the file is as before its first byte. Idempotent. */
  discard(of: FileOf): Promise<void>;
  /**
   * Every file with content, by person and then by file, for sweeps.
   * @param after the file before the first returned one; absent: from the beginning
   */
  files(after?: FileOf): AsyncIterable<FileOf>;
}

/** The reader of an evaluation: staff by subject, a candidate by person id, an API key or a share link by its id. */
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
  /** Most entries to return. */
  readonly limit: number;
  /** Only those before this one; `null`: from the newest on. */
  readonly before: ReadPlace | null;
}

/** The records of reads of evaluations. */
export interface ReadLog {
  /**
   * Adds the entries; durable when it resolves. An existing entry of the same id and time is not changed, so that a
   * batch whose outcome is unknown may be sent again.
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

/** @throws {RangeError} the time is not in this service's form, or the id is not valid */
export function assertReadPlace({ at, id }: ReadPlace): void {
  if (!TIME.test(at)) throw new RangeError('The time of a read is RFC 3339 UTC with milliseconds.');
  assertId(id);
}

/** @throws {RangeError} it is not a valid id */
export function assertEvaluationId(evaluationId: string): void {
  assertId(evaluationId);
}

function assertId(id: string): void {
  if (!ID.test(id))
    throw new RangeError('The ids of a read have 1 to 128 characters of A-Z, a-z, 0-9, _ and -.');
}
