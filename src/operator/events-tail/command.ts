import { type Command, InvalidArgumentError } from 'commander';
import { joined } from '../../core/signals.js';
import { carryOut } from '../program.js';
import { position, wholeNumber } from '../streams/arguments.js';
import { eventLine } from '../streams/event-text.js';
import { LineWriter } from '../streams/line-writer.js';
import { lookingOn } from '../streams/looking.js';
import { withLog } from '../streams/open-log.js';
import { shownEvent } from '../streams/shown-event.js';
import { stoppable } from '../streams/stoppable.js';
import { tail, type TailOptions } from './tail.js';

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
used, and what is personal stays sealed. With --follow it goes on until it is stopped (Ctrl-C) or nobody reads it.

The log is read from its beginning for the last ones, at some ten thousand events a second; --from begins anywhere.

Examples:
  $ assay events tail --limit 20
  $ assay events tail --follow --type trial.completed evaluation.generated
  $ assay events tail --from 0000000000002a --stream operator-
  $ assay events tail --from start --json | jq -r .type | sort | uniq -c`;

/** Where neither --from nor --limit is given. */
const LAST_ONES = 10;

/** Waiting for events keeps no process alive by itself. */
const LONG_MS = 60 * 60 * 1_000;

/** `events tail`: the log in its order, and on with it. */
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
      place,
    )
    .option('--type <types...>', 'only events of these types')
    .option('--stream <prefix>', 'only of streams whose names begin so, such as trial_session-', '')
    .option('-f, --follow', 'go on with what is appended')
    .option(
      '--limit <count>',
      `how many of the last ones (default: ${LAST_ONES}); with --from, stop after so many`,
      wholeNumber(1),
    )
    .option('--json', 'print one JSON object a line')
    .addHelpText('after', HELP)
    .action((options: Arguments) => carryOut(() => run(command, options)));
};

const place = (text: string): TailOptions['from'] => {
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
      const signal = joined(stopped, lines.gone).signal;
      const alive = setInterval(() => undefined, LONG_MS);
      const follow = follows === true;
      const looking = lookingOn(process.stderr);
      const options: TailOptions = {
        from: from ?? 'last',
        limit: limit ?? (from === undefined ? LAST_ONES : Infinity),
        types: type === undefined ? null : new Set(type),
        ...{ prefix, follow, signal, onLooked: looking.at },
      };
      try {
        for await (const event of tail(log, options)) {
          looking.clear();
          const shown = shownEvent(event);
          await lines.write(json ? JSON.stringify(shown) : eventLine(shown));
        }
      } catch (error) {
        if (error instanceof RangeError) command.error(`error: --from: ${error.message}`);
        throw error;
      } finally {
        looking.clear();
        clearInterval(alive);
      }
    }),
  );
