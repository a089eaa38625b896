import { describe, it } from '@jest/globals';
import type { PersonId } from '../src/core/vault/port.js';
import { type Given, givenView } from '../test/support/given-view.js';
import { EVERYBODY, savedViews } from './saved-views.js';

const at = '2026-03-01T09:00:00.000Z';
const later = '2026-03-02T09:00:00.000Z';
const ids = { organisationId: 'o', savedViewId: 'v' };
const shown = { filter: { status: 'completed' }, searches: 'nothing' as const, shared: false };
const created: Given = {
  type: 'saved_view.created',
  data: { ...ids, ...shown, memberId: 'm', list: 'applications' },
  person: 'v',
  personal: { name: 'Completed', text: null },
  actor: { type: 'staff', id: 'olga' },
  at,
};
const changed: Given = {
  type: 'saved_view.changed',
  data: { ...ids, filter: {}, searches: 'person', shared: true },
  person: 'c',
  personal: { name: 'Ada', text: 'ada@example.org' },
  at: later,
};
const removed: Given = { type: 'saved_view.removed', data: ids, at: later };
const whole = {
  organisationId: 'o',
  memberId: 'm',
  list: 'applications' as const,
  ...shown,
  createdAt: at,
  createdBy: 'olga',
  updatedAt: at,
  version: 1,
  person: 'v' as PersonId,
  personal: { name: 'Completed', text: null },
};

describe('a saved view', () => {
  it('is listed for its member', () => {
    givenView(savedViews, [created]).then('v', whole).thenKey('v', 'byReaders', ['o', 'm', at]);
  });

  it('is listed for everybody once it is shared, with its texts under another key', () => {
    givenView(savedViews, [created, changed])
      .then('v', {
        ...whole,
        ...{ filter: {}, searches: 'person', shared: true, updatedAt: later, version: 2 },
        ...{ person: 'c' as PersonId, personal: { name: 'Ada', text: 'ada@example.org' } },
      })
      .thenKey('v', 'byReaders', ['o', EVERYBODY, at])
      .sameWhateverThePages();
  });

  it('stays listed without its texts once these can no longer be read', () => {
    givenView(savedViews, [created, { ...changed, personal: null }])
      .thenMatches('v', { personal: null, searches: 'person' })
      .thenKey('v', 'byReaders', ['o', EVERYBODY, at]);
  });

  it('is gone once it is removed', () => {
    givenView(savedViews, [created, removed]).thenMatches('v', { version: 0, personal: null });
  });
});
