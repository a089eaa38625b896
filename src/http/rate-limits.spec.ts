import { expect, it } from '@jest/globals';
import { nearestToLimit, RateLimits, type Usage } from './rate-limits.js';

it('batches of activity are counted, unless a gateway in front keeps the limits', async () => {
  expect(await new RateLimits(true).batchOfActivity('ada')).toMatchObject({
    remaining: 119,
    exceeded: false,
  });
  expect(await new RateLimits(false, { activity: 1 }).batchOfActivity('ada')).toBeNull();
});

it('of several limits, an exceeded one is told, else the one that is nearest', () => {
  const usage = (limit: number, remaining: number, exceeded = false): Usage => ({
    ...{ limit, remaining, exceeded, resetSeconds: 1 },
  });
  const [far, near, last, over] = [usage(600, 500), usage(120, 3), usage(60, 0), usage(300, 0, true)];
  expect(nearestToLimit([far, near])).toBe(near);
  expect(nearestToLimit([near, far])).toBe(near);
  expect(nearestToLimit([last, over])).toBe(over);
  expect(nearestToLimit([over, last])).toBe(over);
  expect(nearestToLimit([])).toBeNull();
});
