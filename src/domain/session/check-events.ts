import type { CheckIsolation } from '../ticket/events.js';

/**
 * Why a check run has no result. Each is a fact about the run, never a verdict on the candidate. Work can cause most of
 * them, so what could not be checked earns nothing.
 */
export const CHECK_FAILURES = {
  no_checker: 'The service has no checker.',
  isolation: 'The checker cannot keep these checks apart from the work, as they ask for.',
  not_started: 'The checker could not be started.',
  unavailable: 'The checker cannot run on this machine.',
  failed: 'The checker ended with an error.',
  killed: 'The checker was killed.',
  timed_out: 'The checker did not end in time.',
  too_much_output: 'The checker wrote too much on its standard output.',
  too_much_stored: 'The checker wrote too many or too large files.',
  no_results: 'The checker left no results.',
  unreadable_results: 'The checker’s results could not be read.',
  results_too_large: 'The checker’s results are too large.',
  no_tests: 'The checker ran no tests.',
  work_did_not_run: 'The checker reported that the work could not be tested.',
  ended_processes: 'The service’s process ended several times while it ran this check.',
  given_up: 'The work was not checked in time.',
} as const;

export type CheckFailure = keyof typeof CHECK_FAILURES;

/** One test of a check run. */
export interface CheckedTest {
  readonly name: string;
  /** `error`: the test itself could not run. */
  readonly status: 'pass' | 'fail' | 'error';
  /** What the checker writes of it; `null`: nothing, or there was no room for it. */
  readonly message: string | null;
}

/** A test, and which of the two sets of checks it belongs to. */
export interface CheckedTestOf extends CheckedTest {
  /** The candidate is never shown it. */
  readonly hidden: boolean;
}

/** The results of the tests of one set, counted. */
export interface TestTally {
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
}

/** The result of a check run over a hand-in, without texts that may repeat the work. */
export interface CheckedWork {
  readonly handInId: string;
  readonly ticketId: string;
  /** `all`: the one that counts, after the session's completion. */
  readonly scope: 'visible' | 'all';
  readonly isolation: CheckIsolation;
  /** The manifest's hash of each set of files that was laid over the work; `null`: there is none, or it was not run. */
  readonly checks: { readonly visible: string | null; readonly hidden: string | null };
  readonly runner: { readonly name: string; readonly digest: string };
  readonly outcome: 'checked' | 'error';
  /** `null` unless the outcome is `error`. */
  readonly reason: CheckFailure | null;
  readonly visible: TestTally;
  readonly hidden: TestTally;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/** The personal part of a check run: tests and their output can repeat the work. */
export interface CheckFindings {
  /** Messages, then tests are left out if they take too much room: the tallies count all. */
  readonly tests: readonly CheckedTestOf[];
  /** The end of what the checker wrote. */
  readonly output: string;
  /** More on the reason, for staff. */
  readonly detail: string;
}
