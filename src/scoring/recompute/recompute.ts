import type { Stored } from '../../core/event.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { storedDetections } from '../detector/detector.js';
import type { EvaluationGenerated, ModelAnswered } from '../../domain/evaluation/events.js';
import { evidenceOf } from '../evidence.js';
import { generateEvaluation } from '../generate.js';
import { modelAnswerOf, scoringFromAnswers } from '../model/from-answers.js';
import { RubricScorer } from '../rubric/scorer.js';
import type { RuleSet } from '../rule-sets.js';
import type { Scorer } from '../scorer.js';
import { type Difference, differencesOf } from './differences.js';

export interface RecomputeInput {
  readonly stored: Stored<EvaluationGenerated>;
  /** What a model answered for that generation, in order. */
  readonly answers: readonly Stored<ModelAnswered>[];
  /** The session's stream, at least up to the head that the result names. */
  readonly session: readonly Stored<TrialEvent>[];
  readonly ruleSet: RuleSet;
}

export type Recomputed =
  | { readonly kind: 'recomputed'; readonly differences: readonly Difference[] }
  /** What the candidate said can no longer be read. */
  | { readonly kind: 'erased' }
  /** `reason` is a sentence for the operator. */
  | { readonly kind: 'unusable'; readonly reason: string };

/**
 * Computes a stored result again from the evidence that it rests on, under a rule set, and compares. Nobody is asked
 * anything: what models and detectors said is taken from what was stored.
 */
export const recompute = async (input: RecomputeInput): Promise<Recomputed> => {
  const { stored, answers, ruleSet } = input;
  const { data } = stored;
  if (stored.personal === null || answers.some(({ personal }) => personal === null))
    return { kind: 'erased' };
  const session = input.session.slice(0, data.head.sequenceNumber);
  if (session.at(-1)?.type !== 'trial.completed')
    return unusable(`The session ${data.trialSessionId} does not reach to the head that the result names.`);
  if (evidenceOf(session) === null) return { kind: 'erased' };
  const scorer = scorerOf(input);
  if (scorer === null)
    return unusable(`This version knows no scorer "${data.scoredBy.scorer}" that could score it again.`);
  const detector = storedDetections(data.detections);
  const { result: again } = await generateEvaluation({
    ...{ session, generation: data.generation },
    ...{ scorer, detector, ruleSet },
  });
  const differences: readonly Difference[] =
    again.type === 'evaluation.failed' ? [{ figure: 'failure' }] : differencesOf(data, again.data);
  return { kind: 'recomputed', differences };
};

/** What scored it, as it would score under the rule set; `null`: this version knows nothing of it. */
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
