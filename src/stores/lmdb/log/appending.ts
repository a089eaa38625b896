import {
  type Appended,
  type Conflict,
  type EncodedEvent,
  type Expected,
  type StreamName,
  assertAppendable,
} from '../../../core/event-store.js';
import type { Cost } from '../growing-file.js';
import { lastRevision, lastSequence } from './reading.js';
import { decodeRecord, encodeRecord, placeOf, type Sequence, toPosition, toSequence } from './record.js';
import type { Tables } from './tables.js';

/*
 * Appends to the embedded log: the caller encodes with `prepare` and passes the result to the process's `AppendQueue`,
 * which runs `appendInTransaction` for each waiting append.
 */

/** An encoded append: the transaction can no longer fail because of the caller's data. */
export interface PreparedAppend {
  readonly stream: StreamName;
  readonly expected: Expected;
  /** The first event's revision. */
  readonly first: number;
  readonly ids: readonly string[];
  readonly records: readonly Buffer[];
}

/** @throws {AppendRefused} no store accepts it: sending it again is useless */
export function prepare(
  stream: StreamName,
  expected: Expected,
  events: readonly EncodedEvent[],
): PreparedAppend {
  assertAppendable(stream, expected, events);
  const first = expected === 'no-stream' ? 0 : expected + 1;
  const count = events.length;
  return {
    stream,
    expected,
    first,
    ids: events.map(({ id }) => id),
    records: events.map((event, ordinal) => encodeRecord(stream, first + ordinal, { ordinal, count }, event)),
  };
}

/** The steps of an append, in order, at which a test may stop, kill or fail it. */
export type Step = 'before-transaction' | 'locked' | 'checked' | 'event-put' | 'stream-put' | 'committed';

export type Failpoint = (step: Step) => void;

/**
 * One append within the write transaction: reads, comparisons and puts, nothing that depends on the caller's data.
 * @param head sequence of the log's last event, appends earlier in the same transaction included
 */
function appendInTransaction(
  tables: Tables,
  append: PreparedAppend,
  head: Sequence,
  failpoint: Failpoint | undefined,
): Appended | Conflict {
  const { stream, first, records } = append;
  const { events, streams } = tables;
  if (streams.doesExist([stream, first]) || !precededBy(tables, append))
    return resendOrConflict(tables, append);
  failpoint?.('checked');
  let sequence = head;
  for (const [ordinal, record] of records.entries()) {
    sequence++;
    // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- false if the key is not the last
    const put: unknown = events.putSync(sequence, record, { append: true });
    if (put === false) throw new Error(`event ${sequence} of the log is there already`);
    failpoint?.('event-put');
    streams.putSync([stream, first + ordinal], sequence);
    failpoint?.('stream-put');
  }
  return { kind: 'appended', revision: first + records.length - 1, position: toPosition(sequence) };
}

/** Revisions are gapless: the stream is at `expected` if that event exists and the next one does not. */
const precededBy = ({ streams }: Tables, { stream, expected }: PreparedAppend): boolean =>
  expected === 'no-stream' || streams.doesExist([stream, expected]);

/** The first answer if these same events, as one append, are stored there; else a conflict. */
function resendOrConflict(tables: Tables, append: PreparedAppend): Appended | Conflict {
  const first = tables.streams.get([append.stream, append.first]);
  if (first !== undefined && isResend(tables, append, first)) {
    const count = append.ids.length;
    return { kind: 'appended', revision: append.first + count - 1, position: toPosition(first + count - 1) };
  }
  return { kind: 'conflict', actual: lastRevision(tables, append.stream) ?? 'no-stream' };
}

/** The events of one append follow one another in the log. */
function isResend({ events }: Tables, { ids }: PreparedAppend, first: Sequence): boolean {
  const start = events.getBinary(first);
  if (!start) return false;
  const { ordinal, count } = placeOf(first, start);
  if (ordinal !== 0 || count !== ids.length) return false;
  return ids.every((id, index) => {
    const record = events.getBinary(first + index);
    return record !== undefined && decodeRecord(first + index, record).id === id;
  });
}

type Outcome = Appended | Conflict;

interface Pending {
  readonly append: PreparedAppend;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Group commit: one transaction at a time takes all appends that wait when it gets the write lock, so that one flush
 * stores many of them.
 */
export class AppendQueue {
  #waiting = new Set<Pending>();
  #writing: Promise<void> | null = null;

  /** @param onCommit called after each transaction with the sequence of the log's last event */
  constructor(
    private readonly tables: Tables,
    private readonly onCommit: (head: Sequence) => void,
    private readonly failpoint: Failpoint | undefined,
  ) {}

  /** @param deadlineMs after this time the append fails as unknown; one that still waits then is never stored */
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

  /** Resolves once no append waits or is being written. */
  async whenIdle(): Promise<void> {
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
      this.failpoint?.('before-transaction');
      const { outcomes, head } = await environment.writeWhole(() => {
        taken = [...this.#waiting];
        this.#waiting.clear();
        this.failpoint?.('locked');
        environment.makeRoom(costOf(taken));
        return this.#appendAll(taken);
      });
      this.failpoint?.('committed');
      for (const [pending, outcome] of outcomes) pending.settle(outcome);
      this.onCommit(head);
    } catch (error) {
      // If the write lock was not obtained, no append was taken: then all waiting ones fail, instead of being tried
      // until their deadlines.
      const failed = taken.length > 0 ? taken : [...this.#waiting];
      for (const pending of failed) this.#waiting.delete(pending);
      const fault = environment.faults.notWritten(error);
      for (const { fail } of failed) fail(fault);
    }
  }

  /** @returns the outcome of each, and the sequence of the log's last event */
  #appendAll(taken: readonly Pending[]): {
    readonly outcomes: readonly (readonly [Pending, Outcome])[];
    readonly head: Sequence;
  } {
    let head = lastSequence(this.tables);
    const outcomes = taken.map((pending) => {
      const outcome = appendInTransaction(this.tables, pending.append, head, this.failpoint);
      if (outcome.kind === 'appended') head = Math.max(head, toSequence(outcome.position));
      return [pending, outcome] as const;
    });
    return { outcomes, head };
  }
}

/** The cost of these appends: for each event a record, and its place in its stream. */
const costOf = (taken: readonly Pending[]): Cost => {
  const records = taken.flatMap(({ append }) => append.records);
  const bytes = records.reduce((total, { length }) => total + length, 0);
  return { changes: 2 * records.length, bytes };
};
