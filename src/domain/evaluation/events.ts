import type { ChainHead } from '../../core/chain.js';
import { type EventIn, eventType, eventsOf } from '../../core/registry.js';
import type { AiPolicy } from '../../languages/en/shapes.js';
import type { ApplicationRef } from '../candidate/events.js';
import type { CandidateResults } from '../organisation/events.js';
import type { CheckedWork, CheckFailure, CheckFindings } from '../session/check-events.js';
import type {
  AwaitedCheck,
  AwaitedWork,
  HandedInNames,
  HandedInWork,
  RefusalMessage,
  RefusedWork,
  TrialEvent,
} from '../session/events.js';

/**
 * Stored names and latest shapes of an evaluation's stream (`evaluation-<id>`): the storage contract. The evaluation
 * itself begins with its session's `trial.completed`; the stream's hash chain continues from that session's head.
 */

export interface EvaluationIds extends ApplicationRef {
  readonly evaluationId: string;
  /** From 1; each regeneration asks for the next. */
  readonly generation: number;
}

/** Tests that the checker ran over the hand-ins that a term rests on. */
export interface TestCounts {
  readonly passed: number;
  readonly of: number;
  /** Number of tickets that were handed in and whose checks gave no result: each counts as if it passed no test. */
  readonly unchecked: number;
  /** For at least one ticket, the work ran in one process with its tests, and could have changed their results. */
  readonly shared: boolean;
}

/** Why a signal has no part in a score. */
export type LeftOutReason =
  /** The role has no ticket that is marked as finished: it has none, or all take hand-ins. */
  | 'no_tickets'
  /** The role's tickets take no hand-ins. */
  | 'no_hand_ins'
  /** No ticket of the role has checks of the kind that the signal counts. */
  | 'no_checks'
  /** The tickets have checks: their results count, not that work arrived, nor what candidates' programs report. */
  | 'checked'
  /** The role's tickets measure it. */
  | 'tickets_count'
  /** It counts only if it raises the score, which it does not. */
  | 'not_higher'
  /** The service had no checker for what was handed in. */
  | 'not_checked';

/** A signal that has no part in a score: its points go to the other signals. */
export interface LeftOut {
  readonly signal: string;
  readonly reason: LeftOutReason;
}

/** One addend of a dimension's score: the figures an explanation adds up again. */
export interface ScoreTerm {
  /** One of the rubric's; `model`; or `bound`, the addend that keeps the sum in 0 to 100. */
  readonly signal: string;
  /** Of a rubric's signal its share, 0 to 1; of `model` its score, 0 to 100; of `bound` its contribution. */
  readonly value: number;
  /** What the value is multiplied by: a rubric signal's points out of 100; otherwise 1. */
  readonly weight: number;
  /** At most 6 decimal places; the terms of a dimension sum to its `exact` exactly. */
  readonly contribution: number;
  /** The evidence it rests on. Quotes are personal: they are in `personal.quotes`. */
  readonly evidence: readonly TermEvidence[];
  /** Left out if it counts none. */
  readonly tests?: TestCounts;
}

/** Checks that gave no result. Their tests earn no points, so that work gains nothing by stopping its checks. */
export interface UncheckedWork {
  /** How much higher the score would be if all of their tests had passed, with 6 decimal places. */
  readonly points: number;
  readonly checks: readonly FailedChecks[];
}

/** Checks that gave no result for the same reason. */
export interface FailedChecks {
  /** `null`: no check run has ended, or it ran no tests of the kind that the signal counts. */
  readonly reason: CheckFailure | null;
  /** Places of their tickets in the role's list, from 1. */
  readonly tickets: readonly number[];
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
  /** 0 to 100, relative to the weights of the other dimensions. */
  readonly weight: number;
  /** The least unrounded score with which it is passed, 0 to 100; `null`: the dimension has none. */
  readonly threshold: number | null;
  /** 0 to 100, `exact` rounded half up. */
  readonly score: number;
  /** The score before rounding, 6 decimal places. */
  readonly exact: number;
  /** `exact >= threshold`, `null` without a threshold. */
  readonly passed: boolean | null;
  readonly terms: readonly ScoreTerm[];
  /** Rule sets before r4 leave nothing out, and have no such list. */
  readonly leftOut?: readonly LeftOut[];
  /** Left out if every check gave a result. */
  readonly unchecked?: UncheckedWork;
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
  /** The role's policy, in a finding that the use of an AI assistant may explain; absent if the role has none. */
  readonly aiPolicy?: AiPolicy;
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
  /** Lower-case hex SHA-256, as in the event's chain link; `null` if the session was never chained. */
  readonly hash: string | null;
}

/** A detector's answer on whether an event's text was generated. It is stored, so that a replay sends no request. */
export interface Detection {
  readonly eventId: string;
  readonly detector: string;
  readonly version: number;
  /** Estimated probability that the text was generated, 0 to 1, at most 6 decimal places. */
  readonly likelihood: number;
}

/**
 * How much a hand-in has in common with the most similar hand-in of another candidate. It is stored, so that a replay
 * compares nothing.
 */
export interface SimilarWork {
  readonly handInId: string;
  /** Number of fingerprints that both have. */
  readonly shared: number;
  readonly fingerprints: number;
  readonly otherFingerprints: number;
}

/** What a model was shown of a hand-in: how it differs from what its ticket began with. */
export interface ShownWork {
  readonly handInId: string;
  /**
   * In the order of paths: `path:line+ text` is a line of the hand-in, `path:line- text` one that it no longer has. Lines
   * count from 1; a path has no colon.
   */
  readonly lines: readonly string[];
  /** What is not shown by its lines, and what was cut, as sentences. */
  readonly notes: readonly string[];
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
 * The head that a result's plain part names, and that its signature covers.
 * @param data as stored, in any version of its shape
 * @returns `null` if it names none
 */
const headIn = (data: object): ChainHead | null => {
  if (!('head' in data) || typeof data.head !== 'object' || data.head === null) return null;
  const { sequenceNumber, hash } = data.head as Partial<Record<keyof ChainHead, unknown>>;
  if (!Number.isSafeInteger(sequenceNumber) || (hash !== null && typeof hash !== 'string')) return null;
  return { sequenceNumber: Number(sequenceNumber), hash };
};

const SIGNED = { version: 1, signedHead: headIn } as const;

interface MayAwait {
  /** What the generation waits for from here on; left out if there is nothing. */
  readonly awaits?: readonly AwaitedCheck[];
}

export const evaluationEvents = {
  /** A generation's result. Its chain link is signed (`core/chain.ts`), and so are the scores in it. */
  'evaluation.generated': eventType<
    EvaluationIds & {
      readonly head: EvidenceHead;
      readonly ruleSet: string;
      readonly scoredBy: ScoredBy;
      readonly scores: readonly DimensionScore[];
      /** The weighted mean of the integer scores, rounded half up. `null`, like `passed`, if the weights sum to 0. */
      readonly overallScore: number | null;
      readonly overallExact: number | null;
      readonly overallThreshold: number;
      readonly passed: boolean | null;
      readonly integrity: readonly IntegrityFinding[];
      readonly detections: readonly Detection[];
      /** Of each ticket's last hand-in; left out if nothing was compared, or if nothing is in common. */
      readonly similar?: readonly SimilarWork[];
    },
    {
      /** By dimension id. */
      readonly rationales: Readonly<Record<string, string>>;
      /**
       * By event id, the quotes that terms cite, each once: a part of a string in the event's payload, a `"key":value`
       * of its compact JSON, or `path:line+ text` with a part of a line that a model was shown of a hand-in.
       */
      readonly quotes: Readonly<Record<string, readonly string[]>>;
    }
  >(SIGNED),
  'evaluation.failed': eventType<
    EvaluationIds & { readonly head: EvidenceHead },
    { readonly failure: string }
  >(SIGNED),
  'evaluation.regeneration_requested': eventType<EvaluationIds & MayAwait>(),
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
    {
      readonly answer: string;
      /**
       * What the model was shown of each ticket's last hand-in, so that its quotes can be checked without the hand-ins.
       * With the generation's first answer alone; left out if nothing was handed in.
       */
      readonly work?: readonly ShownWork[];
    }
  >(),
  /**
   * Work that was begun before the session's completion has arrived after it. This generation and all later ones count
   * it.
   */
  'evaluation.work_handed_in': eventType<
    EvaluationIds &
      HandedInWork & {
        /** Late evidence is numbered from that of `trial.completed` on, without a gap. */
        readonly sequenceNumber: number;
      } & MayAwait,
    HandedInNames
  >(),
  /** Work that was begun before the session's completion has arrived after it, and cannot be taken. */
  'evaluation.work_refused': eventType<
    EvaluationIds & RefusedWork & { readonly sequenceNumber: number },
    RefusalMessage
  >(),
  /**
   * All checks have run over a ticket's last hand-in, or could not. This generation and all later ones count the
   * result. If checks ran again, their last result counts.
   */
  'evaluation.work_checked': eventType<
    EvaluationIds & CheckedWork & { readonly sequenceNumber: number },
    CheckFindings
  >(),
  /** The evaluation no longer waits for work that has not arrived in time. */
  'evaluation.wait_ended': eventType<EvaluationIds & { readonly missing: readonly AwaitedWork[] }>(),
  /** The candidate disputes something. It belongs to the evaluation, whatever generation is the latest. */
  'evaluation.contested': eventType<
    ContestIds & {
      readonly kind: Contested;
      /** What the candidate was shown when they wrote it. */
      readonly released: CandidateResults;
    },
    {
      readonly text: string;
      /** What it is about, as the candidate names it; `null`: they name nothing. */
      readonly reference: string | null;
    }
  >(),
  'evaluation.contest_answered': eventType<
    ContestIds & { readonly answeredBy: string },
    { readonly text: string }
  >(),
  /** The last event of an erased candidate's evaluation. A generation in progress then has no result. */
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
/** The events that a completed session's late work consists of. */
export type LateWorkEvent = EventIn<
  typeof evaluationEvents,
  | 'evaluation.regeneration_requested'
  | 'evaluation.work_handed_in'
  | 'evaluation.work_refused'
  | 'evaluation.work_checked'
  | 'evaluation.wait_ended'
>;
/** The events that are evidence, beside the session's own. */
export type LateEvidence = EventIn<
  typeof evaluationEvents,
  'evaluation.work_handed_in' | 'evaluation.work_refused' | 'evaluation.work_checked'
>;
/** What the events are called as evidence: the same as within the session. */
export const LATE_EVIDENCE = {
  'evaluation.work_handed_in': 'work.handed_in',
  'evaluation.work_refused': 'work.refused',
  'evaluation.work_checked': 'work.checked',
} as const satisfies Readonly<Record<LateEvidence['type'], TrialEvent['type']>>;

export type ModelAnswered = EventIn<typeof evaluationEvents, 'evaluation.model_answered'>;
