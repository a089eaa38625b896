import { describe, expect, it } from '@jest/globals';
import type { GenerationName } from '../stores/read-store.js';
import { segmentName, segmentOf } from './segments.js';

describe('Segments', () => {
  // Golden: checkpoints written under another hash would be wrong. These values never change.
  it.each([
    ['', 7, 4],
    ['a', 8, 3],
    ['0190f3a2-7f3e-7c4b-9a51-3d2f6c1b8e77', 8, 1],
    ['0190f3a2-7f3e-7c4b-9a51-3d2f6c1b8e78', 8, 0],
    ['organisation:member', 3, 0],
    ['Zürich', 1000, 631],
    ['😀', 1000, 642],
  ])('%j of %i lies in segment %i', (id, segments, expected) => {
    expect(segmentOf(id, segments)).toBe(expected);
  });

  it('spreads ids evenly', () => {
    const counts = new Array<number>(8).fill(0);
    for (let i = 0; i < 8000; i++) {
      const segment = segmentOf(`0190f3a2-7f3e-7c4b-9a51-${i.toString(16).padStart(12, '0')}`, 8);
      counts[segment] = (counts[segment] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  it('are named after their generation, counted from 1', () => {
    expect(segmentName('signal.v2.g7' as GenerationName, 2, 8)).toBe('signal.v2.g7.3of8');
  });
});
