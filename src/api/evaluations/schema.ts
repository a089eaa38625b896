import {
  component,
  flag,
  instant,
  integer,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  text,
  uuid,
} from '../../core/json-schema.js';

const summary = {
  id: uuid,
  trialSessionId: uuid,
  roleId: uuid,
  roleName: text,
  candidateEmail: nullable(text),
  status: oneOf('generating', 'ready', 'failed'),
  overallScore: nullable(integer),
  passed: nullable(flag),
  generatedAt: nullable(instant),
  version: integer,
};

const score = objectOf({
  dimensionId: uuid,
  dimensionName: text,
  dimensionCategory: text,
  weight: integer,
  threshold: nullable(integer),
  score: integer,
  passed: nullable(flag),
  rationale: nullable(text),
  evidenceEventIds: listOf(uuid),
});

const event = objectOf({
  id: uuid,
  kind: oneOf('lifecycle', 'message', 'activity', 'integrity', 'system'),
  sequenceNumber: integer,
  eventType: text,
  payload: nullable({ type: 'object' }),
  occurredAt: instant,
  recordedAt: instant,
  hash: nullable(text),
  previousHash: nullable(text),
});

const question = objectOf({
  kind: oneOf('planned', 'follow_up', 'clarification', 'closing'),
  id: uuid,
  turn: integer,
  text: nullable(text),
  askedAt: instant,
  askedBy: objectOf({
    interviewer: oneOf('scripted', 'openai'),
    version: integer,
    model: nullable(text),
    instead: nullable(text),
  }),
  dimensionIds: listOf(uuid),
  answeredAt: nullable(instant),
  answer: nullable(text),
  source: nullable(oneOf('typed', 'speech', 'transcribed')),
  gapMs: nullable(integer),
  interruptedAtMs: nullable(integer),
  evidenceEventIds: listOf(uuid),
});

/** `resultHash`, `signature` and `keyId` are `null` where a result was never chained or signed. */
const head = objectOf({
  sequenceNumber: integer,
  hash: nullable(text),
  resultHash: nullable(text),
  signature: nullable(text),
  keyId: nullable(text),
});

const everyFinding = {
  kind: text,
  severity: oneOf('info', 'low', 'medium', 'high'),
  evidenceEventIds: listOf(uuid),
  ruleVersion: integer,
  advisory: oneOf(true),
};

const finding: JsonSchema = {
  description:
    'Something in the evidence that a person may want to look at. It is advisory and never a verdict, changes no ' +
    'score, and reads no personal traits: only what was done and when.',
  oneOf: [
    objectOf({ ...everyFinding, timestamp: instant }),
    objectOf({
      ...everyFinding,
      candidateMessageAt: instant,
      gapSeconds: integer,
      sessionMedianGapSeconds: integer,
    }),
  ],
};

export const evaluationSummarySchema = (): JsonSchema => component('EvaluationSummary', objectOf(summary));

export const evaluationSchema = (): JsonSchema =>
  component(
    'Evaluation',
    objectOf({
      ...summary,
      generation: integer,
      overallThreshold: integer,
      scoredBy: nullable(objectOf({ scorer: text, version: integer, description: text })),
      failure: nullable(text),
      scores: listOf(score),
      evidence: objectOf({ events: listOf(event), questions: listOf(question), head: nullable(head) }),
      integrity: listOf(finding),
    }),
  );
