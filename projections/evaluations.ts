import type { Stored } from '../src/core/event.js';
import { type ApplicationRef, applicationRefOf } from '../src/domain/candidate/events.js';
import type {
  DimensionScore,
  EvaluationFailed,
  EvaluationGenerated,
  EvidenceHead,
  IntegrityFinding,
  ScoredBy,
} from '../src/domain/evaluation/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/**
 * An evaluation with the result of its latest generation, by evaluation id. The candidate's address is joined from
 * `candidates`, the evidence from `evidence`; the figures behind a score are in `evaluation-results`.
 */
export interface EvaluationDocument extends ViewDocument, ApplicationRef {
  readonly evaluationId: string;
  /** As it was at the invitation, like the threshold. */
  readonly roleName: string;
  readonly overallThreshold: number;
  readonly status: EvaluationStatus;
  /** The one requested or finished last. */
  readonly generation: number;
  /** The last one that became ready, even if a later one failed or is in progress; `null`: none has. */
  readonly readyGeneration: number | null;
  readonly version: number;
  readonly completedAt: string;
  /** When the result was made; `null` unless it is ready. */
  readonly generatedAt: string | null;
  /** `null` unless it is ready, and if the dimensions' weights sum to 0. */
  readonly overallScore: number | null;
  /** `null` if there is no overall score. */
  readonly passed: boolean | null;
  /** The end of the evidence that was scored, signed; `null` until there is a result. */
  readonly head: SignedHead | null;
  readonly erased: boolean;
  /** `null` unless it is ready. */
  readonly scoredBy: ScoredBy | null;
  /** Empty unless ready; rationales are personal. */
  readonly scores: readonly EvaluationScore[];
  readonly integrity: readonly IntegrityFinding[];
  /** `null` while there is no result, and once the candidate is erased. */
  readonly personal: {
    /** By dimension id. */
    readonly rationales: Readonly<Record<string, string>>;
    /** A sentence for staff; `null`: it did not fail. */
    readonly failure: string | null;
  } | null;
}

export const EVALUATION_STATUSES = ['generating', 'ready', 'failed'] as const;

export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number];

/** A dimension's score without the figures behind it. */
export type EvaluationScore = Omit<DimensionScore, 'exact' | 'terms'>;

/**
 * The head of a session's chain and the result that follows it, signed together: `core/chain.ts` defines what the
 * signature covers.
 */
export interface SignedHead extends EvidenceHead {
  /** The hash of the result's own link; `null` if the result is in no chain. */
  readonly resultHash: string | null;
  /** base64url; `null` if the result was never signed. */
  readonly signature: string | null;
  /** The signing key's JWK thumbprint; `null` if the result was never signed. */
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

/** The fields of a result while there is none. */
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

export const evaluations = defineView<EvaluationDocument>()({
  name: 'evaluations',
  version: 4,
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
  every: (document, event) => ({
    ...document,
    version: document.version + 1,
    person: event.person ?? document.person ?? null,
  }),
  on: {
    'trial.completed': (document, { data, metadata }) => ({
      ...document,
      ...applicationRefOf(data),
      roleName: data.roleName,
      overallThreshold: data.overallThreshold,
      completedAt: metadata.recordedAt,
    }),
    'evaluation.generated'(document, event) {
      const { data, personal, metadata } = event;
      return {
        ...document,
        status: 'ready',
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
    },
    'evaluation.failed': (document, event) => ({
      ...document,
      ...NOTHING,
      status: 'failed',
      generation: event.data.generation,
      head: signedHead(event),
      personal: event.personal && { rationales: {}, failure: event.personal.failure },
    }),
    'evaluation.regeneration_requested': (document, { data }) => ({
      ...document,
      ...NOTHING,
      status: 'generating',
      generation: data.generation,
    }),
    'evaluation.erased': (document) => ({
      ...document,
      status: document.status === 'generating' ? 'failed' : document.status,
      erased: true,
      personal: null,
    }),
  },
  keys: {
    passed: ({ passed }) => (passed === null ? null : `${passed}`),
    // Sorted by score, evaluations without one come first.
    score: ({ overallScore }) => overallScore ?? -1,
    failed: ({ status, erased, completedAt }) => (status === 'failed' && !erased ? completedAt : null),
  },
  // One index for each combination of filters, so that a page is one range of an index.
  indexes: {
    byOrganisation: ['organisationId', 'completedAt'],
    byOrganisationRole: ['organisationId', 'roleId', 'completedAt'],
    byOrganisationStatus: ['organisationId', 'status', 'completedAt'],
    byOrganisationRoleStatus: ['organisationId', 'roleId', 'status', 'completedAt'],
    byOrganisationPassed: ['organisationId', 'passed', 'completedAt'],
    byOrganisationRolePassed: ['organisationId', 'roleId', 'passed', 'completedAt'],
    byOrganisationScore: ['organisationId', 'score', 'completedAt'],
    byOrganisationRoleScore: ['organisationId', 'roleId', 'score', 'completedAt'],
    byOrganisationStatusScore: ['organisationId', 'status', 'score', 'completedAt'],
    byOrganisationRoleStatusScore: ['organisationId', 'roleId', 'status', 'score', 'completedAt'],
    byOrganisationPassedScore: ['organisationId', 'passed', 'score', 'completedAt'],
    byOrganisationRolePassedScore: ['organisationId', 'roleId', 'passed', 'score', 'completedAt'],
    byOrganisationFailed: ['organisationId', 'failed'],
    byOrganisationRoleFailed: ['organisationId', 'roleId', 'failed'],
    bySession: ['trialSessionId'],
  },
});

const withoutFigures = (score: DimensionScore): EvaluationScore => ({
  dimensionId: score.dimensionId,
  dimensionName: score.dimensionName,
  dimensionCategory: score.dimensionCategory,
  weight: score.weight,
  threshold: score.threshold,
  score: score.score,
  passed: score.passed,
  ...(score.unchecked && { unchecked: score.unchecked }),
  evidenceEventIds: score.evidenceEventIds,
});
