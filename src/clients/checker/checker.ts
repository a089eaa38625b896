import type { CheckedTest, CheckFailure } from '../../domain/session/check-events.js';
import type { CheckIsolation } from '../../domain/ticket/events.js';

/** A file by its POSIX path, relative to its folder. */
export interface CheckFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** What a check run is over. */
export interface CheckFiles {
  readonly work: readonly CheckFile[];
  /** Laid over the work: at the same path a check's file wins. */
  readonly checks: readonly CheckFile[];
}

/** One check run: a hand-in under one set of checks. */
export interface CheckRequest {
  /** Names the exercise to the checker: lower-case letters, digits and hyphens. */
  readonly slug: string;
  readonly isolation: CheckIsolation;
  /** Called once the run begins: they can be 15 MB, so a run that waits for its turn holds none of them in memory. */
  readonly files: () => Promise<CheckFiles>;
}

/** The program that ran the checks, as evidence. */
export interface Runner {
  readonly name: string;
  /** SHA-256, in hex, of the program as far as the service can read it: the command line and the files that this names. */
  readonly digest: string;
}

/** The result of a run. `error`: the work could not be checked, which says nothing about the work. */
export type CheckResult = { readonly runner: Runner; readonly ms: number; readonly output: string } & (
  | { readonly outcome: 'checked'; readonly tests: readonly CheckedTest[] }
  | { readonly outcome: 'error'; readonly reason: CheckFailure; readonly detail: string }
);

/** The port of the program that runs checks over a candidate's work. */
export interface Checker {
  /**
   * Runs checks once. Whatever the work or the checker does, it ends in a result: each misbehaviour in an `error` of its
   * own. Nothing of the run is left behind, neither processes nor files.
   * @throws the signal's reason; why the request's files cannot be read
   */
  run(request: CheckRequest, signal: AbortSignal): Promise<CheckResult>;
  /** Ends what killed processes of this machine left of their runs: programs that still run, and files. Never rejects. */
  sweep(): Promise<void>;
}

const NO_RUNNER: Runner = { name: 'none', digest: '' };

/** For a service without a checker. */
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
