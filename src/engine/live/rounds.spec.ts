import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { START } from '../../core/event-store.js';
import { Progress } from './progress.js';
import { CheckpointFlusher, FoldScheduler } from './rounds.js';

/** So long that no test sees its end. */
const LONG_MS = 60_000;

const turns = (gapMs: number) => {
  const progress = new Progress();
  return { progress, turns: new FoldScheduler(progress, gapMs) };
};

const hasBegun = async (turn: Promise<void>): Promise<boolean> => {
  let begun = false;
  void turn.then(() => (begun = true));
  await endOfTurn();
  return begun;
};

/** A reader that waits for a moment for what does not come. */
const wait = (progress: Progress, ms = 1): Promise<void> => progress.reached(['none'], START, ms);

describe('the turns in which segments fold', () => {
  it('begin at once after a quiet time, for all that come in the same turn of the event loop', async () => {
    const { turns: all } = turns(LONG_MS);
    const [one, other] = [all.next(), all.next()];
    expect(await hasBegun(one)).toBe(true);
    expect(await hasBegun(other)).toBe(true);
    expect(await hasBegun(all.next())).toBe(false);
    all.close();
  });

  it('keep their distance, however many ask', async () => {
    const { turns: all } = turns(50);
    await all.next();
    const began = performance.now();
    await endOfTurn();
    const [one, other] = [all.next(), all.next()];
    await sleep(5);
    const third = all.next();
    await Promise.all([one, other, third]);
    expect(performance.now() - began).toBeGreaterThan(45);
  });

  it('begin at once while a reader waits, and as soon as one does', async () => {
    const { turns: all, progress } = turns(LONG_MS);
    await all.next();
    await endOfTurn();
    const next = all.next();
    expect(await hasBegun(next)).toBe(false);
    const reader = wait(progress, 50);
    expect(await hasBegun(next)).toBe(true);
    await endOfTurn();
    expect(await hasBegun(all.next())).toBe(true);
    await reader;
    await endOfTurn();
    expect(await hasBegun(all.next())).toBe(false);
    all.close();
  });

  it('keep nobody waiting once they are closed', async () => {
    const { turns: all } = turns(LONG_MS);
    await all.next();
    await endOfTurn();
    const next = all.next();
    all.close();
    expect(await hasBegun(next)).toBe(true);
  });
});

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

  it('follow each fold once', async () => {
    const [one, other] = [segment('one'), segment('other')];
    for (const each of [one, other]) flusher.add(each);
    flusher.moved();
    await jest.advanceTimersByTimeAsync(20);
    flushed.length = 0;
    for (const each of [one, other]) {
      flusher.folded(each);
      await jest.advanceTimersByTimeAsync(20);
    }
    expect(flushed).toEqual(['one 28', 'other 48']);
  });

  it('of a segment that is left after its fold do not follow', async () => {
    const left = segment('left');
    const leave = flusher.add(left);
    flusher.moved();
    await jest.advanceTimersByTimeAsync(20);
    flushed.length = 0;
    flusher.folded(left);
    leave();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(flushed).toEqual([]);
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
