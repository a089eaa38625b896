import { LRUCache } from 'lru-cache';
import { StoreUnusable } from '../../core/errors.js';
import type { EventStore, Position, RecordedEvent } from '../../core/event-store.js';
import { readConfiguration } from '../../process/config.js';
import { counted, LineWriter, readProgressOn } from '../cli/output.js';
import { Interrupted, OperatorError, stoppable } from '../cli/program.js';
import { withLog } from '../cli/stores.js';
import { pastNext, readAllThatIsGiven, isRefused } from '../evidence/reading.js';

/** A stream that is not whole, or an event that the store does not return. */
export interface BrokenStream {
  /** `null`: not known, since the event could not be read. */
  readonly stream: string | null;
  readonly what: string;
}

/** How many streams are remembered, so that each of those written at the same time is verified once. */
const REMEMBERED = 20_000;

/**
 * Checks in one pass over the log that every stream is there from its first event on, without a gap. A stream of which
 * nothing is left leaves no trace in the log.
 * @param past see `readAllThatIsGiven`
 */
export async function* brokenStreams(
  log: Pick<EventStore, 'readAll' | 'readStream' | 'head'>,
  past: ((position: Position) => Position) | null,
  { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: (events: number) => void },
): AsyncGenerator<BrokenStream, void, undefined> {
  const last = new LRUCache<string, number>({ max: REMEMBERED });
  const broken = new Set<string>();
  let events = 0;
  for await (const item of readAllThatIsGiven(log, past)) {
    if (signal.aborted) return;
    if (isRefused(item)) {
      yield { stream: null, what: item.refusal };
      continue;
    }
    onRead(++events);
    const { stream, revision } = item;
    const former = last.get(stream);
    last.set(stream, revision);
    if (broken.has(stream)) continue;
    const what = former === undefined ? await faultBefore(log, item) : gapAfter(former, revision);
    if (what === null) continue;
    broken.add(stream);
    yield { stream, what };
  }
}

const gapAfter = (former: number, revision: number): string | null =>
  revision === former + 1 ? null : `event ${former + 2} of it is missing`;

/**
 * What is wrong with the stream of an event, up to that event; `null`: nothing. Only the stream's beginning and the
 * event before are read: every other one was compared with the one before it when it came.
 */
const faultBefore = async (
  log: Pick<EventStore, 'readStream'>,
  { stream, revision }: RecordedEvent,
): Promise<string | null> => {
  const revisionAt = async (from: number): Promise<number | null> => {
    for await (const event of log.readStream(stream, { from, limit: 1 })) return event.revision;
    return null;
  };
  try {
    const first = await revisionAt(0);
    if (first === null) return 'the stream’s beginning is missing: no event is left of it';
    if (first !== 0) return `the stream’s beginning is missing: it begins with event ${first + 1}`;
    const isFollowed = revision === 0 || (await revisionAt(revision - 1)) === revision - 1;
    return isFollowed ? null : `event ${revision} of it is missing`;
  } catch (error) {
    if (error instanceof StoreUnusable) return error.message;
    throw error;
  }
};

export interface VerifyStreamsArguments {
  readonly json?: true;
}

/** @throws {OperatorError} a stream is not whole */
export const verifyStreams = ({ json }: VerifyStreamsArguments): Promise<void> =>
  withLog((log) =>
    stoppable(async (signal) => {
      const lines = new LineWriter();
      const progress = readProgressOn(process.stderr);
      const past = readConfiguration(process.env).servers === null ? pastNext : null;
      let [broken, events] = [0, 0];
      const onRead = (count: number): void => progress.at((events = count));
      for await (const one of brokenStreams(log, past, { signal, onRead })) {
        broken++;
        progress.clear();
        await lines.write(
          json ? JSON.stringify({ broken: one }) : `Broken: ${one.stream ?? 'the log itself'}: ${one.what}`,
        );
        if (lines.gone.aborted) break;
      }
      progress.clear();
      if (signal.aborted) throw new Interrupted('Stopped before the log’s end: the rest was not checked.');
      if (json) await lines.write(JSON.stringify({ events, broken }));
      else if (broken === 0) await lines.write(`${counted(events, 'event')}: every stream is whole.`);
      if (broken > 0)
        throw new OperatorError(
          `${counted(broken, 'broken stream')}: commands on them are refused. Restore the log from its backup.`,
        );
    }),
  );
