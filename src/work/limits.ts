/** What an archive, or a single file, may hold once it is unpacked. */
export interface TreeLimits {
  readonly files: number;
  /** Content of all files together. */
  readonly bytes: number;
}

const MB = 1024 * 1024;

/** A candidate's work for a ticket: as it is sent, and unpacked. */
export const HAND_IN_LIMITS: TreeLimits = { files: 1_000, bytes: 10 * MB };

/** A ticket's starter, or its checks: as they are sent, and unpacked. */
export const FILE_SET_LIMITS: TreeLimits = { files: 500, bytes: 5 * MB };

/** Longest path of a file, in bytes of UTF-8. */
export const MAX_PATH_BYTES = 1_024;

/** Bytes of one piece of an upload: in base64 they fit into a request's body of 256 KiB. */
export const MAX_PIECE_BYTES = 128 * 1024;

/** What a ticket's checks are called for the checker. */
export const CHECKS_SLUG = /^[a-z0-9][a-z0-9-]*$/;
