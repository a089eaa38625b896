import { applicationRefOf } from '../src/domain/candidate/events.js';
import type {
  DimensionScore,
  EvaluationIds,
  IntegrityFinding,
  ScoredBy,
} from '../src/domain/evaluation/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { type SignedHead, signedHead } from './evaluations.js';
import { defineView } from './view.js';

/**
 * The result of one generation of an evaluation, by `evaluationResultId`: with the figures behind each score. It is
 * never changed, and there is none while the generation is in progress.
 */
export interface EvaluationResultDocument extends ViewDocument, EvaluationIds {
  readonly status: 'ready' | 'failed';
  readonly answeredAt: string;
  /** What the generation rests on. `null` only in the document before its first event, which is never read. */
  readonly head: SignedHead | null;
  /** `null` if it failed. */
  readonly result: {
    readonly ruleSet: string;
    readonly scoredBy: ScoredBy;
    readonly scores: readonly DimensionScore[];
    /** This, `overallExact` and `passed` are `null` if the dimensions' weights sum to 0. */
    readonly overallScore: number | null;
    readonly overallExact: number | null;
    readonly overallThreshold: number;
    readonly passed: boolean | null;
    readonly integrity: readonly IntegrityFinding[];
  } | null;
  /** `null` once the candidate is erased. */
  readonly personal: {
    /** By dimension id. */
    readonly rationales: Readonly<Record<string, string>>;
    /** By event id; the evidence of a term has the index of the quote that it cites. */
    readonly quotes: Readonly<Record<string, readonly string[]>>;
    /** A sentence for staff; `null`: the generation did not fail. */
    readonly failure: string | null;
  } | null;
}

/** The id of a generation’s result. */
export const evaluationResultId = (evaluationId: string, generation: number): string =>
  `${evaluationId}:${generation}`;

export const evaluationResults = defineView<EvaluationResultDocument>()({
  name: 'evaluation-results',
  version: 2,
  documentId: ({ data }) => evaluationResultId(data.evaluationId, data.generation),
  initial: () => ({
    organisationId: '',
    candidateId: '',
    applicationId: '',
    trialSessionId: '',
    roleId: '',
    evaluationId: '',
    generation: 0,
    status: 'failed',
    answeredAt: '',
    head: null,
    result: null,
    person: null,
    personal: null,
  }),
  every: (document, event) => ({
    ...document,
    ...applicationRefOf(event.data),
    evaluationId: event.data.evaluationId,
    generation: event.data.generation,
    answeredAt: event.metadata.recordedAt,
    head: signedHead(event),
    person: event.person ?? document.person ?? null,
  }),
  on: {
    'evaluation.generated': (document, { data, personal }) => ({
      ...document,
      status: 'ready',
      result: {
        ruleSet: data.ruleSet,
        scoredBy: data.scoredBy,
        scores: data.scores,
        overallScore: data.overallScore,
        overallExact: data.overallExact,
        overallThreshold: data.overallThreshold,
        passed: data.passed,
        integrity: data.integrity,
      },
      personal: personal && { rationales: personal.rationales, quotes: personal.quotes, failure: null },
    }),
    'evaluation.failed': (document, { personal }) => ({
      ...document,
      status: 'failed',
      result: null,
      personal: personal && { rationales: {}, quotes: {}, failure: personal.failure },
    }),
  },
  indexes: { byEvaluation: ['evaluationId', 'generation'] },
});
