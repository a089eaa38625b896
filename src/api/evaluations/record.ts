import type { EvaluationResultDocument } from '../../../projections/evaluation-results.js';
import type { EvaluationDocument, EvaluationScore, SignedHead } from '../../../projections/evaluations.js';
import { type EvidenceDocument, type EvidenceEvent, evidenceEvents } from '../../../projections/evidence.js';
import type { IntegrityFinding, ScoredBy } from '../../domain/evaluation/events.js';
import { type QuestionRecord, questionsOf } from '../../scoring/evidence/questions.js';

/** An evaluation in a list. */
export interface EvaluationSummary {
  readonly id: string;
  readonly trialSessionId: string;
  readonly roleId: string;
  readonly roleName: string;
  readonly candidateEmail: string | null;
  readonly status: 'generating' | 'ready' | 'failed';
  readonly overallScore: number | null;
  readonly passed: boolean | null;
  readonly generatedAt: string | null;
  readonly version: number;
}

export interface ScoreRecord extends EvaluationScore {
  readonly rationale: string | null;
}

/** A finding as it is read, which says of itself that it decides nothing. */
export type FindingRecord = IntegrityFinding & { readonly advisory: true };

/** A session's evidence, as far as it is known. */
export interface EvidenceRecord {
  readonly events: readonly EvidenceEvent[];
  readonly questions: readonly QuestionRecord[];
}

/** An evaluation as the interface has it. */
export interface EvaluationRecord extends EvaluationSummary {
  readonly generation: number;
  readonly overallThreshold: number;
  readonly scoredBy: ScoredBy | null;
  /** Why it failed, `null` unless it did. */
  readonly failure: string | null;
  readonly scores: readonly ScoreRecord[];
  /** `head`: what the result rests on, signed; `null` until there is one. */
  readonly evidence: EvidenceRecord & { readonly head: SignedHead | null };
  readonly integrity: readonly FindingRecord[];
}

export const evaluationSummary = (
  document: EvaluationDocument,
  candidateEmail: string | null,
): EvaluationSummary => ({
  id: document.evaluationId,
  trialSessionId: document.trialSessionId,
  roleId: document.roleId,
  roleName: document.roleName,
  candidateEmail,
  status: document.status,
  overallScore: document.overallScore,
  passed: document.passed,
  generatedAt: document.generatedAt,
  version: document.version,
});

/** @param chunks of the session's evidence, all, in their order */
export const evidenceRecord = (chunks: readonly EvidenceDocument[]): EvidenceRecord => ({
  events: chunks.flatMap(evidenceEvents),
  questions: questionsOf(chunks),
});

export const evaluationRecord = (
  document: EvaluationDocument,
  candidateEmail: string | null,
  evidence: EvidenceRecord,
): EvaluationRecord => ({
  ...evaluationSummary(document, candidateEmail),
  generation: document.generation,
  overallThreshold: document.overallThreshold,
  scoredBy: document.scoredBy,
  failure: document.personal?.failure ?? null,
  scores: document.scores.map((score) => scoreRecord(score, document.personal?.rationales)),
  evidence: { ...evidence, head: document.head },
  integrity: document.integrity.map(findingRecord),
});

/** A former generation, in the evaluation that it belongs to. */
export const formerRecord = (
  document: EvaluationDocument,
  former: EvaluationResultDocument,
  candidateEmail: string | null,
  evidence: EvidenceRecord,
): EvaluationRecord => {
  const { result, personal } = former;
  return {
    ...evaluationSummary(document, candidateEmail),
    status: former.status,
    overallScore: result?.overallScore ?? null,
    passed: result?.passed ?? null,
    generatedAt: result ? former.answeredAt : null,
    generation: former.generation,
    overallThreshold: result?.overallThreshold ?? document.overallThreshold,
    scoredBy: result?.scoredBy ?? null,
    failure: personal?.failure ?? null,
    scores: (result?.scores ?? []).map((score) => scoreRecord(score, personal?.rationales)),
    evidence: { ...evidence, head: former.head },
    integrity: (result?.integrity ?? []).map(findingRecord),
  };
};

const findingRecord = (finding: IntegrityFinding): FindingRecord => ({ ...finding, advisory: true });

const scoreRecord = (
  score: EvaluationScore,
  rationales: Readonly<Record<string, string>> | undefined,
): ScoreRecord => ({
  dimensionId: score.dimensionId,
  dimensionName: score.dimensionName,
  dimensionCategory: score.dimensionCategory,
  weight: score.weight,
  threshold: score.threshold,
  score: score.score,
  passed: score.passed,
  rationale: rationales?.[score.dimensionId] ?? null,
  evidenceEventIds: score.evidenceEventIds,
});
