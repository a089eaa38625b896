import type { EventOf } from '../event-store/event.js';

/**
 * Stored names and latest shapes of an evaluation's stream (`evaluation-<id>`): the storage contract. The evaluation
 * itself begins with its session's `trial.completed`; the stream's hash chain goes on from that session's head.
 */

export interface EvaluationIds {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  readonly evaluationId: string;
  /** From 1; each regeneration asks for the next. */
  readonly generation: number;
}

/** One addend of a dimension's score: the figures an explanation adds up again. */
export interface ScoreTerm {
  readonly signal: string;
  readonly value: number;
  readonly weight: number;
  /** At most 6 decimal places; the terms of a dimension sum to its `exact` exactly. */
  readonly contribution: number;
  /** The evidence it rests on. Quotes are personal: `personal.quotes`, by event id. */
  readonly evidenceEventIds: readonly string[];
}

export interface DimensionScore {
  readonly dimensionId: string;
  readonly dimensionName: string;
  readonly dimensionCategory: string;
  readonly weight: number;
  readonly threshold: number | null;
  /** 0 to 100, `exact` rounded half up. */
  readonly score: number;
  /** The score before rounding, 6 decimal places. */
  readonly exact: number;
  /** `exact >= threshold`, `null` without a threshold. */
  readonly passed: boolean | null;
  readonly terms: readonly ScoreTerm[];
  readonly evidenceEventIds: readonly string[];
}

export type Severity = 'info' | 'low' | 'medium' | 'high';

/** An advisory finding, never a verdict. Shape A has `timestamp`, shape B the gap's three fields. */
export type IntegrityFinding = {
  readonly kind: string;
  readonly severity: Severity;
  readonly evidenceEventIds: readonly string[];
  readonly ruleVersion: number;
  /** The figures and thresholds the rule compared, for the explanation. Counts and times only, nothing personal. */
  readonly inputs?: Readonly<Record<string, number | string>>;
} & (
  | { readonly timestamp: string }
  | {
      readonly candidateMessageAt: string;
      readonly gapSeconds: number;
      readonly sessionMedianGapSeconds: number;
    }
);

/** What scored: says of itself what it is. */
export interface ScoredBy {
  readonly scorer: string;
  readonly version: number;
  readonly description: string;
}

export type EvaluationGenerated = EventOf<
  'evaluation.generated',
  EvaluationIds & {
    readonly ruleSet: string;
    readonly scoredBy: ScoredBy;
    readonly scores: readonly DimensionScore[];
    /** The weighted mean of the integer scores, rounded half up; `null` if the weights sum to 0. */
    readonly overallScore: number | null;
    readonly overallExact: number | null;
    readonly overallThreshold: number;
    readonly passed: boolean | null;
    readonly integrity: readonly IntegrityFinding[];
  },
  {
    /** By dimension id. */
    readonly rationales: Readonly<Record<string, string>>;
    /**
     * By event id, the one of the first term that cites it: substrings of strings in that event's payload, or
     * `"key":value` of its compact JSON.
     */
    readonly quotes: Readonly<Record<string, string>>;
  }
>;
export type EvaluationFailed = EventOf<'evaluation.failed', EvaluationIds, { readonly failure: string }>;
export type RegenerationRequested = EventOf<'evaluation.regeneration_requested', EvaluationIds>;

export type EvaluationEvent = EvaluationGenerated | EvaluationFailed | RegenerationRequested;
