import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { START } from '../../core/event-store.js';
import { FoldTurns } from './fold-turns.js';
import { Progress } from './progress.js';

/** So long that no test sees its end. */
const LONG_MS = 60_000;

const turns = (gapMs: number) => {
  const progress = new Progress();
  return { progress, turns: new FoldTurns(progress, gapMs) };
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
    const reader = wait(progress, 20);
    expect(await hasBegun(next)).toBe(true);
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
