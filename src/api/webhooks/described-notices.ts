import { pascalCase } from '../../core/text.js';
import { Instant, type TSchema, Type, Uuid } from '../../core/json-schema.js';
import { type Notice, NOTICES, TEST_NOTICE, TEST_TYPE } from '../../domain/webhook/events.js';

type Part = Readonly<Record<string, unknown>>;

const header = (name: string, description: string, schema: TSchema): Part => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const HEADERS: readonly Part[] = [
  header('webhook-id', 'The id of the delivery: the same in every attempt.', Uuid),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', Type.String()),
  header(
    'webhook-signature',
    'One `v1,` signature for each secret that is valid, separated by spaces: HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64.',
    Type.String(),
  ),
];

const RESPONSES: Part = {
  '2XX': { description: 'It is delivered.' },
  '410': { description: 'It is given up.' },
  default: { description: 'It is tried again, as if there were no answer. A redirection is not followed.' },
};

/** Not the same for any two names, and always the same for one. */
const exampleId = (index: number): string => `0197a3b0-5e1c-7000-8000-${`${index + 1}`.padStart(12, '0')}`;

const operation = (type: string, { when, ids, lists = [] }: Notice): Part => ({
  operationId: `notice${pascalCase(type)}`,
  tags: ['Webhooks'],
  summary: when,
  security: [],
  parameters: HEADERS,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: Type.Object({
          type: Type.Unsafe({ const: type }),
          timestamp: Instant,
          data: Type.Object({
            ...Object.fromEntries(ids.map((name) => [name, Uuid])),
            ...Object.fromEntries(lists.map((name) => [name, Type.Array(Uuid)])),
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

/** Notices in the OpenAPI document, by type: its `webhooks`. */
export const describedNotices = (): Part => {
  const all: readonly (readonly [string, Notice])[] = [...Object.entries(NOTICES), [TEST_TYPE, TEST_NOTICE]];
  return Object.fromEntries(all.map(([type, notice]) => [type, { post: operation(type, notice) }]));
};
