import { describe, expect, it } from '@jest/globals';
import { openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import type { LogId, Position } from '../../core/event-store.js';
import type { Generation, GenerationName } from '../../stores/read-store.js';
import { Budget, GenerationGone, whileThere } from './reading.js';

describe('How much a question may read', () => {
  it('is as many events as it may, and no more', () => {
    const budget = new Budget({ events: 2, ms: 60_000 }, 'The history');
    expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false]);
  });

  it('ends with its time', () => {
    expect(new Budget({ events: 9, ms: -1 }, 'The history').spend()).toBe(false);
  });
});

describe('Work on a generation', () => {
  const generation: Generation = {
    name: 'accounts.v1.g1' as GenerationName,
    number: 1,
    version: 1,
    fingerprint: 'a',
    log: 'log' as LogId,
    segments: 1,
  };

  it('is done of one that nothing has been folded into yet, and refused if it was dropped meanwhile', async () => {
    const readStore = openMemoryReadStore();
    expect(await whileThere(readStore, generation, async () => 'done')).toBe('done');
    await readStore.checkpoints.advance('accounts.v1.g1.1of1', null, '1' as Position);
    expect(await whileThere(readStore, generation, async () => 'done')).toBe('done');
    const dropped = whileThere(readStore, generation, () => readStore.drop(generation.name));
    await expect(dropped).rejects.toThrow(GenerationGone);
  });

  it('is refused if it was dropped meanwhile, though one of its segments has not begun', async () => {
    const readStore = openMemoryReadStore();
    await readStore.checkpoints.advance('accounts.v1.g1.2of2', null, '1' as Position);
    const two = { ...generation, segments: 2 };
    const dropped = whileThere(readStore, two, () => readStore.drop(generation.name));
    await expect(dropped).rejects.toThrow(GenerationGone);
  });
});
