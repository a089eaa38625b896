import { type Command, InvalidArgumentError } from 'commander';
import { type EventStore, type Position, type RecordedEvent, START } from '../../core/event-store.js';
import { anySignal } from '../../core/signals.js';
import { LineWriter, readProgressOn } from '../cli/output.js';
import { position, stoppable, wholeNumber } from '../cli/program.js';
import { withLog } from '../cli/stores.js';
import { eventLine, shownEvent } from './shown-event.js';

interface Arguments {
  readonly from?: TailOptions['from'];
  readonly type?: readonly string[];
  readonly stream: string;
  readonly follow?: true;
  readonly limit?: number;
  readonly json?: true;
}

const HELP = `
One line an event: position, time, type, stream@revision, plain part. Events are shown as they are stored: no key is
used, and personal data stays sealed. With --follow it prints new events until it is stopped (Ctrl-C).

The log is read from its beginning for the last ones, at some ten thousand events a second; --from begins anywhere.

Examples:
  $ assay events tail --limit 20
  $ assay events tail --follow --type trial.completed evaluation.generated
  $ assay events tail --from 0000000000002a --stream operator-
  $ assay events tail --from start --json | jq -r .type | sort | uniq -c`;

/** How many events are printed if neither --from nor --limit is given. */
const LAST_EVENTS = 10;

/** Interval of a timer that keeps the process alive: a subscription alone does not. */
const KEEP_ALIVE_MS = 60 * 60 * 1_000;

/** `events tail`: prints the log's last events in its order, and with --follow those that are appended. */
export const tailEventsCommand = (root: Command): void => {
  const events =
    root.commands.find((command) => command.name() === 'events') ??
    root.command('events').description('The event log.');
  const command = events
    .command('tail')
    .description('Print the log’s last events in their order.')
    .option(
      '--from <place>',
      'start, now, or a position: the event there first (default: the last ones)',
      startOf,
    )
    .option('--type <types...>', 'only events of these types')
    .option('--stream <prefix>', 'only of streams whose names begin so, such as trial-', '')
    .option('-f, --follow', 'go on with what is appended')
    .option(
      '--limit <count>',
      `how many of the last ones (default: ${LAST_EVENTS}); with --from, stop after so many`,
      wholeNumber(1),
    )
    .option('--json', 'print one JSON object a line')
    .addHelpText('after', HELP)
    .action((options: Arguments) => run(command, options));
};

/** Reads the value of --from. @throws {InvalidArgumentError} */
const startOf = (text: string): TailOptions['from'] => {
  const word = text.toLowerCase();
  if (word === 'start' || word === 'now') return word;
  try {
    return position(text);
  } catch {
    throw new InvalidArgumentError('It must be start, now, or a position: 14 or 32 hex digits.');
  }
};

const run = (
  command: Command,
  { from, type, stream: prefix, follow: follows, limit, json }: Arguments,
): Promise<void> =>
  withLog((log) =>
    stoppable(async (stopped) => {
      const lines = new LineWriter();
      const signal = anySignal(stopped, lines.gone).signal;
      const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS);
      const follow = follows === true;
      const progress = readProgressOn(process.stderr);
      const options: TailOptions = {
        from: from ?? 'last',
        limit: limit ?? (from === undefined ? LAST_EVENTS : Infinity),
        types: type === undefined ? null : new Set(type),
        ...{ prefix, follow, signal, onRead: progress.at },
      };
      try {
        for await (const event of tail(log, options)) {
          progress.clear();
          const shown = shownEvent(event);
          await lines.write(json ? JSON.stringify(shown) : eventLine(shown));
        }
      } catch (error) {
        if (error instanceof RangeError) command.error(`error: --from: ${error.message}`);
        throw error;
      } finally {
        progress.clear();
        clearInterval(keepAlive);
      }
    }),
  );

export interface TailOptions {
  /** A position: that event and all after it. `last`: the last matching events. */
  readonly from: 'start' | 'now' | 'last' | Position;
  /** Stored types; `null`: all. */
  readonly types: ReadonlySet<string> | null;
  /** Beginning of the streams' names; '': all. */
  readonly prefix: string;
  /** After the existing events, prints events as they are appended, until `signal` aborts. */
  readonly follow: boolean;
  /** Most events that are yielded. With `last` it limits the existing events only, not those that `follow` adds. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Called with the number of events read so far, while the last ones are searched. */
  readonly onRead?: (events: number) => void;
}

type Log = Pick<EventStore, 'head' | 'readAll' | 'subscribeToAll'>;

/**
 * The log's events that the options ask for, in its order; without `follow`, up to where the log ends at the call.
 * @throws {RangeError} the position has the form of another kind of store
 */
export async function* tail(log: Log, options: TailOptions): AsyncGenerator<RecordedEvent, void, undefined> {
  const { from, follow, limit, signal } = options;
  if (from === 'last') {
    yield* lastEvents(log, options);
    return;
  }
  let left = limit;
  const events = follow ? following(log, from, signal) : stored(log, from, await log.head());
  for await (const event of matching(events, options)) {
    yield event;
    if (--left === 0) return;
  }
}

/** The events of the wanted types and streams, until the signal aborts. */
async function* matching(
  events: AsyncIterable<RecordedEvent>,
  { types, prefix, signal }: TailOptions,
): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const event of events) {
    if (signal.aborted) return;
    if (event.stream.startsWith(prefix) && (types === null || types.has(event.type))) yield event;
  }
}

/** The last matching events. The log is read to its end for them: it cannot be read backward. */
async function* lastEvents(log: Log, options: TailOptions): AsyncGenerator<RecordedEvent, void, undefined> {
  const { limit, follow, signal, onRead = () => undefined } = options;
  const head = await log.head();
  let read = 0;
  const counted = async function* (): AsyncGenerator<RecordedEvent, void, undefined> {
    for await (const event of stored(log, 'start', head)) {
      onRead(++read);
      yield event;
    }
  };
  const last: RecordedEvent[] = [];
  for await (const event of matching(counted(), options)) {
    last.push(event);
    if (last.length > limit) last.shift();
  }
  if (signal.aborted) return;
  yield* last;
  if (follow) yield* matching(appended(log, head, signal), options);
}

/** The stored events from a place on, up to and with `head`. */
async function* stored(
  log: Log,
  from: 'start' | 'now' | Position,
  head: Position,
): AsyncGenerator<RecordedEvent, void, undefined> {
  if (from === 'now') return;
  for await (const event of log.readAll(from === 'start' ? {} : { from })) {
    if (event.position > head) return;
    yield event;
  }
}

/** The events after a position, and all that are appended, until the signal aborts. */
async function* appended(
  log: Log,
  after: Position,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const item of log.subscribeToAll({ after, signal })) if (item.kind === 'event') yield item.event;
}

/** The events from a place on, and all that are appended, until the signal aborts. */
async function* following(
  log: Log,
  from: 'start' | 'now' | Position,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent, void, undefined> {
  if (from === 'start' || from === 'now') {
    yield* appended(log, from === 'start' ? START : await log.head(), signal);
    return;
  }
  // A subscription begins after a position, so the first event from `from` on is read by itself. If there is none yet, the
  // subscription begins at the head, which is read first: an event that is appended in between is not missed.
  let after = await log.head();
  for await (const event of log.readAll({ from, limit: 1 })) {
    yield event;
    after = event.position;
  }
  // If `from` is beyond the head, events before it may still come.
  for await (const event of appended(log, after, signal)) if (event.position >= from) yield event;
}
