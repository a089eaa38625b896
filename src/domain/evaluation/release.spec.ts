import { describe, expect, it } from '@jest/globals';
import { CANDIDATE_RESULTS } from '../organisation/events.js';
import { releasedOf } from './decider.js';

describe('what a candidate sees of an evaluation', () => {
  it.each(CANDIDATE_RESULTS)('is what the organisation chose (%s), once it is ready and decided', (one) => {
    expect(releasedOf({ candidateResults: one, isReady: true, isDecided: true })).toBe(one);
  });

  it.each([
    [false, true],
    [true, false],
    [false, false],
  ])('is nothing before that (ready: %s, decided: %s)', (isReady, isDecided) => {
    const candidateResults = 'result_with_explanation';
    expect(releasedOf({ candidateResults, isReady, isDecided })).toBe('nothing');
  });
});
