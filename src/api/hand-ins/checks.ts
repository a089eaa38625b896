import type { CheckedHandIn, HandInDocument } from '../../../projections/hand-ins.js';
import { Count, Enumeration, Instant, Named, Nullable, type Static, Type } from '../../core/json-schema.js';
import { CHECK_FAILURES, type CheckedTestOf, type CheckFindings } from '../../domain/session/check-events.js';
import { CheckIsolation } from '../../domain/ticket/events.js';
import { CheckFailureCode } from '../evaluations/unchecked.js';

const REASON = {
  reason: Nullable(CheckFailureCode),
  message: Nullable(Type.String({ description: 'The reason as a sentence.' })),
};

const Tally = Named(
  'TestTally',
  { passed: Count, failed: Count, errors: Count },
  { description: 'All are 0 without a result. `errors`: tests that could not be carried out themselves.' },
);

const CheckedTest = Named('CheckedTest', {
  name: Type.String(),
  status: Enumeration('CheckedTestStatus', ['pass', 'fail', 'error']),
  message: Nullable(Type.String()),
});

/** The result of a hand-in's visible checks, as its candidate sees it. */
export type HandInChecks = Static<typeof HandInChecks>;
export const HandInChecks = Named(
  'HandInChecks',
  {
    state: Enumeration('HandInChecksState', ['waiting', 'checked', 'error']),
    ...REASON,
    tally: Tally,
    tests: Type.Array(CheckedTest, {
      description: 'Messages, then tests are left out where they take too much room: `tally` counts all.',
    }),
    checkedAt: Nullable(Instant),
  },
  {
    description:
      'The result of the visible checks. `waiting`: there is none yet. `error`: they could not be run, for the `reason`.',
  },
);

const NO_TALLY = { passed: 0, failed: 0, errors: 0 };

/**
 * Visible checks alone: of hidden ones nothing is shown.
 * @param isAwaited whether the checks of this hand-in still run while the session is open
 * @returns `null`: there are none to run, or they were not run while the session was open
 */
export const handInChecks = (
  { checks, personal }: Pick<HandInDocument, 'checks' | 'personal'>,
  isAwaited: boolean,
): HandInChecks | null => {
  const { visible } = checks;
  if (visible === null) return isAwaited ? WAITING : null;
  const tests = personal?.findings.visible?.tests ?? [];
  return {
    state: visible.outcome,
    ...reasonOf(visible),
    tally: visible.visible,
    tests: tests.filter(({ hidden }) => !hidden).map(testOf),
    checkedAt: visible.at,
  };
};

const WAITING: HandInChecks = {
  ...{ state: 'waiting', reason: null, message: null },
  ...{ tally: NO_TALLY, tests: [], checkedAt: null },
};

const reasonOf = ({ reason }: CheckedHandIn) => ({ reason, message: reason && CHECK_FAILURES[reason] });

const testOf = ({ name, status, message }: CheckedTestOf) => ({ name, status, message });

const FOR_READERS =
  '`null` for members who may not read work (`work.read`), and once it can no longer be read.';
const CHECKS_HASH = Nullable(
  Type.String({ description: 'Of the manifest of the checks that were run; `null`: none.' }),
);

const StaffCheckedTest = Named('StaffCheckedTest', { ...CheckedTest.properties, hidden: Type.Boolean() });

const StaffCheckRun = Named('StaffCheckRun', {
  checkedAt: Instant,
  outcome: Enumeration('CheckOutcome', ['checked', 'error']),
  ...REASON,
  isolation: CheckIsolation,
  checks: Named('CheckedSets', { visible: CHECKS_HASH, hidden: CHECKS_HASH }),
  runner: Named('CheckRunner', { name: Type.String(), digest: Type.String() }),
  visible: Tally,
  hidden: Tally,
  ms: { ...Count, description: 'How long it took.' },
  tests: Nullable(
    Type.Array(StaffCheckedTest, {
      description: `Messages, then tests are left out where they take too much room: the tallies count all. ${FOR_READERS}`,
    }),
  ),
  output: Nullable(
    Type.String({ description: `The end of what the checker and the tests wrote. ${FOR_READERS}` }),
  ),
  detail: Nullable(Type.String({ description: `More on the reason. ${FOR_READERS}` })),
});

/** The results of a hand-in's checks, as staff see them. */
export type StaffHandInChecks = Static<typeof StaffHandInChecks>;
export const StaffHandInChecks = Named(
  'StaffHandInChecks',
  { visible: Nullable(StaffCheckRun), all: Nullable(StaffCheckRun) },
  {
    description:
      '`visible`: the visible checks, run while the session was open. `all`: all checks, run after it; this result counts. Each is `null` without a result.',
  },
);

/** @param isRead whether tests and output are shown, or figures alone */
export const staffHandInChecks = (
  { checks, personal }: Pick<HandInDocument, 'checks' | 'personal'>,
  isRead: boolean,
): StaffHandInChecks => {
  const runOf = (checked: CheckedHandIn | null, findings: CheckFindings | null) => {
    if (checked === null) return null;
    const { at, outcome, isolation, runner, visible, hidden, ms } = checked;
    const shown = isRead ? findings : null;
    return {
      ...{ checkedAt: at, outcome, isolation, runner, visible, hidden, ms },
      ...reasonOf(checked),
      checks: checked.checks,
      tests: shown && shown.tests.map((test) => ({ ...testOf(test), hidden: test.hidden })),
      output: shown && shown.output,
      detail: shown && shown.detail,
    };
  };
  return {
    visible: runOf(checks.visible, personal?.findings.visible ?? null),
    all: runOf(checks.all, personal?.findings.all ?? null),
  };
};
