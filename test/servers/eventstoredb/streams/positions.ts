import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventLog } from '../log/event-log.js';
import { notOnARecord } from './rpc-errors.js';

type AllOptions = streams.ReadReq.Options.AllOptions;

/** A point of $all, with what stands exactly there counted in or out. */
interface Place {
  /** Ordinal of the first record at or after it. */
  readonly ordinal: number;
  /** Whether that record stands exactly at it, so that it is neither before nor after. */
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
  // Behind the end stands nothing that could be cut through.
  if (commit !== 0 && commit < index.end && found !== commit) throw notOnARecord();
  // A checkpoint is often (C, 0): all before C, and not what stands there.
  if (prepare > commit) return { ordinal: ordinal + 1, exact: false };
  return { ordinal, exact: found === commit && prepare === commit };
}
