import { randomUUID } from 'node:crypto';
import { ApiError, validationFailed } from './api-error.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** Blanks at its ends are none of a header's value. */
export const IDEMPOTENCY_KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;
const LONGEST_TOKEN = 1024;

/** What a request is known by. */
export interface RequestIds {
  /** What its answer carries: the caller's `X-Request-Id` if it can be echoed, else `correlationId`. */
  readonly requestId: string;
  /** Our own, which events keep: a caller may have written anything into its own, such as a name. */
  readonly correlationId: string;
}

/** Reads `X-Request-Id`. */
export const readRequestIds = (header: string | readonly string[] | undefined): RequestIds => {
  const correlationId = randomUUID();
  const echoed = typeof header === 'string' && REQUEST_ID.test(header);
  return { requestId: echoed ? header : correlationId, correlationId };
};

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

/** `Consistency-Token` as it was sent; one too long to be ours is as good as none. */
export const readConsistencyToken = (header: string | readonly string[] | undefined): string | null =>
  typeof header === 'string' && header !== '' && header.length <= LONGEST_TOKEN ? header : null;

/** An entity tag of this service, with the version in it, or any. */
export const IF_MATCH = /^(?:"([1-9]\d{0,15})"|\*)$/;

/** A version as an entity tag. */
export const entityTag = (version: number): string => `"${version}"`;

/** The version is not the current one, or the header names none that ever was. */
export const versionMismatch = (message: string): ApiError => new ApiError('version_mismatch', message);

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
  throw versionMismatch(
    'If-Match names no version of this record: send its ETag as it was answered, for example "3".',
  );
};

/** Whether `If-None-Match` names this entity tag (weak comparison). */
export const hasAlready = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
};
