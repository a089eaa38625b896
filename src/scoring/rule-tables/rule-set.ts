import type { IntegrityRules } from './integrity-rules.js';
import type { RubricRules } from './rubric-rules.js';

/** Every weight and threshold that an evaluation rests on. */
export interface RuleSet {
  readonly name: string;
  readonly rubric: RubricRules;
  readonly integrity: IntegrityRules;
}
