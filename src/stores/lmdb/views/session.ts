import type { Database } from 'lmdb';
import { ReadStoreUnavailable } from '../../errors.js';
import { Environment, realFolder, type WriteOptions } from '../environment.js';
import type { Faults, StoreKind } from '../faults.js';
import { OncePerFolder } from '../once-per-folder.js';

/** Raised with every change of how documents, entries or registers are laid out. */
const FORMAT = 2;
const FORMAT_KEY = Buffer.from('format');
const REGISTERS = 'registers';

const READ_STORE: StoreKind = {
  name: 'read store',
  remedy: (folder) =>
    `Stop every process that uses ${folder}, delete that folder and start again: views are rebuilt from the log.`,
  mayBeForeign: false,
  Unavailable: ReadStoreUnavailable,
};

export type Table = Database<Buffer, Buffer>;
type ViewEnvironment = Environment<Buffer, Buffer>;

interface Tables {
  readonly environment: ViewEnvironment;
  readonly documents: Table;
  /** A document's keys in its indexes, to its key within its generation. */
  readonly entries: Table;
  /** Checkpoints, leases, pointers and numbers. */
  readonly registers: Table;
  /** By generation, a mark that differs after each change of its documents. */
  readonly changes: Table;
}

const OPEN = new OncePerFolder<Tables>();

/** One handle on the folder, by which its collections and registers read and write. */
export class Session {
  #closed = false;

  private constructor(
    readonly tables: Tables,
    private readonly deadlineMs: number,
  ) {}

  /** @throws {StoreUnusable} the folder cannot be used: the message says why and what to do */
  static open(folder: string, readOnly: boolean, deadlineMs: number): Session {
    const path = realFolder(folder, READ_STORE, readOnly);
    return new Session(
      OPEN.acquire(`${path}\0${readOnly ? 'r' : 'w'}`, () => openTables(path, readOnly)),
      deadlineMs,
    );
  }

  get faults(): Faults {
    return this.tables.environment.faults;
  }

  /** Runs synchronous reads on the newest committed state: all of them see one snapshot. */
  read<T>(reads: () => T): T {
    this.#assertOpen();
    return this.tables.environment.read(reads);
  }

  /** As `Environment.write`, within the session’s deadline. @throws {ReadStoreUnavailable} it is closed */
  async write<T>(effect: () => T, options: WriteOptions = {}): Promise<T> {
    this.#assertOpen();
    const { environment } = this.tables;
    if (environment.readOnly) throw new TypeError('This read store was opened for reading only.');
    return environment.write(effect, { deadlineMs: this.deadlineMs, ...options });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (OPEN.release(this.tables)) await this.tables.environment.close(this.deadlineMs);
  }

  #assertOpen(): void {
    if (this.#closed) throw new ReadStoreUnavailable('The read store is closed.');
  }
}

function openTables(folder: string, readOnly: boolean): Tables {
  const environment: ViewEnvironment = Environment.open(folder, READ_STORE, {
    readOnly,
    encoding: 'binary',
    keyEncoding: 'binary',
  });
  return environment.prepared(() => {
    environment.assertOwn(REGISTERS);
    const registers = table(environment, REGISTERS);
    environment.assertFormat(
      FORMAT,
      () => registers.getBinary(FORMAT_KEY)?.toString(),
      () => void registers.put(FORMAT_KEY, Buffer.from(String(FORMAT))),
    );
    return {
      environment,
      documents: table(environment, 'documents'),
      entries: table(environment, 'entries'),
      registers,
      changes: table(environment, 'changes'),
    };
  });
}

const table = (environment: ViewEnvironment, name: string): Table =>
  environment.table<Buffer, Buffer>({ name, encoding: 'binary', keyEncoding: 'binary' });
