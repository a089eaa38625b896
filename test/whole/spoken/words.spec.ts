import { describe, expect, it } from '@jest/globals';
import { wordsRight } from './words.js';

describe('the share of words that were understood', () => {
  it.each([
    ['We wrote two tests.', 'we wrote two tests', 1],
    ['we wrote two tests', '', 0],
    ['we wrote two tests', 'we read two tests', 0.75],
    ['we wrote two tests', 'we two tests', 0.75],
    ['we wrote two tests', 'so we wrote two tests', 0.75],
    ['we wrote two tests', 'tests two wrote we', 0],
    ['two tests', 'something else that is much longer', 0],
  ])('of "%s", heard as "%s"', (said, understood, share) => {
    expect(wordsRight([{ said, understood }])).toBeCloseTo(share, 9);
  });

  it('counts words, not sentences', () => {
    const pairs = [
      { said: 'yes', understood: 'no' },
      { said: 'we wrote two', understood: 'we wrote two' },
    ];
    expect(wordsRight(pairs)).toBeCloseTo(0.75, 9);
  });
});
