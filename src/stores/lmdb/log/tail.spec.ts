import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IDLE_POLL_MS } from '../../../core/shared-interval.js';
import { AppendNotice, Tail } from './tail.js';

/** The idle poll would need longer for most of several appends. */
const POLLED_MS = 0.9 * IDLE_POLL_MS;

/** Two processes on one log: one appends, the other waits. */
describe('the end of the log', () => {
  let folder: string;
  let head = 0;
  let looks = 0;
  let others: AppendNotice;
  let notice: AppendNotice;
  let tail: Tail;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-tail-'));
    [head, looks] = [0, 0];
    others = new AppendNotice(folder, false);
    notice = new AppendNotice(folder, false);
    tail = tailOn(notice);
  });

  afterEach(async () => {
    tail.close();
    others.close();
    await rm(folder, { recursive: true });
  });

  const tailOn = (on: AppendNotice): Tail =>
    new Tail(() => {
      looks++;
      return head;
    }, on);

  /** @returns how long it took, in milliseconds */
  const seen = async (append: () => void): Promise<number> => {
    const waiting = tail.wait(head, new AbortController().signal);
    await sleep(30);
    const begun = performance.now();
    append();
    await waiting;
    return performance.now() - begun;
  };

  it('is hardly looked at while nothing is appended', async () => {
    const abort = new AbortController();
    const waiting = tail.wait(0, abort.signal);
    await sleep(2_200);
    expect(looks).toBeLessThanOrEqual(4);
    abort.abort();
    await waiting;
  });

  it('is polled no more once it is closed', () => {
    jest.useFakeTimers();
    try {
      void tail.wait(0, new AbortController().signal);
      expect(jest.getTimerCount()).toBe(1);
      tail.close();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('leaves no listener on the signal of one that was woken', async () => {
    const { signal } = new AbortController();
    const waiting = tail.wait(0, signal);
    tail.appended(1);
    await waiting;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('wakes those who wait if it cannot be looked at: they find out why when they read', async () => {
    notice.close();
    tail = new Tail(() => {
      throw new Error('It is damaged.');
    }, notice);
    await tail.wait(0, new AbortController().signal);
  });

  it('is seen at the notice of another process', async () => {
    for (let n = 0; n < 5; n++) {
      const took = await seen(() => {
        head++;
        others.give();
      });
      expect(took).toBeLessThan(POLLED_MS);
    }
    expect(looks).toBeLessThan(15);
  });

  it('is seen a little later where another process appends and is killed before it gives notice', async () => {
    const took = await seen(() => head++);
    expect(took).toBeLessThan(10 * IDLE_POLL_MS);
  });

  it('is looked at again and again where notices cannot be watched', async () => {
    await rm(join(folder, 'appended'));
    for (let n = 0; n < 5; n++) expect(await seen(() => head++)).toBeLessThan(POLLED_MS);
  });

  it('wakes nobody for what it has already, and everybody when the log is closed', async () => {
    let woken = false;
    const waiting = tail.wait(1, new AbortController().signal).then(() => (woken = true));
    head = 1;
    tail.appended(1);
    await sleep(50);
    expect(woken).toBe(false);
    tail.close();
    await waiting;
  });
});
