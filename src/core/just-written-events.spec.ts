import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import {
  isFrozenThroughout,
  metadata,
  personWithKey,
  recordedTrial,
} from '../../test/support/encoded-events.js';
import { createCodec } from './codec.js';
import type { RecordedEvent } from './event-store.js';
import type { AnyEvent } from './event.js';
import { JustWrittenEvents } from './just-written-events.js';
import { defineEvents } from './registry.js';
import { Sealer } from './sealing.js';
import { MissingKey } from './vault/port.js';

const registry = defineEvents({ did: { version: 1, batch: true }, done: { version: 1 } });

const start = async () => {
  const { vault, person } = await personWithKey();
  const open = jest.spyOn(Sealer.prototype, 'open');
  const codec = createCodec(registry, new Sealer(vault), null, new JustWrittenEvents());
  const writeEvent = async (event: AnyEvent, chain?: { previousHash: null }): Promise<RecordedEvent> => {
    const { encoded } = await codec.encode([event], metadata, chain);
    // As a store gives them: other bytes than those that were appended.
    const [stored] = recordedTrial(encoded);
    return { ...stored!, data: Uint8Array.from(stored!.data), metadata: Uint8Array.from(stored!.metadata) };
  };
  const write = (items: readonly object[]): Promise<RecordedEvent> => {
    const data = { sequenceNumber: 1, items: items.map(() => ({ at: 1 })) };
    return writeEvent({ type: 'did', data, person, personal: { items } }, { previousHash: null });
  };
  /** Whether it was opened for that. */
  const read = async (event: RecordedEvent) => {
    open.mockClear();
    const decoded = await codec.decode(event);
    if (decoded.kind !== 'event') throw new Error(decoded.kind);
    return { event: decoded.event, opened: open.mock.calls.length > 0 };
  };
  return { vault, person, codec, write, writeEvent, read };
};
const things = fc.array(
  fc
    .dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toJSON', '9')), fc.jsonValue())
    .map((value) => JSON.parse(JSON.stringify(value)) as object),
  { minLength: 1, maxLength: 4 },
);

describe('an event that this process has just written', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance'] }));
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('is read once without being opened, as what its bytes are read as', async () => {
    const { write, read } = await start();
    await fc.assert(
      fc.asyncProperty(things, async (items) => {
        const event = await write(items);
        const atHand = await read(event);
        const ofBytes = await read(event);
        expect([atHand.opened, ofBytes.opened]).toEqual([false, true]);
        expect(atHand.event).toEqual(ofBytes.event);
        expect(JSON.stringify(atHand.event)).toBe(JSON.stringify(ofBytes.event));
        expect(isFrozenThroughout(atHand.event)).toBe(true);
      }),
    );
  });

  it('is read once as what its bytes are read as, personal or not', async () => {
    const { person, writeEvent, read } = await start();
    const parse = jest.spyOn(JSON, 'parse');
    await fc.assert(
      fc.asyncProperty(things, fc.boolean(), async ([data = {}, personal = null], isPersonal) => {
        const of = isPersonal ? { person, personal } : { person: null, personal: null };
        const event = await writeEvent({ type: 'done', data, ...of });
        parse.mockClear();
        const { event: atHand } = await read(event);
        expect(parse).not.toHaveBeenCalled();
        const { event: ofBytes } = await read(event);
        expect(parse).toHaveBeenCalled();
        expect(atHand).toEqual(ofBytes);
        expect(JSON.stringify(atHand)).toBe(JSON.stringify(ofBytes));
        expect(isFrozenThroughout(atHand)).toBe(true);
      }),
    );
  });

  it('is read from its bytes where JSON carries it otherwise', async () => {
    const { write, read } = await start();
    const event = await write([{ at: new Date(0), none: undefined }]);
    const { event: stored, opened } = await read(event);
    expect(opened).toBe(true);
    expect(stored.personal).toStrictEqual({ items: [{ at: '1970-01-01T00:00:00.000Z' }] });
  });

  it('is read from other bytes where the store has others', async () => {
    const { write, read } = await start();
    const event = await write([{ a: 1 }]);
    const other = await write([{ a: 2 }]);
    const mixed = await read({ ...event, metadata: other.metadata });
    expect(mixed.event.personal).toEqual({ items: [{ a: 2 }] });
    const data = Buffer.from(Buffer.from(other.data).toString().replace('"at":1', '"at":2'));
    expect((await read({ ...other, data })).event.data).toEqual({ sequenceNumber: 1, items: [{ at: 2 }] });
  });

  it('is not told any more once its person is erased, nor without the person’s key', async () => {
    const { vault, person, write, read } = await start();
    const [one, other] = [await write([{ a: 1 }]), await write([{ a: 1 }])];
    await vault.keys.erase(person);
    expect((await read(one)).event.personal).toBeNull();
    vault.known.delete(person);
    await expect(read(other)).rejects.toThrow(MissingKey);
  });

  it('is let go after ten seconds at most, and so is what is more than four megabytes', async () => {
    const { write, read } = await start();
    const first = await write([{ a: 1 }]);
    jest.advanceTimersByTime(5_000);
    expect([(await read(first)).opened, (await read(first)).opened]).toEqual([false, true]);
    const late = await write([{ a: 1 }]);
    jest.advanceTimersByTime(10_000);
    expect(jest.getTimerCount()).toBe(0);
    expect((await read(late)).opened).toBe(true);

    const later = await write([{ a: 1 }]);
    jest.advanceTimersByTime(10_000);
    expect((await read(later)).opened).toBe(true);

    const events: RecordedEvent[] = [];
    for (let written = 0; written < 12; written++) events.push(await write([{ text: 'x'.repeat(700_000) }]));
    const opened: boolean[] = [];
    for (const event of events) opened.push((await read(event)).opened);
    const kept = opened.filter((isOpened) => !isOpened).length;
    expect([kept >= 4, kept <= 6]).toEqual([true, true]);
    expect([opened[0], opened.at(-1)]).toEqual([true, false]);
  });

  it('keeps no process alive', async () => {
    jest.useRealTimers();
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const { write } = await start();
    const before = timers();
    await write([{ a: 1 }]);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
