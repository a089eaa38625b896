/** Who read: staff by subject, a candidate by person id, a share link by its id. */
export interface Reader {
  readonly type: 'staff' | 'candidate' | 'operator' | 'share_link';
  readonly id: string;
}

/** Where a read stands among those of its evaluation: in the order of time, and of ids within a millisecond. */
export interface ReadPlace {
  /** RFC 3339 UTC with milliseconds. */
  readonly at: string;
  /** UUID v7. */
  readonly id: string;
}

/** That somebody read an evaluation. Says nothing of the candidate, so it stays after their erasure. */
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
   * Adds the entries; durable when it answers. What stands already under an entry's id and time stays as it is, so
   * that a batch whose outcome is unknown may be sent again.
   * @throws {VaultUnavailable} any of them may be stored or not
   */
  record(entries: readonly ReadEntry[]): Promise<void>;
  /** An evaluation's, newest first. @throws {VaultUnavailable} */
  list(evaluationId: string, page: ReadsPage): Promise<readonly ReadEntry[]>;
}

const ID = /^[A-Za-z0-9_-]{1,128}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Refuses what could stand anywhere else than in its order among its evaluation's. @throws {RangeError} */
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
