import type { Appended, Conflict } from '../../../core/event-store.js';
import { toPosition, type Sequence } from './position.js';
import type { PreparedAppend } from './prepare.js';
import { decodeRecord, placeOf } from './record.js';
import { lastRevision } from './reading.js';
import type { Tables } from './tables.js';

/** The steps of an append, in order, at which a test may stop, kill or fail it. */
export type Step = 'before-transaction' | 'locked' | 'checked' | 'event-put' | 'stream-put' | 'committed';

export type Failpoint = (step: Step) => void;

/**
 * One append within the write transaction: reads, comparisons and puts, nothing that depends on the caller's data.
 * @param head sequence of the log's last event, appends earlier in the same transaction included
 */
export function appendInTransaction(
  tables: Tables,
  append: PreparedAppend,
  head: Sequence,
  failpoint: Failpoint,
): Appended | Conflict {
  const { stream, first, records } = append;
  const { events, streams } = tables;
  if (streams.doesExist([stream, first]) || !precededBy(tables, append)) return known(tables, append);
  failpoint('checked');
  let sequence = head;
  for (const [ordinal, record] of records.entries()) {
    sequence++;
    // eslint-disable-next-line @typescript-eslint/no-confusing-void-expression -- false where the key is not the last
    const put: unknown = events.putSync(sequence, record, { append: true });
    if (put === false) throw new Error(`event ${sequence} of the log is there already`);
    failpoint('event-put');
    streams.putSync([stream, first + ordinal], sequence);
    failpoint('stream-put');
  }
  return { kind: 'appended', revision: first + records.length - 1, position: toPosition(sequence) };
}

/** Revisions are gapless: the stream stands at `expected` where that event is there and the next one is not. */
const precededBy = ({ streams }: Tables, { stream, expected }: PreparedAppend): boolean =>
  expected === 'no-stream' || streams.doesExist([stream, expected]);

/** The first answer where these same events, as one append, are what stands there; else a conflict. */
function known(tables: Tables, append: PreparedAppend): Appended | Conflict {
  const first = tables.streams.get([append.stream, append.first]);
  if (first !== undefined && isResend(tables, append, first)) {
    const count = append.ids.length;
    return { kind: 'appended', revision: append.first + count - 1, position: toPosition(first + count - 1) };
  }
  return { kind: 'conflict', actual: lastRevision(tables, append.stream) ?? 'no-stream' };
}

/** The events of one append stand one after the other in the log. */
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
