import { describe, expect, it } from '@jest/globals';
import { fold, specification } from '../../../test/support/given-when-then.js';
import { ids, person, startedWith } from '../../../test/support/invited-session.js';
import { jsonBytes } from '../../core/json.js';
import { isToCheck, recordCheck, checkedWork, MAX_FINDINGS_BYTES, type SetRun } from './check-decider.js';
import type { TrialEvent } from './events.js';
import { trial, type TrialState } from './state.js';

const spec = specification(trial);
const started = startedWith(
  { ticketId: 'checked', version: 1, work: { kind: 'files', visibleChecks: true, hiddenChecks: true } },
  { ticketId: 'hidden-only', version: 1, work: { kind: 'files', visibleChecks: false, hiddenChecks: true } },
);
const announced = (ticketId: string) => ({ handInId: 'h', ticketId, bytes: 9, sha256: 'a'.repeat(64) });
const begun = (ticketId = 'checked'): TrialEvent => ({
  type: 'work.hand_in_begun',
  data: { ...ids, sequenceNumber: 2, ...announced(ticketId) },
  person,
  personal: { name: 'work.zip' },
});
const handedIn = (ticketId = 'checked'): TrialEvent => ({
  type: 'work.handed_in',
  data: {
    ...{ ...ids, sequenceNumber: 3, ...announced(ticketId) },
    ...{ ticketVersion: 1, files: 1, treeSha256: 'b'.repeat(64) },
  },
  person,
  personal: { name: 'work.zip', manifest: [] },
});

const run = (over: Partial<SetRun> = {}): SetRun => ({
  hidden: false,
  treeSha256: 'c'.repeat(64),
  runner: { name: 'command', digest: 'd' },
  ms: 20,
  output: 'ok',
  tests: [
    { name: 'adds', status: 'pass', message: null },
    { name: 'subtracts', status: 'fail', message: 'expected 1, got 3' },
  ],
  reason: null,
  detail: '',
  ...over,
});
const of = { handInId: 'h', ticketId: 'checked', scope: 'visible', isolation: 'separate' } as const;
const report = checkedWork(of, [run()]);
const result: TrialEvent = {
  type: 'work.checked',
  data: { ...ids, sequenceNumber: 4, ...report.work },
  person,
  personal: report.findings,
};
const record = (state: TrialState) => recordCheck(state, report);

describe('the result of visible checks', () => {
  it('is recorded of work that has arrived, once', () => {
    spec.given(started, begun(), handedIn()).when(record).then(result);
    spec.given(started, begun(), handedIn(), result).when(record).then();
  });

  it.each<[string, readonly TrialEvent[]]>([
    ['has not arrived', [started, begun()]],
    ['is unknown', [started]],
    ['has no checks that candidates see', [started, begun('hidden-only'), handedIn('hidden-only')]],
    [
      'came with a session that has ended',
      [
        ...[started, begun(), handedIn()],
        {
          type: 'trial.completed',
          data: { ...ids, sequenceNumber: 4, evaluationId: 'e', roleName: 'Engineer', overallThreshold: 70 },
          person,
          personal: null,
        },
      ],
    ],
  ])('is not recorded of work that %s', (_, history) => {
    spec
      .given(...history)
      .when(record)
      .then();
  });

  it('is waited for until it is there', () => {
    expect(isToCheck(null, 'h')).toBe(false);
    expect(isToCheck(fold(trial, [started, begun(), handedIn()]), 'h')).toBe(true);
    expect(isToCheck(fold(trial, [started, begun(), handedIn(), result]), 'h')).toBe(false);
  });
});

describe('what runs come to', () => {
  it('counts each set’s tests apart', () => {
    const hidden = run({
      hidden: true,
      treeSha256: 'e'.repeat(64),
      tests: [{ name: 'h', status: 'error', message: null }],
    });
    const { work, findings } = checkedWork({ ...of, scope: 'all' }, [run(), hidden]);
    expect(work).toMatchObject({
      outcome: 'checked',
      reason: null,
      checks: { visible: 'c'.repeat(64), hidden: 'e'.repeat(64) },
      visible: { passed: 1, failed: 1, errors: 0 },
      hidden: { passed: 0, failed: 0, errors: 1 },
      ms: 40,
    });
    expect(findings.tests.map(({ name, hidden: isHidden }) => [name, isHidden])).toEqual([
      ['adds', false],
      ['subtracts', false],
      ['h', true],
    ]);
  });

  it('has no figure of a part when another part gave no result', () => {
    const { work } = checkedWork({ ...of, scope: 'all' }, [
      run(),
      run({ hidden: true, tests: null, reason: 'timed_out', detail: 'It took too long.' }),
    ]);
    const none = { passed: 0, failed: 0, errors: 0 };
    expect(work).toMatchObject({ outcome: 'error', reason: 'timed_out', visible: none, hidden: none });
  });

  it.each([
    ['long messages', 'm'.repeat(1_000), 'n', ''],
    ['a long output', '', 'n', 'o'.repeat(80_000)],
    ['long names', '', '名'.repeat(200), ''],
  ])('keeps its counts and fits one event with %s', (_, message, name, output) => {
    const tests = Array.from({ length: 900 }, () => ({ name, status: 'pass' as const, message }));
    const { work, findings } = checkedWork(of, [run({ tests, output })]);
    expect(work.visible.passed).toBe(900);
    expect(jsonBytes(findings)).toBeLessThanOrEqual(MAX_FINDINGS_BYTES);
    expect(findings.tests.length).toBeGreaterThan(0);
  });
});
