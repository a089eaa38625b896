import { expect, it } from '@jest/globals';

it('loads a graph once if several imports of it run at the same time', async () => {
  const [one, other] = await Promise.all([
    import('../support/whole-views.js'),
    import('../support/whole-views.js'),
  ]);
  expect(one).toBe(other);
});
