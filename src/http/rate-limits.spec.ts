import { expect, it } from '@jest/globals';
import { RateLimits } from './rate-limits.js';

it('batches of activity are counted, unless a gateway in front keeps the limits', async () => {
  expect(await new RateLimits(true).batchOfActivity('ada')).toMatchObject({
    remaining: 119,
    exceeded: false,
  });
  expect(await new RateLimits(false, { activity: 1 }).batchOfActivity('ada')).toBeNull();
});
