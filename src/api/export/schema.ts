import {
  component,
  instant,
  integer,
  type JsonSchema,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  text,
  uuid,
} from '../../core/json-schema.js';
import { explanationSchema } from '../evaluations/explanation.js';
import { evaluationSchema } from '../evaluations/schema.js';
import { trialSchema, ownApplicationSchema } from '../applications/record.js';

/** The part of a registered schema that stands under a member, however deep. */
const partOf = (schema: JsonSchema, ...members: readonly string[]): JsonSchema => ({
  $ref: [schema.$ref, ...members.flatMap((member) => ['properties', member])].join('/'),
});

const values = {
  humanRound: nullable(oneOf('passed', 'failed')),
  disposition: nullable(oneOf('hired', 'declined')),
  reason: nullable(text),
};

const outcome = (): JsonSchema => objectOf({ ...values, recordedAt: instant, recordedBy: { type: 'null' } });

const KEPT = [
  'id',
  'trialSessionId',
  'roleId',
  'roleName',
  'candidateEmail',
  'status',
  'overallScore',
  'passed',
  'generatedAt',
  'version',
  'generation',
  'overallThreshold',
  'scoredBy',
  'failure',
  'scores',
  'integrity',
] as const;

const evaluation = (): JsonSchema => {
  const whole = evaluationSchema();
  return objectOf({
    ...Object.fromEntries(KEPT.map((name) => [name, partOf(whole, name)])),
    head: partOf(whole, 'evidence', 'head'),
    explanation: nullable(explanationSchema()),
    detections: listOf(objectOf({ eventId: uuid, detector: text, version: integer, likelihood: number })),
    modelAnswers: listOf(
      objectOf({
        dimensionId: uuid,
        attempt: integer,
        model: text,
        promptVersion: integer,
        parameters: { type: 'object', additionalProperties: { type: ['number', 'string'] } },
        answer: nullable(text),
        answeredAt: instant,
      }),
    ),
  });
};

export const exportSchema = (): JsonSchema =>
  component(
    'Export',
    objectOf({
      exportedAt: instant,
      organisations: listOf(
        objectOf({
          organisationName: text,
          applications: listOf(
            objectOf({
              subject: nullable(text),
              application: {
                allOf: [
                  ownApplicationSchema(),
                  objectOf({ trialSessions: listOf(trialSchema()), outcome: nullable(outcome()) }),
                ],
              },
              trialSessions: listOf(trialSchema()),
              evidence: partOf(evaluationSchema(), 'evidence'),
              evaluations: listOf(evaluation()),
              outcome: nullable(outcome()),
              outcomeHistory: listOf(objectOf({ at: instant, ...values })),
              recordings: listOf(
                objectOf({
                  turn: integer,
                  contentType: oneOf('audio/wav'),
                  content: { type: 'string', contentEncoding: 'base64', contentMediaType: 'audio/wav' },
                }),
              ),
            }),
          ),
        }),
      ),
    }),
  );
