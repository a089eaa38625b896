import type { Severity } from './events.js';

/**
 * Every weight and threshold that an evaluation rests on, by rule set. An evaluation names its rule set; one that
 * has been used is never edited: a change is a new entry here, with new versions of the rules it changes.
 */

/** Points of each signal of a category, out of 100. The role alone decides which row holds. */
export interface Weights<Signal extends string> {
  readonly withTickets: Readonly<Record<Signal, number>>;
  readonly withoutTickets: Readonly<Record<Signal, number>>;
}

export type CorrectnessSignal = 'last_run_passed' | 'failures_fixed' | 'tickets_finished';
export type ProcessSignal =
  'changes_tested' | 'small_steps' | 'tickets_started_first' | 'messages_with_substance';

export interface RubricRules {
  readonly version: number;
  readonly correctness: Weights<CorrectnessSignal>;
  readonly process: Weights<ProcessSignal>;
  /** A change counts as tested where a test run follows before this many more changes. */
  readonly changesPerTestRun: number;
  /** Lines added and removed by one change. */
  readonly smallStepLines: number;
  readonly substanceCharacters: number;
}

/** From this magnitude on (the rule's own unit), this severity. In rising order. */
export type SeveritySteps = readonly { readonly from: number; readonly severity: Severity }[];

export interface IntegrityRules {
  /** Findings of one kind in one evaluation; beyond that the strongest are kept. */
  readonly maxFindingsPerKind: number;
  readonly identity_verified: { readonly version: number };
  readonly response_gap_outlier: {
    readonly version: number;
    readonly minimumGaps: number;
    readonly minimumGapMs: number;
    readonly medianFactor: number;
    readonly severities: SeveritySteps;
  };
  readonly paste_burst: {
    readonly version: number;
    readonly minimumNonBlankCharacters: number;
    readonly severities: SeveritySteps;
  };
  readonly focus_lost: {
    readonly version: number;
    readonly minimumHiddenMs: number;
    readonly severities: SeveritySteps;
  };
}

export interface RuleSet {
  readonly name: string;
  readonly rubric: RubricRules;
  readonly integrity: IntegrityRules;
}

const r1: RuleSet = {
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
};

/** What new generations are made under. */
export const currentRuleSet: RuleSet = r1;
