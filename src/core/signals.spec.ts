import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { anySignal, type CombinedSignal, longLived } from './signals.js';

describe('a combined signal', () => {
  it.each([0, 1])('aborts with the first of its sources, number %d', (first) => {
    const sources = [longLived(), longLived()];
    const { signal } = anySignal(undefined, ...sources.map((one) => one.signal));
    expect(signal.aborted).toBe(false);
    sources[first]!.abort();
    expect(signal.aborted).toBe(true);
  });

  it('is aborted where a source is', () => {
    expect(anySignal(longLived().signal, AbortSignal.abort()).signal.aborted).toBe(true);
  });

  it.each([
    ['ended', (one: CombinedSignal) => one.end()],
    ['aborted by another', (_one: CombinedSignal, other: AbortController) => other.abort()],
  ])('leaves nothing on a long-lived source once it is %s', (_, over) => {
    const [source, other] = [longLived(), longLived()];
    const one = anySignal(source.signal, other.signal);
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(1);
    over(one, other);
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(0);
    expect([one.signal.aborted, source.signal.aborted]).toEqual([true, false]);
  });
});
