import type { Command } from 'commander';
import { type EventStore, type Position, isStreamName } from '../../core/event-store.js';
import { counted, LineWriter, readProgressOn } from '../cli/output.js';
import { Interrupted, OperatorError, position, stoppable, wholeNumber } from '../cli/program.js';
import { withLog } from '../cli/stores.js';
import { eventBlock, recordedAtOf, shownEvent, type ShownEvent } from './shown-event.js';
import type { VerifyStreamsArguments } from './verify.js';

interface ShowArguments {
  readonly from?: number;
  readonly limit: number;
  readonly backward?: true;
  readonly json?: true;
}

interface ListArguments {
  readonly prefix: string;
  readonly after?: Position;
  readonly limit: number;
  readonly json?: true;
}

const SHOW_HELP = `
Events are shown as they are stored: no key is used, and personal data stays sealed.

Examples:
  $ assay streams show role-0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay streams show operator-log --backward --limit 5
  $ assay streams show operator-log --json | jq -r .type`;

const LIST_HELP = `
In the order that the streams began. The log keeps no list of its streams, so it is read from its beginning, or from
--after, until so many were found: with --prefix that can be all of it, at some ten thousand events a second.

Examples:
  $ assay streams list --limit 20
  $ assay streams list --prefix role- --json
  $ assay streams list --after 0000000000002a`;

/** `streams show` and `streams list`: the log's streams, read without any key. */
export const streamsCommands = (root: Command): void => {
  const streams = root
    .command('streams')
    .description('The log’s streams.')
    .addHelpText('after', '\nExample:\n  $ assay streams list --prefix role-');
  streams
    .command('show')
    .description('Show a stream’s events.')
    .argument('<stream>', 'its name, <kind>-<id>')
    .option('--from <revision>', 'the first event to show, counted from 0', wholeNumber(0))
    .option('--limit <count>', 'show no more than so many', wholeNumber(1), Infinity)
    .option('--backward', 'the last one first')
    .option('--json', 'print one JSON object a line')
    .addHelpText('after', SHOW_HELP)
    .action(show);
  streams
    .command('list')
    .description('List the streams.')
    .option('--prefix <text>', 'only those whose names begin so, such as role-', '')
    .option('--after <position>', 'only those that begin after this position', position)
    .option('--limit <count>', 'stop after so many', wholeNumber(1), 100)
    .option('--json', 'print one JSON object a line')
    .addHelpText('after', LIST_HELP)
    .action(list);
  streams
    .command('verify')
    .description('Check that every stream is there from its first event on.')
    .option('--json', 'print one JSON object a line')
    .addHelpText('after', VERIFY_HELP)
    .action(async (options: VerifyStreamsArguments) => (await import('./verify.js')).verifyStreams(options));
};

const VERIFY_HELP = `
Reads the whole log, and the first event of each stream. It names the streams whose beginning the event store has let go
of ($tb, $maxCount, a scavenge), and those with gaps. Commands on such a stream answer 503, and a view that is built lacks
what is missing. No key is used, and nothing is changed. Evidence is checked by \`assay evidence verify\`.

Examples:
  $ assay streams verify
  $ assay streams verify --json | jq -c 'select(.broken.stream)'`;

const show = (name: string, { from, limit, backward, json }: ShowArguments): Promise<void> =>
  withLog(async (log) => {
    const lines = new LineWriter();
    const options = { limit, backward: backward === true, ...(from !== undefined && { from }) };
    for await (const event of showStream(log, name, options)) {
      for (const line of json ? [JSON.stringify(event)] : eventBlock(event)) await lines.write(line);
      if (lines.gone.aborted) return;
    }
  });

const list = ({ prefix, after, limit, json }: ListArguments): Promise<void> =>
  withLog((log) =>
    stoppable(async (signal) => {
      const lines = new LineWriter();
      const progress = readProgressOn(process.stderr);
      let last: ListedStream | null = null;
      let found = 0;
      const options = { prefix, limit, signal, ...(after !== undefined && { after }) };
      for await (const stream of listStreams(log, { ...options, onRead: progress.at })) {
        progress.clear();
        await lines.write(json ? JSON.stringify(stream) : row(stream));
        if (lines.gone.aborted) return;
        last = stream;
        found++;
      }
      progress.clear();
      if (signal.aborted) throw new Interrupted('Stopped before the log’s end: there may be more.');
      if (json) return;
      if (found === 0) await lines.write('There is no such stream.');
      if (last !== null && found === limit)
        await lines.write(`Stopped after ${limit}; continue with --after ${last.position}`);
    }),
  );

const row = ({ stream, events, firstAt, lastAt, lastType }: ListedStream): string =>
  `${stream}  ${counted(events, 'event')}  from ${firstAt ?? '?'} to ${lastAt ?? '?'}, the last ${lastType}`;

/** A stream as its first and its last event show it. */
interface ListedStream {
  readonly stream: string;
  readonly events: number;
  readonly firstType: string;
  readonly firstAt: string | null;
  readonly lastType: string;
  readonly lastAt: string | null;
  /** Position of its first event. The next page of the list begins after it. */
  readonly position: Position;
}

export interface ListOptions {
  /** Beginning of the streams' names; '': all. */
  readonly prefix: string;
  /** Only streams that begin after this one's first event. */
  readonly after?: Position;
  /** How many streams at most. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Called with the number of events read so far. Default: nothing is. */
  readonly onRead?: (events: number) => void;
}

/**
 * The log's streams in the order that they began. The log keeps no list of them, so it is read from its beginning;
 * every stream has one event of revision 0, so that nothing has to be remembered meanwhile.
 */
export async function* listStreams(
  log: Pick<EventStore, 'readAll' | 'readStream'>,
  { prefix, after, limit, signal, onRead }: ListOptions,
): AsyncGenerator<ListedStream, void, undefined> {
  let read = 0;
  let left = limit;
  for await (const event of log.readAll(after === undefined ? {} : { after })) {
    if (signal.aborted) return;
    onRead?.(++read);
    if (event.revision !== 0 || !event.stream.startsWith(prefix)) continue;
    for await (const last of log.readStream(event.stream, { direction: 'backward', limit: 1 })) {
      yield {
        stream: event.stream,
        events: last.revision + 1,
        firstType: event.type,
        firstAt: recordedAtOf(shownEvent(event)),
        lastType: last.type,
        lastAt: recordedAtOf(shownEvent(last)),
        position: event.position,
      };
    }
    if (--left === 0) return;
  }
}

interface ShowOptions {
  /** First revision to show; the stream's end is shown first if it goes backward and nothing is said. */
  readonly from?: number;
  readonly limit: number;
  readonly backward: boolean;
}

/**
 * A stream's events as they are stored.
 * @throws {OperatorError} there is no such stream
 */
export async function* showStream(
  log: Pick<EventStore, 'readStream'>,
  name: string,
  { from, limit, backward }: ShowOptions,
): AsyncGenerator<ShownEvent, void, undefined> {
  if (!isStreamName(name)) throw unknown(name);
  const direction = backward ? 'backward' : 'forward';
  let shown = 0;
  for await (const event of log.readStream(name, { direction, limit, ...(from !== undefined && { from }) })) {
    yield shownEvent(event);
    shown++;
  }
  if (shown > 0) return;
  // Nothing at or after that revision: does the stream exist?
  for await (const _ of log.readStream(name, { limit: 1 })) return;
  throw unknown(name);
}

const unknown = (name: string): OperatorError =>
  new OperatorError(
    `There is no stream ${JSON.stringify(name)}. \`assay streams list\` names them; a stream is called <kind>-<id>.`,
  );
