import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventLog } from '../log/event-log.js';
import { notOnARecord } from './rpc-errors.js';

type AllOptions = streams.ReadReq.Options.AllOptions;

/** A place in $all: exactly at a record, or between two records. */
interface Place {
  /** The ordinal of the first record at or after the place. */
  readonly ordinal: number;
  /** Whether that record is exactly at the place: then it is neither before nor after it. */
  readonly exact: boolean;
}

/**
 * @returns `null` for the end
 * @throws {RpcError} no record begins there
 */
export function placeOf(log: EventLog, options: AllOptions): Place | null {
  if (options.hasEnd()) return null;
  const position = options.getPosition();
  if (!position) return { ordinal: 0, exact: false };
  const commit = Number(position.getCommitPosition());
  const prepare = Number(position.getPreparePosition());
  const { index } = log;
  const ordinal = index.atOrAfter(commit);
  const found = index.entries[ordinal]?.position;
  // Every position after the end is valid: no record is there.
  if (commit !== 0 && commit < index.end && found !== commit) throw notOnARecord();
  // A checkpoint is often (C, 0): everything before C, without the record at C.
  if (prepare > commit) return { ordinal: ordinal + 1, exact: false };
  return { ordinal, exact: found === commit && prepare === commit };
}
