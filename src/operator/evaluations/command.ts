import type { Command } from 'commander';
import { createCodec } from '../../core/codec.js';
import { eventRegistry } from '../../domain/event-registry.js';
import type { Difference, Figure } from '../../scoring/recompute.js';
import { currentRuleSet, type RuleSet, ruleSetNamed, ruleSets } from '../../scoring/rule-sets.js';
import { answer, counted, screenFor } from '../cli/output.js';
import { Interrupted, OperatorError, stoppable, wholeNumber } from '../cli/program.js';
import { withReadableLog } from '../cli/stores.js';
import { recomputeAll } from './recompute.js';
import type { ChangedResult, RecomputeReport } from './report.js';

interface Options {
  readonly ruleSet: string;
  readonly dryRun?: true;
  readonly examples: number;
  readonly json?: true;
}

const HELP = `
Each evaluation's latest ready result is computed again from the evidence that it rests on, under a rule set: its
weights, thresholds and versions of rules. Answers of models and detectors are taken from the log; none is asked again.
The report counts the results that would change, by figure, and lists the first ones by id. Nothing is written, and
--dry-run is required: staff of the organisation regenerate an evaluation to get a changed result.

Scores are compared before rounding. Evaluations of erased candidates cannot be recomputed.

Examples:
  $ assay evaluations recompute --dry-run
  $ assay evaluations recompute --rule-set r1 --dry-run --examples 3
  $ assay evaluations recompute --dry-run --json | jq .byFigure`;

/** `evaluations recompute`: the results of evaluations under other weights, thresholds or versions of rules. */
export const evaluationsCommands = (root: Command): void => {
  const command: Command = root
    .command('evaluations')
    .description('Evaluations and what they rest on.')
    .addHelpText('after', '\nExample:\n  $ assay evaluations recompute --dry-run')
    .command('recompute')
    .description('Count the results that would change under a rule set.')
    .option('--rule-set <name>', 'recompute under this one', currentRuleSet.name)
    .option('--dry-run', 'required: nothing is written')
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
          'error: pass --dry-run. This command changes no result: staff of the organisation regenerate an evaluation to get a changed one.',
        );
      return run(ruleSet, examples, json);
    });
};

const run = async (ruleSet: RuleSet, examples: number, json?: true): Promise<void> => {
  const report = await withReadableLog(({ log, sealer, unit }) => {
    if (sealer === null)
      throw new OperatorError(
        'DATA_KEY is not set: set it to the service’s key. Without it candidates’ work cannot be read.',
      );
    const codec = createCodec(eventRegistry, sealer);
    return stoppable(async (signal) => {
      try {
        return await recomputeAll(
          { log, codec, unit },
          { ruleSet, examples, progress: screenFor(json).progress, signal },
        );
      } catch (error) {
        if (signal.aborted) throw new Interrupted('Interrupted: not every result was recomputed.');
        throw error;
      }
    });
  });
  answer(json, report, () => recomputeLines(report));
  if (report.unusable > 0)
    throw new OperatorError(
      `${report.unusable} of ${report.evaluations} results could not be recomputed, and not because of an erasure.`,
    );
};

/** The report for people, in lines. */
export const recomputeLines = (report: RecomputeReport): readonly string[] => [
  headline(report),
  ...Object.entries(report.byFigure)
    .filter(([, count]) => count > 0)
    .map(([figure, count]) => `  ${count} in ${NAMES[figure as Figure]}${kinds(report, figure as Figure)}`),
  ...(report.examples.length === 0 ? [] : [examplesOf(report)]),
  ...report.examples.flatMap(exampleText),
  ...(report.erased === 0
    ? []
    : [`${counted(report.erased, 'result')} could not be recomputed: the candidate was erased.`]),
  ...(report.unusable === 0 ? [] : [`${counted(report.unusable, 'result')} could not be recomputed:`]),
  ...report.unusableExamples.map(({ evaluationId, reason }) => `  ${evaluationId}  ${reason}`),
  'Nothing was written.',
];

const headline = ({ evaluations, ...report }: RecomputeReport): string => {
  if (evaluations === 0) return 'There is no ready result to recompute.';
  const change = report.changed === 0 ? 'none would change' : `${report.changed} would change`;
  return `${counted(report.recomputed, 'result')} recomputed under ${report.ruleSet}${madeUnder(report)}: ${change}.`;
};

const NAMES: Readonly<Record<Figure, string>> = {
  score: 'the score of a dimension',
  terms: 'only the terms of a score',
  overall: 'the overall score',
  passed: 'pass or fail',
  findings: 'findings',
  failure: 'the existence of a result',
};

const madeUnder = ({ madeUnder: counts }: Pick<RecomputeReport, 'madeUnder'>): string => {
  const parts = Object.entries(counts).map(([ruleSet, count]) => `${count} under ${ruleSet}`);
  return parts.length === 0 ? '' : ` (made: ${parts.join(', ')})`;
};

const kinds = ({ findingsByKind }: RecomputeReport, figure: Figure): string =>
  figure === 'findings'
    ? `: ${Object.entries(findingsByKind)
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', ')}`
    : '';

const examplesOf = ({ changed, examples }: RecomputeReport): string =>
  examples.length === changed
    ? 'They are:'
    : `The first ${examples.length === 1 ? '' : `${examples.length} `}of them:`;

const exampleText = ({
  evaluationId,
  generation,
  ruleSet,
  differences,
}: ChangedResult): readonly string[] => [
  `  ${evaluationId}  generation ${generation}, made under ${ruleSet}`,
  ...differences.map((difference) => `    ${differenceText(difference)}`),
];

const differenceText = (difference: Difference): string => {
  switch (difference.figure) {
    case 'score':
      return `score of ${difference.dimensionId}: ${difference.from} → ${difference.to}`;
    case 'terms':
      return `terms of ${difference.dimensionId}`;
    case 'overall':
      return `overall: ${shown(difference.from)} → ${shown(difference.to)}`;
    case 'passed': {
      const of = difference.dimensionId === null ? '' : ` of ${difference.dimensionId}`;
      return `passed${of}: ${shown(difference.from)} → ${shown(difference.to)}`;
    }
    case 'findings': {
      const { kind, from, to } = difference;
      return from === to ? `${kind}: ${from}, with other figures` : `${kind}: ${from} → ${to}`;
    }
    case 'failure':
      return 'no result';
  }
};

const shown = (value: number | boolean | null): string => (value === null ? 'none' : String(value));
