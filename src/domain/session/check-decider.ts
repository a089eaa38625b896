import { accept, type Decision } from '../../core/decider.js';
import { jsonBytes } from '../../core/json.js';
import type { CheckedTest, CheckedWork, CheckFailure, CheckFindings, TestTally } from './check-events.js';
import type { TrialEvent } from './events.js';
import { handInById } from './hand-ins.js';
import { isClosed } from './lifecycle.js';
import { sessionEvent, type TrialState } from './state.js';

/** What a check run found in a hand-in. */
export interface CheckReport {
  readonly work: CheckedWork;
  readonly findings: CheckFindings;
}

/**
 * Whether the visible checks of a hand-in are to be run: it has arrived in a session that is open, and has no result
 * yet. After the completion all checks run over the last hand-ins.
 */
export const isToCheck = (state: TrialState, handInId: string): boolean => {
  const handIn = state && handInById(state.handIns, handInId);
  if (!state || !handIn?.handedIn || handIn.checked || isClosed(state)) return false;
  return state.ticketWork.get(handIn.ticketId)?.visibleChecks === true;
};

/** Whether the visible checks of a hand-in have a result or will have one. After the session's end none is added. */
export const hasVisibleChecks = (state: TrialState, handInId: string): boolean => {
  const handIn = state && handInById(state.handIns, handInId);
  return handIn?.checked === true || isToCheck(state, handInId);
};

/**
 * Records what the visible checks of a hand-in found, unless the session has ended or has a result of them. Results are
 * recorded even if the session has its most events: there are at most as many as hand-ins.
 */
export const recordCheck = (state: TrialState, { work, findings }: CheckReport): Decision<TrialEvent> =>
  state && isToCheck(state, work.handInId)
    ? accept(sessionEvent(state, 'work.checked', work, findings))
    : accept();

/** The result of a run of one set of checks. */
export interface SetRun {
  readonly hidden: boolean;
  /** The hash of the checks' manifest. */
  readonly treeSha256: string;
  readonly runner: CheckedWork['runner'];
  /** How long the run took, in milliseconds. */
  readonly ms: number;
  readonly output: string;
  /** `null`: the run has no result, for `reason`. */
  readonly tests: readonly CheckedTest[] | null;
  /** Why there is no result; `null`: there is one, in `tests`. */
  readonly reason: CheckFailure | null;
  readonly detail: string;
}

/** Largest personal part of a result in bytes of its JSON: a session's results are read with its stream. */
export const MAX_FINDINGS_BYTES = 64 * 1024;

/** The result of all runs over a hand-in. If one of them failed, all of it is an error: no figure counts a part. */
export const checkedWork = (
  of: Pick<CheckedWork, 'handInId' | 'ticketId' | 'scope' | 'isolation'>,
  runs: readonly SetRun[],
): { readonly work: CheckedWork; readonly findings: CheckFindings } => {
  const failed = runs.find(({ reason }) => reason !== null);
  const tests = runs.flatMap(({ hidden, tests: some }) => (some ?? []).map((test) => ({ ...test, hidden })));
  const counted = failed ? [] : tests;
  const hashOf = (hidden: boolean) => runs.find((run) => run.hidden === hidden)?.treeSha256 ?? null;
  const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n');
  return {
    work: {
      ...of,
      checks: { visible: hashOf(false), hidden: hashOf(true) },
      runner: (failed ?? runs.at(-1))?.runner ?? { name: 'none', digest: '' },
      outcome: failed ? 'error' : 'checked',
      reason: failed?.reason ?? null,
      visible: tallyOf(counted.filter(({ hidden }) => !hidden)),
      hidden: tallyOf(counted.filter(({ hidden }) => hidden)),
      ms: runs.reduce((sum, { ms }) => sum + ms, 0),
    },
    findings: fitting({
      tests,
      output: joined(runs.map(({ output }) => output)),
      detail: joined(runs.map(({ detail }) => detail)),
    }),
  };
};

const tallyOf = (tests: readonly CheckedTest[]): TestTally => {
  const count = (status: CheckedTest['status']): number =>
    tests.filter((one) => one.status === status).length;
  return { passed: count('pass'), failed: count('fail'), errors: count('error') };
};

const fitting = (findings: CheckFindings): CheckFindings => {
  const fits = (some: CheckFindings): boolean => jsonBytes(some) <= MAX_FINDINGS_BYTES;
  if (fits(findings)) return findings;
  const tests = findings.tests.map((test) => ({ ...test, message: null }));
  const bare = { ...findings, tests };
  if (fits(bare)) return bare;
  let kept = tests.length;
  const few = (): CheckFindings => ({ tests: tests.slice(0, kept), output: '', detail: '' });
  while (kept > 0 && !fits(few())) kept = Math.floor(kept / 2);
  return few();
};
