import type { RuleSet } from './rule-set.js';

/** All kinds of findings; the interview's answers count beside the work, and finished tickets are held to test runs. */
export const r2: RuleSet = {
  name: 'r2',
  rubric: {
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
    changesPerTestRun: 5,
    smallStepLines: 60,
    substanceCharacters: 20,
    mentionsRubricText: true,
  },
  integrity: {
    // Eleven kinds must fit one event together.
    maxFindingsPerKind: 40,
    identity_verified: { version: 1 },
    identity_mismatch: { version: 1, severity: 'high' },
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
    prompt_copied: {
      version: 1,
      severities: [
        { from: 0, severity: 'info' },
        { from: 200, severity: 'low' },
      ],
    },
    focus_lost: {
      version: 2,
      minimumHiddenMs: 3_000,
      severities: [
        { from: 0, severity: 'info' },
        { from: 30_000, severity: 'low' },
        { from: 300_000, severity: 'medium' },
      ],
    },
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
