import type { Command } from 'commander';
import { views } from '../../../projections/index.js';
import { confirm } from '../cli/confirm.js';
import { answer, counted, screenFor } from '../cli/output.js';
import { Interrupted, OperatorError, stoppable, wholeNumber } from '../cli/program.js';
import { withEngine } from '../cli/stores.js';
import { viewNamed } from '../projections/views.js';
import { showDeadLetter } from './dead-letter.js';
import { listDeadLetters } from './list.js';
import { type Retried, retry } from './retry.js';
import { skip, type Skippable } from './skip.js';
import { listLines, retriedLines, shownLines } from './text.js';

interface Common {
  readonly json?: true;
}

/** `dead-letters`: events that could not be folded, and their repair. */
export const deadLettersCommands = (root: Command): void => {
  const group = root
    .command('dead-letters')
    .description('Events that a view could not fold, and the documents that wait behind them.')
    .addHelpText('after', HELP);
  const sub = (name: string, description: string, help: string): Command =>
    group
      .command(name)
      .description(description)
      .option('--json', 'print one JSON object')
      .addHelpText('after', help);

  const listing = sub('list', 'List what is parked, and why.', LIST_HELP)
    .argument('[view]', 'only of this view')
    .option('--limit <count>', 'show no more than so many', wholeNumber(1), 100)
    .action((view: string | undefined, options: ListArguments) => {
      const names = view === undefined ? views.map(({ name }) => name) : [viewNamed(listing, view).name];
      return list(names, options);
    });
  const showing = sub('show', 'Show one in full: the event, the error, the document before it.', SHOW_HELP)
    .argument('<view>', 'the view')
    .argument('<document>', 'the document’s id')
    .action((view: string, document: string, { json }: Common) => {
      const { name } = viewNamed(showing, view);
      return show(name, document, json);
    });
  const retrying = sub(
    'retry',
    'Fold parked documents again after a cause outside the view’s code is fixed.',
    RETRY_HELP,
  )
    .argument('<view>', 'the view')
    .argument('[documents...]', 'the documents’ ids')
    .option('--all', 'every parked document')
    .action((view: string, documents: readonly string[], { all, json }: RetryArguments) => {
      const { name } = viewNamed(retrying, view);
      if (documents.length > 0 === (all === true)) retrying.error('error: name documents, or pass --all.');
      const chosen = all === true ? 'parked' : [...new Set(documents)];
      return retryNow(name, chosen, json);
    });
  const skipping = sub('skip', 'Permanently skip an event in a view.', SKIP_HELP)
    .argument('<view>', 'the view')
    .argument('[document]', 'the parked document (default: the event at which a rebuild stopped)')
    .requiredOption('--reason <text>', 'why, for the record: one line, without names of people')
    .option('--yes', 'do not ask')
    .action((view: string, document: string | undefined, options: SkipArguments) => {
      const { name } = viewNamed(skipping, view);
      return skipNow(name, document ?? null, options);
    });
};

interface ListArguments extends Common {
  readonly limit: number;
}

const list = (names: readonly string[], { limit, json }: ListArguments): Promise<void> =>
  stoppable((signal) =>
    withEngine(async ({ stores, requests }) => {
      const state = await requests.state();
      const found = await listDeadLetters(stores, state, { views: names, limit, signal });
      answer(json, found, () => listLines(found, limit));
    }),
  );

const show = (view: string, document: string, json?: true): Promise<void> =>
  withEngine(async ({ stores, requests }) => {
    const letter = await showDeadLetter(stores, await requests.state(), view, document);
    answer(json, letter, () => shownLines(letter));
  });

interface RetryArguments extends Common {
  readonly all?: true;
}

const retryNow = (view: string, documents: readonly string[] | 'parked', json?: true): Promise<void> =>
  stoppable((signal) =>
    withEngine(async (engine) => {
      const retried = await retry(engine, view, documents, screenFor(json), signal);
      answer(json, retried, () => retriedLines(retried));
      assertNoneLeft(retried);
    }),
  );

interface SkipArguments extends Common {
  readonly reason: string;
  readonly yes?: true;
}

const skipNow = (
  view: string,
  document: string | null,
  { reason, yes, json }: SkipArguments,
): Promise<void> =>
  stoppable((signal) =>
    withEngine(async (engine) => {
      const screen = screenFor(json);
      const event = await skip(engine, { view, document, reason }, async (found) => {
        const what = nameOf(found);
        screen.say(`Blocked by ${what}: ${found.failure}`);
        await confirm(`Permanently skip ${what} in "${view}"?`, yes);
        if (signal.aborted) throw new Interrupted('Interrupted: nothing was skipped.');
      });
      screen.say(`Every fold of "${view}" now skips ${nameOf(event)}.`);
      const retried =
        event.blocks === 'document' && event.document !== null
          ? await retry(engine, view, [event.document], screen, signal)
          : null;
      answer(json, { skipped: { ...event, reason }, retried }, () =>
        retried ? retriedLines(retried) : [`Rebuild without it: \`assay projections rebuild ${view}\``],
      );
      if (retried) assertNoneLeft(retried);
    }),
  );

const nameOf = ({ eventId, eventType }: Skippable): string => `the ${eventType} event ${eventId}`;

const assertNoneLeft = ({ stillParked, more }: Retried): void => {
  if (stillParked.length === 0) return;
  const count = more ? `More than ${stillParked.length} documents` : counted(stillParked.length, 'document');
  throw new OperatorError(`${count} ${!more && stillParked.length === 1 ? 'stays' : 'stay'} parked.`);
};

const HELP = `
If an event cannot be folded, its document is parked: it stays as it was, its later events wait in order, and everything
else continues. Fix the cause. Changed code of the view needs "projections rebuild", which begins by itself
unless REBUILD is manual; after any other fix, retry. Or skip the event permanently.

Examples:
  $ assay dead-letters list
  $ assay dead-letters show evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay dead-letters retry evaluations --all`;

const LIST_HELP = `
The reason is found by folding the event again with this command's code; nothing is written. Rebuilds that stopped at an
event are listed too.

Examples:
  $ assay dead-letters list
  $ assay dead-letters list evaluations --limit 10
  $ assay dead-letters list --json | jq -r '.deadLetters[] | .view + " " + .document'`;

const SHOW_HELP = `
Personal data of the event and of the document is never shown.

Example:
  $ assay dead-letters show evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a`;

const RETRY_HELP = `
Projectors fold the documents again from their first event, or this command does if no projector is running. Only the
code that built a generation folds it again: after a change of the view's code, run "projections rebuild". Exit code
1: a document stays parked.

Examples:
  $ assay dead-letters retry evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay dead-letters retry evaluations --all`;

const SKIP_HELP = `
The event stays in the log, but every fold of this view skips it: rebuilds, repairs, comparisons and history. This cannot
be undone. The reason is kept in the operator's stream.

Only the event at which the document is parked can be skipped, or the one at which a rebuild stopped. The document is then
folded again. Exit code 1: it stays parked, at another event.

Examples:
  $ assay dead-letters skip evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a --reason 'Written twice by a fault'
  $ assay dead-letters skip evaluations --reason 'Its role does not exist' --yes`;
