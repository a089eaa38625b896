import type { ChainHead } from '../../core/chain.js';
import { type EventIn, eventType, eventsOf } from '../../core/registry.js';
import type { ApplicationRef } from '../candidate/events.js';
import type { CandidateResults } from '../organisation/events.js';

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
  /** The evidence it rests on. Quotes are personal: they are in `personal.quotes`. */
  readonly evidence: readonly TermEvidence[];
}

/** A piece of evidence that a term rests on. */
export interface TermEvidence {
  readonly eventId: string;
  /** Which of the event's quotes in `personal.quotes` the term cites, from 0; `null`: nothing to quote. */
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

/** The last event of the session's chain that a generation rests on. */
export interface EvidenceHead {
  readonly sequenceNumber: number;
  /** Lower-case hex SHA-256, as in the event's chain link; `null` where the session was never chained. */
  readonly hash: string | null;
}

/** A detector's answer on whether an event's text was generated. It is stored, so that a replay never asks again. */
export interface Detection {
  readonly eventId: string;
  readonly detector: string;
  readonly version: number;
  /** Estimated probability that the text was generated, 0 to 1, at most 6 decimal places. */
  readonly likelihood: number;
}

/** What a candidate may dispute. */
export const CONTESTED = ['quote', 'transcript', 'finding', 'score'] as const;
export type Contested = (typeof CONTESTED)[number];

export interface ContestIds extends EvaluationIds {
  readonly contestId: string;
}

/** The scorer, by its own description. */
export interface ScoredBy {
  readonly scorer: string;
  readonly version: number;
  readonly description: string;
}

/**
 * The head that a result's plain part names, of any version of its shape: which its signature covers.
 * @param data as stored: of any shape
 * @returns `null` if it names none
 */
const headIn = (data: object): ChainHead | null => {
  if (!('head' in data) || typeof data.head !== 'object' || data.head === null) return null;
  const { sequenceNumber, hash } = data.head as Partial<Record<keyof ChainHead, unknown>>;
  if (!Number.isSafeInteger(sequenceNumber) || (hash !== null && typeof hash !== 'string')) return null;
  return { sequenceNumber: Number(sequenceNumber), hash };
};

const SIGNED = { version: 1, signedHead: headIn } as const;

export const evaluationEvents = {
  /** A generation's result. Its chain link is signed (`core/chain.ts`), and so are the scores in it. */
  'evaluation.generated': eventType<
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
       * By event id, the quotes that terms cite from it, each once: substrings of strings in that event's payload, or
       * `"key":value` of its compact JSON.
       */
      readonly quotes: Readonly<Record<string, readonly string[]>>;
    }
  >(SIGNED),
  'evaluation.failed': eventType<
    EvaluationIds & { readonly head: EvidenceHead },
    { readonly failure: string }
  >(SIGNED),
  'evaluation.regeneration_requested': eventType<EvaluationIds>(),
  /**
   * A model's answer to the request to score a dimension, unchanged. It precedes the generation's result in the same
   * append, and the request is never repeated.
   */
  'evaluation.model_answered': eventType<
    EvaluationIds & {
      readonly dimensionId: string;
      /** From 1; 2 is the request to correct an invalid answer. */
      readonly attempt: number;
      readonly model: string;
      readonly promptVersion: number;
      readonly parameters: Readonly<Record<string, number | string>>;
    },
    { readonly answer: string }
  >(),
  /** The candidate disputes something. It belongs to the evaluation, whatever generation is the latest. */
  'evaluation.contested': eventType<
    ContestIds & {
      readonly kind: Contested;
      /** What the candidate was shown when they wrote it. */
      readonly released: CandidateResults;
    },
    {
      readonly text: string;
      /** What it is about, as the candidate names it. */
      readonly reference: string | null;
    }
  >(),
  'evaluation.contest_answered': eventType<
    ContestIds & { readonly answeredBy: string },
    { readonly text: string }
  >(),
  /** The last event of an erased candidate's evaluation. A generation in progress fails by it. */
  'evaluation.erased': eventType<EvaluationIds>(),
};

export type EvaluationEvent = EventIn<typeof evaluationEvents>;
export const evaluationEvent = eventsOf<typeof evaluationEvents>();
export type EvaluationGenerated = EventIn<typeof evaluationEvents, 'evaluation.generated'>;
export type EvaluationFailed = EventIn<typeof evaluationEvents, 'evaluation.failed'>;
export type ContestEvent = EventIn<
  typeof evaluationEvents,
  'evaluation.contested' | 'evaluation.contest_answered'
>;
export type ModelAnswered = EventIn<typeof evaluationEvents, 'evaluation.model_answered'>;

export interface AttemptIds {
  readonly organisationId: string;
  readonly trialSessionId: string;
  readonly evaluationId: string;
  readonly generation: number;
  /** The process, by an id that is new with each start. */
  readonly process: string;
}

/**
 * Of the stream `attempts-<evaluationId>`: the processes that have tried to make a generation. It is apart from the
 * evaluation's own stream, since it is no evidence.
 */
export const attemptEvents = {
  /** Written before a process makes the generation for the first time, so that a crash leaves it behind. */
  'attempt.begun': eventType<AttemptIds>(),
  /** The process stopped in an orderly way before the generation was made. */
  'attempt.left': eventType<AttemptIds>(),
};

export type AttemptEvent = EventIn<typeof attemptEvents>;
export const attemptEvent = eventsOf<typeof attemptEvents>();
