import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DELETED, type Entry } from '../log/entry.js';
import type { EventLog } from '../log/event-log.js';
import type { Order } from '../log/journal.js';
import { filterOf } from './filter.js';
import type { Outlet } from './outlet.js';
import { placeOf } from './positions.js';
import { streamName } from './requests.js';
import { streamDeleted } from './rpc-errors.js';

type Options = streams.ReadReq.Options;

const isBackward = (options: Options): boolean =>
  options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;

/** Reads $all as it is at the call: forward with the record at the start, backward without. */
export async function readAll(
  log: EventLog,
  options: Options,
  outlet: Outlet,
  end = log.visible,
): Promise<void> {
  const place = placeOf(log, options.getAll() ?? new streams.ReadReq.Options.AllOptions());
  const filterOptions = options.getFilter();
  const matches = filterOptions ? filterOf(filterOptions).matches : () => true;
  const backward = isBackward(options);
  const from = Math.min(place?.ordinal ?? end, end) - (backward ? 1 : 0);
  await sendRange(log.index.entries, outlet, {
    from,
    to: backward ? -1 : end,
    backward,
    count: Number(options.getCount()),
    order: backward ? 'backward' : 'forward',
    matches,
  });
}

/** Reads a stream as it is at the call, both ends inclusive. */
export async function readStream(log: EventLog, options: Options, outlet: Outlet): Promise<void> {
  const from = options.getStream();
  const name = streamName(from?.getStreamIdentifier());
  const stream = log.index.stream(name);
  if (stream?.tombstoned) throw streamDeleted(name);
  const end = visibleEnd(log, stream?.entries ?? []);
  if (!stream || end === 0 || stream.truncateBefore >= DELETED) {
    const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(name));
    outlet.send(
      new streams.ReadResp().setStreamNotFound(
        new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier),
      ),
    );
    return;
  }
  const first = Math.max(stream.truncateBefore, end - stream.maxCount, 0);
  const backward = isBackward(options);
  const asked = from?.hasEnd() ? end - 1 : from?.hasRevision() ? Number(from.getRevision()) : 0;
  const start = backward ? Math.min(asked, end - 1) : Math.max(asked, first);
  await sendRange(stream.entries, outlet, {
    from: start,
    to: backward ? first - 1 : end,
    backward,
    count: Number(options.getCount()),
    order: 'any',
  });
  if ((options.getControlOption()?.getCompatibility() ?? 0) >= 1 && !outlet.signal.aborted) {
    outlet.send(new streams.ReadResp().setLastStreamPosition(`${end - 1}`));
  }
}

/** The number of a stream's entries, from the first, that readers see. */
export function visibleEnd(log: EventLog, entries: readonly Entry[]): number {
  let end = entries.length;
  while (end > 0 && entries[end - 1]!.ordinal >= log.visible) end--;
  return end;
}

interface Range {
  readonly from: number;
  /** Exclusive. The range is empty if this is on the wrong side of `from` for its direction. */
  readonly to: number;
  readonly backward: boolean;
  readonly count: number;
  readonly order: Order;
  readonly matches?: (entry: Entry) => boolean;
}

/** Number of records that are read before other work of the process runs. */
const TURN = 1_000;

async function sendRange(entries: readonly Entry[], outlet: Outlet, range: Range): Promise<void> {
  const { from, to, backward, order, matches = () => true } = range;
  const step = backward ? -1 : 1;
  let left = range.count;
  for (let at = from; (to - at) * step > 0 && left > 0 && !outlet.signal.aborted; at += step) {
    const entry = entries[at]!;
    if (at % TURN === 0) await nextTurn();
    if (!matches(entry)) continue;
    await outlet.sendEvent(entry, order);
    if (outlet.blocked) await outlet.blocked;
    left--;
  }
}
