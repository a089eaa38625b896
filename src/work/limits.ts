/** Limits of an unpacked archive or a single file. */
export interface TreeLimits {
  readonly files: number;
  /** Bytes of all files together. */
  readonly bytes: number;
}

const MB = 1024 * 1024;

/** Limits of a candidate's work for a ticket, both as it is sent and unpacked. */
export const HAND_IN_LIMITS: TreeLimits = { files: 1_000, bytes: 10 * MB };

/** Limits of a ticket's starter or checks, both as they are sent and unpacked. */
export const FILE_SET_LIMITS: TreeLimits = { files: 500, bytes: 5 * MB };

/** Longest path of a file, in bytes of UTF-8. */
export const MAX_PATH_BYTES = 1_024;

/** Largest piece of an upload, in bytes: in base64 it fits into a request's body of 256 KiB. */
export const MAX_PIECE_BYTES = 128 * 1024;

/** Form of the slug that a ticket has for its checks: the checker is called with it. The routes limit its length. */
export const CHECKS_SLUG = /^[a-z0-9][a-z0-9-]*$/;
