import { describe, expect, it } from '@jest/globals';
import { Calendar } from './calendar.js';
import { CANDIDATES, storyOf } from './cast.js';

const DAY_MS = 86_400_000;

describe.each([0, 6, 12, 23])('the days of the demo, begun at %i:20', (hour) => {
  const now = new Date(2026, 10, 29, hour, 20).getTime();
  const calendar = new Calendar(now);

  it('lie in the past, two weeks of them', () => {
    const invited = CANDIDATES.map((candidate, place) => calendar.of(candidate, place).invite);
    expect(Math.max(...invited)).toBeLessThan(now);
    expect(Math.round((now - Math.min(...invited)) / DAY_MS - hour / 24)).toBe(14);
    expect(calendar.beginning).toBeLessThan(Math.min(...invited));
  });

  it.each(CANDIDATES.map((candidate, place) => [candidate.name, candidate, place] as const))(
    'let %s do one thing after the other',
    (_, candidate, place) => {
      const days = calendar.of(candidate, place);
      const { ending, outcomes = [], extras = [] } = storyOf(candidate);
      const when = (holds: boolean, ...times: readonly number[]): readonly number[] => (holds ? times : []);
      const isWorked = ['completed', 'withdrawn', 'started', 'in_interview'].includes(ending);
      const before = [
        days.invite,
        ...when(extras.includes('asks_for_accommodation'), days.asksForAccommodation),
        ...when(extras.includes('is_accommodated'), days.isAccommodated),
        ...when(isWorked, days.start, days.work),
        ...when(/^(withdrawn|cancelled)/.test(ending), days.leave),
        ...outcomes.map((_outcome, number) => days.outcome(number)),
      ];
      for (const after of [
        when(extras.includes('is_shared'), days.isShared),
        when(extras.includes('contests'), days.contests),
        when(extras.includes('is_answered'), days.contests, days.isAnswered),
        when(extras.includes('asks_for_erasure'), days.asksForErasure),
        when(extras.includes('is_erased'), days.isErased),
      ]) {
        const steps = [...before, ...after];
        expect(steps).toEqual(steps.toSorted((one, other) => one - other));
        expect(Math.max(...steps)).toBeLessThan(now);
      }
    },
  );
});
