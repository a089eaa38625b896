import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Semaphore } from './shell.js';

const never = new AbortController().signal;

describe('a semaphore', () => {
  it('are given in order, and back once only', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.take(never);
    const order: number[] = [];
    const waiting = [1, 2].map(async (n) => {
      const own = await semaphore.take(never);
      order.push(n);
      return own;
    });
    expect(semaphore.queued).toBe(2);
    release?.();
    release?.();
    const second = await waiting[0];
    expect(order).toEqual([1]);
    second?.();
    (await waiting[1])?.();
    expect(order).toEqual([1, 2]);
    expect(await semaphore.take(never)).not.toBeNull();
  });

  it('are not kept for who has left', async () => {
    const semaphore = new Semaphore(1);
    expect(await semaphore.take(AbortSignal.abort())).toBeNull();
    const release = await semaphore.take(never);
    const leaving = new AbortController();
    const left = semaphore.take(leaving.signal);
    const next = semaphore.take(never);
    leaving.abort();
    expect(await left).toBeNull();
    release?.();
    expect(await next).not.toBeNull();
    expect(getEventListeners(leaving.signal, 'abort')).toEqual([]);
  });
});
