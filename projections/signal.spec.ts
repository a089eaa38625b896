import { describe, expect, it } from '@jest/globals';
import { summaryOf } from '../src/api/signal/signal.js';
import { keysOf } from '../src/engine/fold/folding.js';
import { type Given, givenView } from '../test/support/given-view.js';
import { signal, signalRowId } from './signal.js';

const role = (roleId: string, name: string, type = 'role.created'): Given => ({
  type,
  data: { organisationId: 'o', roleId, definition: { name }, status: 'ready' },
});
const completed = (roleId: string): Given => ({
  type: 'trial.completed',
  data: { organisationId: 'o', roleId },
});
type Values = { humanRound: string | null; disposition: string | null };
const passed: Values = { humanRound: 'passed', disposition: null };
const hired: Values = { humanRound: 'passed', disposition: 'hired' };
const declined: Values = { humanRound: 'failed', disposition: 'declined' };
const recorded = (values: Values, former: Values | null): Given => ({
  type: 'outcome.recorded',
  data: { organisationId: 'o', roleId: 'r', ...values, former },
  personal: { reason: 'x' },
});
const retracted = (former: Values): Given => ({
  type: 'outcome.retracted',
  data: { organisationId: 'o', roleId: 'r', former },
});
const zero = {
  trialCompletedCount: 0,
  outcomeRecordedCount: 0,
  awaitingOutcomeCount: 0,
  humanRound: { passed: 0, failed: 0 },
  disposition: { hired: 0, declined: 0 },
};
const summary = (...events: Given[]) => {
  const documents = [...givenView(signal, events).documents.values()];
  return summaryOf(documents.flatMap(({ row }) => row ?? []));
};
const counts = (...events: Given[]) => {
  const { roles, totals } = summary(role('r', 'Engineer'), ...events);
  const { roleId, roleName, ...row } = roles[0]!;
  expect({ roleId, roleName }).toEqual({ roleId: 'r', roleName: 'Engineer' });
  expect(totals).toEqual(row);
  return row;
};

describe('the signal', () => {
  it('of an organisation without roles is empty', () => {
    expect(summary()).toEqual({ roles: [], totals: zero });
  });

  it('has a document for each role, listed under its organisation', () => {
    const { documents } = givenView(signal, [role('r', 'A'), role('s', 'B'), completed('s')]);
    expect([...documents.keys()]).toEqual([signalRowId('o', 'r'), signalRowId('o', 's')]);
    for (const document of documents.values())
      expect(keysOf(signal, document, '')).toEqual({ organisationId: 'o' });
  });

  it('has a row of zeros for every role', () => {
    expect(counts()).toEqual(zero);
  });

  it('orders rows by name, then id, by code units, and anew after a rename', () => {
    const names = (...events: Given[]) =>
      summary(...events).roles.map(({ roleId, roleName }) => `${roleName} ${roleId}`);
    const past = [role('b', 'Zoo'), role('c', 'engineer'), role('a', 'Zoo'), role('d', 'Éclair')];
    expect(names(...past)).toEqual(['Zoo a', 'Zoo b', 'engineer c', 'Éclair d']);
    expect(names(...past, role('a', 'zoo', 'role.updated'))).toEqual([
      'Zoo b',
      'engineer c',
      'zoo a',
      'Éclair d',
    ]);
  });

  it('keeps a renamed role’s counts', () => {
    expect(summary(role('r', 'A'), completed('r'), role('r', 'B', 'role.updated')).roles).toMatchObject([
      { roleName: 'B', trialCompletedCount: 1 },
    ]);
  });

  it('counts completed trials, and which of them await an outcome', () => {
    expect(counts(completed('r'), completed('r'), recorded(passed, null))).toEqual({
      trialCompletedCount: 2,
      outcomeRecordedCount: 1,
      awaitingOutcomeCount: 1,
      humanRound: { passed: 1, failed: 0 },
      disposition: { hired: 0, declined: 0 },
    });
  });

  it('moves a count when an outcome is corrected', () => {
    expect(counts(completed('r'), recorded(hired, null), recorded(declined, hired))).toEqual({
      ...zero,
      trialCompletedCount: 1,
      outcomeRecordedCount: 1,
      humanRound: { passed: 0, failed: 1 },
      disposition: { hired: 0, declined: 1 },
    });
  });

  it('takes a count back when an outcome is retracted', () => {
    expect(counts(completed('r'), recorded(hired, null), retracted(hired))).toEqual({
      ...zero,
      trialCompletedCount: 1,
      awaitingOutcomeCount: 1,
    });
  });

  it('sums up its rows', () => {
    const events = [role('r', 'A'), role('s', 'B'), completed('r'), completed('s'), recorded(hired, null)];
    expect(summary(...events).totals).toMatchObject({ trialCompletedCount: 2, outcomeRecordedCount: 1 });
    givenView(signal, events).sameWhateverThePages();
  });

  it('refuses to count in a role that it does not know', () => {
    expect(() => givenView(signal, [completed('stranger')])).toThrow('no row');
  });
});
