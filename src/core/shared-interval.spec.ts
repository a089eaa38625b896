import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { everyTick, untilTick } from './shared-interval.js';

const MS = 100;

describe('a shared interval', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('ticks for all at the same moment by one timer, for each until that one ends it', () => {
    const ticks: string[] = [];
    const ends = ['a', 'b'].map((name) => {
      const end = everyTick(MS, () => ticks.push(`${name} at ${Date.now() - began}`));
      jest.advanceTimersByTime(MS / 4);
      return end;
    });
    const began = Date.now() - MS / 2;
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(MS / 2);
    ends[0]?.();
    jest.advanceTimersByTime(MS);
    ends[1]?.();
    expect(ticks).toEqual(['a at 100', 'b at 100', 'b at 200']);
  });

  it('has no timer without listeners, and ticks again for a later one, whoever ends what ended twice', () => {
    const end = everyTick(MS, () => undefined);
    end();
    expect(jest.getTimerCount()).toBe(0);
    let ticks = 0;
    const endLater = everyTick(MS, () => ticks++);
    end();
    jest.advanceTimersByTime(MS);
    endLater();
    expect([ticks, jest.getTimerCount()]).toEqual([1, 0]);
  });

  it('does not call one that begins during a tick before the next', () => {
    const ends: (() => void)[] = [];
    let ticks = 0;
    ends.push(everyTick(MS, () => ends.push(everyTick(MS, () => ticks++))));
    jest.advanceTimersByTime(MS);
    expect(ticks).toBe(0);
    jest.advanceTimersByTime(MS);
    expect(ticks).toBe(1);
    for (const end of ends) end();
  });

  it('keeps no process alive', () => {
    jest.useRealTimers();
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const end = everyTick(MS, () => undefined);
    expect(timers()).toBeLessThanOrEqual(before);
    end();
  });

  it.each(['tick', 'signal'])(
    'is waited for until the next tick or the signal, and nothing is left: %s',
    async (by) => {
      const abort = new AbortController();
      let isOver = false;
      const waiting = untilTick(MS, abort.signal).then(() => (isOver = true));
      jest.advanceTimersByTime(MS - 1);
      await Promise.resolve();
      expect(isOver).toBe(false);
      if (by === 'tick') jest.advanceTimersByTime(1);
      else abort.abort();
      await waiting;
      expect(jest.getTimerCount()).toBe(0);
      expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
      await untilTick(MS, AbortSignal.abort());
    },
  );
});
