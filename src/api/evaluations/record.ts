import type { EvaluationResultDocument } from '../../../projections/evaluation-results.js';
import {
  EVALUATION_STATUSES,
  type EvaluationDocument,
  type EvaluationScore,
} from '../../../projections/evaluations.js';
import { type EvidenceDocument, evidenceEvents } from '../../../projections/evidence.js';
import { AnyObject, Instant, Nullable, pick, type Static, Type, Uuid } from '../../core/json-schema.js';
import type { IntegrityFinding } from '../../domain/evaluation/events.js';
import { questionsOf } from '../../scoring/evidence/questions.js';

/** An evaluation in a list. */
export type EvaluationSummary = Static<typeof EvaluationSummary>;
export const EvaluationSummary = Type.Object(
  {
    id: Uuid,
    trialSessionId: Uuid,
    roleId: Uuid,
    roleName: Type.String(),
    candidateEmail: Nullable(Type.String()),
    status: Type.Enum(EVALUATION_STATUSES),
    overallScore: Nullable(Type.Integer()),
    passed: Nullable(Type.Boolean()),
    generatedAt: Nullable(Instant),
    version: Type.Integer(),
  },
  { $id: 'EvaluationSummary' },
);

export const ScoredBy = Type.Object({
  scorer: Type.String(),
  version: Type.Integer(),
  description: Type.String(),
});

const ScoreRecord = Type.Object({
  dimensionId: Uuid,
  dimensionName: Type.String(),
  dimensionCategory: Type.String(),
  weight: Type.Integer(),
  threshold: Nullable(Type.Integer()),
  score: Type.Integer(),
  passed: Nullable(Type.Boolean()),
  rationale: Nullable(Type.String()),
  evidenceEventIds: Type.Array(Uuid),
});

const EventRecord = Type.Object({
  id: Uuid,
  kind: Type.Enum(['lifecycle', 'message', 'activity', 'integrity', 'system']),
  sequenceNumber: Type.Integer(),
  eventType: Type.String(),
  payload: Nullable(AnyObject),
  occurredAt: Instant,
  recordedAt: Instant,
  hash: Nullable(Type.String()),
  previousHash: Nullable(Type.String()),
});

const QuestionRecord = Type.Object({
  kind: Type.Enum(['planned', 'follow_up', 'clarification', 'closing']),
  id: Uuid,
  turn: Type.Integer(),
  text: Nullable(Type.String()),
  askedAt: Instant,
  askedBy: Type.Object({
    interviewer: Type.Enum(['scripted', 'openai']),
    version: Type.Integer(),
    model: Nullable(Type.String()),
    instead: Nullable(Type.String()),
  }),
  dimensionIds: Type.Array(Uuid),
  answeredAt: Nullable(Instant),
  answer: Nullable(Type.String()),
  source: Nullable(Type.Enum(['typed', 'speech', 'transcribed'])),
  gapMs: Nullable(Type.Integer()),
  interruptedAtMs: Nullable(Type.Integer()),
  evidenceEventIds: Type.Array(Uuid),
});

/** `resultHash`, `signature` and `keyId` are `null` if a result was never chained or signed. */
const HeadRecord = Type.Object({
  sequenceNumber: Type.Integer(),
  hash: Nullable(Type.String()),
  resultHash: Nullable(Type.String()),
  signature: Nullable(Type.String()),
  keyId: Nullable(Type.String()),
});

const everyFinding = {
  kind: Type.String(),
  severity: Type.Enum(['info', 'low', 'medium', 'high']),
  evidenceEventIds: Type.Array(Uuid),
  ruleVersion: Type.Integer(),
  advisory: Type.Unsafe<true>({ enum: [true] }),
};

const InstantFinding = Type.Object({ ...everyFinding, timestamp: Instant });
const GapFinding = Type.Object({
  ...everyFinding,
  candidateMessageAt: Instant,
  gapSeconds: Type.Integer(),
  sessionMedianGapSeconds: Type.Integer(),
});

type FindingRecord = Static<typeof InstantFinding> | Static<typeof GapFinding>;
const FindingRecord = Type.Unsafe<FindingRecord>({
  description:
    'Something in the evidence that a person may want to look at. It is advisory and never a verdict, changes no ' +
    'score, and reads no personal traits: only what was done and when.',
  oneOf: [InstantFinding, GapFinding],
});

/** A session's evidence, as far as it is known. */
export type EvidenceRecord = Static<typeof EvidenceRecord>;
const EvidenceRecord = Type.Object({
  events: Type.Array(EventRecord),
  questions: Type.Array(QuestionRecord),
});

/** An evaluation as the interface has it. */
export type EvaluationRecord = Static<typeof EvaluationRecord>;
export const EvaluationRecord = Type.Object(
  {
    ...EvaluationSummary.properties,
    generation: Type.Integer(),
    overallThreshold: Type.Integer(),
    scoredBy: Nullable(ScoredBy),
    /** Why it failed, `null` unless it did. */
    failure: Nullable(Type.String()),
    scores: Type.Array(ScoreRecord),
    /** `head`: what the result rests on, signed; `null` until there is one. */
    evidence: Type.Object({ ...EvidenceRecord.properties, head: Nullable(HeadRecord) }),
    integrity: Type.Array(FindingRecord),
  },
  { $id: 'Evaluation' },
);

export const evaluationSummary = (
  document: EvaluationDocument,
  candidateEmail: string | null,
): EvaluationSummary => pick(EvaluationSummary, { ...document, id: document.evaluationId, candidateEmail });

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
): Static<typeof ScoreRecord> =>
  pick(ScoreRecord, { ...score, rationale: rationales?.[score.dimensionId] ?? null });
