import { describe, expect, it } from '@jest/globals';
import { openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import type { Position } from '../../core/event-store.js';
import { streamName } from '../../core/stream-name.js';
import { Lookout } from './lookout.js';
import { noOperations, type OperatorIntent } from './operations.js';
import { progressOf } from '../live/progress.js';

const STREAM = streamName('operator', 'log');
const OTHER = streamName('role', 'other');

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('A lookout', () => {
  function rig({ fed = true, during = (): void => undefined } = {}) {
    const readStore = openMemoryReadStore();
    const progress = progressOf(readStore);
    if (fed) progress.feedBegan('0' as Position);
    let looks = 0;
    const look = async (): Promise<OperatorIntent> => {
      looks++;
      const intent = await noOperations.look();
      during();
      return intent;
    };
    const { signal } = new AbortController();
    const lookout = new Lookout({ readStore, operations: { look, stream: STREAM }, lookMs: 60_000, signal });
    const arrive = (stream = STREAM): void =>
      progress.arrived({ stream, position: '1' as Position, mayBe: () => false });
    return { lookout, progress, arrive, looks: () => looks };
  }

  it('reads the intent once, and again after an event of the operator’s stream alone', async () => {
    const { lookout, arrive, looks } = rig();
    await Promise.all([lookout.intent(), lookout.intent()]);
    arrive(OTHER);
    await lookout.intent();
    expect(looks()).toBe(1);
    arrive();
    await lookout.intent();
    expect(looks()).toBe(2);
  });

  it.each([true, false])('ends a wait at once after such an event; busy: %s', async (busy) => {
    const { lookout, arrive } = rig();
    await lookout.intent();
    let over = false;
    const waited = lookout.next(busy).then(() => (over = true));
    arrive(OTHER);
    await pause(20);
    expect(over).toBe(false);
    arrive();
    await waited;
  });

  it('waits for nothing where the event came while the intent was read, or before the wait', async () => {
    const made = rig({ during: () => (made.looks() === 1 ? made.arrive() : undefined) });
    await made.lookout.intent();
    await made.lookout.next(false);
    await made.lookout.intent();
    expect(made.looks()).toBe(2);
    made.arrive();
    await made.lookout.next(true);
  });

  it('reads the intent each time where the process has no feed', async () => {
    const { lookout, progress, looks } = rig({ fed: false });
    await lookout.intent();
    await lookout.intent();
    expect(looks()).toBe(2);
    progress.feedBegan('0' as Position);
    await lookout.intent();
    await lookout.intent();
    expect(looks()).toBe(3);
  });
});
