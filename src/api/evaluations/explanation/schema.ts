import {
  component,
  integer,
  type JsonSchema,
  listOf,
  nullable,
  number,
  objectOf,
  text,
  uuid,
} from '../../../core/json-schema.js';

const overallTerm = objectOf({ dimensionId: uuid, weight: integer, score: integer, contribution: number });

const term = objectOf({
  signal: text,
  value: number,
  weight: number,
  contribution: number,
  evidence: listOf(objectOf({ eventId: uuid, quote: nullable(text) })),
});

const finding = objectOf({
  kind: text,
  ruleVersion: integer,
  inputs: { type: 'object', additionalProperties: { type: ['number', 'string'] } },
  evidenceEventIds: listOf(uuid),
});

export const explanationSchema = (): JsonSchema =>
  component(
    'Explanation',
    objectOf({
      evaluationId: uuid,
      generation: integer,
      ruleSet: text,
      scoredBy: objectOf({ scorer: text, version: integer, description: text }),
      overall: objectOf({ score: nullable(integer), exact: nullable(number), terms: listOf(overallTerm) }),
      dimensions: listOf(objectOf({ dimensionId: uuid, score: integer, exact: number, terms: listOf(term) })),
      integrity: listOf(finding),
    }),
  );
