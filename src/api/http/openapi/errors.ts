import type { ErrorCode } from '../api-error.js';

/** Errors of a route for anybody signed in: `own` are those that it has beside what every such route may answer. */
export const signedInErrors = (...own: readonly ErrorCode[]): readonly ErrorCode[] => [
  'missing_token',
  'invalid_token',
  ...own,
  'unavailable',
];

/** Errors of a route for an organisation's staff: `own` are those that it has beside what every such route may answer. */
export const staffErrors = (...own: readonly ErrorCode[]): readonly ErrorCode[] =>
  signedInErrors('forbidden', ...own);
