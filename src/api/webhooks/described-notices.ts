import { instant, type JsonSchema, listOf, objectOf, text, uuid } from '../../core/json-schema.js';
import { type Notice, NOTICES, TEST_NOTICE, TEST_TYPE } from '../../domain/webhook/events.js';

const header = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const HEADERS: readonly JsonSchema[] = [
  header('webhook-id', 'The id of the delivery: the same in every attempt.', uuid),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', text),
  header(
    'webhook-signature',
    'One `v1,` signature for each secret that is valid, separated by spaces: HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64.',
    text,
  ),
];

const RESPONSES: JsonSchema = {
  '2XX': { description: 'It is delivered.' },
  '410': { description: 'It is given up.' },
  default: { description: 'It is tried again, as if there were no answer. A redirection is not followed.' },
};

/** Not the same for any two names, and always the same for one. */
const exampleId = (index: number): string => `0197a3b0-5e1c-7000-8000-${`${index + 1}`.padStart(12, '0')}`;

const operation = (type: string, { when, ids, lists = [] }: Notice): JsonSchema => ({
  operationId: `notice${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
  tags: ['Webhooks'],
  summary: when,
  security: [],
  parameters: HEADERS,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: objectOf({
          type: { const: type },
          timestamp: instant,
          data: objectOf({
            ...Object.fromEntries(ids.map((name) => [name, uuid])),
            ...Object.fromEntries(lists.map((name) => [name, listOf(uuid)])),
          }),
        }),
        example: {
          type,
          timestamp: '2026-03-01T09:00:00.000Z',
          data: {
            ...Object.fromEntries(ids.map((name, index) => [name, exampleId(index)])),
            ...Object.fromEntries(lists.map((name, index) => [name, [exampleId(ids.length + index)]])),
          },
        },
      },
    },
  },
  responses: RESPONSES,
});

/** What the OpenAPI document says of notices, by type: its `webhooks`. */
export const describedNotices = (): JsonSchema => {
  const all: readonly (readonly [string, Notice])[] = [...Object.entries(NOTICES), [TEST_TYPE, TEST_NOTICE]];
  return Object.fromEntries(all.map(([type, notice]) => [type, { post: operation(type, notice) }]));
};
