import { expect, it } from '@jest/globals';
import { AsyncQueue } from './async-queue.js';

it('hands over all that has come, wakes the one who waits, and ends behind the last item', async () => {
  const queue = new AsyncQueue<number>();
  const waiting = queue.take();
  queue.put(1);
  expect(await waiting).toEqual([1]);
  queue.put(2);
  queue.put(3);
  queue.end();
  expect(queue.size).toBe(2);
  expect([await queue.take(), await queue.take(), await queue.take()]).toEqual([[2, 3], null, null]);
});

it('wakes the one who waits when it ends', async () => {
  const queue = new AsyncQueue<number>();
  const waiting = queue.take();
  queue.end();
  expect(await waiting).toBeNull();
});
