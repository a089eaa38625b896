import { ApiError } from './api-error.js';

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
