import type { IntegrityRules } from './integrity/find.js';
import type { RubricRules } from './rubric/measure.js';

/**
 * Every weight and threshold that an evaluation rests on: points of a category's signals, magnitudes from which a finding
 * has a severity. `RubricRules` and `IntegrityRules` say what each is.
 */
export interface RuleSet {
  readonly name: string;
  readonly rubric: RubricRules;
  readonly integrity: IntegrityRules;
}

const r1 = {
  name: 'r1',
  rubric: {
    version: 1,
    correctness: {
      withTickets: { last_run_passed: 50, failures_fixed: 15, tickets_finished: 35 },
      withoutTickets: { last_run_passed: 80, failures_fixed: 20, tickets_finished: 0 },
    },
    process: {
      withTickets: {
        changes_tested: 35,
        small_steps: 25,
        tickets_started_first: 15,
        messages_with_substance: 25,
      },
      withoutTickets: {
        changes_tested: 40,
        small_steps: 30,
        tickets_started_first: 0,
        messages_with_substance: 30,
      },
    },
    changesPerTestRun: 5,
    smallStepLines: 60,
    substanceCharacters: 20,
  },
  integrity: {
    maxFindingsPerKind: 100,
    identity_verified: { version: 1 },
    response_gap_outlier: {
      version: 1,
      minimumGaps: 5,
      minimumGapMs: 10_000,
      medianFactor: 3,
      severities: [
        { from: 0, severity: 'low' },
        { from: 60_000, severity: 'medium' },
      ],
    },
    paste_burst: {
      version: 1,
      minimumNonBlankCharacters: 200,
      severities: [
        { from: 0, severity: 'low' },
        { from: 1_000, severity: 'medium' },
      ],
    },
    focus_lost: {
      version: 1,
      minimumHiddenMs: 3_000,
      severities: [
        { from: 0, severity: 'info' },
        { from: 30_000, severity: 'low' },
        { from: 300_000, severity: 'medium' },
      ],
    },
  },
} as const satisfies RuleSet;

/**
 * Seven more kinds of findings. Answers of the interview count beside the work. A ticket that was finished counts for more
 * if a test run without failures came before.
 */
const r2: RuleSet = {
  name: 'r2',
  rubric: {
    ...r1.rubric,
    version: 2,
    correctness: {
      withTickets: {
        last_run_passed: 45,
        failures_fixed: 10,
        tickets_finished: 25,
        tickets_finished_green: 20,
      },
      withoutTickets: { last_run_passed: 80, failures_fixed: 20 },
    },
    process: {
      withTickets: {
        changes_tested: 25,
        small_steps: 15,
        tickets_started_first: 10,
        sent_messages_with_substance: 15,
        questions_answered: 20,
        answers_with_substance: 15,
      },
      withoutTickets: {
        changes_tested: 30,
        small_steps: 20,
        sent_messages_with_substance: 15,
        questions_answered: 20,
        answers_with_substance: 15,
      },
    },
    mentionsRubricText: true,
  },
  integrity: {
    ...r1.integrity,
    // One event has the findings of all eleven kinds, and its size is limited.
    maxFindingsPerKind: 40,
    identity_mismatch: { version: 1, severity: 'high' },
    prompt_copied: {
      version: 1,
      severities: [
        { from: 0, severity: 'info' },
        { from: 200, severity: 'low' },
      ],
    },
    focus_lost: { ...r1.integrity.focus_lost, version: 2 },
    concurrent_connection: {
      version: 1,
      severities: { same: 'info', unknown: 'low', other: 'medium' },
    },
    network_changed: { version: 1, severity: 'info' },
    fullscreen_exited: { version: 1, severity: 'info' },
    activity_gap: {
      version: 1,
      minimumGapMs: 300_000,
      severities: [
        { from: 0, severity: 'info' },
        { from: 1_800_000, severity: 'low' },
      ],
    },
    generated_text_suspected: {
      version: 1,
      minimumNonBlankCharacters: 200,
      minimumLikelihood: 0.8,
      severities: [
        { from: 0, severity: 'low' },
        { from: 0.95, severity: 'medium' },
      ],
    },
  },
};

/** A request to repeat or explain a question counts nowhere as an answer. */
const r3: RuleSet = {
  name: 'r3',
  rubric: { ...r2.rubric, version: 3, leavesOutRequests: true },
  integrity: {
    ...r2.integrity,
    response_gap_outlier: { ...r1.integrity.response_gap_outlier, version: 2, leavesOutRequests: true },
  },
};

/**
 * Correctness rests on the checker's results; reports of the candidate's own programs count only in a role without
 * checks. Signals that a role's setup cannot produce are left out, and the rest is scaled to 100.
 */
const r4: RuleSet = {
  name: 'r4',
  rubric: {
    ...r3.rubric,
    version: 4,
    correctness: {
      base: {
        hidden_tests_passed: 80,
        visible_tests_passed: 20,
        unchecked_handed_in: 10,
        tickets_finished: 5,
        questions_answered: 60,
        answers_with_substance: 40,
      },
      reported: { last_run_passed: 30, failures_fixed: 10, tickets_finished_green: 10 },
    },
    process: {
      base: {
        tickets_handed_in: 30,
        visible_failures_resolved: 20,
        tickets_started_first: 10,
        questions_answered: 30,
        answers_with_substance: 20,
      },
      reported: { changes_tested: 15, small_steps: 5, sent_messages_with_substance: 10 },
    },
  },
  integrity: {
    ...r3.integrity,
    claims_differ: {
      version: 1,
      minimumDifferencePercent: 50,
      severities: [
        { from: 0, severity: 'low' },
        { from: 90, severity: 'medium' },
      ],
    },
    work_arrived_at_once: {
      version: 1,
      severity: 'low',
      minimumTickets: 3,
      minimumMedianMs: 300_000,
      medianFactor: 10,
    },
  },
};

/** Hand-ins are compared with those of other candidates. */
const r5: RuleSet = {
  ...r4,
  name: 'r5',
  integrity: {
    ...r4.integrity,
    copied_from_other_hand_in: {
      version: 1,
      minimumSharedPercent: 80,
      minimumFingerprints: 20,
      severities: [
        { from: 0, severity: 'low' },
        { from: 95, severity: 'medium' },
      ],
    },
  },
};

/**
 * The rule sets that evaluations name, oldest first; each takes from the one before what it does not change. One that
 * has been used is never edited: a change is a new set, with new versions of the rules it changes, so that an old
 * evaluation can be recomputed.
 */
export const ruleSets: readonly RuleSet[] = [r1, r2, r3, r4, r5];

/** The rule set of new generations. */
export const currentRuleSet: RuleSet = r5;

/** The rule set that an evaluation names, `null` if this version of the service has none of that name. */
export const ruleSetNamed = (name: string): RuleSet | null =>
  ruleSets.find((ruleSet) => ruleSet.name === name) ?? null;
