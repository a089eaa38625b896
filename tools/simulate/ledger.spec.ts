import { beforeEach, describe, expect, it } from '@jest/globals';
import { compareApplications, compareEvaluations, compareSignal } from './compare.js';
import type { ReadApplication, ReadEvaluation } from './compare.js';
import { Ledger, sumOf } from './ledger.js';

describe('the own count', () => {
  let ledger: Ledger;
  const invite = (applicationId: string, roleId = 'r1'): void =>
    ledger.invited({
      applicationId,
      trialSessionId: `t-${applicationId}`,
      roleId,
      roleName: 'Old',
      candidateEmail: 'a@b.example',
    });
  beforeEach(() => {
    ledger = new Ledger();
    ledger.role('r2', 'Zeta');
    ledger.role('r1', 'Old');
  });

  it('moves with what is recorded, corrected and retracted', () => {
    invite('a');
    ledger.ended('a', 'completed');
    ledger.outcome('a', { humanRound: 'passed', disposition: 'hired' });
    ledger.outcome('a', { humanRound: 'failed' });
    invite('b');
    ledger.ended('b', 'completed');
    ledger.outcome('b', { disposition: 'declined' });
    ledger.outcome('b', null);
    invite('c');
    ledger.ended('c', 'withdrawn');
    invite('d', 'r2');
    const [old, zeta] = ledger.rows();
    expect(old).toEqual({
      roleId: 'r1',
      roleName: 'Old',
      trialCompletedCount: 2,
      outcomeRecordedCount: 1,
      awaitingOutcomeCount: 1,
      humanRound: { passed: 0, failed: 1 },
      disposition: { hired: 0, declined: 0 },
    });
    expect(zeta).toMatchObject({ roleName: 'Zeta', trialCompletedCount: 0 });
  });

  it('orders rows by today’s name, then by id, in plain code units', () => {
    ledger.role('r1', 'älter');
    ledger.role('r0', 'Zeta');
    expect(ledger.rows().map(({ roleId }) => roleId)).toEqual(['r0', 'r2', 'r1']);
  });

  it('compares every figure of the signal, foreign rows and totals included', () => {
    invite('a');
    ledger.ended('a', 'completed');
    const rows = ledger.rows();
    const foreign = { ...rows[0]!, roleId: 'r9', roleName: 'Before' };
    const right = { roles: [foreign, ...rows], totals: sumOf([foreign, ...rows]) };
    expect(compareSignal(rows, [foreign], right)).toMatchObject({ compared: 29, differences: [] });
    expect(compareSignal(rows, [], right).differences).not.toEqual([]);
    const wrong = { ...right, totals: { ...right.totals, humanRound: { passed: 1, failed: 0 } } };
    expect(compareSignal(rows, [foreign], wrong).differences).toEqual([
      'totals, humanRound.passed: counted 0, the service says 1',
    ]);
    expect(compareSignal(rows, [foreign], { ...right, roles: [...rows, foreign] }).differences).toHaveLength(
      1,
    );
  });

  it('compares every application, missing, doubled and surplus ones included', () => {
    invite('a');
    ledger.ended('a', 'completed');
    const read: ReadApplication = {
      id: 'a',
      roleId: 'r1',
      status: 'completed',
      roleName: 'Old',
      candidateEmail: 'a@b.example',
      outcome: null,
    };
    const differences = (...all: ReadApplication[]): number =>
      compareApplications(ledger.trials(), all).differences.length;
    expect(differences(read)).toBe(0);
    expect(differences(read, { ...read, id: 'x', roleId: 'foreign' })).toBe(0);
    expect(differences(read, { ...read, id: 'x' })).toBe(1);
    expect(differences()).toBe(2);
    expect(differences({ ...read, status: 'in_progress' })).toBe(1);
    expect(differences({ ...read, outcome: { humanRound: 'passed', disposition: null } })).toBe(1);
  });

  it('compares evaluations with trials, and their evidence with what was sent', () => {
    invite('a');
    ledger.sent('a', ['test.run', 'test.run']);
    ledger.ended('a', 'completed');
    const read: ReadEvaluation = {
      id: 'e',
      trialSessionId: 't-a',
      status: 'ready',
      roleName: 'Old',
      events: new Map([['test.run', 2]]),
      questions: [],
      work: null,
    };
    const differences = (...all: ReadEvaluation[]): number =>
      compareEvaluations(ledger.trials(), all).differences.length;
    expect(differences(read)).toBe(0);
    expect(differences()).toBe(1);
    expect(differences(read, read)).toBe(1);
    expect(differences({ ...read, status: 'failed' })).toBe(1);
    expect(differences({ ...read, events: new Map([['test.run', 3]]) })).toBe(1);
  });
});
