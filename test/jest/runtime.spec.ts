import { expect, it } from '@jest/globals';

it('loads a graph once, for however many that import it at the same time', async () => {
  const [one, other] = await Promise.all([
    import('../support/whole-views.js'),
    import('../support/whole-views.js'),
  ]);
  expect(one).toBe(other);
});
