import { expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { ReadPauses } from './flow.js';

it('each long pause of reading is notified, and so is its end', async () => {
  const told: string[] = [];
  const pauses = new ReadPauses(1, {
    pause: () => undefined,
    resume: () => undefined,
    notify: (state) => told.push(state),
  });
  for (const expected of [2, 4]) {
    const release = pauses.pause();
    await eventually(() => told.length === expected - 1, 5_000);
    release();
    expect(told).toHaveLength(expected);
  }
  expect(told).toEqual(['pause', 'resume', 'pause', 'resume']);
  pauses.stop();
});
