import { isDeepStrictEqual } from 'node:util';
import { API_KEY_FORM } from '../../application/api-keys/tokens.js';
import { version } from '../../process/installation.js';
import type { DescribedRoute } from './described-route.js';
import { TAGS } from './operation.js';
import { parametersOf, type Part, sharedParameters } from './parameters.js';
import { HEADERS, responsesOf, sharedResponses } from './responses.js';

const DESCRIPTION = `Staff define assessment roles, candidates take trial sessions, evaluations score them with their evidence, and a signal summary counts what came of it.

Every error body is \`{ error, code, requestId, details? }\`, and every answer has an \`X-Request-Id\`. A path that is not described here answers 404, another method 405.

An accepted command answers a \`Consistency-Token\`; a read that sends it back waits until it shows that command's effect.`;

const operation = (route: DescribedRoute, all: readonly DescribedRoute[]): Part => {
  const { id, options, body, bodyRequired, access, scope } = route;
  const parameters = parametersOf(route);
  return {
    operationId: id,
    tags: [options.tag],
    summary: options.summary,
    ...(options.description !== undefined && { description: options.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: bodyRequired,
        content: { 'application/json': { schema: body, example: options.example } },
      },
    }),
    responses: responsesOf(route, all),
    ...(access === 'public' && { security: [] }),
    ...(scope !== null && { security: [{ idToken: [] }, { apiKey: [scope] }] }),
  };
};

const TAG_NAMES = Object.keys(TAGS) as readonly (keyof typeof TAGS)[];

/**
 * The OpenAPI 3.1 document of these routes.
 * @param webhooks the requests that the service sends itself
 */
export const openApiDocument = (
  routes: readonly DescribedRoute[],
  webhooks: Part,
  publicUrl: string,
): Part => {
  const tags = TAG_NAMES.filter((tag) => routes.some(({ options }) => options.tag === tag));
  const paths: Record<string, Record<string, Part>> = {};
  for (const tag of tags)
    for (const route of routes.filter(({ options }) => options.tag === tag))
      (paths[route.path] ??= {})[route.method] = operation(route, routes);
  const schemas = new Map<string, unknown>();
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Assay',
      version: version(),
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: tags.map((name) => ({ name, description: TAGS[name] })),
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
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: API_KEY_FORM,
          description: 'An API key of the organisation. Each operation names the scope that it needs.',
        },
      },
      parameters: sharedParameters(routes),
      responses: sharedResponses(),
      headers: HEADERS,
    },
  };
  const { components, ...described } = withReferences(document, schemas) as typeof document;
  const named = Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...described, components: { ...components, schemas: named } };
};

/**
 * Replaces each schema with an `$id` in a part of the document by a reference.
 * @param schemas receives these schemas, by their `$id`
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
