import { describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { accounts, added, markingSealer, plainCodec, record } from '../../../test/support/projection-rig.js';
import { START, type Position, type StreamName } from '../../event-store/port.js';
import { TooFar } from './errors.js';
import { foldOneAt } from './one-at.js';
import { streamsOf } from './sources.js';

const WIDE = { events: 1_000, ms: 60_000 };
const skipped = new Set<string>();

function rig() {
  const eventStore = new MemoryEventStore();
  const stores = { eventStore, codec: plainCodec(), sealer: markingSealer };
  return {
    eventStore,
    stores,
    at: (upTo: Position, limits = WIDE) => foldOneAt(stores, accounts, 'a', upTo, limits, { skipped }),
  };
}

describe('One document as of a position', () => {
  it('is folded up to it, whatever came later and whatever others did', async () => {
    const { eventStore, at } = rig();
    const positions = await record(
      eventStore,
      added('b', 9),
      added('a', 1),
      added('b', 9),
      added('a', 2),
      added('a', 3),
    );
    const totals = await Promise.all(positions.map(async (position) => await at(position)));
    expect(totals.map((found) => (found?.content as { total: number } | undefined)?.total)).toEqual([
      undefined,
      1,
      1,
      3,
      6,
    ]);
    expect(totals[2]?.position).toBe(positions[1]);
    expect(await at(START)).toBeNull();
  });

  it('says that it was removed, or where it could not be folded on', async () => {
    const { eventStore, at } = rig();
    const [, closed] = await record(eventStore, added('a', 1), { type: 'closed', data: { account: 'a' } });
    expect(await at(closed!)).toMatchObject({ listing: { removed: true, keys: {} }, parked: null });
    const [thirteen, later] = await record(eventStore, added('a', 13), added('a', 4));
    expect(await at(later!)).toMatchObject({
      position: later,
      content: { total: 1, closed: true },
      parked: {
        position: thirteen,
        eventType: 'added',
        eventId: eventStore.log[2]!.id,
        documentId: 'a',
        message: 'Error: Thirteen cannot be added.',
      },
    });
  });

  it('is refused past the limits, with a sentence', async () => {
    const { eventStore, at } = rig();
    const positions = await record(eventStore, ...Array.from({ length: 10 }, () => added('a', 1)));
    expect(await at(positions[4]!, { events: 5, ms: 60_000 })).toMatchObject({ content: { total: 5 } });
    await expect(at(positions[5]!, { events: 5, ms: 60_000 })).rejects.toThrow(
      new TooFar('The history of a in "accounts"'),
    );
    await expect(at(positions[5]!, { events: 100, ms: -1 })).rejects.toBeInstanceOf(TooFar);
  });

  it('takes the streams that hold its events in place of the log', async () => {
    const { eventStore, stores } = rig();
    const streams = ['test-2', 'test-3'] as StreamName[];
    for (let amount = 1; amount <= 20; amount++)
      await record(eventStore, { ...added('a', amount), stream: `test-${1 + (amount % 3)}` });
    const upTo = eventStore.log[14]!.position;
    const options = { skipped, events: streamsOf(eventStore, streams) };
    // 14 amounts are not read at all: they stand beyond, or in another stream.
    const found = await foldOneAt(stores, accounts, 'a', upTo, { events: 11, ms: 60_000 }, options);
    expect(found?.content).toMatchObject({
      entries: [1, 2, 4, 5, 7, 8, 10, 11, 13, 14].filter((n) => n < 13),
    });
    expect(found?.parked?.position).toBe(eventStore.log[12]!.position);
  });
});
