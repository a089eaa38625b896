import { describe, expect, it } from '@jest/globals';
import { candidateParams, filtersAfter, fragmentOf, searchedIn } from './candidate-query.js';

describe('a list of candidates', () => {
  it('is asked for as the address says, newest first', () => {
    expect(candidateParams({}, '')).toEqual({ sort: '-invitedAt' });
    const query = { role: 'r', status: 'completed', outcome: 'hired', sort: 'roleName', after: 'c' };
    expect(candidateParams(query, '')).toEqual({
      ...{ roleId: 'r', status: 'completed', outcome: 'hired', sort: 'roleName', cursor: 'c' },
    });
  });

  it('is in the order of what waits, or of what is searched for', () => {
    const query = { role: 'r', status: 'completed', waiting: 'outcome', sort: 'roleName' };
    expect(candidateParams(query, 'ada@example.org')).toEqual({ roleId: 'r', waiting: 'outcome' });
    expect(candidateParams({ sort: 'roleName' }, 'ada@example.org')).toEqual({ q: 'ada@example.org' });
  });

  it('is not asked for what there is not', () => {
    expect(candidateParams({ status: 'lost', outcome: 'x', waiting: 'y', sort: 'name' }, '')).toEqual({
      sort: '-invitedAt',
    });
  });

  it('loses the filters that do not go with a choice, and its page', () => {
    const ended = { status: null, outcome: null, sort: null };
    expect(filtersAfter({ waiting: 'outcome' })).toEqual({ ...ended, waiting: 'outcome', after: null });
    expect(filtersAfter({ status: 'invited' })).toMatchObject({ waiting: null, outcome: null });
    expect(filtersAfter({ outcome: 'hired' })).toMatchObject({ waiting: null, status: null });
    expect(filtersAfter({ role: 'r' })).toEqual({ role: 'r', after: null });
  });

  it('keeps what is searched for in the fragment', () => {
    for (const text of ['ada+1@example.org', 'Ada & Co. #1', 'أحمد'])
      expect(searchedIn(fragmentOf(text))).toBe(text);
    expect([fragmentOf(' '), searchedIn(''), searchedIn('#content')]).toEqual(['', '', '']);
  });
});
