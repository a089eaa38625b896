import type { Command } from 'commander';
import type { Position } from '../../core/event-store.js';
import { carryOut, Interrupted } from '../program.js';
import { position, wholeNumber } from './arguments.js';
import { harmless } from '../output/harmless.js';
import { eventBlock } from './event-text.js';
import { LineWriter } from './line-writer.js';
import { type ListedStream, listStreams } from './list.js';
import { lookingOn } from './looking.js';
import { withLog } from './open-log.js';
import { showStream } from './show.js';
import { stoppable } from './stoppable.js';

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
Events are shown as they are stored: no key is used, and what is personal stays sealed.

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
    .action((name: string, options: ShowArguments) => carryOut(() => show(name, options)));
  streams
    .command('list')
    .description('List the streams.')
    .option('--prefix <text>', 'only those whose names begin so, such as role-', '')
    .option('--after <position>', 'only those that begin after this position', position)
    .option('--limit <count>', 'stop after so many', wholeNumber(1), 100)
    .option('--json', 'print one JSON object a line')
    .addHelpText('after', LIST_HELP)
    .action((options: ListArguments) => carryOut(() => list(options)));
};

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
      const looking = lookingOn(process.stderr);
      let last: ListedStream | null = null;
      let found = 0;
      const options = { prefix, limit, signal, ...(after !== undefined && { after }) };
      for await (const stream of listStreams(log, { ...options, onLooked: looking.at })) {
        looking.clear();
        await lines.write(json ? JSON.stringify(stream) : row(stream));
        if (lines.gone.aborted) return;
        last = stream;
        found++;
      }
      looking.clear();
      if (signal.aborted) throw new Interrupted('Stopped before the log’s end: there may be more.');
      if (json) return;
      if (found === 0) await lines.write('There is no such stream.');
      if (last !== null && found === limit)
        await lines.write(`Stopped after ${limit}; go on with --after ${last.position}`);
    }),
  );

const row = ({ stream, events, firstAt, lastAt, lastType }: ListedStream): string =>
  harmless(
    `${stream}  ${events} ${events === 1 ? 'event' : 'events'}  from ${firstAt ?? '?'} to ${lastAt ?? '?'}, the last ${lastType}`,
  );
