import { describe, expect, it } from '@jest/globals';
import type { Contest, EvaluationRead } from '../../../packages/client/src/index.js';
import { contestsOf, linkState, partOf, partsFor, readingsOf, unansweredIn } from './parts.js';

const contest = (kind: Contest['about']['kind'], isAnswered = false): Contest => ({
  ...{ id: kind, about: { kind, reference: null }, text: 'Not so.', createdAt: '2026-03-01T09:00:00.000Z' },
  answer: isAnswered
    ? { text: 'We agree.', answeredAt: '2026-03-02T09:00:00.000Z', answeredBy: 'sub-1' }
    : null,
});

describe('the parts of an evaluation’s page', () => {
  it('are those that the reader may see, named by the address', () => {
    expect(partsFor(() => false)).toEqual(['scores', 'transcript', 'findings', 'generations']);
    const parts = partsFor((permission) => permission === 'reports.share');
    expect(parts).toContain('sharing');
    expect(['transcript', undefined, 'constructor', 'reads'].map((asked) => partOf(asked, parts))).toEqual([
      'transcript',
      'scores',
      'scores',
      'scores',
    ]);
  });

  it('show what is contested beside what it disputes, with how many wait for an answer', () => {
    const contests = [contest('score'), contest('quote', true), contest('transcript'), contest('finding')];
    expect(contestsOf('transcript', contests).map(({ id }) => id)).toEqual(['quote', 'transcript']);
    expect(contestsOf('scores', contests).map(({ id }) => id)).toEqual(['score']);
    expect(unansweredIn('transcript', contests)).toBe(1);
    expect(unansweredIn('findings', contests)).toBe(1);
  });
});

describe('a link to a report', () => {
  it.each([
    [null, 2, 'valid'],
    [null, 1, 'expired'],
    ['1970-01-01T00:00:00.000Z', 2, 'revoked'],
    ['1970-01-01T00:00:00.000Z', 0, 'revoked'],
  ] as const)('revoked at %j and good until %s is %s', (revokedAt, until, state) => {
    expect(linkState({ revokedAt, expiresAt: new Date(until).toISOString() }, 1)).toBe(state);
  });
});

describe('reads', () => {
  it('of one reader that follow each other closely are one row', () => {
    const read = (id: string, second: number): EvaluationRead => ({
      actor: { type: 'staff', id },
      at: new Date(Date.UTC(2026, 2, 1, 9, 0, second)).toISOString(),
    });
    const reads = [
      read('a', 240),
      read('a', 190),
      read('a', 131),
      read('b', 130),
      read('a', 129),
      read('a', 60),
    ];
    expect(readingsOf(reads).map(({ actor, times }) => [actor.id, times])).toEqual([
      ['a', 3],
      ['b', 1],
      ['a', 1],
      ['a', 1],
    ]);
    expect(readingsOf([])).toEqual([]);
  });
});
