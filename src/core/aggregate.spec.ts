import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { events } from '../../test/contracts/event-store-kit.js';
import { MemoryEventStore } from '../../test/support/memory-event-store.js';
import { gapless } from './aggregate.js';
import { StreamIncomplete } from './errors.js';
import type { EventStore, StreamName } from './event-store.js';

const STREAM = 'thing-1' as StreamName;
type Options = NonNullable<Parameters<EventStore['readStream']>[1]>;

const revisions = async (store: EventStore, options: Options): Promise<readonly number[] | 'incomplete'> => {
  const read: number[] = [];
  try {
    for await (const { revision } of gapless(store, STREAM, options)) read.push(revision);
    return read;
  } catch (error) {
    if (error instanceof StreamIncomplete) return 'incomplete';
    throw error;
  }
};

const stored = async (count: number): Promise<MemoryEventStore> => {
  const store = new MemoryEventStore();
  if (count > 0) await store.append(STREAM, 'no-stream', events(count));
  return store;
};

describe('a stream', () => {
  it('is read as the store reads it while it is whole, and otherwise only where nothing is missing', async () => {
    const options: fc.Arbitrary<Options> = fc.record(
      {
        from: fc.integer({ min: 0, max: 6 }),
        limit: fc.integer({ min: 1, max: 6 }),
        direction: fc.constantFrom('forward' as const, 'backward' as const),
      },
      { requiredKeys: [] },
    );
    const count = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(count, fc.nat({ max: 4 }), options, async (length, before, given) => {
        const whole = await stored(length);
        const all: number[] = [];
        for await (const { revision } of whole.readStream(STREAM, given)) all.push(revision);
        expect(await revisions(whole, given)).toEqual(all);
        // At least one event is left: the reader cannot detect that a whole stream was deleted.
        whole.scavenge(STREAM, Math.min(before, length - 1));
        const isWhole = all.every((revision) => revision >= Math.min(before, length - 1));
        const read = await revisions(whole, given);
        if (isWhole) expect(read).toEqual(all);
        // If everything that was asked for has been deleted, the read may also be empty.
        else expect(['incomplete', []]).toContainEqual(read);
        if (!isWhole && given.direction !== 'backward') expect(read).toBe('incomplete');
      }),
    );
  });

  it('is read by no part of the service but so', () => {
    const rooms = ['api', 'domain', 'http', 'interview', 'issuers', 'reactors', 'scoring'];
    const readers = rooms.flatMap((room) =>
      readdirSync(join('src', room), { recursive: true, encoding: 'utf8' })
        .filter((path) => /(?<!\.spec|\.whole)\.ts$/.test(path))
        .map((path) => join('src', room, path))
        .filter((path) => readFileSync(path, 'utf8').includes('.readStream(')),
    );
    expect(readers).toEqual([]);
  });
});
