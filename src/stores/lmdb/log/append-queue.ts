import type { Cost } from '../growing-file.js';
import type { Appended, Conflict } from '../../../core/event-store.js';
import { appendInTransaction, type Failpoint } from './append-transaction.js';
import { toSequence, type Sequence } from './position.js';
import type { PreparedAppend } from './prepare.js';
import { lastSequence } from './reading.js';
import type { Tables } from './tables.js';

type Outcome = Appended | Conflict;

interface Pending {
  readonly append: PreparedAppend;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Group commit: one transaction at a time takes all that waits when it gets the write lock, so that one flush
 * carries many appends, the more the longer a flush takes or another process holds the lock.
 */
export class AppendQueue {
  #waiting = new Set<Pending>();
  #writing: Promise<void> | null = null;

  constructor(
    private readonly tables: Tables,
    private readonly committed: (head: Sequence) => void,
    private readonly failpoint: Failpoint,
  ) {}

  /** @param deadlineMs after which the outcome is given up as unknown; one that still waits is never stored */
  append(append: PreparedAppend, deadlineMs: number): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(pending);
        reject(this.tables.environment.faults.late(deadlineMs));
      }, deadlineMs);
      const pending: Pending = {
        append,
        settle: (outcome) => {
          clearTimeout(timer);
          resolve(outcome);
        },
        fail: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiting.add(pending);
      this.#writing ??= this.#write();
    });
  }

  /** Resolves once nothing waits or is being written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      while (this.#waiting.size > 0) await this.#transaction();
    } finally {
      this.#writing = null;
    }
  }

  async #transaction(): Promise<void> {
    const { environment } = this.tables;
    let taken: readonly Pending[] = [];
    try {
      this.failpoint('before-transaction');
      const outcomes = await environment.writeWhole(() => {
        taken = [...this.#waiting];
        this.#waiting.clear();
        this.failpoint('locked');
        environment.makeRoom(costOf(taken));
        return this.#appendAll(taken);
      });
      this.failpoint('committed');
      this.#answer(taken, outcomes);
    } catch (error) {
      const failed = taken.length > 0 ? taken : [...this.#waiting];
      for (const pending of failed) this.#waiting.delete(pending);
      const fault = environment.faults.notWritten(error);
      for (const { fail } of failed) fail(fault);
    }
  }

  #appendAll(taken: readonly Pending[]): readonly Outcome[] {
    let head = lastSequence(this.tables);
    return taken.map(({ append }) => {
      const outcome = appendInTransaction(this.tables, append, head, this.failpoint);
      if (outcome.kind === 'appended') head = Math.max(head, toSequence(outcome.position));
      return outcome;
    });
  }

  #answer(taken: readonly Pending[], outcomes: readonly Outcome[]): void {
    let head = 0;
    outcomes.forEach((outcome, index) => {
      if (outcome.kind === 'appended') head = Math.max(head, toSequence(outcome.position));
      taken[index]?.settle(outcome);
    });
    this.committed(head);
  }
}

/** Of each event its record and its place in its stream. */
const costOf = (taken: readonly Pending[]): Cost => {
  const records = taken.flatMap(({ append }) => append.records);
  const bytes = records.reduce((total, { length }) => total + length, 0);
  return { changes: 2 * records.length, bytes };
};
