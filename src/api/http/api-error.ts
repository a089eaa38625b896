import type { Refusal, RefusalCode } from '../../core/decider.js';

/** Every code an error body may carry. */
export type ErrorCode =
  | RefusalCode
  | 'malformed_json'
  | 'missing_token'
  | 'invalid_token'
  | 'method_not_allowed'
  | 'too_large'
  | 'too_far'
  | 'unsupported_media_type'
  | 'range_not_satisfiable'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'view_parked';

/** One offending field: `path` as in `dimensions[2].weight`, the name of the broken rule, and a sentence. */
export interface ErrorDetail {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

/** The one shape of every error body. */
export interface ErrorBody {
  readonly error: string;
  readonly code: string;
  readonly requestId: string;
  readonly details?: readonly ErrorDetail[];
}

const STATUS: Readonly<Record<ErrorCode, number>> = {
  validation_failed: 400,
  malformed_json: 400,
  missing_token: 401,
  invalid_token: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  role_draft: 409,
  already_invited: 409,
  already_member: 409,
  last_owner: 409,
  application_closed: 409,
  not_started: 409,
  session_ended: 409,
  trial_not_completed: 409,
  evaluation_generating: 409,
  evaluation_not_ready: 409,
  idempotency_key_reused: 409,
  conflict: 409,
  erased: 410,
  version_mismatch: 412,
  too_large: 413,
  session_full: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  too_far: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  view_parked: 503,
};

/** The HTTP status that goes with a code. */
export const statusOf = (code: ErrorCode): number => STATUS[code];

/** Every code, in the interface's order. */
export const ERROR_CODES = Object.keys(STATUS) as readonly ErrorCode[];

export interface ApiErrorOptions {
  readonly details?: readonly ErrorDetail[];
  /** Written to the answer as they are, `Retry-After` for one. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * An answer other than success. `message` becomes the body's `error`: a sentence for the caller, without anything
 * that the caller may not know. What only an operator may read goes into `cause`, which is logged.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.status = STATUS[code];
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** A decider's refusal as the answer to the request that asked. */
export const refusalToApiError = (refusal: Refusal): ApiError =>
  new ApiError(refusal.code, refusal.message, refusal.details ? { details: refusal.details } : {});

/** Seconds after which a caller of something unavailable may try again. */
export const RETRY_AFTER_SECONDS = 1;

/** A part that the service needs does not answer: 503, to be tried again. */
export const unavailable = (message: string, cause?: unknown): ApiError =>
  new ApiError('unavailable', message, { headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` }, cause });

/** What is not there, or not the caller's to know of. One sentence for both. */
export const notFound = (message = 'There is nothing here by that name.'): ApiError =>
  new ApiError('not_found', message);

/** A request that is wrong in itself, with each offending field. */
export const validationFailed = (details: readonly ErrorDetail[]): ApiError =>
  new ApiError('validation_failed', describe(details), { details });

const describe = (details: readonly ErrorDetail[]): string => {
  const [first] = details;
  if (!first) return 'The request is not valid.';
  const more = details.length - 1;
  const rest = more === 0 ? '' : more === 1 ? ' One more field is wrong.' : ` ${more} more fields are wrong.`;
  return `${first.message}${rest}`;
};

/** The body that goes out. */
export const errorBody = (error: ApiError, requestId: string): ErrorBody => ({
  error: error.message,
  code: error.code,
  requestId,
  ...(error.details && error.details.length > 0 && { details: error.details }),
});
