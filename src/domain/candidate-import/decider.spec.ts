import { describe, expect, it } from '@jest/globals';
import { after, fold, NOW, specification } from '../../../test/support/given-when-then.js';
import type { PersonId } from '../../core/vault/port.js';
import { beginImport, candidateImport, dropRows, endRow } from './decider.js';
import { importEvent, type ImportEvent } from './events.js';
import { isFinished } from './progress.js';

const { given } = specification(candidateImport);
const ids = { organisationId: 'o', importId: 'i' };
const rows = [2, 4].map((row) => ({ row, person: `p${row}` as PersonId, sealed: `sealed ${row}` }));
const input = { ...ids, roleId: 'r', rows, now: new Date(NOW) };
const begun: readonly ImportEvent[] = [
  importEvent('import.begun', { ...ids, roleId: 'r', rowCount: 2, dropAt: after(7 * 86_400_000) }),
  ...rows.map(({ row, person, sealed }) =>
    importEvent('import.row_added', { ...ids, row }, person, { sealed }),
  ),
];
const invited = (row: number) => importEvent('import.row_invited', { ...ids, row, applicationId: `a${row}` });
const refused = (row: number) => importEvent('import.row_refused', { ...ids, row, code: 'already_invited' });
const dropped = importEvent('import.dropped', ids);

describe('an import', () => {
  it('takes in its rows, each sealed as the person’s whose address it has', () =>
    given()
      .when((state) => beginImport(state, input))
      .then(...begun));

  it('takes in the same rows once, whoever sends them again', () =>
    given(...begun)
      .when((state) => beginImport(state, input))
      .thenNothing());

  it('records what has become of a row, once', () => {
    given(...begun)
      .when((state) => endRow(state, 2, { applicationId: 'a2' }))
      .then(invited(2));
    given(...begun, invited(2))
      .when((state) => endRow(state, 4, { code: 'already_invited' }))
      .then(refused(4));
    given(...begun, invited(2))
      .when((state) => endRow(state, 2, { applicationId: 'other' }))
      .thenNothing();
    given(...begun)
      .when((state) => endRow(state, 3, { applicationId: 'a3' }))
      .thenNothing();
  });

  it('has no row any more once the rows are dropped', () => {
    given(...begun, invited(2))
      .when(dropRows)
      .then(dropped);
    given(...begun, dropped)
      .when(dropRows)
      .thenNothing();
    given(...begun, dropped)
      .when((state) => endRow(state, 2, { applicationId: 'a2' }))
      .thenNothing();
  });

  it('that was never begun has neither rows nor an end', () => {
    given()
      .when((state) => endRow(state, 2, { code: 'erased' }))
      .thenRefused('not_found');
    given().when(dropRows).thenRefused('not_found');
  });

  it('is finished once each row is invited or refused, or all are dropped', () => {
    const finished = (...past: readonly ImportEvent[]) => isFinished(fold(candidateImport, past)!);
    expect(finished(...begun)).toBe(false);
    expect(finished(...begun, invited(2))).toBe(false);
    expect(finished(...begun, invited(2), refused(4))).toBe(true);
    expect(finished(...begun, dropped)).toBe(true);
  });

  it('keeps what waits in its order, and knows whose row can no longer be read', () => {
    const unreadable = begun.map((event, at) => (at === 1 ? { ...event, personal: null } : event));
    const state = fold(candidateImport, unreadable as readonly ImportEvent[]);
    expect(state?.waiting).toEqual([
      { row: 2, person: 'p2', sealed: null },
      { row: 4, person: 'p4', sealed: 'sealed 4' },
    ]);
  });
});
