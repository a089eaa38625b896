import { describe, expect, it } from '@jest/globals';
import { MUTATIONS, runSchedule, Violation } from './partition-model.js';

const SEEDS = 200;

describe('One checkpoint for the live views of a hash range', () => {
  it('never loses or repeats an event, and no read goes back', () => {
    const tried = { reads: 0, joins: 0, leaves: 0, promotions: 0 };
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { reads, joins, leaves, promotions } = runSchedule(seed);
      tried.reads += reads;
      tried.joins += joins;
      tried.leaves += leaves;
      tried.promotions += promotions;
    }
    expect(tried.reads).toBeGreaterThan(0);
    expect(tried.joins).toBeGreaterThan(0);
    expect(tried.leaves).toBeGreaterThan(0);
    expect(tried.promotions).toBeGreaterThan(0);
  });
});

describe('The model notices', () => {
  it.each(MUTATIONS)('%s', (mutation) => {
    expect(() => {
      for (let seed = 1; seed <= SEEDS; seed++) runSchedule(seed, mutation);
    }).toThrow(Violation);
  });
});
