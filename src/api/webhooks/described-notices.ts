import { messageOf } from '../../application/webhooks/secrets.js';
import { Instant, Named, type TSchema, Type, Uuid } from '../../core/json-schema.js';
import { pascalCase } from '../../core/text.js';
import {
  DELIVERED_TYPES,
  type DeliveredType,
  type Notice,
  type NoticeIds,
  NOTICES,
  TEST_NOTICE,
  TEST_TYPE,
} from '../../domain/webhook/events.js';
import { EXAMPLE_IDS, type Part } from '../../http/openapi/parameters.js';

/** The specification's own example: the document's example notices are signed with it. */
const EXAMPLE_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const SIGNATURE = 'v1,[A-Za-z0-9+/]{43}=';

/** A notice's headers: their meaning and form. */
const HEADERS: Readonly<Record<string, readonly [description: string, schema: TSchema]>> = {
  'user-agent': ['The sender.', Type.String({ pattern: '^Assay-Webhooks/\\d+$' })],
  'webhook-id': ['The id of the delivery. It is the same in every attempt.', Uuid],
  'webhook-timestamp': [
    'The time of this attempt, in seconds since 1970. Refuse a notice if it differs from now by more than 5 minutes.',
    Type.String({ pattern: '^\\d+$' }),
  ],
  'webhook-signature': [
    `One signature for each secret that is valid, separated by spaces. Each is the HMAC-SHA-256 of \`{webhook-id}.{webhook-timestamp}.{body}\` in base64; the key is the secret after \`whsec_\`, decoded from base64. The body is the bytes as received. The examples are signed with \`${EXAMPLE_SECRET}\`, their body as JSON without white space.`,
    Type.String({ pattern: `^${SIGNATURE}( ${SIGNATURE})*$` }),
  ],
};

const RESPONSES: Part = {
  '2XX': { description: 'The notice is delivered. Answer within 15 seconds.' },
  '410': { description: 'The notice fails at once and is not sent again. The webhook remains.' },
  default: {
    description:
      'The notice is tried again, as if there were no answer, for three days. A redirect is not followed.',
    headers: {
      'Retry-After': {
        description: 'Seconds until the next attempt, or its date as HTTP writes it; at most a day from now.',
        schema: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }] },
      },
    },
  },
};

const EXAMPLE_TIME = '2026-03-01T09:00:00.000Z';
const EXAMPLE_ATTEMPT = new Date('2026-03-01T09:00:02.000Z');

const operation = (type: DeliveredType, { when, ids, lists = [] }: Notice): Part => {
  const named = ids.map((name) => [name, EXAMPLE_IDS[name]] as const);
  const listed = lists.map((name) => [name, [EXAMPLE_IDS.applicationId]] as const);
  const exampleIds = Object.fromEntries<NoticeIds[string]>([...named, ...listed]);
  const delivery = { deliveryId: EXAMPLE_IDS.deliveryId, type, timestamp: EXAMPLE_TIME, ids: exampleIds };
  const { headers, body } = messageOf(delivery, [EXAMPLE_SECRET], EXAMPLE_ATTEMPT);
  return {
    operationId: `notices.${pascalCase(type).replace(/^./, (letter) => letter.toLowerCase())}`,
    tags: ['Webhooks'],
    summary: when,
    security: [],
    parameters: Object.entries(HEADERS).map(([name, [description, schema]]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema,
      example: headers[name],
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: Named(`${pascalCase(type)}Notice`, {
            type: Type.Literal(type),
            timestamp: Instant,
            data: Named(`${pascalCase(type)}NoticeData`, {
              ...Object.fromEntries(ids.map((name) => [name, Uuid])),
              ...Object.fromEntries(lists.map((name) => [name, Type.Array(Uuid)])),
            }),
          }),
          example: JSON.parse(body) as unknown,
        },
      },
    },
    responses: RESPONSES,
  };
};

/** Notices in the OpenAPI document, by type: its `webhooks`. */
export const describedNotices = (): Part =>
  Object.fromEntries(
    DELIVERED_TYPES.map((type) => [
      type,
      { post: operation(type, type === TEST_TYPE ? TEST_NOTICE : NOTICES[type]) },
    ]),
  );
