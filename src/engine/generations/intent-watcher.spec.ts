import { describe, expect, it } from '@jest/globals';
import { openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { type Position, streamName } from '../../core/event-store.js';
import { progressOf } from '../live/progress.js';
import { OperatorIntentWatcher } from './intent-watcher.js';
import { noOperations, type OperatorIntent } from './operations.js';

const STREAM = streamName('operator', 'log');
const OTHER = streamName('role', 'other');

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('A watcher of what operators want', () => {
  function rig({ fed = true, during = (): void => undefined } = {}) {
    const readStore = openMemoryReadStore();
    const progress = progressOf(readStore);
    if (fed) progress.feedBegan('0' as Position);
    let reads = 0;
    const readIntent = async (): Promise<OperatorIntent> => {
      reads++;
      const intent = await noOperations.readIntent();
      during();
      return intent;
    };
    const { signal } = new AbortController();
    const watcher = new OperatorIntentWatcher({
      readStore,
      operations: { readIntent, stream: STREAM },
      pollIntervalMs: 60_000,
      signal,
    });
    const arrive = (stream = STREAM): void =>
      progress.arrived({ stream, position: '1' as Position, mayBe: () => false });
    return { watcher, progress, arrive, reads: () => reads };
  }

  it('reads the intent once, and again after an event of the operator’s stream alone', async () => {
    const { watcher, arrive, reads } = rig();
    await Promise.all([watcher.intent(), watcher.intent()]);
    arrive(OTHER);
    await watcher.intent();
    expect(reads()).toBe(1);
    arrive();
    await watcher.intent();
    expect(reads()).toBe(2);
  });

  it.each([true, false])('ends a wait at once after such an event; busy: %s', async (busy) => {
    const { watcher, arrive } = rig();
    await watcher.intent();
    let over = false;
    const waited = watcher.untilNextPoll(busy).then(() => (over = true));
    arrive(OTHER);
    await pause(20);
    expect(over).toBe(false);
    arrive();
    await waited;
  });

  it('waits for nothing where the event came while the intent was read, or before the wait', async () => {
    const made = rig({ during: () => (made.reads() === 1 ? made.arrive() : undefined) });
    await made.watcher.intent();
    await made.watcher.untilNextPoll(false);
    await made.watcher.intent();
    expect(made.reads()).toBe(2);
    made.arrive();
    await made.watcher.untilNextPoll(true);
  });

  it.each([true, false])('waits again after a wait that such an event has ended; busy: %s', async (busy) => {
    const { watcher, arrive } = rig();
    await watcher.intent();
    arrive();
    await watcher.untilNextPoll(busy);
    await watcher.intent();
    let over = false;
    void watcher.untilNextPoll(busy).then(() => (over = true));
    await pause(20);
    expect(over).toBe(false);
    arrive();
  });

  it('reads the intent each time where the process has no feed', async () => {
    const { watcher, progress, reads } = rig({ fed: false });
    await watcher.intent();
    await watcher.intent();
    expect(reads()).toBe(2);
    progress.feedBegan('0' as Position);
    await watcher.intent();
    await watcher.intent();
    expect(reads()).toBe(3);
  });
});
