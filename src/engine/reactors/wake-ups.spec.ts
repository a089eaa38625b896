import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/support/eventually.js';
import { openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts } from '../../../test/support/projection-rig.js';
import { type Position, START, type StreamName } from '../../core/event-store.js';
import { progressOf } from '../live/progress.js';
import { WakeUps } from './wake-ups.js';

const POLL_MS = 60;

/**
 * A worker whose view another process feeds.
 * @param reached whether the view shows the events up to a position; by default it is always behind
 */
const rig = (reached: (position: Position) => boolean = () => false) => {
  const readStore = openMemoryReadStore();
  const progress = progressOf(readStore);
  progress.feedBegan(START);
  const abort = new AbortController();
  const reader = { hasReached: async (_: unknown, position: Position) => reached(position) };
  const wakeUps = new WakeUps(accounts, readStore, reader, abort.signal, POLL_MS);
  let polls = 0;
  let asked = 0;
  const arrive = (): void =>
    progress.arrived({
      stream: 'account-a' as StreamName,
      position: '1' as Position,
      mayBe: () => (asked++, true),
    });
  const run = async (onPoll = (): void => undefined): Promise<void> => {
    const poll = async (): Promise<number> => {
      polls++;
      onPoll();
      return Infinity;
    };
    while (!abort.signal.aborted) await wakeUps.around(poll);
  };
  return { progress, abort, arrive, run, polls: () => polls, asked: () => asked };
};

describe('The wake-ups of a worker', () => {
  it('are put off by no event that comes while it waits, however many come', async () => {
    const { abort, arrive, run, polls } = rig();
    const running = run();
    for (let n = 0; n < 30; n++) {
      arrive();
      await sleep(10);
    }
    expect(polls()).toBeGreaterThan(2);
    abort.abort();
    await running;
  });

  it('come at a fold of its view, and at none of a view whose name begins likewise', async () => {
    const { progress, abort, run, polls } = rig();
    const running = run();
    await sleep(5);
    const before = polls();
    progress.publish(`${accounts.name}-of-others.v1.g1.1of1`, '1' as Position);
    await new Promise((resolve) => setImmediate(resolve));
    expect(polls()).toBe(before);
    progress.publish(`${accounts.name}.v1.g1.1of1`, '1' as Position);
    await new Promise((resolve) => setImmediate(resolve));
    expect(polls()).toBe(before + 1);
    abort.abort();
    await running;
  });

  it('come at once after a poll during which its view was folded', async () => {
    const { progress, abort, run, polls } = rig(() => true);
    const running = run(() => {
      if (polls() < 3) progress.publish(`${accounts.name}.v1.g1.1of1`, `${polls()}` as Position);
    });
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(polls()).toBe(3);
    abort.abort();
    await running;
  });

  it('come again and again from an event on until the view shows it, and then no more', async () => {
    let isShown = false;
    const { abort, arrive, run, polls } = rig((position) => position === START || isShown);
    const running = run();
    await sleep(2 * POLL_MS);
    expect(polls()).toBe(1);
    arrive();
    await eventually(() => polls() > 3);
    isShown = true;
    await sleep(2 * POLL_MS);
    const before = polls();
    await sleep(3 * POLL_MS);
    expect(polls()).toBe(before);
    abort.abort();
    await running;
  });

  it('listen to nothing any more once it has ended', async () => {
    const { abort, arrive, run, asked } = rig();
    const running = run();
    abort.abort();
    await running;
    arrive();
    expect(asked()).toBe(0);
  });
});
