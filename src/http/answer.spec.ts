import { describe, expect, it } from '@jest/globals';
import { entityTag, padResponseTime, STEP_MS } from './answer.js';
import { IF_MATCH } from './meta.js';

describe('an entity tag', () => {
  it('tells what changes beside the version, and can be sent as If-Match', () => {
    const tags = [
      entityTag(3),
      entityTag(4),
      entityTag(3, ['a']),
      entityTag(3, ['a', 'b']),
      entityTag(3, ['']),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect(tags.map((tag) => IF_MATCH.exec(tag)?.[1])).toEqual(['3', '4', '3', '3', '3']);
    expect([entityTag(3, []), entityTag(3, ['a'])]).toEqual(['"3"', tags[2]]);
  });
});

describe('an answer that is held back', () => {
  it('comes at the end of the step that its work ended in, and never before', async () => {
    const waits = [0, 1, STEP_MS / 2, STEP_MS - 5, STEP_MS + 1, 2.5 * STEP_MS].map(async (worked) => {
      const arrived = performance.now() - worked;
      await padResponseTime(arrived);
      return (performance.now() - arrived) / STEP_MS;
    });
    const [first, second, third, fourth, fifth, sixth] = await Promise.all(waits);
    for (const steps of [first, second, third, fourth]) expect(steps).toBeGreaterThanOrEqual(1);
    expect(fifth).toBeGreaterThanOrEqual(2);
    expect(sixth).toBeGreaterThanOrEqual(3);
  });
});
