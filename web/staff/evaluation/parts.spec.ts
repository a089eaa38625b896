import { describe, expect, it } from '@jest/globals';
import type { Contest } from '../../../packages/client/src/index.js';
import { contestsOf, partOf, unansweredIn } from './parts.js';

const contest = (kind: Contest['about']['kind'], isAnswered = false): Contest => ({
  ...{ id: kind, about: { kind, reference: null }, text: 'Not so.', createdAt: '2026-03-01T09:00:00.000Z' },
  answer: isAnswered
    ? { text: 'We agree.', answeredAt: '2026-03-02T09:00:00.000Z', answeredBy: 'sub-1' }
    : null,
});

describe('the parts of an evaluation’s page', () => {
  it('are named by the address, and are the scores for any other name', () => {
    expect([partOf('transcript'), partOf(undefined), partOf('constructor')]).toEqual([
      'transcript',
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
