import { messageOf, StoreUnusable } from '../../core/errors.js';
import { OpenElsewhere } from './claim.js';
import { DiskFull } from './disk-room.js';
import { NotMappable } from './mapping.js';

/** LMDB's messages about damaged pages. */
const LMDB_DAMAGE = /MDB_(?:CORRUPTED|PAGE_NOTFOUND|INVALID|VERSION_MISMATCH)/;

/** The stored bytes are not in the form in which the service writes them. */
export class Damaged extends Error {
  override readonly name: string = 'Damaged';
}

/** The data file is not an LMDB file, or has another file format. */
export class NotLmdb extends Damaged {
  override readonly name = 'NotLmdb';
}

/** The name of a kind of store in messages, and what an operator does about a damaged one. */
export interface StoreKind {
  /** After an article: `event log`. */
  readonly name: string;
  /** With its article, at the beginning of a sentence. Default: `The` and the name. */
  readonly subject?: string;
  /** What to do about damage, as a sentence. */
  readonly remedy: (folder: string) => string;
  /** Whether a data file that is no LMDB file is another program's, rather than damaged. */
  readonly mayBeForeign: boolean;
  /** The port's error for a store that cannot answer now. */
  readonly Unavailable: new (message: string, options?: ErrorOptions) => Error;
}

/** The failures of one store, as the errors of its port. */
export class Faults {
  constructor(
    private readonly folder: string,
    private readonly kind: StoreKind,
  ) {}

  /** @param what the damage, as a phrase @param cause the error that shows it; left out if a check of ours found it */
  damaged(what: string, cause?: unknown): StoreUnusable {
    return this.unusable(`is damaged (${what}). ${this.remedy}`, cause);
  }

  /** The folder has another program's files. @param why without a dot @param cause as in `damaged` */
  foreign(why: string, cause?: unknown): StoreUnusable {
    return new StoreUnusable(
      `${this.folder} holds something other than the ${this.kind.name} of this service (${why}). Give it a folder of its own.`,
      { cause },
    );
  }

  missing(): StoreUnusable {
    return new StoreUnusable(`There is no ${this.kind.name} in ${this.folder}.`);
  }

  /** The store was written in another format than this version's. */
  otherFormat(written: number, known: number): StoreUnusable {
    const versions = `version (format ${written}, this one knows ${known})`;
    return this.unusable(
      written > known
        ? `was written by a newer ${versions}. Run that version, or a later one. Otherwise: ${this.remedy}`
        : `was written by an older ${versions} and cannot be read any more. ${this.remedy}`,
    );
  }

  /** Why the store cannot be opened. */
  notOpened(error: unknown): StoreUnusable {
    if (error instanceof StoreUnusable) return error;
    if (error instanceof DiskFull) return new StoreUnusable(error.message, { cause: error });
    if (error instanceof OpenElsewhere)
      return this.unusable(
        `cannot be opened: ${error.message}. Nothing is damaged and nothing was changed. Processes that share a data folder must run in one container, or share its PID namespace: run the command there (\`docker compose exec SERVICE assay …\`, not \`run\`), or stop the other first.`,
        error,
      );
    if (error instanceof NotMappable)
      return this.unusable(
        `cannot be opened: ${error.message}. Nothing is damaged. Put DATA_DIR on a local file system, such as ext4, xfs or APFS; under WSL, in the Linux file system and not below /mnt.`,
        error,
      );
    if (error instanceof NotLmdb && this.kind.mayBeForeign) return this.foreign(error.message, error);
    if (isDamage(error)) return this.damaged(messageOf(error), error);
    return this.unusable(
      `cannot be opened (${messageOf(error)}). Check that the disk has room and that this user may write there. If it is damaged: ${this.remedy}`,
      error,
    );
  }

  /** A failed read. A key or value that cannot be parsed means damage: the service never wrote it. */
  notRead(error: unknown): Error {
    const isUnreadable = [RangeError, TypeError, SyntaxError].some((type) => error instanceof type);
    return isUnreadable ? this.damaged(messageOf(error), error) : this.failed('read', error);
  }

  /** LMDB could not begin a read, so it is unknown whether the store is damaged. */
  noSnapshot(error: unknown): Error {
    return this.unusable(
      `cannot be read (${messageOf(error)}): LMDB gives this process no snapshot. Restart the process; if that does not help, stop every process that uses the folder, and start one.`,
      error,
    );
  }

  /** A failed write: nothing of it is stored, or its outcome is unknown. */
  notWritten(error: unknown): Error {
    return this.failed('written', error);
  }

  /** A write did not end in time: its outcome is unknown. */
  late(deadlineMs: number): Error {
    return new this.kind.Unavailable(
      `${this.subject} did not answer in time (${deadlineMs} ms): another process may hold its write lock.`,
    );
  }

  closed(): Error {
    return new this.kind.Unavailable(`${this.subject} was closed.`);
  }

  /** @param predicate the rest of a sentence about the store @param cause left out if no error has caused it */
  unusable(predicate: string, cause?: unknown): StoreUnusable {
    return new StoreUnusable(`${this.subject} ${predicate}`, { cause });
  }

  get remedy(): string {
    return this.kind.remedy(this.folder);
  }

  private failed(what: 'read' | 'written', error: unknown): Error {
    if (error instanceof StoreUnusable || error instanceof this.kind.Unavailable) return error;
    if (isDamage(error)) return this.damaged(messageOf(error), error);
    const verb = what === 'read' ? 'cannot be' : 'could not be';
    return new this.kind.Unavailable(`${this.subject} ${verb} ${what} (${messageOf(error)}).`, {
      cause: error,
    });
  }

  private get subject(): string {
    return `${this.kind.subject ?? `The ${this.kind.name}`} in ${this.folder}`;
  }
}

const isDamage = (error: unknown): boolean => error instanceof Damaged || LMDB_DAMAGE.test(messageOf(error));
