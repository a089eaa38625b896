import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { planRound } from './plan.js';
import { Random } from './random.js';

describe('a plan', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planRound(40, 7)).toEqual(planRound(40, 7));
    expect(planRound(40, 7).candidates).not.toEqual(planRound(40, 8).candidates);
  });

  it('plans a person the same however many others there are', () => {
    expect(planRound(200, 7).candidates.slice(0, 50)).toEqual(planRound(50, 7).candidates);
  });

  it('has everything worth trying among 50 people', () => {
    const { candidates } = planRound(50, 7);
    const trials = candidates.flatMap((candidate) => candidate.trials);
    expect(new Set(trials.map(({ ending }) => ending)).size).toBe(6);
    expect(new Set(candidates.map(({ resends }) => resends)).size).toBe(3);
    expect(new Set(candidates.map(({ role }) => role)).size).toBe(4);
    expect(candidates.some((candidate) => candidate.trials.length > 1)).toBe(true);
    expect(trials.some(({ extended }) => extended)).toBe(true);
    const handIns = (ending: string) =>
      new Set(trials.filter((trial) => trial.ending === ending).map(({ handIn }) => handIn));
    expect(handIns('completed')).toEqual(new Set([null, 'right', 'half', 'hostile', 'nothing']));
    const kinds = trials.map(({ outcomes }) =>
      outcomes.map((o) => (o === null ? 'retract' : 'record')).join(' '),
    );
    expect(kinds).toEqual(expect.arrayContaining(['', 'record', 'record record', 'record retract']));
  });

  it('plans interviews for who completes, and nothing else anew', () => {
    const trials = planRound(50, 7, true).candidates.flatMap((candidate) => candidate.trials);
    const without = planRound(50, 7).candidates.flatMap((candidate) => candidate.trials);
    expect(trials.map((trial) => ({ ...trial, interview: null }))).toEqual(without);
    expect(trials.every(({ ending, interview }) => (ending === 'completed') === (interview !== null))).toBe(
      true,
    );
    const interviews = trials.flatMap(({ interview }) => (interview === null ? [] : [interview]));
    const replies = interviews.flatMap((interview) => interview.replies);
    expect(new Set(replies.map(({ drop }) => drop)).size).toBe(3);
    expect(replies.some(({ activity }) => activity)).toBe(true);
    expect(replies.some(({ afterthought }) => afterthought !== null)).toBe(true);
    expect(interviews.some(({ endsAt }) => endsAt !== null)).toBe(true);
    for (const { text } of replies) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * 1024);
  });

  it('keeps within what the interface takes', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), (seed) => {
        for (const { trials } of planRound(5, seed).candidates)
          for (const { batches, ending, outcomes } of trials) {
            expect(batches.every((batch) => batch.length > 0 && batch.length <= 100)).toBe(true);
            if (ending !== 'completed') expect(outcomes).toEqual([]);
            for (const { payload, eventType } of batches.flat()) {
              expect(eventType).toMatch(/^[a-z][a-z0-9_.]{0,63}$/);
              for (const value of Object.values(payload))
                if (typeof value === 'number') expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
            }
          }
      }),
      { numRuns: 50 },
    );
  });
});

describe('the seeded generator', () => {
  it('draws the same numbers on every machine', () => {
    const random = new Random(7, 1);
    expect([random.between(0, 999), random.between(0, 999), random.between(0, 999)]).toEqual([977, 561, 417]);
  });

  it('draws evenly, within its bounds', () => {
    const random = new Random(1);
    const drawn = Array.from({ length: 20_000 }, () => random.between(3, 7));
    for (const value of [3, 4, 5, 6, 7])
      expect(Math.abs(drawn.filter((one) => one === value).length - 4000)).toBeLessThan(300);
    expect(() => random.pick([])).toThrow(RangeError);
  });
});
