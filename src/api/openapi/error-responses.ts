import { isRefusalCode, REFUSAL_CODES } from '../../domain/refusal-codes.js';
import { type ErrorCode, type OwnErrorCode, statusOf } from '../http/api-error.js';
import { component, type JsonSchema, listOf, objectOf, text } from '../../core/json-schema.js';

const SENTENCES: Readonly<Record<OwnErrorCode, string>> = {
  malformed_json: 'The body is not valid JSON, or nests more than 32 levels deep.',
  missing_token: 'The credential is missing or malformed.',
  invalid_token: 'The ID token did not pass verification.',
  method_not_allowed: 'The path has other methods, named by `Allow`.',
  too_large: 'The body is larger than 256 KiB, or the headers than 16 KiB.',
  too_far: 'More would have to be folded than a request may.',
  unsupported_media_type: 'The body is not plain `application/json` in UTF-8.',
  range_not_satisfiable: 'The range lies beyond the end; `Content-Range` says how long the whole is.',
  rate_limited: 'Too many requests in a minute; `Retry-After` says when to go on.',
  internal: 'A fault of the service, recorded under `requestId`.',
  unavailable:
    'The service cannot reach its data, or a read has not caught up; `Retry-After` says when to try again.',
  view_parked: 'The record cannot be read until an operator has repaired it.',
};

const meaningOf = (code: ErrorCode): string =>
  isRefusalCode(code) ? REFUSAL_CODES[code].meaning : SENTENCES[code];

const error = (): JsonSchema =>
  component('Error', {
    ...objectOf(
      {
        error: { ...text, description: 'A sentence for the reader.' },
        code: { ...text, description: 'Stable, for programs.' },
        requestId: text,
        details: listOf(objectOf({ path: text, rule: text, message: text })),
      },
      ['details'],
    ),
    additionalProperties: true,
  });

const response = (codes: readonly ErrorCode[]): JsonSchema => {
  const [first] = codes;
  const waits = first && [429, 503].includes(statusOf(first));
  return {
    description: codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join('\n\n'),
    ...(waits && {
      headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
    }),
    content: { 'application/json': { schema: error() } },
  };
};

/** An operation's own refusals, one response for each status. */
export const errorResponses = (codes: readonly ErrorCode[]): Readonly<Record<string, JsonSchema>> => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, same]) => [`${status}`, response(same)]));
};

/** What may come from any path, described once. */
export const commonResponses = (): Readonly<Record<string, JsonSchema>> => ({
  BadRequest: response(['validation_failed', 'malformed_json']),
  ContentTooLarge: response(['too_large']),
  UnsupportedMediaType: response(['unsupported_media_type']),
  TooManyRequests: response(['rate_limited']),
  InternalServerError: response(['internal']),
});
