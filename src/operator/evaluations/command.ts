import type { Command } from 'commander';
import { currentRuleSet, type RuleSet, ruleSetNamed, ruleSets } from '../../scoring/rule-sets.js';
import { answer, screenFor } from '../output/screen.js';
import { carryOut, Interrupted, OperatorError } from '../program.js';
import { wholeNumber } from '../streams/arguments.js';
import { harmless } from '../output/harmless.js';
import { stoppable } from '../streams/stoppable.js';
import { withReadSide } from './read-side.js';
import { recomputeText } from './report-text.js';
import { recomputeAll } from './run.js';

interface Options {
  readonly ruleSet: string;
  readonly dryRun?: true;
  readonly examples: number;
  readonly json?: true;
}

const HELP = `
Each evaluation's latest ready result is computed again from the evidence that it rests on, under a rule set: its
weights, thresholds and versions of rules. What a model or a detector said is taken from what was stored; nobody is
asked again. Shown is how many results would be other ones, in which figures, and the first of them by their ids.
Nothing is written, so --dry-run has to be said: a changed result is made by regenerating an evaluation, which its
organisation's staff ask for.

Scores are compared as they are before they are rounded. Of a candidate who was erased nothing can be recomputed.

Examples:
  $ assay evaluations recompute --dry-run
  $ assay evaluations recompute --rule-set r1 --dry-run --examples 3
  $ assay evaluations recompute --dry-run --json | jq .byFigure`;

/** `evaluations recompute`: what evaluations would come to under other weights, thresholds or versions of rules. */
export const evaluationsCommands = (root: Command): void => {
  const command: Command = root
    .command('evaluations')
    .description('Evaluations and what they rest on.')
    .addHelpText('after', '\nExample:\n  $ assay evaluations recompute --dry-run')
    .command('recompute')
    .description('Count the results that would change under a rule set.')
    .option('--rule-set <name>', 'recompute under this one', currentRuleSet.name)
    .option('--dry-run', 'only look: has to be said')
    .option('--examples <count>', 'show no more than so many changed results', wholeNumber(0), 10)
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', HELP)
    .action(({ ruleSet: name, dryRun, examples, json }: Options) => {
      const ruleSet = ruleSetNamed(name);
      if (ruleSet === null)
        command.error(
          `error: there is no rule set ${JSON.stringify(name)}. The rule sets are: ${ruleSets.map((one) => one.name).join(', ')}.`,
        );
      if (!dryRun)
        command.error(
          'error: say --dry-run. Results are never changed from here: a changed one is made by regenerating the evaluation, which its organisation’s staff ask for.',
        );
      return carryOut(() => run(ruleSet, examples, json === true));
    });
};

const run = async (ruleSet: RuleSet, examples: number, json: boolean): Promise<void> => {
  const report = await withReadSide((side) =>
    stoppable(async (signal) => {
      try {
        return await recomputeAll(side, { ruleSet, examples, progress: screenFor(json).progress, signal });
      } catch (error) {
        if (signal.aborted) throw new Interrupted('Interrupted: not every result was recomputed.');
        throw error;
      }
    }),
  );
  answer(json, report, () => recomputeText(report).map(harmless).join('\n'));
  if (report.unusable > 0)
    throw new OperatorError(
      `${report.unusable} of ${report.evaluations} results could not be recomputed, and not because somebody was erased.`,
    );
};
