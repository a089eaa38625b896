import type { ErrorCode, ErrorDetail } from './contract.js';

/**
 * The client's own codes. `no_answer`: the service was not reached, or the connection was cut. `timeout`: there was no
 * whole answer in time. `unknown`: the answer is not one of this service, such as a proxy's page.
 */
export type ClientErrorCode = 'no_answer' | 'timeout' | 'unknown';

/** Why a call failed. The service adds codes in later versions: have a default for codes that you do not handle. */
export type AssayErrorCode = ErrorCode | ClientErrorCode;

/** What is known of a failure, beside its status, code and sentence. */
export interface Failure {
  /** The answer's headers; absent if there was no answer. */
  readonly headers?: Headers;
  /** As the body has it; absent if the answer is not one of this service. */
  readonly requestId?: string;
  /** As the body has them; absent unless the code is `validation_failed`. */
  readonly details?: readonly ErrorDetail[];
  /** The error of `fetch`; absent unless the code is `no_answer`. */
  readonly cause?: unknown;
}

/** A call that was refused, or that got no answer. */
export class AssayError extends Error {
  override readonly name = 'AssayError';
  /** The request's id in the service's log; `null`: there was no answer of the service. */
  readonly requestId: string | null;
  /** Each field that is wrong; empty unless the code is `validation_failed`. */
  readonly details: readonly ErrorDetail[];
  /** How long the answer asks to wait before another try, in milliseconds; `null`: it does not. */
  readonly retryAfterMs: number | null;

  /** @param status of the answer; 0: there was none */
  constructor(
    readonly status: number,
    readonly code: AssayErrorCode,
    sentence: string,
    { headers, requestId, details, cause }: Failure = {},
  ) {
    super(sentence, { cause });
    this.requestId = requestId ?? null;
    this.details = details ?? [];
    this.retryAfterMs = headers ? retryAfterOf(headers) : null;
  }
}

/** Whether a call failed with one of these codes, or with any if none is named. */
export const isAssayError = <C extends AssayErrorCode = AssayErrorCode>(
  error: unknown,
  ...codes: readonly C[]
): error is AssayError & { readonly code: C } =>
  error instanceof AssayError && (codes.length === 0 || (codes as readonly string[]).includes(error.code));

/** Reads seconds, or a date. A date counts from the answer's own `Date`, so that this machine's clock does not matter. */
const retryAfterOf = (headers: Headers): number | null => {
  const value = headers.get('Retry-After') ?? '';
  const now = Date.parse(headers.get('Date') ?? '') || Date.now();
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
};
