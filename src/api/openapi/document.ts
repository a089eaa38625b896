import { isDeepStrictEqual } from 'node:util';
import type { DescribedRoute } from './described-route.js';
import { queryParametersOf } from './operation.js';
import { Enumeration, Named, Type } from '../../core/json-schema.js';
import { isRefusalCode, REFUSAL_CODES } from '../../domain/refusal-codes.js';
import { ERROR_CODES, type ErrorCode, type OwnErrorCode, statusOf } from '../http/api-error.js';

/** A part of the document. A schema with an `$id` in it becomes a reference: see `withReferences`. */
type Part = Readonly<Record<string, unknown>>;

const DESCRIPTION = `Staff define assessment roles, candidates take trial sessions, evaluations score them with their evidence, and a signal summary counts what came of it.

Every error body is \`{ error, code, requestId, details? }\`. Any path may also answer 400, 413, 415, 429 or 500: see \`components.responses\`. Every answer carries \`X-Request-Id\`.

An accepted command answers a \`Consistency-Token\`; a read that sends it back waits until it shows that command's effect.`;

const header = (name: string, description: string, schema: Part = { type: 'string' }): Part => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'Sent again with the same key and body, the request gives the first answer again and does nothing more.',
  { type: 'string', minLength: 1, maxLength: 255 },
);
const IF_MATCH = header('If-Match', 'The ETag of the version that is to be changed; another one gives 412.');
const CONSISTENCY_TOKEN = header(
  'Consistency-Token',
  'As a command answered it: the read waits until it shows that command.',
);

const RANGE = header('Range', 'One range of bytes, as in `bytes=0-65535`; more than one is ignored.');
const IF_RANGE = header('If-Range', 'The ETag that the range belongs to; another one gives the whole.');

const ANSWER_HEADERS: Readonly<Record<string, Part>> = {
  ETag: { description: 'The version, quoted.', schema: { type: 'string' } },
  Location: { description: 'Path of what was made.', schema: { type: 'string' } },
  'Consistency-Token': { description: 'For reads that must show this.', schema: { type: 'string' } },
  'Accept-Ranges': { description: '`bytes`: parts may be asked for.', schema: { type: 'string' } },
  'Content-Range': { description: 'Which part of how many bytes this is.', schema: { type: 'string' } },
};

const parametersOf = ({ path, method, options, isPublic }: DescribedRoute): readonly Part[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  ...queryParametersOf(options).map((parameter) => ({ required: false, ...parameter, in: 'query' })),
  ...(method === 'post' && !isPublic ? [IDEMPOTENCY_KEY] : []),
  ...(options.conditional ? [IF_MATCH] : []),
  ...(options.ranges ? [RANGE, IF_RANGE] : []),
  ...(method === 'get' && !isPublic ? [CONSISTENCY_TOKEN] : []),
];

const successOf = (
  { options: { success }, method, isPublic }: DescribedRoute,
  description = success.description,
  further: readonly string[] = [],
): Part => {
  const token = method === 'get' || isPublic ? [] : ['Consistency-Token'];
  const headers = [...(success.headers ?? []), ...token, ...further];
  return {
    description,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map((name) => [name, ANSWER_HEADERS[name]])),
    }),
    ...(success.schema && {
      content: {
        [success.contentType ?? 'application/json']: { schema: success.schema },
        ...(success.page && { 'text/html': { schema: { type: 'string' } } }),
      },
    }),
  };
};

const SENTENCES: Readonly<Record<OwnErrorCode, string>> = {
  malformed_json: 'The body is not valid JSON, or nests more than 32 levels deep.',
  missing_token: 'The credential is missing or malformed.',
  invalid_token: 'The ID token did not pass verification.',
  method_not_allowed: 'The path has other methods, named by `Allow`.',
  too_large: 'The body is larger than 256 KiB, or the headers than 16 KiB.',
  too_far: 'More would have to be folded than a request may.',
  unsupported_media_type: 'The body is not plain `application/json` in UTF-8.',
  range_not_satisfiable: 'The range lies beyond the end; `Content-Range` has the whole length.',
  rate_limited: 'Too many requests in a minute; `Retry-After` has the seconds to wait.',
  internal: 'A fault of the service, recorded under `requestId`.',
  unavailable:
    'The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait.',
  view_parked: 'The record cannot be read until an operator has repaired it.',
};

const meaningOf = (code: ErrorCode): string =>
  isRefusalCode(code) ? REFUSAL_CODES[code].meaning : SENTENCES[code];

const ErrorRecord = Named(
  'Error',
  {
    error: Type.String({ description: 'A sentence for the reader.' }),
    code: Enumeration('ErrorCode', ERROR_CODES),
    requestId: Type.String(),
    details: Type.Optional(
      Type.Array(
        Named('ErrorDetail', {
          path: Type.String({ description: 'As in `dimensions[2].weight`.' }),
          rule: Type.String({ description: 'The name of the broken rule.' }),
          message: Type.String({ description: 'A sentence for the reader.' }),
        }),
      ),
    ),
  },
  { additionalProperties: true },
);

const response = (codes: readonly ErrorCode[]): Part => {
  const [first] = codes;
  const waits = first && [429, 503].includes(statusOf(first));
  return {
    description: codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join('\n\n'),
    ...(waits && {
      headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
    }),
    content: { 'application/json': { schema: ErrorRecord } },
  };
};

/** An operation's own refusals, one response for each status. */
const errorResponses = (codes: readonly ErrorCode[]): Readonly<Record<string, Part>> => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, same]) => [`${status}`, response(same)]));
};

/** What may come from any path, described once. */
const commonResponses = (): Readonly<Record<string, Part>> => ({
  BadRequest: response(['validation_failed', 'malformed_json']),
  ContentTooLarge: response(['too_large']),
  UnsupportedMediaType: response(['unsupported_media_type']),
  TooManyRequests: response(['rate_limited']),
  InternalServerError: response(['internal']),
});

const operation = (route: DescribedRoute): Part => {
  const { id, options, body, bodyRequired, isPublic } = route;
  const parameters = parametersOf(route);
  return {
    operationId: id,
    tags: [options.tag],
    summary: options.summary,
    ...(options.description !== undefined && { description: options.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: bodyRequired, content: { 'application/json': { schema: body } } },
    }),
    responses: {
      [`${options.success.status}`]: successOf(route),
      ...(options.ranges && {
        '206': successOf(route, 'The range that was asked for.', ['Content-Range']),
      }),
      ...errorResponses(route.errors),
    },
    ...(isPublic && { security: [] }),
  };
};

/**
 * The OpenAPI 3.1 document of these routes.
 * @param webhooks what the service sends by itself
 */
export const openApiDocument = (
  routes: readonly DescribedRoute[],
  webhooks: Part,
  publicUrl: string,
): Part => {
  const paths: Record<string, Record<string, Part>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operation(route);
  const tags = [...new Set(routes.map(({ options }) => options.tag))];
  const schemas = new Map<string, unknown>();
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Assay',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: tags.map((name) => ({ name })),
    security: [{ idToken: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        idToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An OpenID Connect ID token.',
        },
      },
      responses: commonResponses(),
    },
  };
  const { components, ...described } = withReferences(document, schemas) as typeof document;
  const named = Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...described, components: { ...components, schemas: named } };
};

/**
 * A part of the document, a reference in place of each schema with an `$id`.
 * @param schemas gets these schemas, by their `$id`
 * @throws {Error} two different schemas have the same `$id`
 */
export const withReferences = (part: unknown, schemas: Map<string, unknown>): unknown => {
  if (Array.isArray(part)) return part.map((item) => withReferences(item, schemas));
  if (typeof part !== 'object' || part === null) return part;
  const { $id: id, ...rest } = part as { readonly $id?: unknown };
  const schema = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, withReferences(value, schemas)]),
  );
  if (typeof id !== 'string') return schema;
  if (!isDeepStrictEqual(schemas.get(id) ?? schema, schema))
    throw new Error(`Two different schemas are named ${id}.`);
  schemas.set(id, schema);
  return { $ref: `#/components/schemas/${id}` };
};
