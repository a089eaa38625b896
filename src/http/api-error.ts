import { isRefused, type Refusal, type RefusalKind, type Refused } from '../core/decider.js';
import { isRefusalCode, REFUSAL_CODES, type RefusalCode, refusalKindOf } from '../domain/refusal-codes.js';

/** One wrong field: its path, such as `dimensions[2].weight`, the name of the broken rule, and a sentence. */
export interface ErrorDetail {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

/** The body of all errors. */
export interface ErrorBody {
  readonly error: string;
  readonly code: string;
  readonly requestId: string;
  /** Each wrong field; absent unless the code is `validation_failed`. */
  readonly details?: readonly ErrorDetail[];
}

/** The HTTP status of a refusal by its kind. The codes are declared in the domain. */
const STATUS_OF_KIND: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  gone: 410,
  stale: 412,
  full: 413,
};

/** Statuses of errors that are not refusals of commands. */
const OWN_STATUS = {
  malformed_json: 400,
  missing_token: 401,
  invalid_token: 401,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  too_far: 422,
  pdf_script_unsupported: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  view_parked: 503,
} as const;

export type OwnErrorCode = keyof typeof OWN_STATUS;

/** A code of an error body. */
export type ErrorCode = RefusalCode | OwnErrorCode;
/** All codes of error bodies, refusals first. */
export const ERROR_CODES = Object.keys({ ...REFUSAL_CODES, ...OWN_STATUS }) as readonly ErrorCode[];

/** The HTTP status of a code. */
export const statusOf = (code: ErrorCode): number =>
  isRefusalCode(code) ? STATUS_OF_KIND[refusalKindOf(code)] : OWN_STATUS[code];

export interface ApiErrorOptions {
  /** Each wrong field, for the code `validation_failed` only. */
  readonly details?: readonly ErrorDetail[];
  /** Headers of the answer, such as `Retry-After`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The error behind it, if there is one. */
  readonly cause?: unknown;
}

/**
 * An answer other than success. `message` becomes the body's `error`, a sentence that the caller may read. `cause` is
 * only logged, for operators.
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
    this.status = statusOf(code);
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** Makes an API error of a decider's refusal. @throws {TypeError} the code is not in `REFUSAL_CODES` */
export const refusalToApiError = ({ code, message, details }: Refusal): ApiError => {
  if (!isRefusalCode(code)) throw new TypeError(`No aggregate declares the code ${code}.`);
  if (code === 'validation_failed' && details) return validationFailed(details);
  return new ApiError(code, message, details ? { details } : {});
};

/**
 * Returns the value, if it is not a refusal.
 * @throws {ApiError} it is a refusal
 */
export const allowed = <T extends object>(value: T | Refused): T => {
  if (isRefused(value)) throw refusalToApiError(value.refusal);
  return value;
};

/** Seconds after which a caller may retry if a part of the service is unavailable. */
export const RETRY_AFTER_SECONDS = 1;

/** 503 with `Retry-After`: a part that the service needs does not answer. @param cause its error, if it has thrown one */
export const unavailable = (message: string, cause?: unknown): ApiError =>
  new ApiError('unavailable', message, { headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` }, cause });

/** 404: it does not exist, or the caller must not learn that it exists. Use the same sentence for both. */
export const notFound = (message = 'Not found.'): ApiError => new ApiError('not_found', message);

/**
 * 405: the path has other methods.
 * @param allow the methods in the `Allow` header. Default: `methods`
 */
export const methodNotAllowed = (methods: readonly string[], allow = methods): ApiError =>
  new ApiError('method_not_allowed', `Method not allowed. Allowed: ${methods.join(', ')}.`, {
    headers: { Allow: allow.join(', ') },
  });

/** 400 with each wrong field of the request. The sentence is the first one's, and says how many more there are. */
export const validationFailed = (details: readonly ErrorDetail[]): ApiError =>
  new ApiError('validation_failed', describe(details), { details });

const describe = (details: readonly ErrorDetail[]): string => {
  const [first] = details;
  if (!first) return 'The request is not valid.';
  const more = details.length - 1;
  if (more === 0) return first.message;
  return `${first.message} ${more} more ${more === 1 ? 'error' : 'errors'} in details.`;
};

/** The body of an error's answer. */
export const errorBody = (error: ApiError, requestId: string): ErrorBody => ({
  error: error.message,
  code: error.code,
  requestId,
  ...(error.details && error.details.length > 0 && { details: error.details }),
});
