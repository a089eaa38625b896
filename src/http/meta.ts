import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ListQuery } from '../application/reads.js';
import { MAX_EMAIL } from '../core/email-address.js';
import { ApiError, validationFailed } from './api-error.js';
import { requestIdsOf } from './edge-messages.js';
import { type Query, readListQuery } from './list-query.js';

/** Without blanks at its ends, which HTTP strips from a header's value. */
export const IDEMPOTENCY_KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;
/** Length of the header with several tokens, separated by commas. */
const MAX_TOKENS_LENGTH = 4_096;

/**
 * Reads `Idempotency-Key`.
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

/** The header of what a list is searched for: a URL may be logged on its way, and what is searched for may name a person. */
export const SEARCH_TEXT = 'Search-Text';
/** Without blanks at its ends; what else is not printable ASCII is percent-encoded. */
export const ENCODED_TEXT = /^[!-~](?:[ -~]*[!-~])?$/;
export const MAX_SEARCH_TEXT = MAX_EMAIL;

/**
 * Reads `Search-Text`, without blanks at its ends.
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

/** `null`: it is not percent-encoded UTF-8. */
const decoded = (header: string): string | null => {
  try {
    return header === '' || ENCODED_TEXT.test(header) ? decodeURIComponent(header).trim() : null;
  } catch {
    return null;
  }
};

/** `Consistency-Token` as it was sent, one or several; what is too long to be ours is as good as none. */
export const readConsistencyToken = (header: string | readonly string[] | undefined): string | null =>
  typeof header === 'string' && header !== '' && header.length <= MAX_TOKENS_LENGTH ? header : null;

/** An entity tag of this service, with the version in it, or any. What the tag has beside the version is not compared. */
export const IF_MATCH = /^(?:"([1-9]\d{0,15})(?:\.[0-9a-f]{16})?"|\*)$/;

/**
 * Reads `If-Match`.
 * @returns the version that must be the current one; `null`: none is named (no header, or `*`)
 * @throws {ApiError} `version_mismatch` for anything that can match no version: a weak tag, a list, no tag at all
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

/** What a handler needs to know of the request beside its path, query and checked body. */
export interface RequestMeta {
  /** Ours, for the events that the request leads to. */
  readonly correlationId: string;
  readonly method: string;
  /** The full path as it was sent, query included. */
  readonly path: string;
  /** `null` if there is none, and on anything but a POST. */
  readonly idempotencyKey: string | null;
  /** The version that must be the current one; `null`: none is named. */
  readonly ifMatch: number | null;
  /** The header as it was sent: what the caller has already. */
  readonly ifNoneMatch: string | undefined;
  /** As it was sent, not parsed. */
  readonly consistencyToken: string | null;
  /** The body as it was parsed, unchecked; `undefined` without one. */
  readonly body: unknown;
  /** Whether the client has closed its connection: the answer will not be read. */
  readonly isGone: () => boolean;
}

/** @throws {ApiError} a header is wrong */
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

/** The request's `RequestMeta`. */
export const Meta = createParamDecorator((_: unknown, context: ExecutionContext): RequestMeta =>
  requestMeta(request(context)),
);

/** What the request's list is searched for; `null`: nothing. */
export const SearchText = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  readSearchText(request(context).headers['search-text']),
);

/** The request's `ListQuery`. */
export const List = createParamDecorator((_: unknown, context: ExecutionContext): ListQuery =>
  readListQuery(request(context).query as Query),
);
