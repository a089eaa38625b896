import type { Difference, Figure } from '../../scoring/recompute/differences.js';
import type { ChangedResult, RecomputeReport } from './report.js';

/** The report for people, in lines. */
export const recomputeText = (report: RecomputeReport): readonly string[] => [
  headline(report),
  ...Object.entries(report.byFigure)
    .filter(([, count]) => count > 0)
    .map(([figure, count]) => `  ${count} in ${NAMES[figure as Figure]}${kinds(report, figure as Figure)}`),
  ...(report.examples.length === 0 ? [] : [examplesOf(report)]),
  ...report.examples.flatMap(exampleText),
  ...(report.erased === 0
    ? []
    : [`${results(report.erased)} could not be recomputed: the candidate was erased.`]),
  ...(report.unusable === 0 ? [] : [`${results(report.unusable)} could not be recomputed:`]),
  ...report.unusableExamples.map(({ evaluationId, reason }) => `  ${evaluationId}  ${reason}`),
  'Nothing was written.',
];

const headline = ({ evaluations, ...report }: RecomputeReport): string => {
  if (evaluations === 0) return 'There is no ready result to recompute.';
  const change = report.changed === 0 ? 'none would change' : `${report.changed} would change`;
  return `${results(report.recomputed)} recomputed under ${report.ruleSet}${madeUnder(report)}: ${change}.`;
};

const NAMES: Readonly<Record<Figure, string>> = {
  score: 'the score of a dimension',
  terms: 'the terms behind a score alone',
  overall: 'the overall score',
  passed: 'what is passed',
  findings: 'findings',
  failure: 'that there would be no result',
};

const results = (count: number): string => (count === 1 ? '1 result' : `${count} results`);

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
