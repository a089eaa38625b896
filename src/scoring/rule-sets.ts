import { r1 } from './rule-tables/r1.js';
import { r2 } from './rule-tables/r2.js';
import type { RuleSet } from './rule-tables/rule-set.js';

export type {
  FindingKind,
  IntegrityRules,
  SeveritySteps,
  Thresholds,
} from './rule-tables/integrity-rules.js';
export type { CorrectnessSignal, ProcessSignal, RubricRules, Weights } from './rule-tables/rubric-rules.js';
export type { RuleSet } from './rule-tables/rule-set.js';

/**
 * The rule sets that evaluations name, each a table of its own, oldest first. One that has been used is never edited:
 * a change is a new table, with new versions of the rules it changes, so that an old evaluation can be recomputed.
 */
export const ruleSets: readonly RuleSet[] = [r1, r2];

/** What new generations are made under. */
export const currentRuleSet: RuleSet = r2;

/** The rule set that an evaluation names, `null` where this version of the service knows none of that name. */
export const ruleSetNamed = (name: string): RuleSet | null =>
  ruleSets.find((ruleSet) => ruleSet.name === name) ?? null;
