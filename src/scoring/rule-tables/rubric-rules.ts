/**
 * Points of each signal of a category, out of 100. The role alone decides which row holds. A signal that a row
 * gives no points has no part in the score.
 */
export interface Weights<Signal extends string> {
  readonly withTickets: Readonly<Partial<Record<Signal, number>>>;
  readonly withoutTickets: Readonly<Partial<Record<Signal, number>>>;
}

export type CorrectnessSignal =
  'last_run_passed' | 'failures_fixed' | 'tickets_finished' | 'tickets_finished_green';
export type ProcessSignal =
  | 'changes_tested'
  | 'small_steps'
  | 'tickets_started_first'
  | 'messages_with_substance'
  | 'sent_messages_with_substance'
  | 'questions_answered'
  | 'answers_with_substance';

export interface RubricRules {
  readonly version: number;
  readonly correctness: Weights<CorrectnessSignal>;
  readonly process: Weights<ProcessSignal>;
  /** A change counts as tested where a test run follows before this many more changes. */
  readonly changesPerTestRun: number;
  /** Lines added and removed by one change. */
  readonly smallStepLines: number;
  /** Characters that are not blank. */
  readonly substanceCharacters: number;
  /** A rationale says so where a dimension has a `rubric` text, since these rules do not read it. */
  readonly mentionsRubricText?: true;
}
