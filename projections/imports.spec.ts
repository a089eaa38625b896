import { describe, it } from '@jest/globals';
import { type Given, givenView } from '../test/support/given-view.js';
import { imports } from './imports.js';

const ids = { organisationId: 'o', importId: 'i' };
const dropAt = '2026-03-08T09:00:00.000Z';
const begun: Given = { type: 'import.begun', data: { ...ids, roleId: 'r', rowCount: 2, dropAt }, id: 'b1' };
const invited: Given = { type: 'import.row_invited', data: { ...ids, row: 2, applicationId: 'a' } };
const refused: Given = { type: 'import.row_refused', data: { ...ids, row: 3, code: 'already_invited' } };
const dropped: Given = { type: 'import.dropped', data: ids };

describe('an import', () => {
  it('shows how far it is, and which rows were refused', () => {
    givenView(imports, [begun, invited, refused]).thenMatches('i', {
      ...ids,
      roleId: 'r',
      rowCount: 2,
      invitedCount: 1,
      refused: [{ row: 3, code: 'already_invited' }],
      causedBy: 'b1',
      droppedAt: null,
    });
  });

  it('is to be gone on with until each row has a result', () => {
    const since = ['2026-01-01T00:00:00.000Z'];
    givenView(imports, [begun]).thenKey('i', 'unfinished', since);
    givenView(imports, [begun, invited]).thenKey('i', 'unfinished', since);
    givenView(imports, [begun, invited, refused]).thenKey('i', 'unfinished', undefined);
    givenView(imports, [begun, dropped]).thenKey('i', 'unfinished', undefined);
  });

  it('has rows to be dropped until they are, whatever has become of them', () => {
    givenView(imports, [begun, invited, refused]).thenKey('i', 'byDrop', [dropAt]);
    givenView(imports, [begun, dropped]).thenKey('i', 'byDrop', undefined);
  });
});
