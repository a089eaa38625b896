import type {
  EvaluationFailed,
  EvaluationGenerated,
  EvaluationIds,
  DimensionScore,
  IntegrityFinding,
  ScoredBy,
} from '../src/domain/evaluation/events.js';
import type { View, ViewDocument } from '../src/engine/view.js';
import { type SignedHead, signedHead } from './evaluations.js';

/**
 * What one generation of an evaluation came to, for good, by `evaluationResultId`: with the figures behind each score.
 * One that is still being generated has no document here.
 */
export interface EvaluationResultDocument extends ViewDocument, EvaluationIds {
  readonly status: 'ready' | 'failed';
  readonly answeredAt: string;
  readonly head: SignedHead | null;
  /** `null` where it failed, like all that a result has. */
  readonly result: {
    readonly ruleSet: string;
    readonly scoredBy: ScoredBy;
    readonly scores: readonly DimensionScore[];
    readonly overallScore: number | null;
    readonly overallExact: number | null;
    readonly overallThreshold: number;
    readonly passed: boolean | null;
    readonly integrity: readonly IntegrityFinding[];
  } | null;
  readonly personal: {
    /** By dimension id. */
    readonly rationales: Readonly<Record<string, string>>;
    /** By event id; a term's evidence says which of them it cites. */
    readonly quotes: Readonly<Record<string, readonly string[]>>;
    readonly failure: string | null;
  } | null;
}

export const evaluationResultId = (evaluationId: string, generation: number): string =>
  `${evaluationId}:${generation}`;

export const evaluationResults: View<EvaluationResultDocument, EvaluationGenerated | EvaluationFailed> = {
  name: 'evaluation-results',
  version: 2,
  handles: ['evaluation.generated', 'evaluation.failed'],
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
  evolve(before, event) {
    const { person, data } = event;
    const document = {
      ...before,
      ...idsOf(data),
      answeredAt: event.metadata.recordedAt,
      head: signedHead(event),
      person: person ?? before.person ?? null,
    };
    if (event.type === 'evaluation.failed') {
      const personal = event.personal && { rationales: {}, quotes: {}, failure: event.personal.failure };
      return { ...document, status: 'failed', result: null, personal };
    }
    const { rationales, quotes } = event.personal ?? {};
    return {
      ...document,
      status: 'ready',
      result: resultOf(event.data),
      personal: rationales && quotes ? { rationales, quotes, failure: null } : null,
    };
  },
  indexes: { byEvaluation: ({ evaluationId, generation }) => [evaluationId, generation] },
};

const idsOf = (data: EvaluationIds): EvaluationIds => ({
  organisationId: data.organisationId,
  candidateId: data.candidateId,
  applicationId: data.applicationId,
  trialSessionId: data.trialSessionId,
  roleId: data.roleId,
  evaluationId: data.evaluationId,
  generation: data.generation,
});

const resultOf = (data: EvaluationGenerated['data']): EvaluationResultDocument['result'] => ({
  ruleSet: data.ruleSet,
  scoredBy: data.scoredBy,
  scores: data.scores,
  overallScore: data.overallScore,
  overallExact: data.overallExact,
  overallThreshold: data.overallThreshold,
  passed: data.passed,
  integrity: data.integrity,
});
