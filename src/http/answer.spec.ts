import { describe, expect, it } from '@jest/globals';
import { padResponseTime, STEP_MS } from './answer.js';

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
