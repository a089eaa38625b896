import type { Command } from 'commander';
import { views } from '../../../projections/index.js';
import { withEngine } from '../cli/stores.js';
import { confirm } from '../cli/confirm.js';
import { answer, harmless, screenFor } from '../cli/output.js';
import { carryOut, OperatorError, stoppable, wholeNumber } from '../cli/program.js';
import { viewNamed } from '../projections/views.js';
import { listDeadLetters } from './list.js';
import { type Retried, retry } from './retry.js';
import { showDeadLetter } from './dead-letter.js';
import { skippable } from './skip.js';
import { listText, plural, retriedText, shownText } from './text.js';

interface Common {
  readonly json?: true;
}

/** `dead-letters`: what could not be folded, and what to do about it. */
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
      return carryOut(() => list(names, options));
    });
  const showing = sub('show', 'Show one in full: the event, the error, the document before it.', SHOW_HELP)
    .argument('<view>', 'the view')
    .argument('<document>', 'the document’s id')
    .action((view: string, document: string, { json }: Common) => {
      const { name } = viewNamed(showing, view);
      return carryOut(() => show(name, document, json === true));
    });
  const retrying = sub('retry', 'Fold parked documents afresh, once the cause is mended.', RETRY_HELP)
    .argument('<view>', 'the view')
    .argument('[documents...]', 'the documents’ ids')
    .option('--all', 'all that are parked')
    .action((view: string, documents: readonly string[], { all, json }: RetryArguments) => {
      const { name } = viewNamed(retrying, view);
      if (documents.length > 0 === (all === true)) retrying.error('error: name documents, or pass --all.');
      const chosen = all === true ? 'parked' : [...new Set(documents)];
      return carryOut(() => retryNow(name, chosen, json === true));
    });
  const skipping = sub('skip', 'Leave an event out of a view for good.', SKIP_HELP)
    .argument('<view>', 'the view')
    .argument('[document]', 'the parked document; without one, the event at which a rebuild stopped')
    .requiredOption('--reason <text>', 'why, for the record: one line, without names of people')
    .option('--yes', 'do not ask')
    .action((view: string, document: string | undefined, options: SkipArguments) => {
      const { name } = viewNamed(skipping, view);
      return carryOut(() => skip(name, document ?? null, options));
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
      answer(json === true, found, () => listText(found, limit).join('\n'));
    }),
  );

const show = (view: string, document: string, json: boolean): Promise<void> =>
  withEngine(async ({ stores, requests }) => {
    const letter = await showDeadLetter(stores, await requests.state(), view, document);
    answer(json, letter, () => shownText(letter).join('\n'));
  });

interface RetryArguments extends Common {
  readonly all?: true;
}

const retryNow = (view: string, documents: readonly string[] | 'parked', json: boolean): Promise<void> =>
  stoppable((signal) =>
    withEngine(async (engine) => {
      const retried = await retry(engine, view, documents, screenFor(json), signal);
      answer(json, retried, () => retriedText(retried).join('\n'));
      assertNoneLeft(retried);
    }),
  );

interface SkipArguments extends Common {
  readonly reason: string;
  readonly yes?: true;
}

const skip = (view: string, document: string | null, { reason, yes, json }: SkipArguments): Promise<void> =>
  stoppable((signal) =>
    withEngine(async (engine) => {
      const event = await skippable(engine, view, document);
      const { eventId, eventType } = event;
      const what = `the ${eventType} event ${eventId}`;
      const screen = screenFor(json === true);
      screen.say(harmless(`In the way is ${what}: ${event.failure}`));
      await confirm(`Leave ${what} out of "${view}" for good?`, yes === true);
      await engine.requests.skip({ view, eventId, documentId: event.document, reason });
      screen.say(`Every fold of "${view}" leaves ${what} out from now on.`);
      const retried =
        event.blocks === 'document' && event.document !== null
          ? await retry(engine, view, [event.document], screen, signal)
          : null;
      answer(json === true, { skipped: { ...event, reason }, retried }, () =>
        retried
          ? retriedText(retried).join('\n')
          : `Begin again, without it: \`assay projections rebuild ${view}\``,
      );
      if (retried) assertNoneLeft(retried);
    }),
  );

const assertNoneLeft = ({ stillParked, more }: Retried): void => {
  if (stillParked.length === 0) return;
  const count = more ? `More than ${stillParked.length} documents` : plural(stillParked.length, 'document');
  throw new OperatorError(`${count} ${!more && stillParked.length === 1 ? 'stays' : 'stay'} parked.`);
};

const HELP = `
A document whose event could not be folded is parked there: it stays as it was, its later events wait in order, and
everything else goes on. Mend the cause (mostly the view's code), then retry; or skip the event for good.

Examples:
  $ assay dead-letters list
  $ assay dead-letters show evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay dead-letters retry evaluations --all`;

const LIST_HELP = `
Why an event cannot be folded is found by folding it once more with this command's own code; nothing is written. Also
named are rebuilds that stopped at an event.

Examples:
  $ assay dead-letters list
  $ assay dead-letters list evaluations --limit 10
  $ assay dead-letters list --json | jq -r '.deadLetters[] | .view + " " + .document'`;

const SHOW_HELP = `
What is personal in the event or in the document is never shown.

Example:
  $ assay dead-letters show evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a`;

const RETRY_HELP = `
The documents are folded afresh from their first event: by the projectors, with their code, or by this command where
none is running. Exit code 1 where any stays parked.

Examples:
  $ assay dead-letters retry evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay dead-letters retry evaluations --all`;

const SKIP_HELP = `
The event stays in the log, but every fold of this view leaves it out from then on: rebuilds, repairs, comparisons and
history alike. That cannot be taken back. The reason is kept in the operator's stream for good.

Only the event at which that document is parked can be skipped, or the one at which a rebuild stopped. The document is
then folded afresh; exit code 1 where it stays parked, at another event.

Examples:
  $ assay dead-letters skip evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a --reason 'Written twice by a fault'
  $ assay dead-letters skip evaluations --reason 'Its role was never there' --yes`;
