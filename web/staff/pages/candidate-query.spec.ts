import { describe, expect, it } from '@jest/globals';
import {
  candidateCall,
  filterOf,
  filtersAfter,
  filtersAfterSearch,
  fragmentOf,
  isCounted,
  queryOf,
  searchedIn,
  textAfter,
} from './candidate-query.js';

describe('a list of candidates', () => {
  it('is asked for as the address says, newest first', () => {
    expect(candidateCall('o', {}, '')).toEqual({ params: { orgId: 'o', sort: '-invitedAt' } });
    const query = { role: 'r', status: 'completed', outcome: 'hired', sort: 'roleName', after: 'c' };
    expect(candidateCall('o', query, '')).toEqual({
      params: {
        ...{ orgId: 'o', roleId: 'r', status: 'completed', outcome: 'hired', sort: 'roleName', cursor: 'c' },
      },
    });
  });

  it('is in the order of what waits, or of what is searched for', () => {
    const query = { role: 'r', status: 'completed', waiting: 'outcome', sort: 'roleName' };
    expect(candidateCall('o', query, 'ada@example.org')).toEqual({
      params: { orgId: 'o', roleId: 'r', waiting: 'outcome' },
    });
    expect(candidateCall('o', { sort: 'roleName' }, 'ada@example.org')).toEqual({
      params: { orgId: 'o' },
      searchText: 'ada@example.org',
    });
  });

  it('is not asked for what there is not', () => {
    const query = { status: 'lost', outcome: 'x', waiting: 'y', sort: 'name' };
    expect(candidateCall('o', query, '')).toEqual({ params: { orgId: 'o', sort: '-invitedAt' } });
  });

  it('loses the filters that do not go with a choice, and its page', () => {
    const ended = { status: null, outcome: null, sort: null, from: null, to: null, candidate: null };
    expect(filtersAfter({ waiting: 'outcome' })).toEqual({ ...ended, waiting: 'outcome', after: null });
    expect(filtersAfter({ from: '2026-01-01', to: '' })).toEqual({
      ...{ waiting: null, from: '2026-01-01', to: '', after: null },
    });
    expect(filtersAfter({ from: '', to: '' })).toEqual({ from: '', to: '', after: null });
    expect(filtersAfter({ status: 'invited' })).toMatchObject({ waiting: null, outcome: null });
    expect(filtersAfter({ outcome: 'hired' })).toMatchObject({ waiting: null, status: null });
    expect(filtersAfter({ role: 'r' })).toEqual({ role: 'r', after: null });
  });

  it('searches for a role’s beginning without dates, and for an address without a person', () => {
    const dates = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
    expect(filterOf({ ...dates, candidate: 'c' }, 'Back')).toEqual({ text: 'Back' });
    expect(filterOf(dates, 'ada@example.org')).toEqual({ ...dates, text: 'ada@example.org' });
    expect(filtersAfterSearch(' Back ')).toEqual({
      ...{ after: null, waiting: null, candidate: null, from: null, to: null },
    });
    expect(filtersAfterSearch('ada@example.org')).toEqual({ after: null, waiting: null, candidate: null });
    expect(filtersAfterSearch(' ')).toEqual({ after: null });
    expect(textAfter({ from: '', to: '2026-01-01' }, 'Back')).toBe('');
    expect(textAfter({ to: '2026-01-01' }, 'ada@example.org')).toBe('ada@example.org');
    expect(textAfter({ waiting: 'outcome' }, 'ada@example.org')).toBe('');
    expect(textAfter({ status: 'invited', from: '' }, 'Back')).toBe('Back');
  });

  it('has as many as the service counts unless it is narrowed by what is not counted', () => {
    expect(isCounted(filterOf({ role: 'r', status: 'completed', sort: 'roleName' }, ''))).toBe(true);
    for (const query of [{ from: '2026-01-01T00:00:00.000Z' }, { candidate: 'c' }])
      expect(isCounted(filterOf(query, ''))).toBe(false);
    expect(isCounted(filterOf({}, 'Back'))).toBe(false);
  });

  it('keeps what is searched for in the fragment', () => {
    for (const text of ['ada+1@example.org', 'Ada & Co. #1', 'أحمد'])
      expect(searchedIn(fragmentOf(text))).toBe(text);
    expect([fragmentOf(' '), searchedIn(''), searchedIn('#content')]).toEqual(['', '', '']);
  });

  it.each([
    [{}, '', { sort: '-invitedAt' }],
    [{ role: 'r', status: 'invited' }, 'Back', { roleId: 'r', status: 'invited', text: 'Back' }],
    [{ waiting: 'outcome', role: 'r' }, '', { waiting: 'outcome', roleId: 'r' }],
    [{ candidate: 'c', sort: 'roleName' }, '', { candidateId: 'c', sort: '-invitedAt' }],
    [{ from: '2026-01-01T00:00:00.000Z' }, '', { from: '2026-01-01T00:00:00.000Z', sort: '-invitedAt' }],
  ])('is saved as what the address shows, and comes back as that: %j, %s', (query, text, filter) => {
    expect(filterOf({ ...query, after: 'c', view: 'v' }, text)).toEqual(filter);
    expect(filterOf(queryOf(filter), text)).toEqual(filter);
    expect(JSON.stringify(queryOf({ ...filter, text: 'ada@example.org' }))).not.toContain('ada');
  });
});
