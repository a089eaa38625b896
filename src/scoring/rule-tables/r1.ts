import type { RuleSet } from './rule-set.js';

/** The first rule set. */
export const r1: RuleSet = {
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
