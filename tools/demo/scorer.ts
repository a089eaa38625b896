import { RubricScorer } from '../../src/scoring/rubric/scorer.js';
import { currentRuleSet } from '../../src/scoring/rule-sets.js';
import type { Scorer, Scoring, ScoringInput } from '../../src/scoring/scores/scorer.js';

/** The built-in scorer. While `isUnavailable` is set, evaluations fail as if a model gave no answer. */
export class DemoScorer implements Scorer {
  isUnavailable = false;
  readonly #rubric = new RubricScorer(currentRuleSet.rubric);

  describe(): ReturnType<Scorer['describe']> {
    return this.#rubric.describe();
  }

  score(input: ScoringInput): Promise<Scoring> {
    const reason = 'The scorer gave no answer. Ask for a new generation.';
    return this.isUnavailable ? Promise.resolve({ kind: 'failed', reason }) : this.#rubric.score(input);
  }
}
