import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Semaphore } from './concurrency.js';

const never = new AbortController().signal;

describe('a semaphore', () => {
  it('admits calls in order, and takes a place back once only', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire(never);
    const order: number[] = [];
    const waiting = [1, 2].map(async (n) => {
      const own = await semaphore.acquire(never);
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
    expect(await semaphore.acquire(never)).not.toBeNull();
  });

  it('keeps no place for a call whose signal aborted', async () => {
    const semaphore = new Semaphore(1);
    expect(await semaphore.acquire(AbortSignal.abort())).toBeNull();
    const release = await semaphore.acquire(never);
    const leaving = new AbortController();
    const left = semaphore.acquire(leaving.signal);
    const next = semaphore.acquire(never);
    leaving.abort();
    expect(await left).toBeNull();
    release?.();
    expect(await next).not.toBeNull();
    expect(getEventListeners(leaving.signal, 'abort')).toEqual([]);
  });

  it('never admits more calls than it has places', async () => {
    const semaphore = new Semaphore(2);
    const order: number[] = [];
    let used = 0;
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const release = await semaphore.acquire(1_000);
        order.push(index);
        expect(++used).toBeLessThanOrEqual(2);
        await new Promise((resolve) => setTimeout(resolve, 1));
        used--;
        release?.();
      }),
    );
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('lets a call wait within a time, after which the place goes to others', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire(10);
    expect(await semaphore.acquire(10)).toBeNull();
    const next = semaphore.acquire(1_000);
    release?.();
    (await next)?.();
    expect(typeof semaphore.acquire(10)).toBe('function');
  });
});
