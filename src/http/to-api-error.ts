import { HttpException } from '@nestjs/common';
import { AddressDoesNotCount } from '../application/caller.js';
import { CommandFailed } from '../application/use-case.js';
import { MailsLimited } from '../clients/mail-quota.js';
import { Unavailable, StreamIncomplete } from '../core/errors.js';
import { PersonErased } from '../core/vault/port.js';
import { ReadModelBehind, ViewParked } from '../engine/errors.js';
import { BadCursor } from '../stores/errors.js';
import { DiskFull } from '../stores/lmdb/disk-room.js';
import { ApiError, notFound, RETRY_AFTER_SECONDS, unavailable, validationFailed } from './api-error.js';
import { badCursor } from './list-query.js';

/** Largest body of a request, in bytes. */
export const MAX_BODY_BYTES = 256 * 1024;

/** The error of a body that is larger than `MAX_BODY_BYTES`. */
export const tooLarge = (): ApiError =>
  new ApiError('too_large', `The body is larger than ${MAX_BODY_BYTES / 1024} KiB.`);

/** The error of a body that is not plain JSON in UTF-8. */
export const unsupportedMediaType = (): ApiError =>
  new ApiError('unsupported_media_type', 'Bodies must be sent as application/json in UTF-8, not compressed.');

const internal = (cause: unknown): ApiError =>
  new ApiError('internal', 'Something went wrong here. It was recorded under this requestId.', { cause });

/** Errors of the server framework, by their code. */
const FRAMEWORK: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    validationFailed([
      {
        path: 'Content-Length',
        rule: 'length',
        message: 'The body does not have the length that Content-Length names.',
      },
    ]),
  FST_ERR_BAD_URL: notFound,
  FST_ERR_MAX_PARAM_LENGTH: notFound,
};

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const fromNest = (error: HttpException): ApiError => {
  const status = error.getStatus();
  if (status === 404) return notFound();
  if (status === 403) return new ApiError('forbidden', 'You may not do this.');
  return internal(error);
};

/** The API error for anything that was thrown. An unknown error is `internal`, and its cause is only logged. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  if (error instanceof CommandFailed) return toApiError(error.cause);
  if (error instanceof BadCursor) return validationFailed([badCursor]);
  if (error instanceof PersonErased) {
    return new ApiError('erased', 'The data of this person was erased for good.');
  }
  if (error instanceof AddressDoesNotCount) return new ApiError('forbidden', error.message);
  if (error instanceof MailsLimited) {
    return new ApiError('rate_limited', error.message, { headers: { 'Retry-After': `${error.seconds}` } });
  }
  if (error instanceof ViewParked) {
    return new ApiError('view_parked', 'This record cannot be read until an operator has repaired it.', {
      headers: { 'Retry-After': '60' },
      cause: error,
    });
  }
  if (error instanceof ReadModelBehind) {
    return unavailable('What you have just changed is not readable yet. Try again shortly.', error);
  }
  if (error instanceof StreamIncomplete) {
    return new ApiError(
      'unavailable',
      'The stream’s beginning is missing: this record cannot be used until an operator has restored it.',
      { headers: { 'Retry-After': '60' }, cause: error },
    );
  }
  const isUnavailable = error instanceof Unavailable;
  if (isUnavailable && error.cause instanceof DiskFull) {
    return unavailable(
      'The disk of the service is full: nothing can be stored until there is room. Reading works.',
      error,
    );
  }
  if (isUnavailable)
    return unavailable('The service cannot reach its data just now. Try again shortly.', error);
  const known = FRAMEWORK[codeOf(error)];
  if (known) return known();
  // Nest wraps errors of the server framework.
  if (error instanceof HttpException) {
    const wrapped = FRAMEWORK[codeOf(error.cause)];
    return wrapped ? wrapped() : fromNest(error);
  }
  return internal(error);
};

/** The answer while the service starts. */
export const starting = (): ApiError =>
  new ApiError('unavailable', 'The service is starting. Try again shortly.', {
    headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` },
  });
