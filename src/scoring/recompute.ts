import { isDeepStrictEqual } from 'node:util';
import type { Stored } from '../core/event.js';
import type {
  DimensionScore,
  EvaluationGenerated,
  IntegrityFinding,
  ModelAnswered,
} from '../domain/evaluation/events.js';
import type { TrialEvent } from '../domain/session/events.js';
import { storedDetections } from './detector/detector.js';
import { type EvidenceEvent, evidenceOf } from './evidence/evidence.js';
import { generateEvaluation } from './generate.js';
import { modelAnswerOf, scoringFromAnswers } from './model/answer.js';
import { RubricScorer } from './rubric/scorer.js';
import type { RuleSet } from './rule-sets.js';
import type { Scorer } from './scores/scorer.js';

/** A stored evaluation, and all that it was generated from. */
export interface RecomputeInput {
  readonly stored: Stored<EvaluationGenerated>;
  /** What a model answered for that generation, in order. */
  readonly answers: readonly Stored<ModelAnswered>[];
  /** The session's stream, at least up to the head that the result names. */
  readonly session: readonly Stored<TrialEvent>[];
  readonly ruleSet: RuleSet;
  /** The evidence after the completion from which the result was generated, in order. */
  readonly later: readonly EvidenceEvent[];
  /** How many times the usual time the candidate was granted. */
  readonly timeFactor: number;
}

export type Recomputed =
  | { readonly kind: 'recomputed'; readonly differences: readonly Difference[] }
  /** The candidate's texts can no longer be read. */
  | { readonly kind: 'erased' }
  /** `reason` is a sentence for the operator. */
  | { readonly kind: 'unusable'; readonly reason: string };

/**
 * Computes a stored result again from its evidence, under a rule set, and compares. No model or detector is called:
 * their stored answers are used.
 */
export const recompute = async (input: RecomputeInput): Promise<Recomputed> => {
  const { stored, answers, ruleSet, later, timeFactor } = input;
  const { data } = stored;
  if (stored.personal === null || answers.some(({ personal }) => personal === null))
    return { kind: 'erased' };
  const session = input.session.filter((event) => event.data.sequenceNumber <= data.head.sequenceNumber);
  const last = session.at(-1);
  if (last?.type !== 'trial.completed' || last.data.sequenceNumber !== data.head.sequenceNumber)
    return unusable(`The session ${data.trialSessionId} does not reach to the head that the result names.`);
  if (evidenceOf(session) === null) return { kind: 'erased' };
  const scorer = scorerOf(input);
  if (scorer === null)
    return unusable(`This version knows no scorer "${data.scoredBy.scorer}" that could score it again.`);
  const detector = storedDetections(data.detections);
  const { result: again } = await generateEvaluation({
    ...{ session, generation: data.generation },
    ...{ later, scorer, detector, ruleSet, timeFactor, similar: data.similar ?? [] },
    work: answers.flatMap(({ personal }) => personal?.work ?? []),
  });
  const differences: readonly Difference[] =
    again.type === 'evaluation.failed' ? [{ figure: 'failure' }] : differencesOf(data, again.data);
  return { kind: 'recomputed', differences };
};

/** The result's scorer under the rule set; `null`: this version does not have it. */
const scorerOf = ({ stored, answers, ruleSet }: RecomputeInput): Scorer | null => {
  const { scoredBy } = stored.data;
  if (scoredBy.scorer === 'rubric') return new RubricScorer(ruleSet.rubric);
  if (answers.length === 0) return null;
  const known = answers.map(modelAnswerOf).filter((answer) => answer !== null);
  return {
    describe: () => scoredBy,
    score: ({ role, evidence }) => Promise.resolve(scoringFromAnswers({ role, evidence, answers: known })),
  };
};

const unusable = (reason: string): Recomputed => ({ kind: 'unusable', reason });

/** One figure of a stored result that differs when it is computed again. It has nothing personal. */
export type Difference =
  /** A dimension's unrounded score. */
  | { readonly figure: 'score'; readonly dimensionId: string; readonly from: number; readonly to: number }
  /** Only the terms of a dimension's score: other weights or evidence with the same sum. */
  | { readonly figure: 'terms'; readonly dimensionId: string }
  /** The unrounded overall score. */
  | { readonly figure: 'overall'; readonly from: number | null; readonly to: number | null }
  | {
      readonly figure: 'passed';
      /** `null`: of the whole evaluation. */
      readonly dimensionId: string | null;
      /** `null`, like `to`: there was no threshold, or no score. */
      readonly from: boolean | null;
      readonly to: boolean | null;
    }
  /** The number of findings of a kind; the same number if only their figures or version differ. */
  | { readonly figure: 'findings'; readonly kind: string; readonly from: number; readonly to: number }
  /** Scored again there would be no result. */
  | { readonly figure: 'failure' };

export type Figure = Difference['figure'];

/** Every figure, as reports list them. */
export const FIGURES = [
  'score',
  'terms',
  'overall',
  'passed',
  'findings',
  'failure',
] as const satisfies readonly Figure[];

type Result = Pick<
  EvaluationGenerated['data'],
  'scores' | 'overallScore' | 'overallExact' | 'overallThreshold' | 'passed' | 'integrity'
>;

/**
 * What differs between a stored result and the one that was computed again, in the order of its dimensions and then of
 * the kinds of findings. None: all unencrypted parts of the two are equal.
 */
export const differencesOf = (stored: Result, again: Result): readonly Difference[] => {
  const [from, to] = [asStored(stored), asStored(again)];
  return [
    ...scoreDifferences(from.scores, to.scores),
    ...(from.overallExact === to.overallExact && from.overallScore === to.overallScore
      ? []
      : [{ figure: 'overall', from: from.overallExact, to: to.overallExact } as const]),
    ...(from.passed === to.passed
      ? []
      : [{ figure: 'passed', dimensionId: null, from: from.passed, to: to.passed } as const]),
    ...findingDifferences(from.integrity, to.integrity),
  ];
};

/** The result as JSON would return it: without undefined members. */
const asStored = (result: Result): Result => JSON.parse(JSON.stringify(result)) as Result;

const scoreDifferences = (
  from: readonly DimensionScore[],
  to: readonly DimensionScore[],
): readonly Difference[] => {
  const again = new Map(to.map((score) => [score.dimensionId, score]));
  return from.flatMap((before): readonly Difference[] => {
    const { dimensionId } = before;
    const after = again.get(dimensionId);
    // Both are of the definition that the session was opened with.
    if (after === undefined) throw new Error(`The dimension ${dimensionId} was not scored again.`);
    const scored = before.exact === after.exact && before.score === after.score;
    const passed = before.passed === after.passed;
    return [
      ...(scored ? [] : [{ figure: 'score', dimensionId, from: before.exact, to: after.exact } as const]),
      ...(passed ? [] : [{ figure: 'passed', dimensionId, from: before.passed, to: after.passed } as const]),
      ...(scored && passed && !isDeepStrictEqual(before, after)
        ? [{ figure: 'terms', dimensionId } as const]
        : []),
    ];
  });
};

const findingDifferences = (
  from: readonly IntegrityFinding[],
  to: readonly IntegrityFinding[],
): readonly Difference[] => {
  const kinds = [...new Set([...from, ...to].map(({ kind }) => kind))].sort();
  return kinds.flatMap((kind): readonly Difference[] => {
    const [before, after] = [from, to].map((findings) => findings.filter((one) => one.kind === kind));
    if (isDeepStrictEqual(before, after)) return [];
    return [{ figure: 'findings', kind, from: before?.length ?? 0, to: after?.length ?? 0 }];
  });
};
