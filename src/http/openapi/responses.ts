import { isDeepStrictEqual } from 'node:util';
import { Enumeration, Named, type TSchema, Type } from '../../core/json-schema.js';
import { isRefusalCode, REFUSAL_CODES } from '../../domain/refusal-codes.js';
import { ERROR_CODES, type ErrorCode, type OwnErrorCode, statusOf } from '../api-error.js';
import { type DescribedRoute, namesInPath } from './described-route.js';
import { headersOf, isCached, type Part } from './parameters.js';

const header = (description: string, schema: TSchema): Part => ({ description, required: true, schema });
const seconds = Type.Integer({ minimum: 1 });

/** The headers of answers: the document's `components.headers`. */
export const HEADERS = {
  'X-Request-Id': header(
    'What the request is known by in the service’s log: the caller’s own `X-Request-Id` if it sent one of `[A-Za-z0-9._-]{1,64}`.',
    Type.String(),
  ),
  ETag: header(
    'The version, quoted; with a hash behind a dot of what the body shows that changes without it; of a body without a version, a hash of it.',
    Type.String(),
  ),
  Location: header('Path of what was made.', Type.String({ format: 'uri-reference' })),
  'Consistency-Token': header('For reads that must show this.', Type.String()),
  'Accept-Ranges': header('Parts may be asked for.', Type.Literal('bytes')),
  'Content-Range': header('Which part of how many bytes this is.', Type.String()),
  'Retry-After': header('Seconds to wait.', seconds),
  'RateLimit-Limit': header('Requests that may be made in a minute.', Type.Integer({ minimum: 1 })),
  'RateLimit-Remaining': header('How many of them are left.', Type.Integer({ minimum: 0 })),
  'RateLimit-Reset': header('Seconds until the limit begins again.', seconds),
  'WWW-Authenticate': header('`Bearer`, with the error of a token that was refused.', Type.String()),
} as const;

type HeaderName = keyof typeof HEADERS;

const answer = (description: string, headers: readonly HeaderName[], content?: Part): Part => ({
  description,
  headers: Object.fromEntries(
    [...headers, 'X-Request-Id'].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  ...(content && { content }),
});

/** Meanings of the codes that are not refusals of commands; `REFUSAL_CODES` has the others. */
const SENTENCES: Readonly<Record<OwnErrorCode, string>> = {
  malformed_json: 'The body is not valid JSON, or nests more than 32 levels deep.',
  missing_token: 'The credential is missing or malformed.',
  invalid_token: 'The ID token did not pass verification.',
  method_not_allowed: 'The path has other methods, named by `Allow`.',
  too_large: 'The body is larger than 256 KiB, or the headers than 16 KiB.',
  too_far: 'More would have to be folded than a request may.',
  pdf_script_unsupported: 'The report has characters that the fonts of its PDF do not have.',
  unsupported_media_type: 'The body is not plain `application/json` in UTF-8.',
  range_not_satisfiable: 'The range begins beyond the end; `Content-Range` has the whole length.',
  rate_limited:
    'Too many requests in a minute, or mails of an organisation in a day; `Retry-After` has the seconds to wait.',
  internal: 'A fault of the service, recorded under `requestId`.',
  unavailable:
    'The service cannot reach its data, or a read has not caught up; `Retry-After` has the seconds to wait.',
  view_parked: 'The record cannot be read until an operator has repaired it.',
};

const meaningOf = (code: ErrorCode): string =>
  isRefusalCode(code) ? REFUSAL_CODES[code].meaning : SENTENCES[code];

/** One wrong field. */
export const ErrorDetailRecord = Named('ErrorDetail', {
  path: Type.String({ description: 'As in `dimensions[2].weight`.' }),
  rule: Type.String({ description: 'The name of the broken rule.' }),
  message: Type.String({ description: 'A sentence for the reader.' }),
});

const ErrorRecord = Named(
  'Error',
  {
    error: Type.String({ description: 'A sentence for the reader.' }),
    code: Enumeration('ErrorCode', ERROR_CODES),
    requestId: Type.String(),
    details: Type.Optional(Type.Array(ErrorDetailRecord)),
  },
  { additionalProperties: true },
);

const ERROR_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  416: ['Content-Range', 'Accept-Ranges'],
  429: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  503: ['Retry-After'],
};

const failure = (codes: readonly ErrorCode[], headers: readonly HeaderName[] = []): Part =>
  answer(codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join('\n\n'), headers, {
    'application/json': { schema: ErrorRecord },
  });

/** Error responses that operations share, by name in `components.responses`, each with its codes. */
const SHARED: Readonly<Record<string, readonly ErrorCode[]>> = {
  BadRequest: ['validation_failed', 'malformed_json'],
  Unauthorized: ['missing_token', 'invalid_token'],
  Forbidden: ['forbidden'],
  NotFound: ['not_found'],
  Conflict: ['conflict'],
  Gone: ['erased'],
  PreconditionFailed: ['version_mismatch'],
  ContentTooLarge: ['too_large'],
  UnsupportedMediaType: ['unsupported_media_type'],
  UnprocessableContent: ['too_far'],
  TooManyRequests: ['rate_limited'],
  InternalServerError: ['internal'],
  ServiceUnavailable: ['unavailable', 'view_parked'],
};

/** The document's `components.responses`, to which the operations refer. */
export const sharedResponses = (): Readonly<Record<string, Part>> =>
  Object.fromEntries(
    Object.entries(SHARED).map(([name, codes]) => [
      name,
      failure(codes, ERROR_HEADERS[statusOf(codes[0] as ErrorCode)]),
    ]),
  );

/**
 * A reference, if there is a shared response with exactly these codes; else the operation's own response.
 */
const errorResponse = (status: number, codes: readonly ErrorCode[]): Part => {
  const [shared] =
    Object.entries(SHARED).find(([, all]) => isDeepStrictEqual(new Set(all), new Set(codes))) ?? [];
  return shared === undefined
    ? failure(codes, ERROR_HEADERS[status])
    : { $ref: `#/components/responses/${shared}` };
};

/** A response for each status of an error; with `separateStatuses` only for those, and one `default` for all others. */
const errorResponses = ({ errors, options }: DescribedRoute): Readonly<Record<string, Part>> => {
  const codes = [...new Set(errors)];
  const { separateStatuses } = options;
  const isApart = (code: ErrorCode): boolean => separateStatuses?.includes(statusOf(code)) ?? true;
  const others = codes.filter((code) => !isApart(code));
  const statuses = [...new Set(codes.filter(isApart).map(statusOf))];
  return {
    ...Object.fromEntries(
      statuses.map((status) => [
        `${status}`,
        errorResponse(
          status,
          codes.filter((code) => statusOf(code) === status),
        ),
      ]),
    ),
    ...(others.length > 0 && { default: failure(others) }),
  };
};

/** The response of success; for a part of the body (206) with other description and headers. */
const successOf = (
  { options: { success, eventless }, method, access }: DescribedRoute,
  description = success.description,
  further: readonly HeaderName[] = [],
): Part => {
  const hasToken = method !== 'get' && access !== 'public' && !eventless;
  const token: readonly HeaderName[] = hasToken ? ['Consistency-Token'] : [];
  return answer(
    description,
    [...(success.headers ?? []), ...token, ...further],
    success.schema && {
      [success.contentType ?? 'application/json']: { schema: success.schema },
      ...(success.page && { 'text/html': { schema: { type: 'string' } } }),
      ...(success.pdf && { 'application/pdf': { schema: { type: 'string', format: 'binary' } } }),
    },
  );
};

/**
 * Whether the caller of one operation may call the other. A route for candidates is linked with a route for staff only
 * if that needs no id but the organisation's, since a member of an organisation is not its candidate.
 */
const leadsTo = (from: DescribedRoute, to: DescribedRoute): boolean =>
  [from.access, 'public'].includes(to.access) ||
  (from.access === 'signed-in' && namesInPath(to.path).every((name) => name === 'orgId'));

/**
 * Links from an answer to the operations whose path parameters are in the request or the answer, by operation id. A
 * link from a command to a read passes the command's token, so that the read shows the command.
 */
const linksOf = (from: DescribedRoute, all: readonly DescribedRoute[]): Readonly<Record<string, Part>> => {
  const { links = {} } = from.options;
  const known: Record<string, string> = {};
  for (const name of namesInPath(from.path)) known[name] = `$request.path.${name}`;
  for (const [name, pointer] of Object.entries(links)) known[name] = `$response.body#${pointer}`;
  const linked = all.filter((to) => {
    const names = namesInPath(to.path);
    const isComplete = names.every((name) => name in known) && names.some((name) => name in links);
    return isComplete && leadsTo(from, to);
  });
  const token = { 'header.Consistency-Token': '$response.header.Consistency-Token' };
  return Object.fromEntries(
    linked.map((to) => {
      const path = Object.fromEntries(namesInPath(to.path).map((name) => [name, known[name]]));
      const waits = from.method !== 'get' && headersOf(to).includes('Consistency-Token');
      return [to.id, { operationId: to.id, parameters: { ...path, ...(waits && token) } }];
    }),
  );
};

/** An operation's `responses`. @param all the document's routes, for links to them */
export const responsesOf = (
  route: DescribedRoute,
  all: readonly DescribedRoute[],
): Readonly<Record<string, Part>> => {
  const { options } = route;
  return {
    [`${options.success.status}`]: {
      ...successOf(route),
      ...(options.links && { links: linksOf(route, all) }),
    },
    ...(options.ranges && { '206': successOf(route, 'The range that was asked for.', ['Content-Range']) }),
    ...(isCached(route) && { '304': answer('The caller has it already.', ['ETag']) }),
    ...errorResponses(route),
  };
};
