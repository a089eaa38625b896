import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CheckpointFlusher } from './flusher.js';

describe('Checkpoints', () => {
  let flusher: CheckpointFlusher;
  let flushed: string[];
  const segment = (name: string) => ({
    flush: () => void flushed.push(`${name} ${Math.round(performance.now() - begun)}`),
  });
  let begun = 0;

  beforeEach(() => {
    jest.useFakeTimers();
    begun = performance.now();
    flusher = new CheckpointFlusher();
    flushed = [];
  });
  afterEach(() => {
    flusher.close();
    jest.useRealTimers();
  });

  it('follow past events that nothing folds at most four times a second, and not while none comes', async () => {
    flusher.add(segment('a'));
    for (let n = 0; n < 100; n++) {
      flusher.moved();
      await jest.advanceTimersByTimeAsync(10);
    }
    await jest.advanceTimersByTimeAsync(1_000);
    expect(flushed).toEqual(['a 8', 'a 258', 'a 508', 'a 758', 'a 1008']);
  });

  it('follow a fold soon, together with those of others that fold the same event', async () => {
    const [quick, slow, other] = [segment('quick'), segment('slow'), segment('other')];
    for (const one of [quick, slow, other]) flusher.add(one);
    flusher.moved();
    await jest.advanceTimersByTimeAsync(20);
    flushed.length = 0;
    flusher.folded(quick);
    await jest.advanceTimersByTimeAsync(5);
    flusher.folded(slow);
    await jest.advanceTimersByTimeAsync(100);
    expect(flushed).toEqual(['quick 28', 'slow 28']);
  });

  it('of segments that are behind for longer are taken along', async () => {
    const [folding, other] = [segment('folding'), segment('other')];
    flusher.add(folding);
    flusher.add(other);
    flusher.moved();
    await jest.advanceTimersByTimeAsync(150);
    flushed.length = 0;
    flusher.moved();
    flusher.folded(folding);
    await jest.advanceTimersByTimeAsync(500);
    expect(flushed).toEqual(['folding 158', 'other 158']);
  });

  it('stay within 100 ms of what is folded, however often and whoever folds', async () => {
    const busy = segment('busy');
    flusher.add(busy);
    for (let n = 0; n < 100; n++) {
      flusher.folded(busy);
      await jest.advanceTimersByTimeAsync(5);
    }
    const times = flushed.map((text) => Number(text.split(' ')[1]));
    const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10);
  });

  it('of a segment that is left to another process do not follow', async () => {
    const left = segment('left');
    const leave = flusher.add(left);
    flusher.folded(left);
    flusher.moved();
    leave();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(flushed).toEqual([]);
  });
});
