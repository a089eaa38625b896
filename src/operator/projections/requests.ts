import { type Command, Option } from 'commander';
import { v7 as uuidV7 } from 'uuid';
import { MAX_SEGMENTS } from '../../process/variables.js';
import { confirm } from '../cli/confirm.js';
import { answer } from '../cli/output.js';
import { wholeNumber } from '../cli/program.js';
import { type Engine, withEngine } from '../cli/stores.js';
import { type Requested, assertPossible, operate } from './operate.js';
import { viewsNamed } from './views.js';

interface Options {
  readonly all?: true;
  readonly segments?: number;
  readonly hold?: true;
  readonly document?: readonly string[];
  readonly acceptDifferences?: true;
  readonly wait?: boolean;
  readonly yes?: true;
  readonly json?: true;
}

/** A command that requests something of a view. */
interface RequestCommand {
  readonly name: string;
  readonly description: string;
  readonly help: string;
  /** Options besides --json. */
  readonly options?: readonly Option[];
  /** Asked first, unless `--yes` is given; `null`: not with these options. */
  readonly question?: (view: string, options: Options) => string | null;
  /** The operation that it requests and watches, or whether it pauses the view. */
  readonly request: ((options: Options) => Requested) | { readonly paused: boolean };
}

const ALL = new Option('--all', 'every view');
const NO_WAIT = new Option('--no-wait', 'request it and do not watch');
const YES = new Option('-y, --yes', 'do not ask');

const COMMANDS: readonly RequestCommand[] = [
  {
    name: 'pause',
    description: 'Stop updating a view.',
    help: `
No process updates the view until "resume", also after restarts. Reads show it as it is, those with a later
Consistency-Token are answered with 503, and after 30 s /health/ready reports it as behind. Nothing is lost: "resume"
continues where it stopped.

Examples:
  $ assay projections pause signal
  $ assay projections pause signal --json`,
    request: { paused: true },
  },
  {
    name: 'resume',
    description: 'Update a paused view again.',
    help: `
Examples:
  $ assay projections resume signal
  $ assay projections resume signal --json`,
    request: { paused: false },
  },
  {
    name: 'replay',
    description: 'Fold single documents of a view again, in place.',
    help: `
Repairs a live view: folds each named document from its own events, up to its position, and overwrites it. The other
documents are left as they are. For parked documents use "dead-letters retry"; for a whole view, "rebuild".

Examples:
  $ assay projections replay applications --document 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay projections replay roles --document ID1 ID2 ID3 --json`,
    options: [new Option('--document <ids...>', 'ids of the documents').makeOptionMandatory(), NO_WAIT],
    request: ({ document = [] }) => ({
      kind: 'refold',
      documents: [...new Set(document)],
      parkedOnly: false,
    }),
  },
  {
    name: 'rebuild',
    description: 'Rebuild a view beside the live one, then switch readers to it.',
    help: `
Folds the view from the log's beginning into a new generation, beside the live one. The new generation has no gaps: at
the first event that cannot be folded the rebuild stops and names it, and the live one stays. When it has caught up, the
two are compared and readers are switched at one moment; with --hold it waits for "promote".

A projector does the work; this command only watches, and may be ended (Ctrl-C) at any time. If no projector is running,
the command does the work itself. A rebuild that was cut off continues where it stopped.

Examples:
  $ assay projections rebuild signal
  $ assay projections rebuild signal --segments 4 --hold
  $ assay projections rebuild --all --no-wait
  $ assay projections rebuild evidence --json | jq -r .result`,
    options: [
      ALL,
      new Option('--segments <count>', 'number of segments (default: SEGMENTS)').argParser(
        wholeNumber(1, MAX_SEGMENTS),
      ),
      new Option('--hold', 'stop before the switch; "promote" switches'),
      NO_WAIT,
    ],
    request: ({ segments = null, hold }) => ({ kind: 'rebuild', segments, hold: hold === true }),
  },
  {
    name: 'promote',
    description: 'Switch readers to the generation that was built.',
    help: `
Switches readers at one moment; nothing that a reader has seen disappears. A generation that is behind the log is
refused, and so is one that the same code folded and that differs from the live one; "diff" shows where they differ. The
former generation is kept up to date for ROLLBACK_MINUTES, for "rollback".

Examples:
  $ assay projections promote signal
  $ assay projections diff signal || assay projections promote signal --accept-differences --yes`,
    options: [new Option('--accept-differences', 'even if it differs from the live one (asks)'), YES],
    question: (view, { acceptDifferences }) =>
      acceptDifferences
        ? `Switch readers of "${view}" to the generation that was built, even if it differs?`
        : null,
    request: ({ acceptDifferences }) => ({ kind: 'promote', acceptDifferences: acceptDifferences === true }),
  },
  {
    name: 'rollback',
    description: 'Switch readers back to the former generation.',
    help: `
Switches readers back to the former generation, as a promotion does. It is kept for ROLLBACK_MINUTES after the
promotion. The code that was rolled back does not rebuild the view by itself again; "rebuild" does.

Examples:
  $ assay projections rollback signal
  $ assay projections rollback signal --yes --json`,
    options: [YES],
    question: (view) => `Switch readers of "${view}" back to the former generation?`,
    request: () => ({ kind: 'rollback' }),
  },
  {
    name: 'cancel',
    description: 'Cancel a rebuild and remove what it built.',
    help: `
Removes the generation that is being built or is held; the live one stays. The rebuild ends as cancelled. A rebuild that
changed code began by itself is not begun again by the same code; "rebuild" does that. Exit code 1: there was nothing to
cancel.

Examples:
  $ assay projections cancel signal
  $ assay projections cancel signal --yes --json`,
    options: [YES],
    question: (view) => `Cancel the rebuild of "${view}" and remove what it built?`,
    request: () => ({ kind: 'cancel' }),
  },
];

/** `pause`, `resume`, `replay`, `rebuild`, `promote`, `rollback` and `cancel`. */
export const requestCommands = (projections: Command): void => {
  for (const { name, description, help, options = [], question, request } of COMMANDS) {
    const several = options.includes(ALL);
    const command = projections
      .command(name)
      .description(description)
      .argument(several ? '[view]' : '<view>', 'its name');
    for (const option of options) command.addOption(option);
    command
      .option('--json', `print one JSON object ${several ? '(with --all a list) ' : ''}and nothing else`)
      .addHelpText('after', help)
      .action(async (named: string | undefined, given: Options) => {
        const views = viewsNamed(command, named, given.all === true).map((view) => view.name);
        const text = question?.(views.join(), given) ?? null;
        await withEngine(async (engine) => {
          if (typeof request === 'object') return setPaused(engine, views.join(), request.paused, given.json);
          const asked = views.map((view) => ({ ...request(given), id: uuidV7(), view }));
          if (text !== null) {
            for (const { kind, view } of asked) await assertPossible(engine, kind, view);
            await confirm(text, given.yes);
          }
          return operate(engine, asked, { ...given, several: named === undefined });
        });
      });
  }
};

const setPaused = async (
  { requests }: Engine,
  view: string,
  paused: boolean,
  json: true | undefined,
): Promise<void> => {
  const changed = await (paused ? requests.pause(view) : requests.resume(view));
  const done = paused
    ? `"${view}" is paused: it is not updated until \`assay projections resume ${view}\`.`
    : `"${view}" is updated again, from where it stopped.`;
  const before = paused ? `"${view}" was already paused.` : `"${view}" was not paused.`;
  answer(json, { view, paused, changed }, () => [changed ? done : before]);
};
