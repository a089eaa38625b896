import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { record, wrapEventStore } from '../../../test/support/projection-rig.js';
import { START, type Position } from '../../event-store/port.js';
import { TooFar } from './errors.js';
import { LogTimes } from './log-times.js';

const WIDE = { events: 1_000_000, ms: 60_000 };
const NOON = Date.UTC(2026, 2, 1, 12);
const MINUTE = 60_000;

/** A log whose events say that they were recorded at these minutes after noon; counts what is read. */
async function rig(minutes: readonly number[]) {
  const eventStore = new MemoryEventStore();
  const events = minutes.map((minute) => ({
    type: 'added',
    data: {},
    at: new Date(NOON + minute * MINUTE).toISOString(),
  }));
  await record(eventStore, ...events);
  const reads = { count: 0 };
  const counting = wrapEventStore(eventStore, {
    readAll: async function* (options) {
      for await (const event of eventStore.readAll(options)) {
        reads.count++;
        yield event;
      }
    },
  });
  const times = new LogTimes(counting, () => NOON + 60 * MINUTE);
  const at = async (minute: number, limits = WIDE): Promise<number> =>
    indexOf(await times.positionAt(new Date(NOON + minute * MINUTE), limits));
  /** How many events precede it. */
  const indexOf = (position: Position): number =>
    position === START ? 0 : 1 + eventStore.log.findIndex((event) => event.position === position);
  return { at, reads };
}

describe('The log as of a time', () => {
  it('is what precedes the first event recorded later', async () => {
    const { at } = await rig([1, 2, 2, 5]);
    expect(await Promise.all([0, 1, 2, 4, 5, 9].map((minute) => at(minute)))).toEqual([0, 1, 3, 3, 4, 4]);
  });

  it('holds nothing that claims to be later, grows with the time, and stays as it was once told', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -60, max: 60 }), { maxLength: 30 }),
        fc.array(fc.integer({ min: -70, max: 70 }), { minLength: 1, maxLength: 10 }),
        async (minutes, asked) => {
          const { at } = await rig(minutes);
          for (const minute of asked) {
            const expected = minutes.findIndex((recorded) => recorded > minute);
            expect(await at(minute)).toBe(expected === -1 ? minutes.length : expected);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is not cut short for good by one writer whose clock was years ahead', async () => {
    const { at } = await rig([1, 60 * 24 * 365, 2, 3]);
    expect(await at(2)).toBe(3);
  });

  it('is found again without reading the log anew', async () => {
    const { at, reads } = await rig(Array.from({ length: 3_500 }, (_, minute) => minute - 4_000));
    expect(await at(-600)).toBe(3_401);
    expect(reads.count).toBe(3_402);
    reads.count = 0;
    expect(await at(-1_999)).toBe(2_002);
    expect(reads.count).toBe(3);
  });

  it('is refused past the limits, and found where asking goes on', async () => {
    const { at, reads } = await rig(Array.from({ length: 250 }, (_, minute) => minute - 300));
    const limits = { events: 100, ms: 60_000 };
    await expect(at(-60, limits)).rejects.toBeInstanceOf(TooFar);
    await expect(at(-60, limits)).rejects.toThrow(
      'The log as of 2026-03-01T11:00:00.000Z: this reaches too far',
    );
    expect(await at(-60, limits)).toBe(241);
    expect(reads.count).toBe(101 + 101 + 42);
    await expect(at(-299, { events: 100, ms: -1 })).rejects.toBeInstanceOf(TooFar);
  });
});
