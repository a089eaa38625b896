/** What one sandbox may use. The work and its checks run in one each. */
export const LIMITS = {
  memoryBytes: 512 * 1024 * 1024,
  /** Processes and threads: Node alone has eleven. */
  tasks: 128,
  /** Size of each file that is written, and of `/tmp`, which is memory. */
  fileBytes: 64 * 1024 * 1024,
  /** Size of standard output, and of standard error. */
  outputBytes: 1024 * 1024,
  /** Time limit of a run of the work, unless a check has another one, in milliseconds. */
  workMs: 10_000,
  maxWorkMs: 60_000,
} as const;
