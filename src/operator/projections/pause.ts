import type { Command } from 'commander';
import { withEngine } from '../cli/stores.js';
import { answer } from '../cli/output.js';
import { carryOut } from '../cli/program.js';
import { viewNamed } from './views.js';

interface Options {
  readonly json?: true;
}

const PAUSE_HELP = `
No process updates the view until "resume", also after restarts. Reads show it as it is, those with a later
Consistency-Token are answered with 503, and after 30 s /health/ready reports it as behind. Nothing is lost: "resume"
continues where it stopped.

Examples:
  $ assay projections pause signal
  $ assay projections pause signal --json`;

const RESUME_HELP = `
Examples:
  $ assay projections resume signal
  $ assay projections resume signal --json`;

/** `pause` and `resume`: whether a view is fed. */
export const pauseCommands = (projections: Command): void => {
  const pause = projections
    .command('pause')
    .description('Stop updating a view.')
    .argument('<view>', 'its name')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', PAUSE_HELP)
    .action((name: string, { json }: Options) =>
      carryOut(() => change(viewNamed(pause, name).name, true, json === true)),
    );
  const resume = projections
    .command('resume')
    .description('Update a paused view again.')
    .argument('<view>', 'its name')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', RESUME_HELP)
    .action((name: string, { json }: Options) =>
      carryOut(() => change(viewNamed(resume, name).name, false, json === true)),
    );
};

const change = (view: string, paused: boolean, json: boolean): Promise<void> =>
  withEngine(async ({ requests }) => {
    const changed = await (paused ? requests.pause(view) : requests.resume(view));
    answer(json, { view, paused, changed }, () => sentenceOf(view, paused, changed));
  });

const sentenceOf = (view: string, paused: boolean, changed: boolean): string => {
  if (paused)
    return changed
      ? `"${view}" is paused: it is not updated until \`assay projections resume ${view}\`.`
      : `"${view}" was already paused.`;
  return changed ? `"${view}" is updated again, from where it stopped.` : `"${view}" was not paused.`;
};
