import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts } from '../../../test/support/projection-rig.js';
import type { LogId } from '../../core/event-store.js';
import type { Pointer } from '../../stores/read-store.js';
import { newGeneration } from '../generations/generations.js';
import { first, frozen, thawed } from '../generations/pointer.js';
import { LiveGenerations } from './live-generations.js';

/** A reader's live generations, over a view that has its first generation; the test moves the clock. */
const rig = async () => {
  const eventStore = new MemoryEventStore();
  const readStore = openMemoryReadStore(new MemoryDatabase());
  let now = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const pointer = first(await newGeneration({ eventStore, readStore }, accounts, 1));
  await readStore.pointers.swap('accounts', null, pointer);
  const generations = new LiveGenerations(readStore, pointer.live.log);
  const swap = async (next: Pointer): Promise<Pointer> => {
    expect(await readStore.pointers.swap('accounts', next.revision - 1, next)).toBe(true);
    return next;
  };
  return {
    generations,
    pointer,
    swap,
    pass: (ms: number) => (now += ms),
    /** One try of a read that waits for a swap. @returns whether the view is frozen after it */
    tryOnce: async (): Promise<boolean> => {
      await generations.fromPointer(accounts);
      await generations.thawIfStuck(accounts);
      return (await readStore.pointers.get('accounts'))?.freeze != null;
    },
  };
};

describe('A reader of a frozen view', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('leaves the freeze to its promotion for a second, however often it tries, then ends it', async () => {
    const { pointer, swap, pass, tryOnce } = await rig();
    await swap(frozen(pointer, pointer.live.name));
    for (let ms = 0; ms <= 1_000; ms += 100, pass(100)) expect(await tryOnce()).toBe(true);
    expect(await tryOnce()).toBe(false);
  });

  it('gives each freeze its own time', async () => {
    const { pointer, swap, pass, tryOnce } = await rig();
    const { live } = pointer;
    const former = await swap(frozen(pointer, live.name));
    expect(await tryOnce()).toBe(true);
    pass(900);
    await swap(frozen(await swap(thawed(former)), live.name));
    for (let n = 0; n < 2; n++, pass(900)) expect(await tryOnce()).toBe(true);
    pass(200);
    expect(await tryOnce()).toBe(false);
  });
});

describe('The live generation that a reader saw last', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('is forgotten once the pointer names one of another log', async () => {
    const { generations, pointer, swap } = await rig();
    await generations.fromPointer(accounts);
    expect(generations.last(accounts)?.generation).toEqual(pointer.live);
    const live = { ...pointer.live, log: 'another log' as LogId };
    await swap({ ...pointer, live, revision: pointer.revision + 1 });
    expect(await generations.fromPointer(accounts)).toBeNull();
    expect(generations.last(accounts)).toBeNull();
  });
});
