import type {
  LeftOut,
  ModelAnswered,
  ScoredBy,
  TestCounts,
  UncheckedWork,
} from '../../domain/evaluation/events.js';
import type { RoleDefinition } from '../../domain/role/events.js';
import type { EvidenceEvent } from '../evidence/evidence.js';

/** The scorer's port. What a scorer answers is checked before it becomes an event: see `scores.ts`. */
export interface Scorer {
  /** Describes the scorer: a rule or a model, and its limits. */
  describe(): ScoredBy;
  /** It reads how hand-ins differ from what their tickets began with: `work` of the evidence. */
  readonly readsWork?: boolean;
  /**
   * Scores every dimension of the role. A failure is a value: it becomes the evaluation's failure. Called once for each
   * generation, also for several evaluations at the same time.
   * @param signal cancels the scoring; without it, the scoring cannot be cancelled
   * @throws what the signal was aborted with
   */
  score(input: ScoringInput, signal?: AbortSignal): Promise<Scoring>;
}

/** What a scorer scores. */
export interface ScoringInput {
  /** The definition pinned at the invitation. */
  readonly role: RoleDefinition;
  /** All of the session's events, in order. */
  readonly evidence: readonly EvidenceEvent[];
}

export type Scoring = (
  | { readonly kind: 'scored'; readonly dimensions: readonly DimensionScoring[] }
  /** `reason` is a sentence for staff. */
  | { readonly kind: 'failed'; readonly reason: string }
) & {
  /** A model's answers, usable or not, stored with the result. Left out by a scorer that asks no model. */
  readonly answers?: readonly ModelAnswer[];
};

/** One answer of a model, as it came. */
export interface ModelAnswer
  extends
    Pick<ModelAnswered['data'], 'dimensionId' | 'attempt' | 'model' | 'promptVersion' | 'parameters'>,
    NonNullable<ModelAnswered['personal']> {}

/** How a dimension's score comes about. */
export interface DimensionScoring {
  readonly dimensionId: string;
  /** Their contributions sum to the unrounded score, 0 to 100. */
  readonly terms: readonly ScoringTerm[];
  /** Signals of its category that have no part in the score. Left out by rule sets before r4, and by a model. */
  readonly leftOut?: readonly LeftOut[];
  /** Checks that gave no result; left out if there are none. */
  readonly unchecked?: UncheckedWork;
  /** Plain sentences with the figures. */
  readonly rationale: string;
}

/** What one signal contributes to a score. */
export interface ScoringTerm {
  readonly signal: string;
  readonly value: number;
  readonly weight: number;
  /** At most 6 decimal places. */
  readonly contribution: number;
  readonly evidence: readonly Citation[];
  /** Tests of the checker that it counts; left out if it counts none. */
  readonly tests?: TestCounts;
}

/** An event that a term rests on. */
export interface Citation {
  readonly eventId: string;
  /** A part of one of the payload's texts, or `"key":value` of its JSON; `null`: the event has nothing to quote. */
  readonly quote: string | null;
}
