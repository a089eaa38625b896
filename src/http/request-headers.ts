import { randomUUID } from 'node:crypto';
import { validationFailed } from './api-error.js';

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
