import type { EvaluationResultDocument } from '../../../projections/evaluation-results.js';
import {
  EVALUATION_STATUSES,
  type EvaluationDocument,
  type EvaluationScore,
} from '../../../projections/evaluations.js';
import {
  type ActivityEntry,
  type EvidenceDocument,
  type EvidenceEvent,
  itemsOf,
} from '../../../projections/evidence.js';
import { itemIds } from '../../core/batch.js';
import {
  AnyObject,
  Count,
  Enumeration,
  fieldsWithout,
  Figures,
  Instant,
  Named,
  Nullable,
  Ordinal,
  pick,
  type Static,
  Type,
  Uuid,
} from '../../core/json-schema.js';
import type { IntegrityFinding } from '../../domain/evaluation/events.js';
import { AI_POLICY } from '../../domain/role/events.js';
import { EvidenceSource, sourceOf } from '../../domain/session/events.js';
import type { AiPolicy } from '../../languages/en/shapes.js';
import { questionsOf } from '../../scoring/evidence/questions.js';
import { FINDING_KINDS } from '../../scoring/integrity/find.js';
import { OutcomeRecord } from '../applications/record.js';
import { Unchecked, uncheckedRecord } from './unchecked.js';

export const EVALUATION_STATUS = Enumeration('EvaluationStatus', EVALUATION_STATUSES);
export const FINDING_KIND = Enumeration('FindingKind', FINDING_KINDS);

/** 0 to 100. */
export const Score = Type.Integer({ minimum: 0, maximum: 100 });

/** What a score does not prove. */
export const Caveat = Nullable(
  Type.String({
    description:
      'What the score does not prove: what could not be checked and what that costs at most, and what the score rests on if no check vouches for it. `null`: nothing.',
  }),
);

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in lower-case hex.' });

/** What every record of an evaluation begins with. */
const HeadFields = Type.Object({
  id: Uuid,
  applicationId: Uuid,
  trialSessionId: Uuid,
  roleId: Uuid,
  roleName: Type.String(),
  candidateEmail: Nullable(Type.String()),
  status: EVALUATION_STATUS,
  overallScore: Nullable(Score),
  passed: Nullable(Type.Boolean()),
  generatedAt: Nullable(Instant),
  version: Ordinal,
});
type HeadFields = Static<typeof HeadFields>;

export const ScoredBy = Named('ScoredBy', {
  scorer: Type.String(),
  version: Ordinal,
  description: Type.String(),
});

export const ScoreRecord = Named('Score', {
  dimensionId: Uuid,
  dimensionName: Type.String(),
  dimensionCategory: Type.String(),
  weight: Type.Integer(),
  threshold: Nullable(Type.Integer()),
  score: Score,
  passed: Nullable(Type.Boolean()),
  rationale: Nullable(Type.String()),
  unchecked: Unchecked,
  evidenceEventIds: Type.Array(Uuid),
});

const ScoreSummary = Named('ScoreSummary', fieldsWithout(ScoreRecord, 'rationale', 'evidenceEventIds'));

/** An evaluation in a list. */
export type EvaluationSummary = Static<typeof EvaluationSummary>;
export const EvaluationSummary = Named('EvaluationSummary', {
  ...HeadFields.properties,
  candidateName: Nullable(Type.String({ description: 'As the invitation gave it.' })),
  outcome: Nullable(OutcomeRecord),
  scores: Type.Optional(
    Type.Array(ScoreSummary, {
      description:
        'With `scores=dimensions` alone. Empty unless the evaluation is ready, and once its candidate is erased.',
    }),
  ),
});

type EventRecord = Static<typeof EventRecord>;
const EventRecord = Named('EvidenceEvent', {
  id: Uuid,
  kind: Enumeration('EvidenceKind', ['lifecycle', 'message', 'activity', 'integrity', 'system']),
  source: EvidenceSource,
  sequenceNumber: Ordinal,
  eventType: Type.String(),
  payload: Nullable(AnyObject),
  occurredAt: Instant,
  recordedAt: Instant,
  hash: Nullable(Hash),
  previousHash: Nullable(Hash),
});

const QuestionRecord = Named('Question', {
  kind: Enumeration('QuestionKind', ['planned', 'follow_up', 'clarification', 'closing']),
  id: Uuid,
  turn: Ordinal,
  preface: Nullable(Type.String({ description: 'What was said before the question, such as a greeting.' })),
  text: Nullable(Type.String()),
  askedAt: Instant,
  askedBy: Named('AskedBy', {
    interviewer: Enumeration('InterviewerName', ['scripted', 'openai']),
    version: Ordinal,
    model: Nullable(Type.String({ description: '`null` for the scripted interviewer.' })),
    instead: Nullable(
      Type.String({ description: 'Why the scripted interviewer replaced a model; `null` if it did not.' }),
    ),
  }),
  dimensionIds: Type.Array(Uuid),
  answeredAt: Nullable(Instant),
  answer: Nullable(Type.String()),
  request: Nullable(
    Type.String({ description: 'What the candidate said to have it repeated or explained: no answer.' }),
  ),
  skipped: Type.Boolean({ description: 'The candidate chose not to answer.' }),
  source: Nullable(Enumeration('AnswerSource', ['typed', 'speech', 'transcribed'])),
  gapMs: Nullable(Type.Integer({ description: 'From the end of the question to the start of the answer.' })),
  interruptedAtMs: Nullable(Count),
  evidenceEventIds: Type.Array(Uuid),
});

export const HeadRecord = Named(
  'EvidenceHead',
  {
    sequenceNumber: Ordinal,
    hash: Nullable(Hash),
    resultHash: Nullable(Hash),
    signature: Nullable(Type.String()),
    keyId: Nullable(Type.String()),
  },
  {
    description:
      'What a result rests on: the last event of the session’s chain. `resultHash`, `signature` and `keyId` are `null` if a result was never chained or signed.',
  },
);

const GAP = 'response_gap_outlier';

const everyFinding = {
  severity: Enumeration('FindingSeverity', ['info', 'low', 'medium', 'high']),
  evidenceEventIds: Type.Array(Uuid),
  ruleVersion: Ordinal,
  inputs: Type.Optional({ ...Figures, description: 'The figures and thresholds that the rule compared.' }),
  advisory: Type.Literal(true),
  aiPolicy: Type.Optional(AI_POLICY),
  allowedByPolicy: Type.Optional(
    Nullable(
      Type.Boolean({
        description:
          'If an AI assistant explains the finding, whether the policy of the session’s role allowed it; `null`: only the provided one, and the evidence does not show which it was. Absent, as `aiPolicy` is, if the role had no policy or the finding is about something else.',
      }),
    ),
  ),
};

const InstantFinding = Named('InstantFinding', {
  kind: Type.Unsafe<string>(
    Enumeration(
      'InstantFindingKind',
      FINDING_KINDS.filter((kind) => kind !== GAP),
    ),
  ),
  ...everyFinding,
  timestamp: Instant,
});
const GapFinding = Named('GapFinding', {
  kind: Type.Unsafe<string>(Type.Literal(GAP)),
  ...everyFinding,
  candidateMessageAt: Instant,
  gapSeconds: Type.Integer(),
  sessionMedianGapSeconds: Type.Integer(),
});

type FindingRecord = Static<typeof InstantFinding> | Static<typeof GapFinding>;
const FindingRecord = Type.Unsafe<FindingRecord>({
  $id: 'IntegrityFinding',
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

/** `head` is `null` until there is a result. */
export const EvidenceWithHead = Named('Evidence', {
  ...EvidenceRecord.properties,
  head: Nullable(HeadRecord),
});

/** An evaluation as the interface has it. */
export type EvaluationRecord = Static<typeof EvaluationRecord>;
export const EvaluationRecord = Named('Evaluation', {
  ...HeadFields.properties,
  generation: Ordinal,
  overallThreshold: Type.Integer(),
  scoredBy: Nullable(ScoredBy),
  failure: Nullable(Type.String({ description: 'Why it failed; `null` unless it did.' })),
  scores: Type.Array(ScoreRecord),
  evidence: EvidenceWithHead,
  integrity: Type.Array(FindingRecord),
});

const headFields = (document: EvaluationDocument, candidateEmail: string | null): HeadFields =>
  pick(HeadFields, { ...document, id: document.evaluationId, candidateEmail });

/** @param scored with a score for each dimension */
export const evaluationSummary = (
  document: EvaluationDocument,
  of: Pick<EvaluationSummary, 'candidateEmail' | 'candidateName' | 'outcome'>,
  scored: boolean,
): EvaluationSummary => ({
  ...headFields(document, of.candidateEmail),
  candidateName: of.candidateName,
  outcome: of.outcome,
  ...(scored && { scores: document.scores.map((score) => scoreSummary(score, document.evaluationId)) }),
});

/** A chunk's events with their personal parts: of a batch each activity. */
export const evidenceEvents = ({ events, personal }: EvidenceDocument): readonly EventRecord[] =>
  events.flatMap(({ facts, items, ...entry }) => {
    const event = { ...entry, source: sourceOf(entry.eventType) };
    const { id, sequenceNumber } = event;
    const part = personal?.payloads[sequenceNumber];
    if (!items) return part ? { ...event, payload: { ...facts, ...part } } : event;
    const activities = personal?.activities[sequenceNumber];
    const idAt = itemIds(id);
    const all = itemsOf(items);
    return all.map((item, place) => {
      const activity = activities?.[place];
      const content = activity && contentOf(activity);
      const previousHash = place === 0 ? event.previousHash : (all[place - 1]?.hash ?? null);
      const own = { id: idAt(place), sequenceNumber: sequenceNumber + place, previousHash };
      return { ...event, ...own, ...item, ...content };
    });
  });

const contentOf = ([eventType, payload]: ActivityEntry): Pick<
  EvidenceEvent,
  'kind' | 'eventType' | 'payload'
> => ({ kind: eventType.startsWith('message.') ? 'message' : 'activity', eventType, payload });

/** @param chunks of the session's evidence, all, in their order */
export const evidenceRecord = (chunks: readonly EvidenceDocument[]): EvidenceRecord => ({
  events: chunks.flatMap(evidenceEvents),
  questions: questionsOf(chunks),
});

/** An evaluation as staff see it, by its document, the candidate’s address and its evidence. */
export const evaluationRecord = (
  document: EvaluationDocument,
  candidateEmail: string | null,
  evidence: EvidenceRecord,
): EvaluationRecord => ({
  ...headFields(document, candidateEmail),
  generation: document.generation,
  overallThreshold: document.overallThreshold,
  scoredBy: document.scoredBy,
  failure: document.personal?.failure ?? null,
  scores: document.scores.map((score) => scoreRecord(score, document)),
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
    ...headFields(document, candidateEmail),
    status: former.status,
    overallScore: result?.overallScore ?? null,
    passed: result?.passed ?? null,
    generatedAt: result ? former.answeredAt : null,
    generation: former.generation,
    overallThreshold: result?.overallThreshold ?? document.overallThreshold,
    scoredBy: result?.scoredBy ?? null,
    failure: personal?.failure ?? null,
    scores: (result?.scores ?? []).map((score) => scoreRecord(score, former)),
    evidence: { ...evidence, head: former.head },
    integrity: (result?.integrity ?? []).map(findingRecord),
  };
};

/** `null`: it depends on which assistant was used. */
const ALLOWED: Readonly<Record<AiPolicy, boolean | null>> = {
  forbidden: false,
  allowed: true,
  provided: null,
};

const findingRecord = (finding: IntegrityFinding): FindingRecord => ({
  ...finding,
  ...(finding.aiPolicy && { allowedByPolicy: ALLOWED[finding.aiPolicy] }),
  advisory: true,
});

const scoreSummary = (score: EvaluationScore, evaluationId: string): Static<typeof ScoreSummary> =>
  pick(ScoreSummary, { ...score, unchecked: uncheckedRecord(score, evaluationId) });

const scoreRecord = (
  score: EvaluationScore,
  { evaluationId, personal }: Pick<EvaluationDocument, 'evaluationId' | 'personal'>,
): Static<typeof ScoreRecord> => ({
  ...scoreSummary(score, evaluationId),
  rationale: personal?.rationales[score.dimensionId] ?? null,
  evidenceEventIds: [...score.evidenceEventIds],
});
