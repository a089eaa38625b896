import type {
  DimensionScore,
  EvaluationErased,
  EvaluationFailed,
  EvaluationGenerated,
  EvidenceHead,
  IntegrityFinding,
  RegenerationRequested,
  ScoredBy,
} from '../src/domain/evaluation/events.js';
import type { Stored } from '../src/core/event.js';
import type { View, ViewDocument } from '../src/engine/view.js';
import type { TrialCompleted } from '../src/domain/session/events.js';

/**
 * An evaluation with what its latest generation came to, by evaluation id. The candidate's address is joined from
 * `candidates`, the evidence from `evidence`; how a score came about stands in `evaluation-results`.
 */
export interface EvaluationDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly applicationId: string;
  readonly trialSessionId: string;
  readonly evaluationId: string;
  readonly roleId: string;
  /** As it was at the invitation, like the threshold. */
  readonly roleName: string;
  readonly overallThreshold: number;
  readonly status: EvaluationStatus;
  /** The one that is asked for or answered last. */
  readonly generation: number;
  /** The last one that became ready, whatever came after it. */
  readonly readyGeneration: number | null;
  readonly version: number;
  readonly completedAt: string;
  readonly generatedAt: string | null;
  readonly overallScore: number | null;
  readonly passed: boolean | null;
  /** How far the evidence goes that it rests on, signed; `null` until there is a result. */
  readonly head: SignedHead | null;
  readonly erased: boolean;
  readonly scoredBy: ScoredBy | null;
  /** Empty unless ready; rationales are personal. */
  readonly scores: readonly EvaluationScore[];
  readonly integrity: readonly IntegrityFinding[];
  readonly personal: {
    /** By dimension id. */
    readonly rationales: Readonly<Record<string, string>>;
    readonly failure: string | null;
  } | null;
}

export const EVALUATION_STATUSES = ['generating', 'ready', 'failed'] as const;

export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number];

/** In the order of scores, what has none comes before all that have one. */
const scoreOf = ({ overallScore }: EvaluationDocument): number => overallScore ?? -1;

/** A dimension's score without the figures behind it. */
export type EvaluationScore = Omit<DimensionScore, 'exact' | 'terms'>;

/**
 * The head of a session's chain and the result that goes on from it, signed together: see `event-store/chain.ts` for
 * what the signature is over.
 */
export interface SignedHead extends EvidenceHead {
  /** The hash of the result's own link. */
  readonly resultHash: string | null;
  /** base64url; `null` where the result was never signed. */
  readonly signature: string | null;
  readonly keyId: string | null;
}

/** The head by a generation's result. */
export const signedHead = ({
  data: { head },
  chain,
}: Stored<EvaluationGenerated | EvaluationFailed>): SignedHead => ({
  sequenceNumber: head.sequenceNumber,
  hash: head.hash,
  resultHash: chain?.hash ?? null,
  signature: chain?.signature?.value ?? null,
  keyId: chain?.signature?.keyId ?? null,
});

/** What an evaluation says while there is no result. */
const NOTHING = {
  generatedAt: null,
  overallScore: null,
  passed: null,
  head: null,
  scoredBy: null,
  scores: [],
  integrity: [],
  personal: null,
} as const;

type EvaluationsEvent =
  TrialCompleted | EvaluationGenerated | EvaluationFailed | RegenerationRequested | EvaluationErased;

export const evaluations: View<EvaluationDocument, EvaluationsEvent> = {
  name: 'evaluations',
  version: 3,
  handles: [
    'trial.completed',
    'evaluation.generated',
    'evaluation.failed',
    'evaluation.regeneration_requested',
    'evaluation.erased',
  ],
  documentId: (event) => event.data.evaluationId,
  initial: (evaluationId) => ({
    organisationId: '',
    candidateId: '',
    applicationId: '',
    trialSessionId: '',
    evaluationId,
    roleId: '',
    roleName: '',
    overallThreshold: 0,
    status: 'generating',
    generation: 1,
    readyGeneration: null,
    version: 0,
    erased: false,
    completedAt: '',
    person: null,
    ...NOTHING,
  }),
  evolve(before, event) {
    const document = {
      ...before,
      version: before.version + 1,
      person: event.person ?? before.person ?? null,
    };
    switch (event.type) {
      case 'trial.completed':
        return { ...document, ...begun(event) };
      case 'evaluation.generated':
        return { ...document, ...generated(event) };
      case 'evaluation.failed': {
        const personal = event.personal && { rationales: {}, failure: event.personal.failure };
        return {
          ...document,
          ...NOTHING,
          status: 'failed',
          generation: event.data.generation,
          head: signedHead(event),
          personal,
        };
      }
      case 'evaluation.regeneration_requested':
        return { ...document, ...NOTHING, status: 'generating', generation: event.data.generation };
      case 'evaluation.erased': {
        const status = before.status === 'generating' ? 'failed' : before.status;
        return { ...document, status, erased: true, personal: null };
      }
    }
  },
  // One for whatever a list is narrowed to, named by it: each page is one stretch of an index.
  indexes: {
    byOrganisation: (one) => [one.organisationId, one.completedAt],
    byOrganisationRole: (one) => [one.organisationId, one.roleId, one.completedAt],
    byOrganisationStatus: (one) => [one.organisationId, one.status, one.completedAt],
    byOrganisationRoleStatus: (one) => [one.organisationId, one.roleId, one.status, one.completedAt],
    byOrganisationPassed: (one) =>
      one.passed === null ? null : [one.organisationId, `${one.passed}`, one.completedAt],
    byOrganisationRolePassed: (one) =>
      one.passed === null ? null : [one.organisationId, one.roleId, `${one.passed}`, one.completedAt],
    byOrganisationScore: (one) => [one.organisationId, scoreOf(one), one.completedAt],
    byOrganisationRoleScore: (one) => [one.organisationId, one.roleId, scoreOf(one), one.completedAt],
    byOrganisationStatusScore: (one) => [one.organisationId, one.status, scoreOf(one), one.completedAt],
    byOrganisationRoleStatusScore: (one) => [
      one.organisationId,
      one.roleId,
      one.status,
      scoreOf(one),
      one.completedAt,
    ],
    byOrganisationPassedScore: (one) =>
      one.passed === null ? null : [one.organisationId, `${one.passed}`, scoreOf(one), one.completedAt],
    byOrganisationRolePassedScore: (one) =>
      one.passed === null
        ? null
        : [one.organisationId, one.roleId, `${one.passed}`, scoreOf(one), one.completedAt],
    bySession: ({ trialSessionId }) => [trialSessionId],
  },
};

const begun = ({ data, metadata }: Stored<TrialCompleted>) => ({
  organisationId: data.organisationId,
  candidateId: data.candidateId,
  applicationId: data.applicationId,
  trialSessionId: data.trialSessionId,
  roleId: data.roleId,
  roleName: data.roleName,
  overallThreshold: data.overallThreshold,
  completedAt: metadata.recordedAt,
});

const generated = (event: Stored<EvaluationGenerated>) => {
  const { data, personal, metadata } = event;
  return {
    status: 'ready' as const,
    generation: data.generation,
    readyGeneration: data.generation,
    generatedAt: metadata.recordedAt,
    overallScore: data.overallScore,
    overallThreshold: data.overallThreshold,
    passed: data.passed,
    head: signedHead(event),
    scoredBy: data.scoredBy,
    scores: data.scores.map(withoutFigures),
    integrity: data.integrity,
    personal: personal && { rationales: personal.rationales, failure: null },
  };
};

const withoutFigures = (score: DimensionScore): EvaluationScore => ({
  dimensionId: score.dimensionId,
  dimensionName: score.dimensionName,
  dimensionCategory: score.dimensionCategory,
  weight: score.weight,
  threshold: score.threshold,
  score: score.score,
  passed: score.passed,
  evidenceEventIds: score.evidenceEventIds,
});
