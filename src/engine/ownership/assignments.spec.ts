import { describe, expect, it } from '@jest/globals';
import { assignmentsOf, digestOf, type Member } from './assignments.js';

const segmentsOf = (views: number, segments: number): readonly string[] =>
  Array.from({ length: views }, (_, view) =>
    Array.from({ length: segments }, (_, segment) => `view${view}.v1.g1.${segment + 1}of${segments}`),
  ).flat();

const peers = (segments: readonly string[], ...slots: number[]): readonly Member[] =>
  slots.map((slot) => ({ slot, owner: `owner ${slot}`, digest: digestOf(segments) }));

const counted = (values: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

describe('The segments assigned to projectors', () => {
  it('are even, within each view and over all', () => {
    for (const [views, segments, processes] of [
      [1, 2, 2],
      [11, 1, 2],
      [11, 4, 2],
      [11, 4, 3],
      [11, 3, 5],
      [3, 1, 7],
    ] as const) {
      const all = segmentsOf(views, segments);
      const slots = Array.from({ length: processes }, (_, index) => 2 * index + 1);
      const assigned = assignmentsOf(all, all, peers(all, ...slots));
      expect(assigned.size).toBe(all.length);
      const counts = [...counted(assigned.values()).values()];
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      expect(counts).toHaveLength(Math.min(processes, all.length));
      for (let view = 0; view < views; view++) {
        const own = all
          .filter((name) => name.startsWith(`view${view}.`))
          .map((name) => assigned.get(name) ?? '');
        expect(new Set(own).size).toBe(Math.min(segments, processes));
      }
    }
  });

  it('follow from the slots alone, in whichever order these were seen', () => {
    const all = segmentsOf(3, 2);
    const [a, b, c] = [4, 1, 9];
    expect(assignmentsOf(all, all, peers(all, a, b, c))).toEqual(
      assignmentsOf(all, all, peers(all, c, b, a)),
    );
  });

  it('are assigned among those that can feed the same ones; others are left out', () => {
    const all = segmentsOf(2, 2);
    const others = { slot: 1, owner: 'other code', digest: digestOf(all.slice(1)) };
    const assigned = assignmentsOf(all, all, [others, ...peers(all, 2)]);
    expect(new Set(assigned.values())).toEqual(new Set(['owner 2']));
    expect(assignmentsOf(all, all, [others]).size).toBe(0);
  });

  it('are each assigned as before but for those that all of them cannot feed now', () => {
    const all = segmentsOf(3, 2);
    const [unable = ''] = all;
    const both = peers(all.slice(1), 1, 2);
    const expected = new Map(assignmentsOf(all, all, peers(all, 1, 2)));
    expected.delete(unable);
    expect(assignmentsOf(all, all.slice(1), both)).toEqual(expected);
    expect(assignmentsOf(all, all, both).size).toBe(0);
  });
});
