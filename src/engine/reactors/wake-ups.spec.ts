import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts } from '../../../test/support/projection-rig.js';
import { type Position, START, type StreamName } from '../../core/event-store.js';
import { progressOf } from '../live/progress.js';
import { WakeUps } from './wake-ups.js';

const POLL_MS = 60;

/** A worker whose view another process feeds, and is always behind. */
const rig = () => {
  const readStore = openMemoryReadStore();
  const progress = progressOf(readStore);
  progress.feedBegan(START);
  const abort = new AbortController();
  const reader = { hasReached: async () => false };
  const wakeUps = new WakeUps(accounts, readStore, reader, abort.signal, POLL_MS);
  let polls = 0;
  let asked = 0;
  const arrive = (): void =>
    progress.arrived({
      stream: 'account-a' as StreamName,
      position: '1' as Position,
      mayBe: () => (asked++, true),
    });
  const run = async (): Promise<void> => {
    while (!abort.signal.aborted) await wakeUps.around(async () => (polls++, Infinity));
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

  it('listen to nothing any more once it has ended', async () => {
    const { abort, arrive, run, asked } = rig();
    const running = run();
    abort.abort();
    await running;
    arrive();
    expect(asked()).toBe(0);
  });
});
