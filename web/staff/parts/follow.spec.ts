import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { follow } from './follow.js';

describe('a page that waits for several things', () => {
  let document: EventTarget;
  beforeEach(() => {
    jest.useFakeTimers();
    document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    Object.assign(globalThis, { document });
  });
  afterEach(() => {
    jest.useRealTimers();
    Reflect.deleteProperty(globalThis, 'document');
  });

  /** A list in which each of `left` ends in its turn, and a page that shows it. */
  const listOf = (...left: string[]) => {
    const page = { shown: [...left], reads: 0 };
    const poll = async () => {
      left.shift();
      return left.length !== page.shown.length;
    };
    const done = () => {
      page.reads += 1;
      page.shown = [...left];
    };
    return { page, latest: { poll, done } };
  };

  it('shows each that happens, not the first alone', async () => {
    const { page, latest } = listOf('one', 'two', 'three');
    const end = follow(
      () => latest,
      () => undefined,
    );
    await jest.advanceTimersByTimeAsync(60_000);
    expect(page.shown).toEqual([]);
    end();
    const { reads } = page;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(page.reads).toBe(reads);
  });

  it('calls back once for what has happened, also if it is shown again while a poll has no answer yet', async () => {
    const answers: ((happened: boolean) => void)[] = [];
    const poll = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const done = jest.fn();
    const end = follow(
      () => ({ poll, done }),
      () => undefined,
    );
    await jest.advanceTimersByTimeAsync(10_000);
    document.dispatchEvent(new Event('visibilitychange'));
    await jest.advanceTimersByTimeAsync(60_000);
    for (const answer of answers) answer(true);
    await jest.advanceTimersByTimeAsync(0);
    expect(done).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(answers).toHaveLength(2);
    end();
  });

  it('asks for what it shows by now, not for what it showed when it began', async () => {
    const former = listOf('former');
    const now = listOf('now');
    let latest = former.latest;
    const end = follow(
      () => latest,
      () => undefined,
    );
    latest = now.latest;
    await jest.advanceTimersByTimeAsync(10_000);
    expect([former.page.shown, now.page.shown]).toEqual([['former'], []]);
    end();
  });
});
