import type { ChainHead } from '../../core/chain.js';
import type { EventOf } from '../../core/event.js';
import type { ApplicationRef } from '../candidate/events.js';

/**
 * Stored names and latest shapes of an evaluation's stream (`evaluation-<id>`): the storage contract. The evaluation
 * itself begins with its session's `trial.completed`; the stream's hash chain goes on from that session's head.
 */

export interface EvaluationIds extends ApplicationRef {
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
  /** The evidence it rests on. Quotes are personal: they stand in `personal.quotes`. */
  readonly evidence: readonly TermEvidence[];
}

/** A piece of evidence that a term rests on. */
export interface TermEvidence {
  readonly eventId: string;
  /** Which of the event's quotes in `personal.quotes` the term cites, from 0; `null`: it has nothing to quote. */
  readonly quote: number | null;
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

/** How far the session's evidence goes that a generation rests on: its chain's last event. */
export interface EvidenceHead {
  readonly sequenceNumber: number;
  /** Lower-case hex SHA-256, as in the event's chain link; `null` where the session was never chained. */
  readonly hash: string | null;
}

/** What a detector of generated text said of one event, as it said it: a replay never asks again. */
export interface Detection {
  readonly eventId: string;
  readonly detector: string;
  readonly version: number;
  /** How likely it takes the text for generated, 0 to 1, at most 6 decimal places. */
  readonly likelihood: number;
}

/** What scored: says of itself what it is. */
export interface ScoredBy {
  readonly scorer: string;
  readonly version: number;
  readonly description: string;
}

/**
 * A generation's result. Its chain link is signed (`core/chain.ts`): with it stands what the scores rest on.
 */
export type EvaluationGenerated = EventOf<
  'evaluation.generated',
  EvaluationIds & {
    readonly head: EvidenceHead;
    readonly ruleSet: string;
    readonly scoredBy: ScoredBy;
    readonly scores: readonly DimensionScore[];
    /** The weighted mean of the integer scores, rounded half up; `null` if the weights sum to 0. */
    readonly overallScore: number | null;
    readonly overallExact: number | null;
    readonly overallThreshold: number;
    readonly passed: boolean | null;
    readonly integrity: readonly IntegrityFinding[];
    readonly detections: readonly Detection[];
  },
  {
    /** By dimension id. */
    readonly rationales: Readonly<Record<string, string>>;
    /**
     * By event id, what terms cite of it, each once: substrings of strings in that event's payload, or `"key":value`
     * of its compact JSON.
     */
    readonly quotes: Readonly<Record<string, readonly string[]>>;
  }
>;
export type EvaluationFailed = EventOf<
  'evaluation.failed',
  EvaluationIds & { readonly head: EvidenceHead },
  { readonly failure: string }
>;
export type RegenerationRequested = EventOf<'evaluation.regeneration_requested', EvaluationIds>;

/**
 * What a model answered when it was asked to score a dimension, as it came. It stands before the generation's result,
 * in the same append, and is never asked for again.
 */
export type ModelAnswered = EventOf<
  'evaluation.model_answered',
  EvaluationIds & {
    readonly dimensionId: string;
    /** From 1; 2 is the attempt to have a wrong answer put right. */
    readonly attempt: number;
    readonly model: string;
    readonly promptVersion: number;
    readonly parameters: Readonly<Record<string, number | string>>;
  },
  { readonly answer: string }
>;

/** The last event of an erased candidate's evaluation: one that was being generated has failed by it. */
export type EvaluationErased = EventOf<'evaluation.erased', EvaluationIds>;

export type EvaluationEvent =
  EvaluationGenerated | EvaluationFailed | RegenerationRequested | ModelAnswered | EvaluationErased;

/**
 * The head that a result's plain part names, of any version of its shape: what its signature is over.
 * @param data as stored: it may be anybody's
 * @returns `null` where it names none
 */
export const headIn = (data: object): ChainHead | null => {
  if (!('head' in data) || typeof data.head !== 'object' || data.head === null) return null;
  const { sequenceNumber, hash } = data.head as Partial<Record<keyof ChainHead, unknown>>;
  if (!Number.isSafeInteger(sequenceNumber) || (hash !== null && typeof hash !== 'string')) return null;
  return { sequenceNumber: Number(sequenceNumber), hash };
};

/**
 * Of the stream `attempts-<evaluationId>`: which processes have tried to make a generation. It is apart from the
 * evaluation's own stream, since it is no part of its evidence.
 */
export interface AttemptIds {
  readonly organisationId: string;
  readonly trialSessionId: string;
  readonly evaluationId: string;
  readonly generation: number;
  /** The process, by an id that is new with each start. */
  readonly process: string;
}
/** Written before a process makes the generation for the first time: however it ends, this is known of it. */
export type AttemptBegun = EventOf<'attempt.begun', AttemptIds>;
/** The process stopped in an orderly way before the generation was made. */
export type AttemptLeft = EventOf<'attempt.left', AttemptIds>;

export type AttemptEvent = AttemptBegun | AttemptLeft;
