import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { added, record, wrapEventStore } from '../../../test/support/projection-rig.js';
import { StoreUnusable } from '../../core/errors.js';
import { START, type EventStore, type Position, type RecordedEvent } from '../../core/event-store.js';
import { backlogOf } from './backlog.js';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const never = new Promise<void>(() => undefined);

/** One event a second, the last one a second ago. */
async function logOf(events: number): Promise<{ eventStore: EventStore; positions: readonly Position[] }> {
  const eventStore = new MemoryEventStore();
  const at = (index: number): string => new Date(NOW - (events - index) * 1000).toISOString();
  const given = Array.from({ length: events }, (_, index) => ({ ...added('a', 1), at: at(index) }));
  return { eventStore, positions: [START, ...(await record(eventStore, ...given))] };
}

/** A position after an event that is no event's, such as that of an event of the store's own. */
const beyond = (position: Position): Position => `${position}+` as Position;

const before = (position: Position): Position => position.replace('+', '') as Position;

/** Its ordinals are places in a file, and it says how many events were read. */
function bytes(eventStore: EventStore) {
  const counted = { read: 0 };
  const store = wrapEventStore(eventStore, {
    ordinalUnit: 'bytes',
    ordinal: (position) => 700 * eventStore.ordinal(before(position)),
    readAll: async function* ({ after = START, ...options } = {}) {
      for await (const event of eventStore.readAll({ ...options, after: before(after) })) {
        counted.read++;
        yield event;
      }
    },
  });
  return { store, counted };
}

describe('What lies beyond positions', () => {
  it.each([
    ['its metadata', (event: RecordedEvent) => ({ ...event, metadata: Buffer.from('{') })],
    ['its data', (event: RecordedEvent) => ({ ...event, data: Buffer.from('[]') })],
    [
      'its checksum',
      () => {
        throw new StoreUnusable('An event does not match its checksum.');
      },
    ],
  ])('is known to be damaged where %s cannot be read, and no projector is blamed', async (_, spoil) => {
    const { eventStore, positions } = await logOf(4);
    const store = wrapEventStore(eventStore, {
      readAll: async function* (options) {
        for await (const event of eventStore.readAll(options))
          yield event.position === positions[3] ? spoil(event) : event;
      },
    });
    const options = { countUpTo: 10, now: () => NOW, over: never };
    const found = await backlogOf(store, positions[4]!, [positions[1]!, positions[2]!], options);
    expect(found.get(positions[2]!)).toMatchObject({ damage: expect.stringMatching(/damaged|checksum/) });
    expect(found.get(positions[1]!)?.damage).toBeUndefined();
  });

  it('is counted and dated for any positions, whatever the ordinals count, within the bound', async () => {
    const { eventStore, positions } = await logOf(40);
    const indexes = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        indexes,
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom('events', 'bytes', 'bytes, between events'),
        async (asked, head, countUpTo, ordinals) => {
          const { store, counted } = bytes(eventStore);
          const inBytes = ordinals !== 'events';
          const at = (index: number): Position => {
            const position = positions[index] ?? START;
            return ordinals === 'bytes, between events' && index > 0 ? beyond(position) : position;
          };
          const found = await backlogOf(
            inBytes ? store : eventStore,
            positions[head] ?? START,
            asked.map(at),
            { countUpTo, now: () => NOW, over: never },
          );
          for (const index of asked) {
            const behind = found.get(at(index));
            const left = Math.max(0, head - index);
            expect(behind?.seconds).toBe(left === 0 ? 0 : 40 - index);
            const events = behind?.events;
            if (!inBytes || events?.exact) expect(events).toEqual({ count: left, exact: true });
            else expect(events?.count).toBeLessThanOrEqual(left);
            if (left < countUpTo) expect(events?.exact).toBe(true);
            else expect(events?.count).toBeGreaterThanOrEqual(Math.min(left, countUpTo));
          }
          // The events between two positions are read once.
          if (inBytes) expect(counted.read).toBeLessThanOrEqual(countUpTo + 2 * asked.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads one event for each position where ordinals count events', async () => {
    const { eventStore, positions } = await logOf(30);
    const limits: (number | undefined)[] = [];
    const store = wrapEventStore(eventStore, {
      readAll: (options) => {
        limits.push(options?.limit);
        return eventStore.readAll(options);
      },
    });
    const asked = positions.filter((_, index) => index % 10 === 0);
    await backlogOf(store, positions.at(-1) ?? START, asked, {
      countUpTo: 1000,
      now: () => NOW,
      over: never,
    });
    expect(limits).toEqual([1, 1, 1]);
  });

  it('is what was found when time runs out', async () => {
    const { eventStore, positions } = await logOf(10);
    const { store } = bytes(eventStore);
    let soon: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (soon = resolve));
    const hanging = wrapEventStore(store, {
      readAll: async function* (options) {
        let read = 0;
        for await (const event of store.readAll(options)) {
          if (++read === 4) {
            soon();
            await never;
          }
          yield event;
        }
      },
    });
    const [first, , , , fifth] = positions;
    if (first === undefined || fifth === undefined) throw new Error('unreachable');
    const found = await backlogOf(hanging, positions.at(-1) ?? START, [first, fifth], {
      countUpTo: 1000,
      now: () => NOW,
      over,
    });
    expect(found.get(fifth)).toEqual({ seconds: 6, events: { count: 3, exact: false } });
    expect(found.has(first)).toBe(false);
  });

  it('is not known of an event store that fails', async () => {
    const { eventStore, positions } = await logOf(2);
    const failing = wrapEventStore(eventStore, {
      readAll: () => {
        throw new Error('away');
      },
    });
    const [first = START, , last = START] = positions;
    const found = await backlogOf(failing, last, [first, last], {
      countUpTo: 10,
      now: () => NOW,
      over: never,
    });
    expect([...found]).toEqual([[last, { seconds: 0, events: { count: 0, exact: true } }]]);
  });
});
