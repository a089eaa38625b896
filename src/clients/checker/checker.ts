import type { CheckedTest, CheckFailure } from '../../domain/session/check-events.js';
import type { CheckIsolation } from '../../domain/ticket/events.js';

/** A file by its POSIX path, relative to its folder. */
export interface CheckFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** The files of a check run. */
export interface CheckFiles {
  readonly work: readonly CheckFile[];
  /** Laid over the work: at the same path a check's file replaces the work's. */
  readonly checks: readonly CheckFile[];
}

/** One check run, over a hand-in and one set of checks. */
export interface CheckRequest {
  /** The exercise's name for the checker: lower-case letters, digits and hyphens. */
  readonly slug: string;
  readonly isolation: CheckIsolation;
  /** Called once the run begins. The files can be 15 MB: a run that waits for its turn must not have them in memory. */
  readonly files: () => Promise<CheckFiles>;
}

/** The program that ran the checks, as evidence. */
export interface Runner {
  readonly name: string;
  /**
   * SHA-256 of the program, in hex, as far as the service can read it: the command line and the files that it names.
   */
  readonly digest: string;
}

/** The result of a run. `error`: the work could not be checked. That is no judgement of the work. */
export type CheckResult = { readonly runner: Runner; readonly ms: number; readonly output: string } & (
  | { readonly outcome: 'checked'; readonly tests: readonly CheckedTest[] }
  | { readonly outcome: 'error'; readonly reason: CheckFailure; readonly detail: string }
);

/** The port of the program that runs checks over a candidate's work. */
export interface Checker {
  /**
   * Runs checks once. The result is an `error` with its own reason for each misbehaviour of the work or the checker. No
   * processes or files of the run are left.
   * @throws the signal's reason, what reading the request's files throws, and a failure of this machine, such as a lack of
   *   processes or a full disk: a further run may succeed
   */
  run(request: CheckRequest, signal: AbortSignal): Promise<CheckResult>;
  /** Ends programs and removes files that killed processes of this machine have left. Never rejects. */
  sweep(): Promise<void>;
}

const NO_RUNNER: Runner = { name: 'none', digest: '' };

/** The checker of a service without one: each check is an error. */
export const noChecker: Checker = {
  run: async () => ({
    outcome: 'error',
    reason: 'no_checker',
    detail: '',
    output: '',
    runner: NO_RUNNER,
    ms: 0,
  }),
  sweep: async () => undefined,
};
