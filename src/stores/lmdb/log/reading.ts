import type { RecordedEvent, Revision, StreamName } from '../../../core/event-store.js';
import { Damaged } from '../faults.js';
import { decodeRecord, type Sequence } from './record.js';
import type { Tables } from './tables.js';

/** A page ends with the event that makes it this full, so that one page never holds much more than 2 MiB. */
const PAGE_EVENTS = 256;
const PAGE_BYTES = 1024 * 1024;

/** Reads of the log, each in one event turn: no read transaction is open while the consumer handles events. */
export class LogReader {
  constructor(private readonly tables: Tables) {}

  /** Sequence of the last event that any process has committed; 0 in an empty log. */
  head(): Sequence {
    return this.#read(() => lastSequence(this.tables));
  }

  /** Whether a stream has an event of that revision. */
  has(stream: StreamName, revision: Revision): boolean {
    return this.#read(() => this.tables.streams.doesExist([stream, revision]));
  }

  /** Revision of a stream's last event, `null` without one. */
  lastRevision(stream: StreamName): Revision | null {
    return this.#read(() => lastRevision(this.tables, stream));
  }

  /** Events after a sequence, a page of them: empty only at the end of the log. */
  after(sequence: Sequence, limit: number): readonly RecordedEvent[] {
    return this.#read(() => {
      const page: RecordedEvent[] = [];
      let bytes = 0;
      const range = { start: sequence + 1, limit: Math.min(limit, PAGE_EVENTS) };
      for (const { key, value } of this.tables.events.getRange(range)) {
        if (key !== sequence + page.length + 1) {
          throw new Damaged(`event ${sequence + page.length + 1} of the log is missing`);
        }
        page.push(decodeRecord(key, value));
        if ((bytes += value.byteLength) >= PAGE_BYTES) break;
      }
      return page;
    });
  }

  /** A page of a stream from one revision towards another, both inclusive; `step` is 1 or -1. */
  ofStream(stream: StreamName, from: Revision, to: Revision, step: 1 | -1): readonly RecordedEvent[] {
    return this.#read(() => {
      const page: RecordedEvent[] = [];
      let bytes = 0;
      const count = Math.min(PAGE_EVENTS, Math.abs(to - from) + 1);
      for (let revision = from; page.length < count; revision += step) {
        const sequence = this.tables.streams.get([stream, revision]);
        const record = sequence === undefined ? undefined : this.tables.events.getBinary(sequence);
        if (sequence === undefined || record === undefined) {
          throw new Damaged(`event ${revision} of ${stream} is missing`);
        }
        const event = decodeRecord(sequence, record);
        if (event.stream !== stream || event.revision !== revision) {
          throw new Damaged(`event ${sequence} of the log is not event ${revision} of ${stream}`);
        }
        page.push(event);
        if ((bytes += record.byteLength) >= PAGE_BYTES) break;
      }
      return page;
    });
  }

  /** Compares every event with its checksum and with the index of streams. Takes as long as reading the log. */
  async verify(): Promise<{ readonly events: number }> {
    const { streams } = this.tables;
    const upTo = this.head();
    let sequence = 0;
    while (sequence < upTo) {
      const page = this.after(sequence, upTo - sequence);
      this.#read(() => {
        for (const { stream, revision } of page) {
          sequence++;
          const indexed = streams.get([stream, revision]);
          const followed = revision === 0 || streams.doesExist([stream, revision - 1]);
          if (indexed !== sequence || !followed) {
            throw new Damaged(`event ${sequence} of the log is not where the index of ${stream} has it`);
          }
        }
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { events: upTo };
  }

  #read<T>(read: () => T): T {
    return this.tables.environment.read(read);
  }
}

/** As `LogReader.head`, within a read or write transaction. */
export function lastSequence({ events }: Tables): Sequence {
  for (const sequence of events.getKeys({ reverse: true, limit: 1 })) return sequence;
  return 0;
}

/** As `LogReader.lastRevision`, within a read or write transaction: `null` without an event. */
export function lastRevision({ streams }: Tables, stream: StreamName): Revision | null {
  const range = { start: [stream, Infinity], end: [stream, -1], reverse: true, limit: 1 } as const;
  for (const [, revision] of streams.getKeys(range as never)) return revision;
  return null;
}
