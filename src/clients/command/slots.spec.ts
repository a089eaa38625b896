import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Slots } from './slots.js';

const never = new AbortController().signal;

describe('slots', () => {
  it('are given in order, and back once only', async () => {
    const slots = new Slots(1);
    const release = await slots.take(never);
    const order: number[] = [];
    const waiting = [1, 2].map(async (n) => {
      const own = await slots.take(never);
      order.push(n);
      return own;
    });
    expect(slots.queued).toBe(2);
    release?.();
    release?.();
    const second = await waiting[0];
    expect(order).toEqual([1]);
    second?.();
    (await waiting[1])?.();
    expect(order).toEqual([1, 2]);
    expect(await slots.take(never)).not.toBeNull();
  });

  it('are not kept for who has left', async () => {
    const slots = new Slots(1);
    expect(await slots.take(AbortSignal.abort())).toBeNull();
    const release = await slots.take(never);
    const leaving = new AbortController();
    const left = slots.take(leaving.signal);
    const next = slots.take(never);
    leaving.abort();
    expect(await left).toBeNull();
    release?.();
    expect(await next).not.toBeNull();
    expect(getEventListeners(leaving.signal, 'abort')).toEqual([]);
  });
});
