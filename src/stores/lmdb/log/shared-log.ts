import { StoreUnusable } from '../../../core/errors.js';
import { AppendQueue } from './append-queue.js';
import type { Failpoint } from './append-transaction.js';
import { LogReader } from './reading.js';
import { logFolder, openTables, type Tables } from './tables.js';
import { Tail } from './tail.js';

/**
 * What all handles of this process on one folder share: LMDB wants an environment opened once in a process, and one
 * queue shares flushes among all writers.
 */
export class SharedLog {
  static readonly #open = new Map<string, SharedLog>();

  readonly reader: LogReader;
  readonly tail: Tail;
  readonly queue: AppendQueue;
  #handles = 0;

  private constructor(
    readonly tables: Tables,
    readonly readOnly: boolean,
    failpoint: Failpoint,
  ) {
    this.reader = new LogReader(tables);
    this.tail = new Tail(() => this.reader.head());
    this.queue = new AppendQueue(tables, (head) => this.tail.reached(head), failpoint);
  }

  /** @throws {StoreUnusable} see `openEmbeddedLog` */
  static acquire(folder: string, readOnly: boolean, failpoint: Failpoint = () => undefined): SharedLog {
    const path = logFolder(folder, readOnly);
    let log = SharedLog.#open.get(path);
    if (log?.readOnly && !readOnly) {
      throw new StoreUnusable(`The event log in ${path} is open in this process for reading only.`);
    }
    if (!log) {
      log = new SharedLog(openTables(path, readOnly), readOnly, failpoint);
      SharedLog.#open.set(path, log);
    }
    log.#handles++;
    return log;
  }

  /** The last handle lets go of the files; what is being written settles first, as far as the deadline allows. */
  async release(deadlineMs: number): Promise<void> {
    if (--this.#handles > 0) return;
    const { folder, root } = this.tables;
    SharedLog.#open.delete(folder);
    this.tail.close();
    // A transaction that waits for a lock held elsewhere cannot be called back: its files stay open.
    await within(
      deadlineMs,
      this.queue.settled().then(async () => {
        await root.close();
        this.queue.close();
      }),
    );
  }
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
