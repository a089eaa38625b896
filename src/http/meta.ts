import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ListQuery } from '../application/reads.js';
import { MAX_EMAIL } from '../core/email-address.js';
import { ApiError, validationFailed } from './api-error.js';
import { requestIdsOf } from './edge-messages.js';
import { type Query, readListQuery } from './list-query.js';

/** Has no blanks at its ends: HTTP strips those from a header's value. */
export const IDEMPOTENCY_KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;
/** Longest `Consistency-Token`: it may have several tokens, separated by commas. */
const MAX_TOKENS_LENGTH = 4_096;

/**
 * Reads `Idempotency-Key`.
 * @returns `null`: there is none
 * @throws {ApiError} `validation_failed`: not 1 to 255 printable ASCII characters
 */
export const readIdempotencyKey = (header: string | readonly string[] | undefined): string | null => {
  if (header === undefined) return null;
  if (typeof header === 'string' && IDEMPOTENCY_KEY.test(header)) return header;
  throw validationFailed([
    {
      path: 'Idempotency-Key',
      rule: 'printable',
      message: 'Idempotency-Key must be 1 to 255 printable ASCII characters.',
    },
  ]);
};

/** The header with a search text. It is not in the query, since URLs may be logged and the text may name a person. */
export const SEARCH_TEXT = 'Search-Text';
/** Has no blanks at its ends. Anything but printable ASCII is percent-encoded. */
export const ENCODED_TEXT = /^[!-~](?:[ -~]*[!-~])?$/;
/** Longest search text, in code points once it is decoded: as long as an e-mail address may be. */
export const MAX_SEARCH_TEXT = MAX_EMAIL;

/**
 * Reads `Search-Text`, and trims it.
 * @returns `null`: there is none
 * @throws {ApiError} `validation_failed`: it is not percent-encoded UTF-8, or is blank or too long
 */
export const readSearchText = (header: string | readonly string[] | undefined): string | null => {
  if (header === undefined) return null;
  const text = typeof header === 'string' ? decoded(header) : null;
  const refused = (rule: string, must: string) =>
    validationFailed([{ path: SEARCH_TEXT, rule, message: `${SEARCH_TEXT} must ${must}.` }]);
  if (text === null) throw refused('percentEncoded', 'be percent-encoded UTF-8, as in J%C3%BCrgen');
  if (text !== '' && Array.from(text).length <= MAX_SEARCH_TEXT) return text;
  throw refused('text', `have 1 to ${MAX_SEARCH_TEXT} characters that are not all spaces`);
};

/** Decodes percent-encoded UTF-8; `null`: it is not valid. */
const decoded = (header: string): string | null => {
  try {
    return header === '' || ENCODED_TEXT.test(header) ? decodeURIComponent(header).trim() : null;
  } catch {
    return null;
  }
};

/** Reads `Consistency-Token`, one or several, unparsed. A value that is too long to be ours counts as none. */
export const readConsistencyToken = (header: string | readonly string[] | undefined): string | null =>
  typeof header === 'string' && header !== '' && header.length <= MAX_TOKENS_LENGTH ? header : null;

/** An entity tag of this service, or `*`. Only the version in the tag is compared. */
export const IF_MATCH = /^(?:"([1-9]\d{0,15})(?:\.[0-9a-f]{16})?"|\*)$/;

/**
 * Reads `If-Match`.
 * @returns the version that must be the current one; `null`: no header, or `*`
 * @throws {ApiError} `version_mismatch`: the value can match no version, such as a weak tag, a list or another text
 */
export const readIfMatch = (header: string | undefined): number | null => {
  if (header === undefined) return null;
  const [value, digits] = IF_MATCH.exec(header.trim()) ?? [];
  if (value === '*') return null;
  const version = Number(digits);
  if (Number.isSafeInteger(version)) return version;
  throw new ApiError(
    'version_mismatch',
    'If-Match names no version of this record: send its ETag as it was answered, for example "3".',
  );
};

/** What a handler reads of a request beside its path, query and checked body. */
export interface RequestMeta {
  /** Our own id, for the events that the request causes. */
  readonly correlationId: string;
  readonly method: string;
  /** The full path with the query, as it was sent. */
  readonly path: string;
  /** `null`: there is none, or the request is not a POST. */
  readonly idempotencyKey: string | null;
  /** The version that must be the current one; `null`: no `If-Match`, or `*`. */
  readonly ifMatch: number | null;
  /** The header as it was sent: the entity tags of what the caller already has; `undefined`: there is none. */
  readonly ifNoneMatch: string | undefined;
  /** As it was sent, not parsed; `null`: there is none, or it is too long to be ours. */
  readonly consistencyToken: string | null;
  /** The parsed body, unchecked; `undefined`: there is none. */
  readonly body: unknown;
  /** Whether the client has closed its connection: the answer will not be read. */
  readonly isGone: () => boolean;
}

/** Reads what a handler needs of a request. @throws {ApiError} a header is wrong */
export const requestMeta = (request: FastifyRequest): RequestMeta => {
  const { headers, method } = request;
  return {
    correlationId: requestIdsOf(request.raw).correlationId,
    method,
    path: request.url,
    idempotencyKey: method === 'POST' ? readIdempotencyKey(headers['idempotency-key']) : null,
    ifMatch: readIfMatch(headers['if-match']),
    ifNoneMatch: headers['if-none-match'],
    consistencyToken: readConsistencyToken(headers['consistency-token']),
    body: request.body,
    isGone: () => request.raw.socket.destroyed,
  };
};

const request = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest();

/** Injects the request's `RequestMeta`. */
export const Meta = createParamDecorator((_: unknown, context: ExecutionContext): RequestMeta =>
  requestMeta(request(context)),
);

/** Injects the request's search text; `null`: there is none. */
export const SearchText = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  readSearchText(request(context).headers['search-text']),
);

/** Injects the request's `ListQuery`. */
export const List = createParamDecorator((_: unknown, context: ExecutionContext): ListQuery =>
  readListQuery(request(context).query as Query),
);
